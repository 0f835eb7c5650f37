"""Tokens that Google signs, beside those of a local key: known devices, new ids, an outage, the start and the memory.

Google answers after 50 ms, one of a hundred times after 500 ms, and one of a thousand times never. An hour is simulated by
tokens that live for two minutes: what happens to a token within an hour happens within them.
"""
import re
import time
from pathlib import Path

from . import openssl_speed, start, wrk
from .daemon import Daemon, environment, free_port, write_configuration
from .figure import Figure, at_least, at_most, under
from .google import Google
from .http_connection import HTTPConnection
from .process_status import anonymous_kilobytes, proportional_kilobytes
from .unmeasured import Unmeasured
from .warmed_ids import COUNT

CONNECTIONS, IN_FLIGHT = 32, 512
# Between two requests of a connection of known devices, where times are measured.
PAUSE_MILLISECONDS = 1
# A call that is never answered is tried again after 3 s. Until then it takes a place from the next load.
SETTLE_SECONDS = 5
# A rate that is sustained, in a round of its own.
SUSTAINED_SECONDS = 30
LOCAL, REMOTE = "local key", "remote"


def measure(bench):
    with Google(bench) as google:
        parts = (new_ids, known_devices, outage, starts, memory)
        return [figure for part in parts for figure in part(bench, google)]


def simulated_hour(bench):
    return 60 if bench.quick else 120


def remote(bench, google, settings=None, **token):
    return Daemon(
        bench, google.settings(**token) | (settings or {}), is_watched=True, variables=google.variables)


def short_lived(bench):
    return {"lifetime": f"{simulated_hour(bench)}s", "backdate": "0s", "client_margin": "2s"}


def new_ids(bench, google):
    """Each request is for a new id; with 512 connections as many signatures are in flight. They are compared with cached
    answers at the same rate on as many connections: at full load an answer costs less, since the server never sleeps."""
    found, cached, full, signatures = [], [], [], []
    with remote(bench, google) as ours, Daemon(bench) as local:
        for daemon in (ours, local):
            warm(bench, daemon)
        for number in range(bench.rounds):
            time.sleep(SETTLE_SECONDS)
            found.append(wrk.run(bench, ours, "unique", IN_FLIGHT, bench.seconds, f"new-{number}"))
            pause = round(found[-1].p50)
            cached.append(wrk.run(bench, local, "paced", IN_FLIGHT, bench.seconds, COUNT, pause))
            full.append(wrk.run(bench, local, "cached", IN_FLIGHT, bench.seconds, COUNT))
            signatures.append(1e6 / openssl_speed.signatures_per_cpu_second(bench, 1))
        sustained = sustained_rate(bench, ours)
        figures = google.figures()
    beyond = [microseconds(load) - microseconds(hit) for load, hit in zip(found, cached)]
    beyond_full = [microseconds(load) - microseconds(hit) for load, hit in zip(found, full)]
    rate = f"cached answers at {cached[-1].per_second:,.0f} requests a second"
    about = f"{figures['connections']} connections to Google, at most {figures['most_in_flight']} signatures in flight"
    return [
        Figure("remote, new ids, 512 in flight: per second", "tokens/s", [load.per_second for load in found],
               at_least(1000), note=about),
        *sustained,
        Figure("remote, new ids: CPU beyond a cached answer", "us/token", beyond, at_most(200), "openssl signature",
               signatures, note=rate),
        Figure("remote, new ids: CPU beyond a cached answer at full load", "us/token", beyond_full),
        Figure("remote, new ids: server busy", "of a core", [load.server_busy for load in found]),
        Figure("remote, new ids: p50", "ms", [load.p50 for load in found]),
    ]


def microseconds(load):
    """Processor time of a request."""
    return 1e6 / load.per_cpu_second


def sustained_rate(bench, daemon):
    """None in a quick run."""
    if bench.quick:
        return []
    time.sleep(SETTLE_SECONDS)
    load = wrk.run(bench, daemon, "unique", IN_FLIGHT, SUSTAINED_SECONDS, "new-sustained")
    name = f"remote, new ids for {SUSTAINED_SECONDS} s: per second"
    return [Figure(name, "tokens/s", [load.per_second], at_least(1000))]


