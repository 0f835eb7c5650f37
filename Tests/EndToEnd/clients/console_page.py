"""The console of the admin listener in a real browser: what it shows, and what it answers.

python console_page.py ADMIN_URL TOKEN_URL CONFIGURATION_FILE CALLER_TOKEN
"""
import base64
import contextlib
import json
import re
import sys
import unicodedata
import urllib.error
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True

import console_values  # noqa: E402
from browser_session import session  # noqa: E402
from console_values import HOSTILE  # noqa: E402
from outcome import report, require  # noqa: E402


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


CLAIMS = {"iss": "a@b.iam.gserviceaccount.com", "sub": "a@b.iam.gserviceaccount.com", "iat": 1, "exp": 2,
          "aud": "https://fleetengine.googleapis.com/", "authorization": {"tripid": "<b>t</b>"}}
# What is pasted, and a text of the answer.
BROKEN = [
    ("x", "Fleet Engine would refuse this"), ("x" * 12_000, "refuse"), ("a.b", "refuse"), ("{}", "refuse"),
    ("Bearer", "refuse"), ("Basic YTpi", "refuse"), (f"{part({'alg': 'none'})}.{part(CLAIMS)}.", "alg_none"),
    (f"{part({'alg': 'RS256'})}.{part(CLAIMS)}.AAAA", "kid"), (f"{part({'alg': 'RS256'})}.{part({})}.AAAA", "aud"),
    (f"{part({'alg': 'RS256', 'kid': '<img src=x onerror=alert(1)>'})}.{part(CLAIMS)}.AAAA", "exp"),
]


def main():
    admin, tokens, configuration, caller = sys.argv[1:]
    minted = ask(tokens, "trip-1", caller)
    for target in ["trip-1", "trip-1"] + ["trip-2"] * 3 + HOSTILE:
        ask(tokens, target, caller)
    with session(f"{admin}/") as browser:
        browser.open()
        first_look(browser)
        refusals(browser)
        live_update(browser, tokens, caller)
        charts(browser)
        keyboard(browser)
        refused_reload(browser, configuration)
        explain(browser, caller)
        mistakes(browser)
        inspect(browser, minted)
        browser.check()
        console_values.check(browser)
        return browser.facts() | {"broken": len(BROKEN)}


def ask(tokens, trip, caller):
    url = f"{tokens}/token?tripID={urllib.parse.quote(unicodedata.normalize('NFC', trip))}"
    try:
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {caller}"})
        return urllib.request.urlopen(request).read().decode()
    except urllib.error.HTTPError as error:
        error.read()


def first_look(browser):
    browser.until("document.querySelector('#summary strong')?.textContent === 'Ready'")
    browser.until("document.querySelector('#live').textContent === 'Live'")
    browser.until("document.querySelectorAll('.plot svg .rule').length >= 24")
    rows = browser.text("#refused")
    require("not_allowed" in rows and "trip-2" in rows, f"no refusal of trip-2 in {rows}")
    require("onerror=alert(1)" in rows or "<img" in rows, f"the hostile id is not shown as text: {rows}")
    require("\u202e" not in rows and "\\u{202e}" in rows, f"the override is not made visible: {rows}")
    require(browser.page.locator("#refused img").count() == 0, "a refusal became markup")
    terms = browser.text("#terms")
    require("Signing key" in terms and "no end" in terms and "now" in terms, f"the timeline shows {terms}")
    browser.measure(lambda width: require_whole_ids(browser, width))


def require_whole_ids(browser, width):
    """Ids are in one line, and the table does not scroll sideways."""
    broken = browser.page.evaluate("[...document.querySelectorAll('.unbroken')].filter("
                                   "(id) => id.getBoundingClientRect().height > 24).map((id) => id.textContent)")
    require(not broken, f"ids have several lines at {width} px: {broken}")
    excess = browser.page.evaluate("(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)"
                                   "(document.querySelector('#refused'))")
    require(excess <= 0, f"the refusals are {excess} px too wide at {width} px")
    scrolls = browser.page.evaluate("(({scrollWidth, clientWidth}) => scrollWidth > clientWidth)"
                                    "(document.querySelector('nav ul'))")
    style = browser.page.evaluate("getComputedStyle(document.querySelector('nav ul')).scrollbarWidth")
    require(scrolls == (width < 500) and style == "thin", f"the navigation at {width} px: {scrolls}, {style}")


