"""Cached ids while something polls the admin listener, against a daemon without one, and the CPU time of one poll."""
from . import interleaved, wrk
from .bench import TURN_SECONDS
from .daemon import Daemon
from .figure import Figure, at_least_ratio
from .http_connection import HTTPConnection
from .polling import polling
from .process_status import cpu_seconds
from .warmed_ids import COUNT, warm

CONNECTIONS = 32
POLLS = 200
UNWATCHED = "no admin listener"


def measure(bench, watched, clients, pause_seconds, ratio, poll):
    """`clients` makes a list of functions that each ask once on a connection; `watched` and `poll` are names of what is
    measured, and the load loses at most so much that the ratio stays."""
    with Daemon(bench) as alone, Daemon(bench, is_watched=True) as asked:
        def load(daemon):
            warm(daemon.port)
            return lambda: wrk.run(bench, daemon, "cached", CONNECTIONS, TURN_SECONDS, COUNT)

        contenders = {watched: load(asked), UNWATCHED: load(alone)}
        with polling(asked.admin_port, pause_seconds, clients()):
            interleaved.rounds(1, contenders)  # a warm-up
            loads = interleaved.rounds(bench.turns, contenders)
        milliseconds = [poll_milliseconds(asked, clients()[0]) for _ in range(bench.rounds)]
    rates = {name: [load.per_cpu_second for load in found] for name, found in loads.items()}
    return [
        Figure(f"cached, {watched}", "requests/CPU-s", rates[watched], at_least_ratio(ratio), UNWATCHED,
               rates[UNWATCHED]),
        Figure(poll, "CPU-ms", milliseconds),
    ]


def poll_milliseconds(daemon, ask):
    with HTTPConnection(daemon.admin_port) as connection:
        ask(connection)
        before = cpu_seconds(daemon.process)
        for _ in range(POLLS):
            ask(connection)
    return (cpu_seconds(daemon.process) - before) * 1000 / POLLS
