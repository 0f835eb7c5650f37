"""What an idle keep-alive connection costs in the daemon's memory once it has made a request."""
import contextlib
import time

from .daemon import Daemon
from .figure import Figure, at_most
from .http_connection import HTTPConnection
from .process_status import anonymous_kilobytes
from .tools import descriptor_limit
from .unmeasured import Unmeasured
from .warmed_ids import ONE, warm

CONNECTIONS = 10_000
SPARE_DESCRIPTORS = 200


def measure(bench):
    if descriptor_limit() < CONNECTIONS + SPARE_DESCRIPTORS:
        raise Unmeasured(
            f"{CONNECTIONS:,} connections need a descriptor limit of {CONNECTIONS + SPARE_DESCRIPTORS:,},"
            f" here it is {descriptor_limit():,}: raise it with `ulimit -n` or `prlimit` as root")
    with Daemon(bench) as daemon, contextlib.ExitStack() as connections:
        warm(daemon.port)
        time.sleep(0.5)
        before = anonymous_kilobytes(daemon.process)
        for _ in range(CONNECTIONS):
            status = connections.enter_context(HTTPConnection(daemon.port)).get(ONE).status
            if status != 200:
                raise Unmeasured(f"the server answered {status} on one of {CONNECTIONS:,} connections")
        time.sleep(0.5)
        growth = anonymous_kilobytes(daemon.process) - before
    return [Figure("idle keep-alive connection, of 10,000", "kB", [growth * 1.024 / CONNECTIONS], at_most(4))]
