"""New ids, which each cost a signature, against what OpenSSL signs on the same core in the same run."""
from . import openssl_speed, wrk
from .daemon import Daemon
from .figure import Figure, at_least_ratio

CONNECTIONS = (32, 1000)
SECONDS = 2


def measure(bench):
    with Daemon(bench) as daemon:
        wrk.run(bench, daemon, "unique", CONNECTIONS[0], 1, "warm-up")
        loads, signatures = {count: [] for count in CONNECTIONS}, []
        # Many short rounds: a shared machine's speed changes within seconds, and all must be affected equally.
        for number in range(3 * bench.rounds):
            for count in CONNECTIONS:
                loads[count].append(wrk.run(bench, daemon, "unique", count, SECONDS, f"new-{count}-{number}"))
            signatures.append(openssl_speed.signatures_per_cpu_second(bench, SECONDS))
    return [figure for count in CONNECTIONS for figure in figures(count, loads[count], signatures)]


def figures(count, loads, signatures):
    name = f"new ids, {count} connections"
    return [
        Figure(f"{name}: per second", "signatures/s", [load.per_second for load in loads], at_least_ratio(0.95),
               "openssl speed", signatures,
               "the goal is judged by the wall clock, because the server has its core for itself"),
        Figure(f"{name}: per CPU-second", "signatures/CPU-s", [load.per_cpu_second for load in loads], None,
               "openssl speed", signatures),
        Figure(f"{name}: server busy", "of a core", [load.server_busy for load in loads]),
        Figure(f"{name}: p99", "ms", [load.p99 for load in loads]),
    ]