def refusals(browser):
    """Equal ones are together, a filter finds some, and each fills the form that explains it."""
    page = browser.page
    rows = page.locator("#refused tbody tr")
    mine = rows.filter(has_text="trip-2")
    require(mine.count() == 1 and "3 times" in mine.inner_text(), f"no group of 3 in {browser.text('#refused')}")
    require("user-1" in mine.inner_text() and "127.0.0.1" in mine.inner_text(), f"not who in {mine.inner_text()}")
    require(re.search(r"UTC[+−]\d\d:\d\d", browser.text("#refused thead")), "the table does not name the offset to UTC")
    require(re.search(r"\d{4}-\d\d-\d\d", mine.inner_text()), f"no date in {mine.inner_text()}")
    is_before = page.evaluate("document.querySelector('#refused').compareDocumentPosition("
                             "document.querySelector('#plots')) & Node.DOCUMENT_POSITION_FOLLOWING")
    require(is_before, "the charts are before the refusals")
    page.fill("#refusal-filter", "TRIP-2 not_allowed")
    browser.until("document.querySelectorAll('#refused tbody tr').length === 1")
    page.fill("#refusal-filter", "nothing has this")
    browser.until("document.querySelector('#refused').textContent.startsWith('No refusal has')")
    page.fill("#refusal-filter", "")
    mine.get_by_role("button", name="Copy request id").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    require(re.fullmatch("[0-9a-f]{16}", copied) and copied in mine.inner_text(), f"the copied id is {copied}")
    mine.get_by_role("button", name="Explain this").click()
    require(page.input_value("#kind") == "consumer" and page.input_value("#first-id") == "trip-2", "the form is not filled")
    browser.until("document.activeElement.id === 'token'")
    require("token" in browser.text("#explained"), f"the form does not say what it needs: {browser.text('#explained')}")
    page.fill("#first-id", "")


def charts(browser):
    """Each chart says its unit, and its value under the pointer and by the keyboard; those with a limit say it too."""
    for number, title in enumerate(["Requests", "Tokens", "Time to answer", "Cache hits", "Connections", "CPU", "Memory",
                                    "Refusals"]):
        chart = browser.page.locator("figure.chart").nth(number)
        require(chart.locator("h3").inner_text().startswith(f"{title} "), f"chart {number} is not {title} with a unit")
        limited = title in ("Connections", "CPU", "Memory")
        require(("Limit" in chart.locator(".legend").inner_text()) == limited, f"the limit of {title}")
        browser.until(f"!document.querySelectorAll('figure.chart')[{number}].querySelector('.dot, .line') || "
                      f"document.querySelectorAll('figure.chart')[{number}].textContent.includes('most ')")
        chart.locator(".plot").hover()
        browser.until(f"/^[0-9:]{{8}}$/.test(document.querySelectorAll('figure.chart header > .small')[{number}]"
                      ".textContent)")
        # Where the page moves below a pointer, that counts as a move of the pointer.
        browser.page.mouse.move(0, 0)
        plot = chart.locator(".plot")
        # A cursor on the newest point moves to each new one, so the first must not be the newest.
        browser.until(f"document.querySelectorAll('figure.chart .plot')[{number}].ariaValueMax >= 1")
        # On a busy machine the browser tells late that the pointer left, which ends the cursor that the key set.
        for _ in range(10):
            plot.press("Home")
            place, value = plot.evaluate("(plot) => [plot.ariaValueNow, plot.ariaValueText]")
            if place == "0":
                break
        require(place == "0" and re.match("[0-9:]{8}: .+ (–|[0-9<])", value), f"{title} says {value} at {place}")
        plot.press("Escape")


