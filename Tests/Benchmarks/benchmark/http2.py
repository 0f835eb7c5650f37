"""Cached ids by HTTP/2, against nginx and against nghttpd, which uses the same library as the daemon."""
from . import h2load, interleaved, tls
from .bench import TURN_SECONDS
from .daemon import Daemon, free_port
from .figure import Figure, at_least_ratio
from .nghttpd import Nghttpd
from .nginx import Nginx
from .warmed_ids import warm

CONNECTIONS = 32
WARM_UP_SECONDS = 1
FILE = "it has fewer headers, and a file as body"


def measure(bench):
    with Daemon(bench, {"http2": {"prior_knowledge": True}}) as daemon:
        answer = warm(daemon.port)
        with Nginx(bench, answer) as nginx, Nghttpd(bench, answer) as nghttpd:
            places = {"ours": (daemon.port, daemon.process), "nginx": (nginx.http2_port, nginx.process),
                      "nghttpd": (nghttpd.port, nghttpd.process)}
            return figures("HTTP/2", rounds(bench, places), {"nginx": nginx.difference, "nghttpd": FILE})


def measure_secure(bench):
    """The same over TLS 1.3, beside nghttpd with the same certificate."""
    certificate, port = tls.make_certificate(bench), free_port()
    with Daemon(bench, tls.settings(port, *certificate)) as daemon:
        answer = warm(daemon.port)
        with Nghttpd(bench, answer, certificate) as nghttpd:
            places = {"ours": (port, daemon.process), "nghttpd": (nghttpd.port, nghttpd.process)}
            return figures("HTTP/2 over TLS", rounds(bench, places, "https"), {"nghttpd": FILE})


def rounds(bench, places, scheme="http"):
    def load(place, seconds):
        return h2load.run(bench, *place, CONNECTIONS, seconds, scheme)

    for place in places.values():
        load(place, WARM_UP_SECONDS)
    return interleaved.rounds(
        bench.turns, {name: lambda place=place: load(place, TURN_SECONDS) for name, place in places.items()})


def figures(protocol, loads, peers):
    """`peers` are the other servers by name, with what differs."""
    def values(name, value):
        return [value(load) for load in loads[name]]

    name = f"{protocol}, {CONNECTIONS} connections of {h2load.STREAMS} streams"
    found = []
    for peer, note in peers.items():
        found.append(Figure(
            f"{name}: per CPU-second", "requests/CPU-s", values("ours", lambda load: load.per_cpu_second),
            at_least_ratio(1.0), peer, values(peer, lambda load: load.per_cpu_second), note))
        found.append(Figure(
            f"{name}: per second", "requests/s", values("ours", lambda load: load.per_second), None,
            peer, values(peer, lambda load: load.per_second)))
    return found
