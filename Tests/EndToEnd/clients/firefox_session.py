"""A headless Firefox with one page, driven over WebDriver BiDi, and all that must not happen in it: errors, violations of the
policy, requests to other hosts, text wider than the window, and serious findings of axe-core."""
import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import tempfile

import websockets
from axe_playwright_python.base import AXE_SCRIPT
from free_port import free_port
from outcome import require

BROWSER = "firefox-esr"
DEADLINE_SECONDS = 600
TURN_SECONDS = 0.1
WATCH = """() => {
  window.violations = [];
  addEventListener("securitypolicyviolation", ({violatedDirective}) => violations.push(violatedDirective));
}"""
SERIOUS = """(async () => {
  const {violations} = await axe.run();
  return violations.filter(({impact}) => ["serious", "critical"].includes(impact)).map(({id}) => id);
})()"""
# As WebDriver names keys (section 17.4.2).
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "ArrowDown": "\ue015"}


class Connection:
    """Commands in order, and the events that arrived meanwhile."""

    def __init__(self, socket):
        self.socket, self.number, self.events = socket, 0, []

    async def call(self, method, **parameters):
        self.number += 1
        await self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(await asyncio.wait_for(self.socket.recv(), DEADLINE_SECONDS))
            if message.get("id") != self.number:
                self.events.append(message)
                continue
            require(message["type"] == "success", f"{method}: {message}")
            return message["result"]

    def found(self, name):
        return [event["params"] for event in self.events if event.get("method") == name]


class Page:
    def __init__(self, connection, context, url):
        self.connection, self.context, self.url = connection, context, url

    async def evaluate(self, expression):
        """The value of a JavaScript expression, or of its promise."""
        result = await self.connection.call(
            "script.evaluate", expression=f"(async () => JSON.stringify([await ({expression})]))()",
            target={"context": self.context}, awaitPromise=True)
        require(result["type"] == "success", f"{expression[:200]}: {result}")
        return json.loads(result["result"]["value"])[0]

    async def until(self, expression):
        """Waits until a JavaScript expression is true."""
        for _ in range(int(DEADLINE_SECONDS / TURN_SECONDS)):
            if await self.evaluate(f"Boolean({expression})"):
                return
            await asyncio.sleep(TURN_SECONDS)
        shown = await self.evaluate("document.body.innerText")
        require(False, f"never true: {expression}; the page shows: {shown}")

    async def text(self, selector):
        return await self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")

    async def fill(self, selector, value):
        await self.evaluate(f"document.querySelector({json.dumps(selector)}).value = {json.dumps(value)}")

    async def click(self, selector):
        await self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    async def press(self, *keys):
        strokes = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        await self.connection.call(
            "input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": strokes}])

    async def tab_to(self, selector):
        """Presses Tab until an element has the focus, which must be visible."""
        for _ in range(200):
            if await self.evaluate(f"document.activeElement.matches({json.dumps(selector)})"):
                style = await self.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                return require(style != "none", f"the focus on {selector} is not visible")
            await self.press("Tab")
        require(False, f"the tab key does not reach {selector}")

    async def facts(self):
        await self.connection.call("script.evaluate", expression=AXE_SCRIPT, target={"context": self.context},
                                   awaitPromise=False)
        host = self.url.split("/")[2]
        hosts = {event["request"]["url"].split("/")[2] for event in self.connection.found("network.beforeRequestSent")}
        require(hosts == {host}, f"requests to {hosts}, expected {host} only")
        # The browser itself reports each answer with a status of 400 or more.
        entries = [entry for entry in self.connection.found("log.entryAdded") if entry["level"] in ("warn", "error")]
        excess = await self.evaluate("document.documentElement.scrollWidth - innerWidth")
        return {"errors": [entry["text"] for entry in entries], "violations": await self.evaluate("violations"),
                "findings": await self.evaluate(SERIOUS), "overflows": [excess] if excess > 0 else []}


@contextlib.asynccontextmanager
async def page(url):
    require(shutil.which(BROWSER), f"{BROWSER} is not installed; expected it by: apt-get install {BROWSER}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, tempfile.TemporaryFile() as log:
        port = free_port()
        browser = subprocess.Popen(
            [BROWSER, "--headless", "--no-remote", "--profile", folder, f"--remote-debugging-port={port}",
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | {"HOME": folder, "TMPDIR": folder})
        try:
            async with await connect(port, browser) as socket:
                yield await opened(Connection(socket), url)
        finally:
            browser.kill()
            browser.wait()


async def opened(connection, url):
    await connection.call("session.new", capabilities={})
    await connection.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
    await connection.call("script.addPreloadScript", functionDeclaration=WATCH)
    context = (await connection.call("browsingContext.create", type="tab"))["context"]
    await connection.call("browsingContext.navigate", context=context, url=url, wait="complete")
    await connection.call("browsingContext.activate", context=context)
    return Page(connection, context, url)


async def connect(port, browser):
    for _ in range(int(DEADLINE_SECONDS / TURN_SECONDS)):
        require(browser.poll() is None, f"{BROWSER} ended with status {browser.poll()}")
        try:
            return await websockets.connect(f"ws://127.0.0.1:{port}/session", max_size=None, proxy=None)
        except (OSError, websockets.InvalidHandshake):
            await asyncio.sleep(TURN_SECONDS)
    require(False, f"{BROWSER} did not listen within {DEADLINE_SECONDS} s")

