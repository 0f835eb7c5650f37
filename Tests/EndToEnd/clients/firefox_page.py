"""The console or the playground in Firefox.

python firefox_page.py console ADMIN_URL TOKEN_URL CONFIGURATION_FILE CALLER_TOKEN
python firefox_page.py playground DEMO_URL
"""
import asyncio
import sys

sys.dont_write_bytecode = True

import firefox_session  # noqa: E402
from console_page import BROKEN, ask, breaking  # noqa: E402
from outcome import report, require  # noqa: E402


def main():
    look = {"console": console, "playground": playground}[sys.argv[1]]
    return asyncio.run(visit(look, sys.argv[2], sys.argv[3:]))


async def visit(look, url, arguments):
    async with firefox_session.page(f"{url}/") as page:
        await look(page, *arguments)
        return await page.facts()


async def console(page, tokens, configuration, caller):
    await page.until("document.querySelector('#summary strong')?.textContent === 'Ready'")
    await page.until("document.querySelector('#live').textContent === 'Live'")
    await live_update(page, tokens, caller)
    await keyboard(page)
    with breaking(configuration):
        await page.click("#reload")
        await page.until("document.querySelector('#reloaded .bad')?.textContent.includes('<b>broken</b>')")
    await page.fill("#token", caller)
    await page.fill("#kind", "consumer")
    for trip, word in [("trip-1", "Allowed"), ("trip-2", "Refused")]:
        await clear(page, "#explained")
        await page.fill("#first-id", trip)
        await page.click("#explain-form button.main")
        await page.until(f"document.querySelector('#explained strong')?.textContent === '{word}'")
    for pasted, expected in BROKEN:
        await clear(page, "#inspected")
        await page.fill("#pasted", pasted)
        await page.click("#inspect-form button.main")
        await page.until("document.querySelector('#inspected .note')")
        shown = await page.text("#inspected")
        require(expected in shown and "would refuse" in shown, f"{pasted!r}: {shown}")


async def live_update(page, tokens, caller):
    count = "document.querySelector('#facts').children[2].lastChild.textContent"
    before = await page.evaluate(count)
    ask(tokens, "trip-1", caller)
    await page.until(f"{count} !== '{before}'")
    await page.until("document.querySelectorAll('.plot .line').length > 0")


async def keyboard(page):
    """From the first question to the last button: after that the tab key leaves the page."""
    await page.tab_to("[name=caller]:checked")
    await page.press("ArrowDown")
    await page.tab_to("#kind")
    await page.press(*"driver")
    await page.tab_to("#first-id")
    await page.press(*"v-1")
    await answer(page, "Enter", "#explain-form button.main", "#explained", "dispatchers")
    await page.tab_to("#pasted")
    await page.press("a", ".", "b")
    await answer(page, "Enter", "#inspect-form button.main", "#inspected", "would refuse")
    await answer(page, "Space", "#reload", "#reloaded", "Reloaded")
    await page.click("[name=caller]")


async def answer(page, key, button, result, expected):
    await clear(page, result)
    await page.tab_to(button)
    await page.press(key)
    await page.until(f"document.querySelector('{result}').textContent.includes('{expected}')")


async def clear(page, result):
    await page.evaluate(f"document.querySelector('{result}').replaceChildren()")


async def playground(page):
    await page.click("#ask")
    await page.until("document.querySelector('#signature').textContent === 'signature verified'")
    await page.until("/^5[0-9]:[0-9][0-9]$/.test(document.querySelector('#countdown').textContent)")
    await page.click("#again")
    await page.until("document.querySelector('#again-result').textContent.startsWith('Same token')")


report(main)
