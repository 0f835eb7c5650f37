"""Cached ids against nginx: how many requests one core answers, and how long the slowest hundredth waits."""
from . import interleaved, wrk
from .bench import TURN_SECONDS
from .daemon import Daemon
from .figure import Figure, at_least_ratio, at_most_ratio
from .nginx import Nginx
from .warmed_ids import COUNT, warm

CONNECTIONS = (32, 1000)
WARM_UP_SECONDS = 1


def measure(bench):
    with Daemon(bench) as daemon, Nginx(bench, warm(daemon.port)) as nginx:
        return [figure for connections in CONNECTIONS for figure in compare(bench, daemon, nginx, connections)]


def measure_logged(bench):
    """The same with a line of access log for each request in both, written to files. Information only."""
    ours, its = bench.directory / "access-ours.log", bench.directory / "access-nginx.log"
    with open(ours, "wb") as log:
        settings = {"log": {"level": "info", "access": True}}
        with Daemon(bench, settings, log) as daemon, Nginx(bench, warm(daemon.port), str(its)) as nginx:
            loads = rounds(bench, daemon, nginx, CONNECTIONS[0], after=lambda: empty(ours, its))
    return [
        Figure("cached with access log, 32 connections", "requests/CPU-s",
               [load.per_cpu_second for load in loads[daemon]], None,
               "nginx", [load.per_cpu_second for load in loads[nginx]])]


def compare(bench, daemon, nginx, connections):
    loads = rounds(bench, daemon, nginx, connections)

    def figure(what, unit, value, goal=None, note=""):
        return Figure(f"cached, {connections} connections: {what}", unit, [value(load) for load in loads[daemon]],
                      goal, "nginx", [value(load) for load in loads[nginx]], note)

    return [
        figure("per CPU-second", "requests/CPU-s", lambda load: load.per_cpu_second, at_least_ratio(1.1),
               nginx.difference),
        figure("per second", "requests/s", lambda load: load.per_second),
        figure("server busy", "of a core", lambda load: load.server_busy),
        figure("p50", "ms", lambda load: load.p50),
        figure("p99", "ms", lambda load: load.p99, at_most_ratio(1.0)),
    ]


def rounds(bench, daemon, nginx, connections, after=lambda: None):
    def load(server, seconds):
        return wrk.run(bench, server, "cached", connections, seconds, COUNT)

    for server in (daemon, nginx):
        load(server, WARM_UP_SECONDS)
    after()
    return interleaved.rounds(
        bench.turns, {server: lambda server=server: load(server, TURN_SECONDS) for server in (daemon, nginx)}, after)


def empty(*logs):
    """Both servers append to their logs, so they write a truncated file from its start again."""
    for log in logs:
        with open(log, "r+b") as file:
            file.truncate(0)
