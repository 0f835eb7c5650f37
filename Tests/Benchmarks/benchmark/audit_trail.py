"""What an audit log on stable storage costs with a thousand connections at once, and whether it is complete."""
import json
import os
import time

from . import interleaved, wrk
from .command import output
from .daemon import Daemon
from .figure import Figure, at_least_ratio
from .unmeasured import Unmeasured
from .warmed_ids import COUNT, warm

CONNECTIONS = 1000
MEMORY = ("tmpfs", "ramfs")
SYNCS, RECORD_BYTES = 50, 300
AUDITED, PLAIN = "audited", "plain"


def measure(bench):
    require_disk(bench.directory)
    trail = bench.directory / "audit"
    with Daemon(bench) as plain:
        with Daemon(bench, {"audit": {"output": "file", "file": str(trail), "reused": True}}) as audited:
            def load(daemon):
                warm(daemon.port)
                return lambda: wrk.run(bench, daemon, "cached", CONNECTIONS, bench.seconds, COUNT)

            contenders = {AUDITED: load(audited), PLAIN: load(plain)}
            warm_up = interleaved.rounds(1, contenders)
            loads = interleaved.rounds(bench.rounds, contenders)
    note = check(bench, trail, warm_up[AUDITED] + loads[AUDITED])

    def figure(what, unit, value, goal=None, note=""):
        return Figure(f"audit file, 1,000 connections: {what}", unit, [value(load) for load in loads[AUDITED]], goal,
                      "no audit", [value(load) for load in loads[PLAIN]], note)

    return [
        figure("per second", "requests/s", lambda load: load.per_second, at_least_ratio(0.5), note),
        figure("per CPU-second", "requests/CPU-s", lambda load: load.per_cpu_second),
        figure("p50", "ms", lambda load: load.p50),
        figure("p99", "ms", lambda load: load.p99),
        Figure("one sync of as many records", "ms", [sync_milliseconds(bench) for _ in range(SYNCS)]),
    ]


def require_disk(directory):
    kind = output(["stat", "--file-system", "--format", "%T", directory]).strip()
    if kind in MEMORY:
        raise Unmeasured(f"{directory} is in memory, where a sync costs nothing: set TMPDIR to a folder on a disk")


def check(bench, trail, loads):
    """Checks that every answer of the daemon, which has stopped, has its record. Answers that the load generator no longer
    waited for at the end of a round have records, too."""
    answers = COUNT + sum(load.requests for load in loads)
    found = json.loads(output([bench.binary, "audit", "verify", "--json", trail]))
    records = found["lines"] - 1  # the first line says that the audit log begins
    if not found["unbroken"] or found["lost_records"] or found["torn_places"]:
        raise Unmeasured(f"the audit log is not complete: {found}")
    if not answers <= records <= answers + CONNECTIONS * len(loads):
        raise Unmeasured(f"the audit log has {records:,} records of {answers:,} answers")
    return f"an unbroken audit log of {records:,} records, {answers:,} of them of answers that the load generator received"


def sync_milliseconds(bench):
    with open(bench.directory / "synced", "ab", buffering=0) as file:
        begun = time.perf_counter()
        file.write(bytes(RECORD_BYTES * CONNECTIONS))
        os.fdatasync(file.fileno())
        return (time.perf_counter() - begun) * 1000
