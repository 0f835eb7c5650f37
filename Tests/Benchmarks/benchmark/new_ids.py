"""New ids, a signature each, against what OpenSSL signs on the same core in the same run."""
from . import openssl_speed, wrk
from .daemon import Daemon
from .figure import Figure, at_least_ratio

CONNECTIONS = 32
SECONDS = 2


def measure(bench):
    with Daemon(bench) as daemon:
        wrk.run(bench, daemon, "unique", CONNECTIONS, 1, "warm-up")
        loads, signatures = [], []
        # Many short rounds: a shared machine's speed changes within seconds, and the two must see the same of it.
        for number in range(3 * bench.rounds):
            loads.append(wrk.run(bench, daemon, "unique", CONNECTIONS, SECONDS, f"new-{number}"))
            signatures.append(openssl_speed.signatures_per_second(bench, SECONDS))
    return [
        Figure("new ids: per second", "signatures/s", [load.per_second for load in loads], at_least_ratio(0.95),
               "openssl speed", signatures,
               "the goal is judged on the wall clock, where the server has its core for itself"),
        Figure("new ids: per CPU-second", "signatures/CPU-s", [load.per_cpu_second for load in loads], None,
               "openssl speed", signatures),
        Figure("new ids: server busy", "of a core", [load.server_busy for load in loads]),
        Figure("new ids: p99", "ms", [load.p99 for load in loads]),
    ]
