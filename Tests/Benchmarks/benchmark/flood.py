"""Ordinary clients next to a client that floods the server with wrong credentials.

Both come through one trusted proxy, which names their addresses, on connections of their own. The server has its core for
itself, and is always busy. The figure is how many ordinary requests it answers in a second.

The peer is the same flood with its credentials in a header that the server does not read. These requests are refused
because they have no credentials. So the difference is the cost of checking wrong credentials. It may be negative for forged
tokens: those of one address wait for each other, and meanwhile others are served.

The limit of requests of one address is set so high that it does not apply: it would refuse both floods before any
credentials are checked.
"""
import time

from . import interleaved, wrk
from .callers import Callers, lines
from .daemon import Daemon
from .figure import Figure, at_least_ratio
from .issuer import Issuer
from .unmeasured import Unmeasured
from .warmed_ids import COUNT, warm

CONNECTIONS = 64
SECONDS = 1
LEAD_SECONDS = 0.3
CREDENTIALS = 10_000
LIMITS = {"address_rate": 1_000_000, "address_burst": 1_000_000}
KEYS, TOKENS = "wrong API keys", "forged tokens"
READ, UNREAD = "Authorization", "X-Unread-Text"  # of one length


def measure(bench):
    callers = Callers(bench)
    ordinary = lines(bench, "ordinary", callers.riders(COUNT))
    floods = {
        KEYS: lines(bench, "wrong-keys", map(wrong_key, range(CREDENTIALS))),
        # Everything is right except the signature, which is by another key: the most expensive kind of wrong token.
        TOKENS: lines(bench, "forged-tokens", Issuer(bench, "forger").bearers(CREDENTIALS)),
    }
    with Daemon(bench, callers.settings(**LIMITS) | {"proxies": {"trusted": ["127.0.0.1"]}}) as daemon:
        warm(daemon.port, callers.api_key)

        def load(file, field):
            return lambda: beside(bench, daemon, ordinary, file, field)

        contenders = {(name, field): load(file, field) for name, file in floods.items() for field in (READ, UNREAD)}
        interleaved.rounds(1, contenders)  # a warm-up
        loads = interleaved.rounds(2 * bench.rounds, contenders)
    return [figure(loads, name) for name in floods]


def beside(bench, daemon, ordinary, file, field):
    """Ordinary requests per second while the flood lasts."""
    flood = wrk.start(bench, daemon.port, "flood", CONNECTIONS, SECONDS + 1, COUNT, file, field, "192.0.2.1")
    time.sleep(LEAD_SECONDS)
    found = wrk.run(bench, daemon, "flood", CONNECTIONS, SECONDS, COUNT, ordinary, READ, "each")
    load = wrk.parse(bench.children.finish(flood, SECONDS + 60), refusals_expected=True)
    if load.refused != load.requests:
        raise Unmeasured(f"{load.requests - load.refused:,} requests of the flood were answered with a token")
    return found.per_second


def figure(loads, name):
    return Figure(
        f"others beside {name}", "requests/s", loads[name, READ], at_least_ratio(0.95),
        "credentials not read", loads[name, UNREAD])


def wrong_key(number):
    """A text in the form of a key, whose digest is not in the key file."""
    return f"Bearer tpk_{number:043}"
