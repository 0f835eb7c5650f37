"""Resident memory over millions of requests of every sort."""
from . import wrk
from .daemon import Daemon
from .figure import Figure, at_most
from .process_status import anonymous_kilobytes
from .unmeasured import Unmeasured
from .warmed_ids import COUNT, warm

CONNECTIONS = 256
MILLION = 1_000_000
# A small cache is full, and evicting, long before the first reading: after that only a leak can grow.
SETTINGS = {"cache": {"max_bytes": 2 * 1024 * 1024}}
# The normal variation of the allocator; a leak of one byte in each 20 requests would be more.
NO_GROWTH_KILOBYTES = 512
SHORTEST_SLICE, LONGEST_SLICE = 1, 10


def measure(bench):
    first, last = (MILLION // 3, MILLION) if bench.quick else (MILLION, 10 * MILLION)
    with Daemon(bench, SETTINGS) as daemon:
        warm(daemon.port)
        served = serve(bench, daemon, 0, first)
        early = anonymous_kilobytes(daemon.process)
        served = serve(bench, daemon, served, last)
        late = anonymous_kilobytes(daemon.process)
    shown = f"from {first:,} to {served:,} requests, {early:,} kB before and {late:,} kB after"
    if bench.quick:
        shown += "; the full run goes to 10,000,000"
    return [Figure("growth of its own memory (RssAnon)", "kB", [late - early], at_most(NO_GROWTH_KILOBYTES), note=shown)]


def serve(bench, daemon, served, target):
    """Runs rounds of mixed load until `target` requests have been answered; returns the number of requests."""
    rate = 50_000.0
    while served < target:
        seconds = int(min(max((target - served) / rate, SHORTEST_SLICE), LONGEST_SLICE))
        load = wrk.run(bench, daemon, "mixed", CONNECTIONS, seconds, COUNT, f"growth-{served}", refusals_expected=True)
        # 7 of 1,000 are refused on purpose; more means that the server refused valid requests.
        if load.refused > load.requests * 0.01:
            raise Unmeasured(f"{load.refused:,} of {load.requests:,} answers were not 200, more than intended")
        served += load.requests
        rate = load.per_second
    return served
