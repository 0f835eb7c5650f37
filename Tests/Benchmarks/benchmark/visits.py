"""A visit: a new TLS 1.3 connection, an identity token never seen, and a Fleet Engine token never made. Beside Node, and beside
the bare operations of OpenSSL on the same core in the same run."""
import shutil
import subprocess
from pathlib import Path

from . import interleaved, openssl_speed, tls
from .bench import SERVER_CORE
from .callers import Callers, lines
from .daemon import Daemon, free_port, wait_until_ready
from .figure import Figure, at_least_ratio
from .process_status import cpu_seconds
from .tls import Handshakes

CLIENTS = 64
SECONDS = 2
# More than a round can use: each visitor shows a token of its own.
VISITORS = 4000 * SECONDS
LOAD = Path(__file__).resolve().parent.parent / "load"


class Node:
    """Node's own https and crypto, doing the same for each request."""

    def __init__(self, bench, callers, certificate):
        self.bench, self.callers, self.certificate = bench, callers, certificate
        self.secure_port, self.port = free_port(), free_port()

    def __enter__(self):
        self.child = self.bench.children.start(
            ["node", LOAD / "visits.mjs", self.secure_port, self.port, *self.certificate, self.callers.issuer.key_set,
             self.bench.directory / "key.json"], SERVER_CORE, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.process = self.child.pid
        wait_until_ready(self.port, self.child)
        return self

    def __exit__(self, *_):
        self.bench.children.stop(self.child)


def measure(bench):
    callers, certificate = Callers(bench), tls.make_certificate(bench)
    client = tls.compile_client(bench)
    visitors = lines(bench, "visitors", callers.dispatchers(VISITORS))

    def daemon(batch):
        port = free_port()
        return Daemon(bench, callers.settings() | {
            "tls": tls.settings(port, *certificate)["tls"], "signing": {"batch": batch}}), port

    def ours(batch):
        # A new daemon has seen none of the identity tokens.
        started, port = daemon(batch)
        with started as server:
            server.secure_port = port
            return visits(bench, client, server, visitors)

    def its():
        with Node(bench, callers, certificate) as server:
            return visits(bench, client, server, visitors)

    contenders = {"alone": lambda: ours("off")}
    if bench.crypto_mb:
        contenders["batched"] = lambda: ours(bench.crypto_mb)
    if shutil.which("node"):
        contenders["node"] = its
    contenders["bare"] = lambda: openssl_speed.visits_per_cpu_second(bench, SECONDS)
    return figures(interleaved.rounds(2 * bench.rounds, contenders))


def figures(found):
    node = [load.per_cpu_second for load in found.get("node", [])]
    made = []
    for contender, name, bare in ("alone", "visits", 0.58), ("batched", "visits in batches", 0.75):
        if contender not in found:
            continue
        rates = [load.per_cpu_second for load in found[contender]]
        made.append(Figure(f"{name}: of the bare operations", "visits/CPU-s", rates, at_least_ratio(bare),
                           "openssl speed", found["bare"]))
        if node:
            limit = at_least_ratio(2.0) if contender == "batched" else None
            made.append(Figure(f"{name}: beside Node", "visits/CPU-s", rates, limit, "Node", node))
    return made


def visits(bench, client, server, visitors):
    before = cpu_seconds(server.process)
    child = bench.children.start(
        [client, server.secure_port, CLIENTS, SECONDS, "visits", visitors], bench.client_cores, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    count, _ = map(int, bench.children.finish(child, SECONDS + 60).split())
    return Handshakes(count, SECONDS, max(cpu_seconds(server.process) - before, 0.01))
