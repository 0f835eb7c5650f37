"""The cost of monitoring: cached ids while `/metrics` is scraped, against a daemon without an admin listener.

Counting itself cannot be turned off, so both include it.
"""
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
# Fifteen times as often as in config/kubernetes.
PAUSE_SECONDS = 1
SCRAPES = 200
WATCHED, UNWATCHED = "scraped each second", "no admin listener"


def measure(bench):
    with Daemon(bench) as unwatched, Daemon(bench, is_watched=True) as watched:
        def load(daemon):
            warm(daemon.port)
            return lambda: wrk.run(bench, daemon, "cached", CONNECTIONS, TURN_SECONDS, COUNT)

        contenders = {WATCHED: load(watched), UNWATCHED: load(unwatched)}
        with polling(watched.admin_port, PAUSE_SECONDS, [scrape]):
            interleaved.rounds(1, contenders)  # a warm-up
            loads = interleaved.rounds(bench.turns, contenders)
        milliseconds = [scrape_milliseconds(watched) for _ in range(bench.rounds)]
    rates = {name: [load.per_cpu_second for load in found] for name, found in loads.items()}
    return [
        Figure("cached, while scraped", "requests/CPU-s", rates[WATCHED], at_least_ratio(0.97), UNWATCHED, rates[UNWATCHED]),
        Figure("one scrape", "CPU-ms", milliseconds),
    ]


def scrape(connection):
    answer = connection.get("/metrics")
    if answer.status != 200 or b"token_provider_mints_total" not in answer.body:
        raise Unmeasured(f"the admin listener answered {answer.status}: {answer.body[:100]!r}")


def scrape_milliseconds(daemon):
    before = cpu_seconds(daemon.process)
    with HTTPConnection(daemon.admin_port) as connection:
        for _ in range(SCRAPES):
            scrape(connection)
    return (cpu_seconds(daemon.process) - before) * 1000 / SCRAPES
