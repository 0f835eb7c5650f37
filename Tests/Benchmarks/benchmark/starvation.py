"""A cached id while 64 other connections keep all signing busy."""
from . import prober, wrk
from .daemon import Daemon
from .figure import Figure, at_most
from .process_status import cpu_seconds
from .unmeasured import Unmeasured
from .warmed_ids import ONE, warm

CONNECTIONS = 64
LEAST_BUSY = 0.9  # below this share of a core the server was not kept busy and the figure would flatter it


def measure(bench):
    with Daemon(bench) as daemon:
        warm(daemon.port)
        quiet = prober.latencies(daemon.port, ONE, 1)
        rounds = [probe(bench, daemon, number) for number in range(3)]
    return [
        Figure("cached id beside minting: p99", "ms", [prober.percentile(times, 99) for times, _ in rounds],
               at_most(3.0)),
        Figure("cached id beside minting: p50", "ms", [prober.percentile(times, 50) for times, _ in rounds]),
        Figure("cached id on an idle server: p99", "ms", [prober.percentile(quiet, 99)], None,
               note="what the prober itself costs"),
        Figure("minting meanwhile", "signatures/s", [rate for _, rate in rounds]),
    ]


def probe(bench, daemon, number):
    seconds = bench.seconds + 1
    load = wrk.start(bench, daemon.port, "unique", CONNECTIONS, seconds + 1, f"starving-{number}")
    try:
        prober.settle(0.5)  # wrk is connected and its first ids are being signed
        before = cpu_seconds(daemon.process)
        times = prober.latencies(daemon.port, ONE, seconds)
        busy = (cpu_seconds(daemon.process) - before) / seconds
        rate = wrk.parse(bench.children.finish(load, 60)).per_second
    finally:
        if load in bench.children.running:
            bench.children.stop(load)
    if busy < LEAST_BUSY:
        raise Unmeasured(f"the minting load kept the server busy for only {busy:.0%} of a core")
    return times, rate
