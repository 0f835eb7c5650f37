"""A headless Chromium with one page, and all that must not happen in it: errors, violations of the policy, dialogs,
requests to other hosts, text wider than the window, and serious findings of axe-core."""
import contextlib
import os
import shutil
import tempfile

from axe_playwright_python.sync_playwright import Axe
from outcome import require
from playwright.sync_api import sync_playwright

BROWSER = "chromium"
DEADLINE_MILLISECONDS = 600_000
# The widths of a phone, a tablet, a laptop and a large screen.
WIDTHS = [360, 1024, 1440, 2560]
WATCH = """
window.violations = [];
addEventListener("securitypolicyviolation", ({violatedDirective, blockedURI}) =>
  violations.push(`${violatedDirective} ${blockedURI}`));
"""


# What follows a change of size has been drawn.
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


class Session:
    def __init__(self, page, url):
        self.page, self.url = page, url
        self.errors, self.hosts, self.violations, self.findings, self.overflows = [], set(), [], [], []
        page.set_default_timeout(DEADLINE_MILLISECONDS)
        page.on("console", lambda message: self.note(message.type, message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", self.refuse)
        page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))
        page.add_init_script(WATCH)

    def note(self, kind, text):
        # The browser itself reports each answer with a status of 400 or more.
        if kind in ("error", "warning") and "Failed to load resource" not in text:
            self.errors.append(text)

    def refuse(self, dialog):
        self.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self):
        self.page.goto(self.url)

    def text(self, selector):
        return self.page.locator(selector).inner_text()

    def until(self, expression):
        """Waits until a JavaScript expression is true."""
        try:
            self.page.wait_for_function(f"() => {expression}")
        except Exception as error:
            require(False, f"never true: {expression}; errors: {self.errors}; {error}")

    def measure(self, look=lambda width: None):
        """Looks at the page as it is now, in every width."""
        self.violations += self.page.evaluate("violations")
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.evaluate(PAINTED)
            look(width)
            excess = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if excess > 0:
                self.overflows.append([width, excess])
        self.page.set_viewport_size({"width": 1280, "height": 900})

    def check(self):
        """Looks at the page in every width, and has axe-core examine it, light and dark."""
        self.measure()
        for scheme in ["dark", "light"]:
            self.page.emulate_media(color_scheme=scheme)
            for found in Axe().run(self.page).response["violations"]:
                if found["impact"] in ("serious", "critical"):
                    self.findings.append([scheme, found["id"], [node["target"] for node in found["nodes"]]])

    def require_nothing_stored(self):
        stored = self.page.evaluate(
            "async () => [document.cookie, localStorage.length, sessionStorage.length,"
            " (await indexedDB.databases()).length, (await caches.keys()).length]")
        require(not any(stored) and not self.page.context.cookies(), f"the page has stored something: {stored}")

    def facts(self):
        self.require_nothing_stored()
        require(self.hosts == {self.url.split("/")[2]}, f"requests to {self.hosts}, expected {self.url} only")
        return {"errors": self.errors, "violations": self.violations, "findings": self.findings,
                "overflows": self.overflows}


@contextlib.contextmanager
def session(url):
    require(shutil.which(BROWSER), f"{BROWSER} is not installed; expected it by: apt-get install {BROWSER}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which(BROWSER), env=os.environ | {"TMPDIR": folder},
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server"])
        try:
            context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            yield Session(context.new_page(), url)
        finally:
            browser.close()
