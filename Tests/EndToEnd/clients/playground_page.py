"""The playground of the demo in a real browser, from the request to the refresh.

python playground_page.py DEMO_URL
"""
import sys

sys.dont_write_bytecode = True

from browser_session import session  # noqa: E402
from outcome import report, require  # noqa: E402

HOSTILE = ["<img src=x onerror=alert(1)>", "\u202egnp.exe", "a" + "\u20dd" * 70, "x" * 2000, "", "*", "a/b", "'$(id)"]


FORMATS = ["on_demand", "last_mile", "javascript", "android", "sdk"]


def main():
    with session(f"{sys.argv[1]}/") as browser:
        browser.open()
        page = browser.page
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
        snippets(browser)
        code = all_code(browser)
        for id in HOSTILE:
            page.fill("#first-id", id)
            get(browser)
            require(page.locator("main img").count() == 0, f"{id} became markup")
            browser.measure()
        return browser.facts() | {"kinds": len(kinds), "code": code}


def get(browser):
    browser.page.evaluate("document.getElementById('answer').replaceChildren()")
    browser.page.click("#ask")
    browser.until("document.querySelector('#answer pre, #answer .note') && !document.querySelector('#ask').disabled")


def snippets(browser):
    page = browser.page
    page.locator("[role=tab]").first.focus()
    for name in ["Swift", "Objective-C", "Kotlin", "JavaScript"]:
        page.keyboard.press("ArrowRight")
        require(page.evaluate("document.activeElement.textContent") == name, f"the arrow key does not reach {name}")
        require("/token?" in browser.text("#code"), f"{name}: {browser.text('#code')}")
    page.locator("#code-title ~ button").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    require("await fetch(" in copied, f"the copied code is {copied}")


def all_code(browser):
    """The code of each platform for each format. That for JavaScript runs here, in the page."""
    page, code = browser.page, {}
    page.select_option("#kind", "driver")
    for format in FORMATS:
        page.select_option("#format", format)
        for tab in page.locator("[role=tab]").all():
            tab.click()
            code.setdefault(tab.inner_text(), []).append(page.locator("#code").text_content())
        answer, left = page.evaluate(
            f"(async () => {{ const idToken = 'x';\n{code['JavaScript'][-1]}\n"
            "return [JSON.stringify(answer), refreshAt - Date.now()]; })()")
        require("eyJ" in answer and 3_000_000 < left < 3_600_000, f"JavaScript, {format}: {left} ms, {answer}")
    return code


report(main)
