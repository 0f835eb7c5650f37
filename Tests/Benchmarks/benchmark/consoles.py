"""The cost of the console: cached ids while ten pages are open, against a daemon without an admin listener."""
import json

from . import interleaved, wrk
from .bench import TURN_SECONDS
from .daemon import Daemon
from .figure import Figure, at_least_ratio
from .http_connection import HTTPConnection
from .polling import polling
from .process_status import cpu_seconds
from .unmeasured import Unmeasured
from .warmed_ids import COUNT, warm

CONNECTIONS = 32
PAGES = 10
# As often as the page asks.
PAUSE_SECONDS = 2
POLLS = 200
OPEN, NONE = "ten consoles open", "no admin listener"


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
    with Daemon(bench) as alone, Daemon(bench, is_watched=True) as watched:
        def load(daemon):
            warm(daemon.port)
            return lambda: wrk.run(bench, daemon, "cached", CONNECTIONS, TURN_SECONDS, COUNT)

        contenders = {OPEN: load(watched), NONE: load(alone)}
        with polling(watched.admin_port, PAUSE_SECONDS, [Page().ask for _ in range(PAGES)]):
            interleaved.rounds(1, contenders)  # a warm-up
            loads = interleaved.rounds(bench.turns, contenders)
        milliseconds = [poll_milliseconds(watched) for _ in range(bench.rounds)]
    rates = {name: [load.per_cpu_second for load in found] for name, found in loads.items()}
    return [
        Figure(f"cached, {OPEN}", "requests/CPU-s", rates[OPEN], at_least_ratio(0.98), NONE, rates[NONE]),
        Figure("one poll of a console", "CPU-ms", milliseconds),
    ]


def poll_milliseconds(daemon):
    page = Page()
    with HTTPConnection(daemon.admin_port) as connection:
        page.ask(connection)
        before = cpu_seconds(daemon.process)
        for _ in range(POLLS):
            page.ask(connection)
    return (cpu_seconds(daemon.process) - before) * 1000 / POLLS
