"""Unknown callers, which each cost an RS256 verification, against what OpenSSL verifies on the same core."""
from . import openssl_speed, wrk
from .callers import Callers, lines
from .daemon import Daemon
from .figure import Figure, at_least_ratio
from .warmed_ids import COUNT, warm

CONNECTIONS = 32
SECONDS = 1


def measure(bench):
    callers = Callers(bench)
    # A round needs no more than OpenSSL verifies in that time with nothing else to do.
    enough = int(openssl_speed.verifications_per_second(bench, SECONDS) * SECONDS)
    tokens = lines(bench, "never-seen", callers.dispatchers(enough))
    loads, by_second, by_cpu_second = [], [], []
    for _ in range(2 * bench.rounds):
        loads.append(new_callers(bench, callers, tokens))
        by_second.append(openssl_speed.verifications_per_second(bench, SECONDS))
        by_cpu_second.append(openssl_speed.verifications_per_cpu_second(bench, SECONDS))
    return [
        Figure("new callers: per second", "verifications/s", [load.per_second for load in loads], at_least_ratio(0.5),
               "openssl speed", by_second),
        Figure("new callers: per CPU-second", "verifications/CPU-s", [load.per_cpu_second for load in loads],
               at_least_ratio(0.5), "openssl speed", by_cpu_second),
        Figure("new callers: server busy", "of a core", [load.server_busy for load in loads]),
    ]


def new_callers(bench, callers, tokens):
    """A round with a new daemon: it knows none of the tokens, so all rounds can use the same ones."""
    with Daemon(bench, callers.settings()) as daemon:
        warm(daemon.port, callers.api_key)
        return wrk.run(bench, daemon, "once", CONNECTIONS, SECONDS, COUNT, tokens)