def live_update(browser, tokens, caller):
    count = "document.querySelector('#facts').children[2].lastChild.textContent"
    before = browser.page.evaluate(count)
    ask(tokens, "trip-1", caller)
    browser.until(f"{count} !== '{before}'")


def keyboard(browser):
    """Reaches everything by the tab key, and asks all that can be asked."""
    page = browser.page
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    wanted = page.locator("a[href], button, input, select, textarea, [tabindex='0']").count()
    reached = set()
    for _ in range(wanted + 4):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim() "
                                  "|| document.activeElement.getAttribute('aria-label')"))
    for name in ["Skip to content", "pause", "refused", "token", "kind", "first-id", "pasted", "clear", "reload"]:
        require(name in reached, f"the tab key does not reach {name}: {reached}")
    inspect_by_keyboard(browser)
    explain_by_keyboard(browser)
    reload_by_keyboard(browser)


def inspect_by_keyboard(browser):
    tab_to(browser, "#pasted")
    browser.page.keyboard.type("a.b")
    press(browser, "Enter", "#inspect-form button.main", "#inspected")


def explain_by_keyboard(browser):
    """Chooses an API key by its name, and a kind."""
    keyboard = browser.page.keyboard
    tab_to(browser, "[name=caller]:checked")
    keyboard.press("ArrowDown")
    tab_to(browser, "#kind")
    keyboard.type("driver")
    tab_to(browser, "#first-id")
    keyboard.type("v-1")
    press(browser, "Enter", "#explain-form button.main", "#explained")
    shown = browser.text("#explained")
    require("Allowed" in shown and "dispatchers" in shown, f"explain by keyboard shows {shown}")
    tab_to(browser, "[name=caller]:checked")
    keyboard.press("ArrowUp")


def reload_by_keyboard(browser):
    press(browser, "Space", "#reload", "#reloaded")
    require("Reloaded. No setting changed" in browser.text("#reloaded"), f"reload shows {browser.text('#reloaded')}")


def press(browser, key, button, result):
    """Presses a key on a button: the result is said to screen readers, and the focus stays on the button."""
    page = browser.page
    require(page.get_attribute(result, "role") == "status", f"{result} is no live region")
    clear(page, result)
    tab_to(browser, button)
    page.keyboard.press(key)
    browser.until(f"document.querySelector('{result} .note')")
    browser.until(f"document.activeElement.matches('{button}')")
    require_visible_focus(browser, button)


def clear(page, result):
    page.evaluate(f"document.querySelector('{result}').replaceChildren()")


def tab_to(browser, selector):
    """Presses Tab until an element has the focus, which must be visible."""
    page = browser.page
    for _ in range(200):
        if page.evaluate(f"document.activeElement.matches('{selector}')"):
            return require_visible_focus(browser, selector)
        page.keyboard.press("Tab")
    require(False, f"the tab key does not reach {selector}")


def require_visible_focus(browser, selector):
    """The focus has an outline, and is in the window."""
    width, style = browser.page.evaluate(
        "(({outlineWidth, outlineStyle}) => [parseFloat(outlineWidth), outlineStyle])"
        "(getComputedStyle(document.activeElement))")
    require(width >= 2 and style != "none", f"the focus on {selector} is not visible: {width} px, {style}")
    browser.until("(({top, bottom}) => top >= 0 && bottom <= innerHeight)"
                  "(document.activeElement.getBoundingClientRect())")


@contextlib.contextmanager
def breaking(configuration):
    """Makes the file wrong for a while; gives its right text."""
    with open(configuration, encoding="utf-8") as file:
        text = file.read()
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(text + "\n<b>broken</b>: 1\n")
    yield text
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(text)


