"""Two cores beside one, also where there are only two: then the load has no core for itself.

With one event loop the server has one core and the load the other. With two loops both share both cores, and what the server
does in a second says little. So the processor time of a request is compared: what loops cost each other (locks, memory that both
write) takes processor time. Twice the rate per CPU-second of two loops, divided by that of one, is how much two cores serve."""
from dataclasses import replace

from . import interleaved, tls, visits, wrk
from .bench import CLIENT_CORE, SERVER_CORE
from .callers import Callers, lines
from .daemon import DEFAULTS, Daemon, free_port
from .figure import Figure, at_least_ratio
from .warmed_ids import COUNT, warm

CONNECTIONS = 1000
SECONDS = 2
ALL = f"{SERVER_CORE},{CLIENT_CORE}"
GOAL = at_least_ratio(1.95)


def measure(bench):
    both = replace(bench, server_cores=ALL, client_cores=ALL)
    return [*plain(bench, both), visit(bench, both)]


def settings(loops):
    return {"http": DEFAULTS["http"] | {"loops": loops}, "signing": {"batch": "off"}}


def plain(bench, both):
    with Daemon(bench, settings(1)) as one, Daemon(both, settings(2)) as two:
        servers = {"one": (bench, one), "two": (both, two)}
        for server in (one, two):
            warm(server.port)
        rates = {}
        for what, script, *arguments in ("cached ids", "cached", COUNT), ("new ids", "unique"):
            rates[what] = interleaved.rounds(2 * bench.rounds, {
                name: lambda bench=bench, server=server: wrk.run(
                    bench, server, script, CONNECTIONS, SECONDS, *(arguments or [name_of_round()])).per_cpu_second
                for name, (bench, server) in servers.items()})
    return [figure(what, found) for what, found in rates.items()]


def name_of_round(count=iter(range(1_000_000))):
    """A prefix of ids that no other round uses."""
    return f"scale-{next(count)}"


def visit(bench, both):
    callers, certificate = Callers(bench), tls.make_certificate(bench)
    client = tls.compile_client(bench)
    visitors = lines(bench, "visitors", callers.dispatchers(visits.VISITORS))

    def rate(bench, loops):
        port = free_port()
        extra = callers.settings() | {"tls": tls.settings(port, *certificate)["tls"]}
        with Daemon(bench, settings(loops) | extra) as server:
            server.secure_port = port
            return visits.visits(bench, client, server, visitors).per_cpu_second

    return figure("visits", interleaved.rounds(
        2 * bench.rounds, {"one": lambda: rate(bench, 1), "two": lambda: rate(both, 2)}))


def figure(what, found):
    return Figure(f"two cores: {what}, twice the rate per CPU-second", "/s", [2 * rate for rate in found["two"]], GOAL,
                  "one core", found["one"])
