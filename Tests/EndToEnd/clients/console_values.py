"""The console with the values that break pages: hostile names, 0 and 10^9, and what it shows before the first figures
and while the daemon does not answer. Each is the daemon's own data, changed on its way to the browser."""
import re

from playwright.sync_api import Error

from outcome import require

HOSTILE = ["<img src=x onerror=alert(1)>", "\u202egnp.exe", "a" + "\u20dd" * 63, "x" * 64, "\"'><script>alert(1)<"]
TERMS = ["certificate", "ocsp_response", "client_authority", "revocation_list", "api_key", "access_token"]
LARGE = 10**9
SAMPLES = 20
# Texts that share a place, by what surrounds them: none may cover another.
PLACES = [
    [".plot svg", "text"], [".marks", "span"], [".terms li:not(.axis)", ":scope > *"], ["#facts", "dt, dd"],
    [".legend", ".label, .value"], [".bars", "span"], [".checks header", "h3, .state"], [".bar > .frame", ":scope > *"],
    ["#configured", "dt, dd"], ["figure header", ":scope > *"], ["tbody tr", "td"],
]
# Texts that must be as wide as their place at most.
BOXES = ".given, dd, dt, .left, .value, td, .card, .note, pre, #summary strong"
FAULTS = """([places, boxes]) => {
  const seen = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
  const say = (element) => `${element.className?.baseVal ?? element.className} ${element.textContent.slice(0, 40)}`;
  const faults = [];
  for (const [around, inside] of places) for (const place of document.querySelectorAll(around)) {
    const all = [...place.querySelectorAll(inside)].filter(seen).map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const whole = range.getBoundingClientRect(), box = element.getBoundingClientRect();
      // What the bar's parts cut off or scroll is not painted.
      return [element, around !== ".bar > .frame" ? whole : { left: Math.max(whole.left, box.left), top: whole.top,
        right: Math.min(whole.right, box.right), bottom: whole.bottom }];
    });
    all.forEach(([one, a], index) => { for (const [other, b] of all.slice(index + 1)) {
      const covered = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
      if (covered) faults.push(`${say(one)} / ${say(other)}`);
    } });
  }
  for (const box of document.querySelectorAll(boxes)) {
    if (seen(box) && box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0) faults.push(`wide: ${say(box)}`);
  }
  return faults;
}"""


# What is green: the colour of good states in the light scheme.
GREEN = """() => [...document.querySelectorAll("body *")].filter((element) => {
  const { color, borderLeftColor } = getComputedStyle(element);
  return element.getClientRects().length > 0 && [color, borderLeftColor].includes("rgb(15, 107, 60)");
}).map((element) => element.textContent).join(", ")"""


IN_LINE = """() => {
  const [name, live] = [".name", ".live"].map((place) => document.querySelector(place).getBoundingClientRect());
  return name.top < live.bottom && live.top < name.bottom;
}"""


def check(browser):
    """Shows all of them, one after the other."""
    data = Data()
    browser.page.route("**/console/data.json*", data.answer)
    for name, change in [("hostile", hostile), ("troubled", troubled), ("zeros", lambda data: numbers(data, 0)),
                         ("large", lambda data: numbers(data, LARGE)), ("started", started)]:
        data.change = change
        show(browser)
        examine(browser, name)
        if change is hostile:
            browser.check()
    silence(browser, data)


class Data:
    """What the page receives: the daemon's data after a change, or nothing. One route for all: to take one away while it answers
    is an error."""

    def __init__(self):
        self.change, self.is_cut = lambda data: data, False

    def answer(self, route):
        if self.is_cut:
            return route.abort()
        try:
            response = route.fetch()
            route.fulfill(response=response, json=self.change(response.json()))
        except Error:
            pass  # The page was opened again meanwhile; it waits for an answer of its own.


def show(browser):
    """Opens the page, and waits for its data."""
    browser.open()
    browser.until("document.querySelector('#live').textContent === 'Live'")


def examine(browser, name):
    page = browser.page
    browser.measure(lambda width: require_no_fault(page, f"{name}, {width} px"))
    for element in ["img", "script", "b", "iframe"]:
        require(page.locator(f"main {element}").count() == 0, f"{name}: a text became {element}")
    shown = page.locator("main").inner_text()
    for wrong in ["NaN", "Infinity", "undefined", "null", "[object"]:
        require(wrong not in shown, f"{name}: the page says {wrong}: {shown}")
    figures = page.locator("#facts, #plots, .left, #configured div:nth-child(2)").all_inner_texts()
    long = re.findall("[0-9]{5,}", " ".join(figures))
    require(not long, f"{name}: numbers are not grouped: {long}")
    EXPECTED[name](browser, shown)


def require_no_fault(page, where):
    faults = page.evaluate(FAULTS, [PLACES, BOXES])
    require(not faults, f"{where}: {faults[:5]}")


def expect_hostile(browser, shown):
    for text in ["<img src=x", "\\u{202e}gnp.exe", "[+60 marks]", "<script>", "x" * 64, "Cure: "]:
        require(text in shown, f"{text} is not shown as text in {shown}")
    require("\u202e" not in shown, "an override is not made visible")
    options = browser.page.locator("#key-name option").all_inner_texts()
    require(len(options) == len(HOSTILE) and "\\u{202e}gnp.exe" in options, f"the names of API keys are {options}")


def expect_zeros(browser, shown):
    require("expired" in shown, f"what has ended is not called expired in {shown}")
    require("0 B" in browser.text("#facts"), f"the tiles show {browser.text('#facts')}")


