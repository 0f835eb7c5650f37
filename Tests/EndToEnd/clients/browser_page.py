"""A web page of another origin that fetches tokens, loaded by a real browser; prints what the page got.

python browser_page.py TOKEN_BASE_URL ORIGIN...          (as in http://app.example.test; no port)

The browser's resolver rules map the origins' names to this program's page server. The page posts its results to that
server.
"""
import http.server
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True

from answering import AnsweringHandler  # noqa: E402
from outcome import Failure, report, require  # noqa: E402

BROWSER = "chromium"
DEADLINE_SECONDS = 600
END_SECONDS = 10

PAGE = """<!doctype html><title>page</title><script>
const token = "TOKEN_BASE_URL/token";
async function attempt(target, options) {
  try {
    const answer = await fetch(token + target, options);
    return {status: answer.status, body: await answer.json()};
  } catch (error) {
    return {refused: error.name};
  }
}
(async () => {
  const authorization = {headers: {Authorization: "Bearer page"}};
  const got = {
    authorized: await attempt("/consumer/trip-1", authorization),
    cached: await attempt("/consumer/trip-1", authorization),
    javascript: await attempt("?tripID=trip-1&format=javascript", authorization),
    plain: await attempt("?tripID=trip-1", {}),
    error: await attempt("?tripID=*", authorization),
    otherField: await attempt("?tripID=trip-1", {headers: {"X-Other": "1"}}),
    otherMethod: await attempt("?tripID=trip-1", {method: "DELETE"}),
    withCookies: await attempt("?tripID=trip-1", {credentials: "include"}),
  };
  await fetch("/result", {method: "POST", body: JSON.stringify({origin: location.origin, got})});
})();
</script>"""


def main():
    require(shutil.which(BROWSER), f"{BROWSER} is not installed; expected it by: apt-get install {BROWSER}")
    results = queue.Queue()
    server = page_server(PAGE.replace("TOKEN_BASE_URL", sys.argv[1]).encode(), results)
    return {origin: visit(origin, server.server_port, results) for origin in sys.argv[2:]}


def page_server(page, results):
    class Handler(AnsweringHandler):
        def do_GET(self):
            self.answer(page if self.path == "/" else b"")

        def do_POST(self):
            results.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.answer(b"")

        def answer(self, body):
            self.respond(body, content_type="text/html; charset=utf-8")

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def visit(origin, port, results):
    """Opens the origin's page in a browser of its own and waits for what it posts."""
    host = origin.removeprefix("http://")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as errors:
        browser = subprocess.Popen(
            [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--no-proxy-server", "--disable-background-networking",
             f"--user-data-dir={folder}/profile", f"--host-resolver-rules=MAP {host} 127.0.0.1:{port}", f"{origin}/"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True,
            env=os.environ | {"TMPDIR": folder})
        try:
            result = results.get(timeout=DEADLINE_SECONDS)
        except queue.Empty:
            errors.seek(0)
            tail = errors.read()[-2000:].decode(errors="replace")
            raise Failure(f"{origin}: the page sent no result within {DEADLINE_SECONDS} s; {BROWSER}: {tail}") from None
        finally:
            end(browser)
    require(result["origin"] == origin, f"the page's origin is {result['origin']}, expected {origin}")
    return result["got"]


def end(browser):
    """Kills the browser and its children, which would otherwise write to its folder during removal."""
    deadline = time.monotonic() + END_SECONDS
    os.killpg(browser.pid, signal.SIGKILL)
    browser.wait()
    while time.monotonic() < deadline:
        try:
            os.killpg(browser.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)


report(main)
