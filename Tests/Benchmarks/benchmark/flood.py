"""Ordinary clients next to a client that floods the server with wrong credentials.

Both come through one trusted proxy, which names their addresses. Every second request belongs to the flood, so that the
flood is equally dense in every round, however fast the server is. The server has its core for itself. The figure is how
many ordinary requests it answers in a second of its processor time.

The peer is the same flood with its credentials in a header that the server does not read. These requests are refused
because they have no credentials. Reading and refusing as many requests of as many bytes costs the same in both, so the
difference is the cost of checking wrong credentials.

The limit of requests of one address is set so high that it does not apply: it would refuse both floods before any
credentials are checked.
"""
from . import interleaved, wrk
from .callers import Callers, lines
from .daemon import Daemon
from .figure import Figure, at_least_ratio
from .issuer import Issuer
from .unmeasured import Unmeasured
from .warmed_ids import COUNT, warm

CONNECTIONS = 64
SECONDS = 1
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
            return lambda: wrk.run(
                bench, daemon, "flood", CONNECTIONS, SECONDS, COUNT, ordinary, file, field, refusals_expected=True)

        contenders = {(name, field): load(file, field) for name, file in floods.items() for field in (READ, UNREAD)}
        interleaved.rounds(1, contenders)  # a warm-up
        loads = interleaved.rounds(2 * bench.rounds, contenders)
    return [figure(loads, name) for name in floods]


def figure(loads, name):
    return Figure(
        f"others beside {name}", "requests/CPU-s", list(map(others, loads[name, READ])), at_least_ratio(0.95),
        "credentials not read", list(map(others, loads[name, UNREAD])))


def others(load):
    """The ordinary requests per CPU-second, if only the flood was refused."""
    answered = load.requests - load.refused
    if abs(answered - load.refused) > CONNECTIONS:
        raise Unmeasured(f"{load.refused:,} of {load.requests:,} requests were refused, which is not the half of the flood")
    return answered / load.server_cpu_seconds


def wrong_key(number):
    """A text in the form of a key, whose digest is not in the key file."""
    return f"Bearer tpk_{number:043}"
