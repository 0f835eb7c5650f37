"""A thousand connections that all mint: no client waits much longer than the median."""
from . import closed_loop
from .daemon import Daemon
from .figure import Figure, at_most

CONNECTIONS = 1000
# Serving each connection once takes most of a second where signing is slow; two such turns do not count.
SETTLE_SECONDS = 3


def measure(bench):
    with Daemon(bench) as daemon:
        rounds = [
            closed_loop.latencies(daemon.port, CONNECTIONS, SETTLE_SECONDS, bench.seconds, f"fair-{number}")
            for number in range(3)]
    middle, late = ([1000 * found[int(part * len(found))] for found in rounds] for part in (0.5, 0.99))
    return [
        Figure("1,000 connections minting: p99 / p50", "", [b / a for a, b in zip(middle, late)], at_most(1.2)),
        Figure("1,000 connections minting: p50", "ms", middle),
        Figure("1,000 connections minting: p99", "ms", late),
    ]
