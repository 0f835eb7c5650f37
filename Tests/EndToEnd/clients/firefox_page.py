"""The console or the playground in Firefox, driven over WebDriver BiDi, which Firefox speaks itself.

python firefox_page.py console|playground URL
"""
import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import websockets  # noqa: E402

from outcome import report, require  # noqa: E402

BROWSER = "firefox-esr"
DEADLINE_SECONDS = 60

# What is done on a page: its answers are true once it shows what it should.
CONSOLE = """\
  const answers = [await until(() => shown("#summary strong") === "Ready" && shown("#live") === "Live")];
  document.getElementById("pasted").value = "Bearer eyJhbGciOiJub25lIn0.e30.";
  document.querySelector("#inspect-form button.main").click();
  answers.push(await until(() => shown("#inspected").includes("alg_none")));
  document.getElementById("first-id").value = "trip-1";
  document.querySelector("#explain-form button.main").click();
  answers.push(await until(() => shown("#explained strong") === "Refused"));
  document.getElementById("reload").click();
  answers.push(await until(() => shown("#reloaded").includes("Reloaded")));
  answers.push(await until(() => document.querySelectorAll(".plot .line").length > 0));
"""
PLAYGROUND = """\
  document.getElementById("ask").click();
  const answers = [await until(() => shown("#signature") === "signature verified")];
  document.getElementById("again").click();
  answers.push(await until(() => shown("#again-result").startsWith("Same token")));
  answers.push(await until(() => /^5[0-9]:[0-9][0-9]$/.test(shown("#countdown"))));
"""
SCRIPT = """(async () => {
  const until = async (found) => {
    for (let turn = 0; turn < 600 && !found(); turn += 1) await new Promise((resume) => setTimeout(resume, 100));
    return Boolean(found());
  };
  const shown = (selector) => document.querySelector(selector)?.textContent ?? "";
%s  return JSON.stringify({answers, overflow: document.documentElement.scrollWidth - innerWidth});
})()"""


class Session:
    """One connection: commands in order, and the events that arrived meanwhile."""

    def __init__(self, connection):
        self.connection, self.number, self.events = connection, 0, []

    async def call(self, method, **parameters):
        self.number += 1
        await self.connection.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(await asyncio.wait_for(self.connection.recv(), DEADLINE_SECONDS))
            if message.get("id") != self.number:
                self.events.append(message)
                continue
            require(message["type"] == "success", f"{method}: {message}")
            return message["result"]

    def found(self, name):
        return [event["params"] for event in self.events if event.get("method") == name]


async def connect(port, browser):
    for _ in range(DEADLINE_SECONDS * 10):
        require(browser.poll() is None, f"{BROWSER} ended with status {browser.poll()}")
        try:
            return await websockets.connect(f"ws://127.0.0.1:{port}/session", max_size=None, proxy=None)
        except (OSError, websockets.InvalidHandshake):
            await asyncio.sleep(0.1)
    require(False, f"{BROWSER} did not listen within {DEADLINE_SECONDS} s")


async def visit(url, actions, port, browser):
    async with await connect(port, browser) as connection:
        session = Session(connection)
        await session.call("session.new", capabilities={})
        await session.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        context = (await session.call("browsingContext.create", type="tab"))["context"]
        await session.call("browsingContext.navigate", context=context, url=url, wait="complete")
        result = await session.call(
            "script.evaluate", expression=SCRIPT % actions, target={"context": context}, awaitPromise=True)
        require(result["type"] == "success", f"the script failed: {result}")
        facts = json.loads(result["result"]["value"])
        facts["errors"] = [entry["text"] for entry in session.found("log.entryAdded") if entry["level"] != "info"]
        requests = session.found("network.beforeRequestSent")
        facts["hosts"] = sorted({request["request"]["url"].split("/")[2] for request in requests})
        return facts


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def main():
    require(shutil.which(BROWSER), f"{BROWSER} is not installed; expected it by: apt-get install {BROWSER}")
    actions = {"console": CONSOLE, "playground": PLAYGROUND}[sys.argv[1]]
    url, port = f"{sys.argv[2]}/", free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, tempfile.TemporaryFile() as log:
        browser = subprocess.Popen(
            [BROWSER, "--headless", "--no-remote", "--profile", folder, f"--remote-debugging-port={port}",
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | {"HOME": folder, "TMPDIR": folder})
        try:
            facts = asyncio.run(visit(url, actions, port, browser))
        finally:
            browser.kill()
            browser.wait()
    host = url.split("/")[2]
    require(facts.pop("hosts") == [host], f"expected requests to {host} only")
    return facts


report(main)
