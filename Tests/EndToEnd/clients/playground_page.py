"""The playground of the demo in a real browser, from the request to the refresh.

python playground_page.py DEMO_URL
python playground_page.py DEMO_URL callers: the three callers of a demo that asks for them, in place of the rest.
"""
import sys
from email.utils import formatdate, parsedate_to_datetime

sys.dont_write_bytecode = True

from browser_session import session  # noqa: E402
from outcome import report, require  # noqa: E402

HOSTILE = ["<img src=x onerror=alert(1)>", "\u202egnp.exe", "a" + "\u20dd" * 70, "x" * 2000, "", "*", "a/b", "'$(id)"]


FORMATS = ["on_demand", "last_mile", "javascript", "android", "sdk"]


def main():
    return callers() if sys.argv[2:] == ["callers"] else whole()


def callers():
    """A driver who may have the token, one who may not, and nobody: with the rule that decided."""
    with session(f"{sys.argv[1]}/") as browser:
        browser.open()
        browser.page.select_option("#kind", "driver")
        for caller, status, reason in [("ada", "200", "Allowed by the rule drivers: the claim vehicle is vehicle-1"),
                                       ("bob", "403", "which is vehicle-2, not vehicle-1"),
                                       ("nobody", "401", "the request has no token")]:
            browser.page.select_option("#caller", caller)
            get(browser)
            shown = browser.text("#status") + browser.text("#answer")
            require(shown.startswith(f"{status} in ") and reason in shown, f"{caller} gets {shown}")
            code = browser.text("#code")
            require(("idToken" in code) == (caller != "nobody"), f"the code for {caller} is {code}")
        code = all_code(browser, "ada")
        browser.check()
        return browser.facts() | {"code": code}


def whole():
    with session(f"{sys.argv[1]}/") as browser:
        without_scripts(browser)
        browser.open()
        page = browser.page
        steps = page.locator(".step h2").all_inner_texts()
        require([step[:2] for step in steps] == ["1.", "2.", "3.", "4.", "5."], f"the steps are {steps}")
        require(page.locator(".step h2").nth(3).is_visible(), "the steps are not there from the beginning")
        kinds = page.locator("#kind option").all_inner_texts()
        for kind in kinds:
            page.select_option("#kind", kind.replace(" ", "_"))
            get(browser)
            browser.until("document.querySelector('#signature').textContent === 'signature verified'")
        for format in FORMATS:
            page.select_option("#format", format)
            get(browser)
            browser.until("/^5[0-9]:[0-9][0-9]$/.test(document.querySelector('#countdown').textContent)")
        left = browser.text("#countdown")
        browser.until(f"document.querySelector('#countdown').textContent < '{left}'")
        page.click("#again")
        browser.until("document.querySelector('#again-result').textContent.startsWith('Same token')")
        # What comes after the lifetime of the cached one.
        page.route("**/token?*", lambda route: route.fulfill(response=route.fetch(url=f"{route.request.url}-new")))
        page.click("#again")
        browser.until("document.querySelector('#again-result').textContent.startsWith('New token')")
        require("-new" in browser.text("#token"), "the new token is not shown")
        page.unroute("**/token?*")
        browser.check()
        wrong_clock(browser)
        changed(browser)
        snippets(browser)
        code = all_code(browser)
        require("idToken" not in str(code) and "ID_TOKEN" not in str(code), "the code has a token that is not needed")
        for id in HOSTILE:
            page.fill("#first-id", id)
            get(browser)
            require(page.locator("main img").count() == 0, f"{id} became markup")
            expected = {"": "Type the id first: vehicle.", "x" * 2000: "The id has 2000 characters"}.get(id, "")
            require(expected in browser.text("#answer"), f"{id[:9]!r}: {browser.text('#answer')}")
            browser.measure()
        return browser.facts() | {"kinds": len(kinds), "code": code}


def without_scripts(browser):
    """The notice is the first text of the page, and leads to a token of this demo."""
    context = browser.page.context.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(browser.url)
    require(page.locator("main").inner_text().startswith("This page needs JavaScript."), "the notice is not first")
    page.click("noscript a")
    require(page.url == f"{browser.url}token?tripID=trip-1" and "eyJ" in page.inner_text("body"), f"it led to {page.url}")
    context.close()


def wrong_clock(browser):
    """A clock that is a minute behind is named with its cure, and does not matter for relative expirations."""
    page = browser.page

    def ahead(route):
        response = route.fetch()
        date = formatdate(parsedate_to_datetime(response.headers["date"]).timestamp() + 60, usegmt=True)
        route.fulfill(response=response, headers=response.headers | {"date": date})

    page.route("**/token?*", ahead)
    get(browser)
    browser.until("document.querySelector('#clock').textContent.includes('behind')")
    shown = browser.text("#clock")
    require("expiration=relative" in shown and ("59 seconds" in shown or "1 minute" in shown), f"the clock: {shown}")
    page.select_option("#expiration", "relative")
    get(browser)
    browser.until("document.querySelector('#signature').textContent === 'signature verified'")
    require(browser.text("#clock") == "", f"the clock matters: {browser.text('#clock')}")
    page.unroute("**/token?*")
    page.select_option("#expiration", "absolute")


def changed(browser):
    """A change takes away what belongs to another request."""
    get(browser)
    browser.until("document.querySelector('#signature').textContent === 'signature verified'")
    browser.page.fill("#first-id", "another")
    for place in ["#status", "#signature", "#countdown", "#clock", "#again-result"]:
        require(browser.text(place) == "", f"{place} still shows {browser.text(place)}")
    require("eyJ" not in browser.text("main") and browser.page.is_disabled("#again"), "the previous token is still shown")


def get(browser):
    browser.page.evaluate("document.getElementById('answer').replaceChildren()")
    browser.page.click("#ask")
    browser.until("document.querySelector('#answer pre, #answer .note') && !document.querySelector('#ask').disabled")


def snippets(browser):
    page = browser.page
    page.locator("[role=tab]").first.focus()
    names = ["Swift", "Kotlin", "TypeScript", "Dart", "Objective-C", "curl"]
    require(page.locator("[role=tab]").all_inner_texts() == names, "not the expected platforms")
    for name in names[1:]:
        page.keyboard.press("ArrowRight")
        require(page.evaluate("document.activeElement.textContent") == name, f"the arrow key does not reach {name}")
        code = browser.text("#code")
        require(all(text in code for text in ["/token?", "429"]) and ("401" in code or name == "curl"), f"{name}: {code}")
        require(page.locator("#code span").count() > 0, f"the code for {name} is not highlighted")
    page.locator("#code-title ~ button").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    require("curl --fail" in copied, f"the copied code is {copied}")


def all_code(browser, caller=None):
    """The code of each platform for each format. That for TypeScript runs here, in the page."""
    page, code = browser.page, {}
    if caller is not None:
        page.select_option("#caller", caller)
    page.select_option("#kind", "driver")
    for format in FORMATS:
        page.select_option("#format", format)
        for tab in page.locator("[role=tab]").all():
            tab.click()
            code.setdefault(tab.inner_text(), []).append(page.locator("#code").text_content())
        if caller is not None:
            continue
        answer, left = page.evaluate(
            f"(async () => {{ {code['TypeScript'][-1]}\n"
            "return [JSON.stringify(answer), refreshAt - Date.now()]; })()")
        require("eyJ" in answer and 3_000_000 < left < 3_600_000, f"TypeScript, {format}: {left} ms, {answer}")
    return code


report(main)