def known_devices(bench, google):
    """Devices that ask again and again for a simulated hour, in which each token is renewed twice. Times are those of a server
    with a part of the load that it could take; with as much as it can take they are those of the queue."""
    hour = simulated_hour(bench)
    with remote(bench, google, **short_lived(bench)) as ours, Daemon(bench, {"token": short_lived(bench)}) as local:
        for daemon in (ours, local):
            warm(bench, daemon)
        before, calls = requests(ours), google.figures()["signatures"]
        full = wrk.run(bench, ours, "cached", CONNECTIONS, hour // 2, COUNT)
        paced = wrk.run(bench, ours, "paced", CONNECTIONS, hour // 2, COUNT, PAUSE_MILLISECONDS)
        answered, hits = (now - then for now, then in zip(requests(ours), before))
        beside = [wrk.run(bench, local, "cached", CONNECTIONS, hour // 8, COUNT),
                  wrk.run(bench, local, "paced", CONNECTIONS, hour // 8, COUNT, PAUSE_MILLISECONDS)]
        about = f"{answered:,} requests; {google.figures()['signatures'] - calls:,} tokens were renewed"
    rate = f"{paced.per_second:,.0f} requests a second, {paced.server_busy:.2f} of a core"
    return [
        Figure("remote, known devices: requests that waited", "", [answered - hits], at_most(0), note=about),
        Figure("remote, known devices: p99", "ms", [paced.p99], under(1), LOCAL, [beside[1].p99], note=rate),
        Figure("remote, known devices, full load: p99", "ms", [full.p99], None, LOCAL, [beside[0].p99]),
        Figure("remote, known devices, full load: per CPU-second", "requests/CPU-s", [full.per_cpu_second], None, LOCAL,
               [beside[0].per_cpu_second]),
    ]


def outage(bench, google):
    """Google fails for a sixth of a simulated hour, while all devices ask. The quota is a half more than they need, which is
    a signature each in 0.35 of the hour."""
    hour = simulated_hour(bench)
    quota = round(1.5 * COUNT * 60 / (0.35 * hour))
    with remote(bench, google, {"signing": {"quota": quota}}, **short_lived(bench)) as daemon:
        # Until all devices have a token the quota refuses some.
        wrk.run(bench, daemon, "cached", CONNECTIONS, hour // 4, COUNT, refusals_expected=True)
        first = len(google.figures()["calls"])
        child = wrk.start(bench, daemon.port, "cached", CONNECTIONS, hour, COUNT)
        time.sleep(hour / 2)
        google.fail(True)
        time.sleep(hour / 6)
        google.fail(False)
        load = wrk.parse(bench.children.finish(child, hour), refusals_expected=True)
        figures = google.figures()
    calls = figures["calls"][first:]
    busiest = max(sum(calls[second:second + 60]) for second in range(len(calls)))
    return [
        Figure("remote, outage of a sixth of an hour: refused", "requests", [load.refused], at_most(0),
               note=f"of {load.requests:,} requests; {figures['refused']:,} calls failed"),
        Figure("remote, outage: calls in the busiest minute", "calls", [busiest], at_most(quota)),
    ]


def memory(bench, google):
    """After a thousand tokens each. The daemon with a local key must not have loaded libcurl."""
    def used(daemon):
        with daemon:
            warm(bench, daemon)
            time.sleep(1)
            has_curl = "libcurl" in Path(f"/proc/{daemon.process}/maps").read_text()
            return anonymous_kilobytes(daemon.process), proportional_kilobytes(daemon.process), has_curl

    ours = [used(remote(bench, google)) for _ in range(3)]
    local = [used(Daemon(bench)) for _ in range(3)]
    if any(has_curl for _, _, has_curl in local):
        raise Unmeasured("the daemon with a local key has loaded libcurl")

    def figure(name, column, goal=None, note=""):
        more = [(one[column] - other[column]) * 1024 / 1e6 for one, other in zip(ours, local)]
        return Figure(f"remote: {name} beyond a local key's", "MB", more, goal, note=note)

    return [
        figure("memory of its own (RssAnon)", 0, at_most(8)),
        figure("memory with its share of files (PSS)", 1, note="pages of libcurl and its libraries included"),
    ]


def starts(bench, google):
    """From exec until the daemon has its account and an access token from the metadata server."""
    def milliseconds():
        port, admin = free_port(), free_port()
        configuration = write_configuration(bench, port, google.settings())
        variables = environment(admin) | google.variables
        return start.milliseconds_until(bench, admin, "/readyz", configuration, variables)

    milliseconds()
    return [Figure("remote: exec to ready", "ms", [milliseconds() for _ in range(start.STARTS)], at_most(60))]


def warm(bench, daemon):
    """Requests each id, as many at a time as there are connections."""
    wrk.run(bench, daemon, "cached", CONNECTIONS, 5, COUNT)


def requests(daemon):
    """Tokens that were handed out, and how many of them came from the cache."""
    with HTTPConnection(daemon.admin_port) as connection:
        metrics = connection.get("/metrics").body.decode()

    def total(name):
        return sum(int(value) for value in re.findall(rf"^token_provider_{name}_total(?:{{.*}})? (\d+)$", metrics, re.M))

    return total("requests"), total("cache_hits")