def expect_large(browser, shown):
    for text in ["2B", "1B in 954 MiB", "1,000,000,000", "11,574 days"]:
        require(text in shown, f"{text} is not in {shown}")


def expect_start(browser, shown):
    require("No request was refused since the start." in shown, f"no empty table in {shown}")
    require(browser.page.locator(".plot .empty").count() == 8, "a chart without data does not say so")


def expect_troubles(browser, shown):
    require("Ready, with 6 warnings" in shown, f"the headline is {browser.text('#summary')}")
    links = browser.page.evaluate("[...document.querySelectorAll('#summary a')].map((link) => "
                                  "[link.textContent, document.querySelector(link.hash)?.textContent ?? ''])")
    for text, place in [("serving: the clock is wrong", "serving"), ("the last reload failed: a.yaml:1:1: wrong", "Conf"),
                        ("http.max_headers changed; restart to apply", "Conf"),
                        ("tls.pem: the certificate expires in 9 days", "Expires"),
                        ("the API key dispatch expires in 2 days", "Expires"),
                        ("the keys of https://id.example expired", "Expires")]:
        require(any(text in name and place in target for name, target in links), f"{text} is not among {links}")


EXPECTED = {"hostile": expect_hostile, "troubled": expect_troubles, "zeros": expect_zeros, "large": expect_large,
            "started": expect_start}


def hostile(data):
    """Every text that others choose."""
    one = HOSTILE[0]
    for check, text in zip(data["checks"], HOSTILE):
        check |= {"failure": text, "cure": text, "commands": HOSTILE}
    keys = [{"name": name, "age": 5, "seconds": 60, "failure": name} for name in HOSTILE]
    return data | {
        "version": one, "warnings": HOSTILE, "configuration_file": "/etc/" + "".join(HOSTILE), "outgoing": one,
        "api_keys": HOSTILE, "signing_keys": HOSTILE,
        "terms": [{"kind": kind, "name": name, "seconds": 60, "due": True} for kind, name in zip(TERMS, HOSTILE)],
        "issuer_keys": keys[:1], "published_keys": keys[1:2],
        "reload": {"successes": 1, "failures": 1, "time": data["now"], "errors": HOSTILE, "restart_for": HOSTILE},
        "refusals": [{"time": data["now"], "request_id": name, "code": "not_allowed", "subject": f"consumer:{name}",
                      "caller": name, "client": name, "reason": name} for name in HOSTILE]}


def troubled(data):
    """A daemon that is ready, and has one of each warning."""
    for check in data["checks"]:
        check |= {"failure": None, "warning": None, "cure": None, "commands": []}
    clock = "the clock is wrong"
    data["checks"][-1]["warning"] = clock
    return data | {
        "warnings": [clock, "tls.pem: the certificate expires in 9 days"],
        "terms": [{"kind": "api_key", "name": "dispatch", "seconds": 2 * 86400, "due": True},
                  {"kind": "api_key", "name": "unused", "seconds": -9 * 86400, "due": False},
                  {"kind": "certificate", "name": "tls.pem", "seconds": 9 * 86400, "due": True}],
        "issuer_keys": [{"name": "https://id.example", "age": 90, "seconds": 0, "failure": "timed out", "skipped": None}],
        "reload": {"successes": 0, "failures": 1, "time": data["now"], "errors": ["a.yaml:1:1: wrong"],
                   "restart_for": ["http.max_headers changed; restart to apply"]}}


def numbers(data, number):
    """Each counter grows by the number in 5 s, each level is the number, and each term lasts so long."""
    def sample(place):
        return [place * 5000 if name == "time" else number if name in LEVELS else place * number
                for name in data["columns"]]

    return data | {
        "started": data["now"] - number, "samples": [sample(place) for place in range(1, SAMPLES)],
        "current": sample(SAMPLES), "limits": {"connections": number, "memory": number, "processors": number,
                                                       "input": number},
        "terms": [{"kind": kind, "name": "fleet.example", "seconds": number, "due": number == 0} for kind in TERMS],
        "issuer_keys": [{"name": "https://id.example", "age": number, "seconds": number, "failure": None}],
        "published_keys": [{"name": "a@b.example", "age": number, "seconds": number, "failure": None}],
        "reload": {"successes": number, "failures": number, "time": number, "errors": [], "restart_for": []}}


LEVELS = {"connections", "memory", "cache_entries", "cache_bytes"}


def started(data):
    """The first second of a daemon."""
    return data | {"started": data["now"], "samples": [], "refusals": [], "api_keys": []}


def silence(browser, data):
    """The daemon goes away and comes back: the page says both."""
    page, data.change = browser.page, lambda data: data
    show(browser)
    require(page.evaluate(GREEN), "nothing is green while the daemon answers")
    data.is_cut = True
    browser.until("document.querySelector('#live').textContent === 'No answer'")
    said = browser.page.locator("#said").inner_text()
    require(said == "The daemon does not answer.", f"the page says {said}")
    shown = browser.text("#summary")
    require("No answer" in shown and "What you see is as of " in shown and "Ready" not in shown, f"it says {shown}")
    require(page.title().startswith("No answer"), f"the title is {page.title()}")
    require(not page.evaluate(GREEN), f"green without an answer: {page.evaluate(GREEN)}")
    browser.measure(lambda width: require(page.evaluate(IN_LINE), f"the bar has another line at {width} px"))
    data.is_cut = False
    browser.until("document.querySelector('#live').textContent === 'Live'")
    browser.until("document.querySelector('#said').textContent === 'The daemon answers again.'")
