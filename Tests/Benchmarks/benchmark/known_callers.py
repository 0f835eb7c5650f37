"""Cached ids for callers that are already known, against the same without authentication."""
from . import interleaved, wrk
from .callers import Callers, lines
from .daemon import Daemon
from .figure import Figure, at_least_ratio
from .warmed_ids import COUNT, warm

CONNECTIONS = 32
# Many short rounds: a shared machine's speed changes within seconds, and all four must be affected equally.
SECONDS = 1
ANYONE, ONE, MANY, KEY = "unauthenticated", "one JWT caller", "1,000 JWT callers", "API key"


def measure(bench):
    callers = Callers(bench)
    shown = {
        ONE: lines(bench, "one-caller", callers.dispatchers(1)),
        MANY: lines(bench, "many-callers", callers.riders(COUNT)),
        KEY: lines(bench, "api-key-caller", [callers.api_key]),
    }
    with Daemon(bench) as open_to_all, Daemon(bench, callers.settings()) as asking:
        warm(open_to_all.port)
        warm(asking.port, callers.api_key)

        def load(daemon, *shown):
            return lambda: wrk.run(bench, daemon, "cached", CONNECTIONS, SECONDS, COUNT, *shown)

        contenders = {ANYONE: load(open_to_all)} | {name: load(asking, file) for name, file in shown.items()}
        interleaved.rounds(1, contenders)  # a warm-up
        loads = interleaved.rounds(2 * bench.rounds, contenders)
    return [figure(loads, ONE, 0.8), figure(loads, MANY, 0.8), figure(loads, KEY, 0.9)]


def figure(loads, name, least):
    return Figure(
        f"cached, {name}", "requests/CPU-s", [load.per_cpu_second for load in loads[name]], at_least_ratio(least),
        ANYONE, [load.per_cpu_second for load in loads[ANYONE]])
