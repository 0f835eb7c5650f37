"""The cost of the console: cached ids while ten pages are open, against a daemon without an admin listener."""
import json

from . import polled_admin
from .unmeasured import Unmeasured

PAGES = 10
# As often as the page asks.
PAUSE_SECONDS = 2


class Page:
    """What one open page asks for: all samples at first, then those after the last one."""

    def __init__(self):
        self.query = ""

    def ask(self, connection):
        answer = connection.get(f"/console/data.json{self.query}")
        if answer.status != 200:
            raise Unmeasured(f"the console answered {answer.status}: {answer.body[:100]!r}")
        samples = json.loads(answer.body)["samples"]
        if samples:
            self.query = f"?after={samples[-1][0]}"


def measure(bench):
    return polled_admin.measure(
        bench, "ten consoles open", lambda: [Page().ask for _ in range(PAGES)], PAUSE_SECONDS, 0.98,
        "one poll of a console")
