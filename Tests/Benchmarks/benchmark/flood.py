"""Ordinary clients beside a client that floods with wrong proofs of who it is.

Both come through one trusted proxy, which tells their addresses. Every second request is the flood's, so that it is as
dense in every round, however fast the server is; the server has its core for itself, and what is counted is how many of
the others' requests it answers in a second of its processor time. They are compared with what they have beside the same
flood with its proofs in a field that nobody reads, which is refused for want of a proof: to read and to refuse as many
requests of as many bytes costs the same in both, and the difference is what looking at wrong proofs takes from them.

The limit of requests of one address is out of the way: it would answer both floods before any proof is looked at.
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
PROOFS = 10_000
LIMITS = {"address_rate": 1_000_000, "address_burst": 1_000_000}
KEYS, TOKENS = "wrong API keys", "forged tokens"
READ, UNREAD = "Authorization", "X-Unread-Text"  # of one length


def measure(bench):
    callers = Callers(bench)
    ordinary = lines(bench, "ordinary", callers.riders(COUNT))
    floods = {
        KEYS: lines(bench, "wrong-keys", map(wrong_key, range(PROOFS))),
        # All right but for the signature, which is by another key: the dearest way to be wrong.
        TOKENS: lines(bench, "forged-tokens", Issuer(bench, "stranger").bearers(PROOFS)),
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
        "proofs not read", list(map(others, loads[name, UNREAD])))


def others(load):
    """The others' requests per CPU-second, if the flood was all that was refused."""
    answered = load.requests - load.refused
    if abs(answered - load.refused) > CONNECTIONS:
        raise Unmeasured(f"{load.refused:,} of {load.requests:,} requests were refused, and not the flood's half")
    return answered / load.server_cpu_seconds


def wrong_key(number):
    """As a key looks, with nobody's digest."""
    return f"Bearer tpk_{number:043}"
