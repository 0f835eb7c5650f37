"""The memory that a million client addresses take, each with one request and one failed authentication."""
from . import wrk
from .callers import Callers
from .daemon import Daemon
from .figure import Figure, at_most
from .process_status import anonymous_kilobytes

ADDRESSES = 1_000_000
CONNECTIONS = 256
SECONDS = 2
# So slow that no client has its full burst again before the end: both tables keep as many addresses as fit.
LIMITS = {"address_rate": 0.001, "failure_rate": 0.001}
# More than a round can use.
ADDRESSES_OF_ROUND = 1 << 22


def measure(bench):
    settings = Callers(bench).settings(**LIMITS) | {"proxies": {"trusted": ["127.0.0.1"]}}
    with Daemon(bench, settings) as daemon:
        # The same without addresses, so that the memory of connections and answers does not count.
        ask(bench, daemon)
        before = anonymous_kilobytes(daemon.process)
        served = rounds = 0
        while served < ADDRESSES:
            served += ask(bench, daemon, rounds * ADDRESSES_OF_ROUND).requests
            rounds += 1
        growth = anonymous_kilobytes(daemon.process) - before
    return [Figure("memory of a million addresses", "MB", [growth * 1024 / 1e6], at_most(64),
                   note=f"{served:,} addresses, each in the tables of requests and of failures")]


def ask(bench, daemon, *first):
    return wrk.run(bench, daemon, "addresses", CONNECTIONS, SECONDS, *first, refusals_expected=True)