def refused_reload(browser, configuration):
    with breaking(configuration) as text:
        browser.page.click("#reload")
        browser.until("document.querySelector('#reloaded .bad')")
        shown = browser.text("#reloaded")
        expected = ["previous configuration stays", "<b>broken</b>"]
        require(all(text in shown for text in expected), f"the refused reload shows {shown}")
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(text.replace("ids: plain", "ids: digest"))
    browser.page.click("#reload")
    browser.until("document.querySelector('#reloaded .good')")
    require("log.ids" in browser.text("#reloaded"), f"the reload shows {browser.text('#reloaded')}")
    with open(configuration, "a", encoding="utf-8") as file:
        file.write("\nhttp: {max_headers: 50}\n")
    browser.page.click("#reload")
    browser.until("document.querySelector('#waiting .warn')?.textContent.includes('http.max_headers changed')")


def explain(browser, caller):
    page = browser.page
    page.fill("#token", caller)
    page.select_option("#kind", "consumer")
    for trip, word, reason in [("trip-1", "Allowed", "riders"), ("trip-2", "Refused", "trip-2")]:
        page.fill("#first-id", trip)
        clear(page, "#explained")
        page.click("#explain-form button.main")
        browser.until(f"document.querySelector('#explained strong')?.textContent === '{word}'")
        require(reason in browser.text("#explained"), f"explain shows {browser.text('#explained')}")
        checks = page.locator("#explained .checklist li")
        require(checks.filter(has_text="issuer").first.get_attribute("class") == "good", "the issuer has no check")
        unmet = page.locator("#explained .checklist .bad").all_inner_texts()
        require(len(unmet) == (0 if word == "Allowed" else 1), f"{word} with the checks {unmet} that are not met")
        require('"trips"' in browser.text("#explained pre"), f"the claims are not beside: {browser.text('#explained')}")
    page.check("input[value=name]")
    page.select_option("#kind", "driver")
    page.fill("#first-id", "v-1")
    page.click("#explain-form button.main")
    browser.until("document.querySelector('#explained').textContent.includes('dispatchers')")


def mistakes(browser):
    """The page says what is wrong, and does not ask the daemon."""
    page, asked = browser.page, []
    page.route("**/console/explain", lambda route: (asked.append(route.request.url), route.abort()))
    page.route("**/console/inspect", lambda route: (asked.append(route.request.url), route.abort()))
    page.check("input[value=token]")
    for form, result, field, text, sentence in [
            ("#explain-form", "#explained", "first-id", "", "Type the id first: vehicle."),
            ("#explain-form", "#explained", "token", " ", "Paste a token or an API key"),
            ("#explain-form", "#explained", "token", "x" * 13_000, "bytes, and the daemon takes at most 12,240"),
            ("#inspect-form", "#inspected", "pasted", "", "Paste a token first."),
            ("#inspect-form", "#inspected", "pasted", "x" * 13_000, "This has 13,000 bytes")]:
        clear(page, result)
        page.fill(f"#{field}", text)
        page.click(f"{form} button.main")
        browser.until(f"document.querySelector('{result} .note')")
        require(sentence in browser.text(result), f"{field} {text[:9]!r}: {browser.text(result)}")
        browser.until(f"document.activeElement.id === '{field}'")
        page.fill("#first-id", "v-1")
    require(not asked, f"the daemon was asked: {asked}")
    page.unroute_all()


def inspect(browser, minted):
    page = browser.page
    page.fill("#pasted", minted)
    page.click("#inspect-form button.main")
    browser.until("document.querySelector('#inspected .state.good')?.textContent === 'verified'")
    require("the daemon's JWK set" in browser.text("#inspected"), f"inspect shows {browser.text('#inspected')}")
    for pasted, expected in BROKEN:
        clear(page, "#inspected")
        page.fill("#pasted", pasted)
        page.click("#inspect-form button.main")
        browser.until("document.querySelector('#inspected .note')")
        shown = browser.text("#inspected")
        require(expected in shown and "would refuse" in shown, f"{pasted!r}: {shown}")
    require(page.locator("#inspected img").count() == 0, "a claim became markup")


if __name__ == "__main__":
    report(main)
