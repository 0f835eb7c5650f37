"""New ids, which each cost a signature, against what OpenSSL signs on the same core in the same run."""
import sys
from pathlib import Path
from subprocess import PIPE

from . import openssl_speed, wrk
from .bench import SERVER_CORE
from .daemon import Daemon
from .figure import Figure, at_least_ratio, at_most_ratio

CONNECTIONS = (32, 1000)
SECONDS = 2
LANES = Path(__file__).resolve().parent.parent / "load" / "lanes.py"


def measure(bench):
    with Daemon(bench, {"signing": {"batch": "off"}}) as daemon:
        return measured(bench, daemon, "new ids", 0.95)


def measure_batched(bench):
    """The same with several signatures at once, and a single connection beside a daemon without them."""
    if not bench.crypto_mb:
        return []
    with (Daemon(bench, {"signing": {"batch": bench.crypto_mb}}) as batched,
          Daemon(bench, {"signing": {"batch": "off"}}) as alone):
        return (measured(bench, batched, "new ids in batches", 2.2) + library_alone(bench)
                + single(bench, batched, alone))


def measure_separate(bench):
    """With the key in a process of its own, on the same core, beside a daemon that signs by itself."""
    with (Daemon(bench, {"signing": {"batch": "off", "process": "separate"}}) as separate,
          Daemon(bench, {"signing": {"batch": "off"}}) as alone):
        rounds = {(server, count): [] for server in (separate, alone) for count in CONNECTIONS}
        for number in range(3 * bench.rounds):
            for (server, count), loads in rounds.items():
                loads.append(wrk.run(bench, server, "unique", count, SECONDS, f"process-{count}-{number}").per_second)
    return [Figure(f"new ids by a separate process, {count} connections: per second", "signatures/s",
                   rounds[separate, count], at_least_ratio(0.9), "signed by itself", rounds[alone, count])
            for count in CONNECTIONS]


def measured(bench, daemon, name, limit):
    wrk.run(bench, daemon, "unique", CONNECTIONS[0], 1, "warm-up")
    loads, signatures = {count: [] for count in CONNECTIONS}, []
    # Many short rounds: a shared machine's speed changes within seconds, and all must be affected equally.
    for number in range(3 * bench.rounds):
        for count in CONNECTIONS:
            loads[count].append(wrk.run(bench, daemon, "unique", count, SECONDS, f"new-{count}-{number}"))
        signatures.append(openssl_speed.signatures_per_cpu_second(bench, SECONDS))
    return [figure for count in CONNECTIONS
            for figure in figures(f"{name}, {count} connections", loads[count], signatures, limit)]


def figures(name, loads, signatures, limit):
    return [
        Figure(f"{name}: per second", "signatures/s", [load.per_second for load in loads], at_least_ratio(limit),
               "openssl speed", signatures,
               "the goal is judged by the wall clock, because the server has its core for itself"),
        Figure(f"{name}: per CPU-second", "signatures/CPU-s", [load.per_cpu_second for load in loads], None,
               "openssl speed", signatures),
        Figure(f"{name}: server busy", "of a core", [load.server_busy for load in loads]),
        Figure(f"{name}: p50", "ms", [load.p50 for load in loads]),
        Figure(f"{name}: p99", "ms", [load.p99 for load in loads]),
    ]


def library_alone(bench):
    """What the library itself can do on this processor: its full batches, without a daemon."""
    made, signatures = [], []
    for _ in range(bench.rounds):
        child = bench.children.start(
            [sys.executable, LANES, bench.crypto_mb, SECONDS], SERVER_CORE, stdout=PIPE, stderr=PIPE, text=True)
        made.append(float(bench.children.finish(child, SECONDS + 30)))
        signatures.append(openssl_speed.signatures_per_cpu_second(bench, SECONDS))
    return [Figure("full batches of the library alone", "signatures/CPU-s", made, None, "openssl speed", signatures)]


def single(bench, batched, alone):
    rounds = {server: [] for server in (batched, alone)}
    for number in range(3 * bench.rounds):
        for server, loads in rounds.items():
            loads.append(wrk.run(bench, server, "unique", 1, 1, f"single-{number}").p50)
    return [Figure("new ids in batches, 1 connection: p50", "ms", rounds[batched], at_most_ratio(1.05),
                   "without batches", rounds[alone])]
