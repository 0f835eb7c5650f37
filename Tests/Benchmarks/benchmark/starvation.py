"""A cached id while 64 other connections keep signing busy, or as many clients make TLS handshakes as fast as they can."""
import subprocess

from . import prober, wrk
from .bench import CLIENT_CORE
from .daemon import Daemon, free_port
from .figure import Figure, at_most
from .process_status import cpu_seconds
from .tls import RSA, compile_client, make_certificate, settings
from .unmeasured import Unmeasured
from .warmed_ids import ONE, warm

CONNECTIONS = 64
LEAST_BUSY = 0.9  # below this share of a core the server was not kept busy and the figure would be too good
ROUNDS = 3


def measure(bench):
    return beside_minting(bench) + beside_handshakes(bench)


def beside_minting(bench):
    with Daemon(bench) as daemon:
        warm(daemon.port)
        quiet = prober.latencies(daemon.port, ONE, 1)
        seconds = bench.seconds + 2
        rounds = [
            probe(bench, daemon, wrk.start(bench, daemon.port, "unique", CONNECTIONS, seconds, f"starving-{number}"))
            for number in range(ROUNDS)]
    return [
        *waits("minting", rounds),
        Figure("cached id on an idle server: p99", "ms", [prober.percentile(quiet, 99)], None,
               note="the cost of the prober itself"),
        Figure("minting meanwhile", "signatures/s", [wrk.parse(output).per_second for _, output in rounds]),
    ]


def beside_handshakes(bench):
    # An RSA signature takes the server far longer than its verification takes the client.
    certificate, key = make_certificate(bench, RSA)
    client, port, seconds = compile_client(bench), free_port(), bench.seconds + 2
    with Daemon(bench, settings(port, certificate, key)) as daemon:
        warm(daemon.port)
        rounds = [
            probe(bench, daemon, bench.children.start(
                [client, port, CONNECTIONS, seconds, "full"], CLIENT_CORE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True))
            for _ in range(ROUNDS)]
    return [
        *waits("handshakes", rounds),
        Figure("handshakes meanwhile", "/s", [int(output.split()[0]) / seconds for _, output in rounds]),
    ]


def probe(bench, daemon, load):
    """How long each request waited while the load ran, and what the load printed."""
    seconds = bench.seconds + 1
    try:
        prober.settle(0.5)  # The load is connected.
        before = cpu_seconds(daemon.process)
        times = prober.latencies(daemon.port, ONE, seconds)
        busy = (cpu_seconds(daemon.process) - before) / seconds
        output = bench.children.finish(load, 60)
    finally:
        if load in bench.children.running:
            bench.children.stop(load)
    if busy < LEAST_BUSY:
        raise Unmeasured(f"the load kept the server busy for only {busy:.0%} of a core")
    return times, output


def waits(load, rounds):
    p99, p50 = ([prober.percentile(times, percent) for times, _ in rounds] for percent in (99, 50))
    return [Figure(f"cached id beside {load}: p99", "ms", p99, at_most(3.0)),
            Figure(f"cached id beside {load}: p50", "ms", p50)]
