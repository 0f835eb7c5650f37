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
    ("", "Fleet Engine would refuse this"), ("x", "refuse"), ("a.b", "refuse"), ("{}", "refuse"),
    ("Bearer", "refuse"), ("Basic YTpi", "refuse"), (f"{part({'alg': 'none'})}.{part(CLAIMS)}.", "alg_none"),
    (f"{part({'alg': 'RS256'})}.{part(CLAIMS)}.AAAA", "kid"), (f"{part({'alg': 'RS256'})}.{part({})}.AAAA", "aud"),
    (f"{part({'alg': 'RS256', 'kid': '<img src=x onerror=alert(1)>'})}.{part(CLAIMS)}.AAAA", "exp"),
]


def main():
    admin, tokens, configuration, caller = sys.argv[1:]
    minted = ask(tokens, "trip-1", caller)
    for target in ["trip-1", "trip-1", "trip-2"] + HOSTILE:
        ask(tokens, target, caller)
    with session(f"{admin}/") as browser:
        browser.open()
        first_look(browser)
        live_update(browser, tokens, caller)
        charts(browser)
        keyboard(browser)
        refused_reload(browser, configuration)
        explain(browser, caller)
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
    browser.measure()


def charts(browser):
    """Each chart says its unit, and its value under the pointer and by the keyboard; those with a limit say it too."""
    for number, title in enumerate(["Requests", "Tokens", "Time to answer", "Cache hits", "Connections", "CPU", "Memory",
                                    "Refusals"]):
        chart = browser.page.locator("figure.chart").nth(number)
        require(chart.locator("h3").inner_text().startswith(f"{title} "), f"chart {number} is not {title} with a unit")
        limited = title in ("Connections", "CPU", "Memory")
        require(("Limit" in chart.locator(".legend").inner_text()) == limited, f"the limit of {title}")
        chart.locator(".plot").hover()
        browser.until(f"/^[0-9:]{{8}}$/.test(document.querySelectorAll('figure.chart header > .small')[{number}]"
                      ".textContent)")
        # Where the page moves below a pointer, that counts as a move of the pointer.
        browser.page.mouse.move(0, 0)
        plot = chart.locator(".plot")
        # A cursor on the newest point moves to each new one, so the first must not be the newest.
        browser.until(f"document.querySelectorAll('figure.chart .plot')[{number}].ariaValueMax >= 1")
        plot.press("Home")
        place, value = plot.get_attribute("aria-valuenow"), plot.get_attribute("aria-valuetext")
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
    page.check("input[value=name]")
    page.select_option("#kind", "driver")
    page.fill("#first-id", "v-1")
    page.click("#explain-form button.main")
    browser.until("document.querySelector('#explained').textContent.includes('dispatchers')")


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
