"""TLS against nginx with the same certificate and the same OpenSSL: handshakes, requests, and idle connections."""
import contextlib
import socket
import ssl
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from . import interleaved, wrk
from .bench import CLIENT_CORE, TURN_SECONDS
from .daemon import Daemon, free_port
from .figure import Figure, at_least_ratio, at_most_ratio
from .nginx import Nginx
from .process_status import cpu_seconds, anonymous_kilobytes
from .tools import descriptor_limit
from .unmeasured import Unmeasured
from .warmed_ids import COUNT, warm

SOURCE = Path(__file__).resolve().parent.parent / "load" / "handshakes.c"
CLIENTS = (32, 1)
CONNECTIONS = 10_000
# Their descriptors at this end, and the other descriptors of this program.
WANTED_DESCRIPTORS = CONNECTIONS + 200


@dataclass
class Handshakes:
    """One round: handshakes whose request was answered."""
    count: int
    seconds: float
    server_cpu_seconds: float

    @property
    def per_second(self):
        return self.count / self.seconds

    @property
    def per_cpu_second(self):
        return self.count / self.server_cpu_seconds


def measure(bench):
    certificate, key = make_certificate(bench)
    client = compile_client(bench)
    port = free_port()
    with Daemon(bench, settings(port, certificate, key)) as daemon:
        daemon.secure_port = port
        with Nginx(bench, warm(daemon.port), certificate=(certificate, key)) as nginx:
            figures = []
            for clients in CLIENTS:
                figures += handshakes(bench, client, daemon, nginx, clients, "full")
            figures += handshakes(bench, client, daemon, nginx, CLIENTS[0], "resumed")
            return figures + requests(bench, daemon, nginx) + idle(daemon, nginx)


def settings(port, certificate, key):
    tls = {"listen": f"127.0.0.1:{port}", "certificates": [{"certificate": str(certificate), "key": str(key)}]}
    return {"tls": tls, "limits": {"address_rate": 0}}


P256 = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
RSA = ["rsa:2048"]


def make_certificate(bench, kind=P256):
    certificate, key = bench.directory / "tls.pem", bench.directory / "tls.key"
    command = ["openssl", "req", "-x509", "-nodes", "-newkey", *kind, "-days", "60", "-subj", "/CN=localhost",
               "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


def compile_client(bench):
    client = bench.directory / "handshakes"
    try:
        subprocess.run(["cc", "-O2", "-o", client, SOURCE, "-lssl", "-lcrypto"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unmeasured(f"{SOURCE.name} was not compiled (expected cc and libssl-dev): {error}") from error
    return client


def handshakes(bench, client, daemon, nginx, clients, mode):
    def load(server):
        seconds = bench.seconds
        before = cpu_seconds(server.process)
        child = bench.children.start(
            [client, server.secure_port, clients, seconds, mode], CLIENT_CORE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        count, resumed = map(int, bench.children.finish(child, seconds + 60).split())
        if resumed != (max(count - clients, 0) if mode == "resumed" else 0):
            raise Unmeasured(f"of {count} handshakes {resumed} resumed a session where {mode} ones were expected")
        return Handshakes(count, seconds, max(cpu_seconds(server.process) - before, 0.01))

    found = interleaved.rounds(bench.rounds, {server: lambda server=server: load(server) for server in (daemon, nginx)})
    name = f"TLS 1.3, {mode} handshakes, {clients} at once"
    return [compared(f"{name}: per second", "/s", found, daemon, nginx, "per_second"),
            compared(f"{name}: per CPU-second", "/CPU-s", found, daemon, nginx, "per_cpu_second")]


def compared(name, unit, found, daemon, nginx, value, limit=0.95):
    ours, its = ([getattr(each, value) for each in found[server]] for server in (daemon, nginx))
    return Figure(name, unit, ours, at_least_ratio(limit), "nginx", its)


def requests(bench, daemon, nginx):
    def load(server):
        return wrk.run(bench, server, "cached", 32, TURN_SECONDS, COUNT, secure=True)

    found = interleaved.rounds(bench.turns, {server: lambda server=server: load(server) for server in (daemon, nginx)})
    return [compared("cached over TLS, 32 connections", "requests/CPU-s", found, daemon, nginx, "per_cpu_second", 1.0)]


def idle(daemon, nginx):
    """The memory of both servers for connections that have each made a request."""
    if descriptor_limit() < WANTED_DESCRIPTORS:
        raise Unmeasured(f"{CONNECTIONS:,} connections need a descriptor limit of {WANTED_DESCRIPTORS:,}")
    ours, its = growth(daemon), growth(nginx)
    return [Figure(f"idle TLS connection, of {CONNECTIONS:,}", "kB", [ours], at_most_ratio(1.0), "nginx", [its])]


def growth(server):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    before = anonymous_kilobytes(server.process)
    with contextlib.ExitStack() as connections:
        for _ in range(CONNECTIONS):
            plain = socket.create_connection(("127.0.0.1", server.secure_port), timeout=10)
            connection = connections.enter_context(context.wrap_socket(plain))
            connection.sendall(b"GET /token?tripID=cached-0000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            if not connection.recv(65536).startswith(b"HTTP/1.1 200 "):
                raise Unmeasured("an answer was not 200, or came in pieces")
        time.sleep(0.5)
        return (anonymous_kilobytes(server.process) - before) * 1.024 / CONNECTIONS
