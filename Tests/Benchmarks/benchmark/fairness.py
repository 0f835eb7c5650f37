"""A thousand connections that all mint: nobody waits much longer than the middle."""
from . import wrk
from .daemon import Daemon
from .figure import Figure, at_most

CONNECTIONS = 1000


def measure(bench):
    # A turn of all connections takes a fifth of a second: a round must hold many turns.
    seconds = bench.seconds * 2
    with Daemon(bench) as daemon:
        wrk.run(bench, daemon, "unique", CONNECTIONS, 1, "warm-up")
        loads = [
            wrk.run(bench, daemon, "unique", CONNECTIONS, seconds, f"fair-{number}") for number in range(3)]
    return [
        Figure("1,000 connections minting: p99 / p50", "", [load.p99 / load.p50 for load in loads], at_most(1.2)),
        Figure("1,000 connections minting: p50", "ms", [load.p50 for load in loads]),
        Figure("1,000 connections minting: p99", "ms", [load.p99 for load in loads]),
    ]
