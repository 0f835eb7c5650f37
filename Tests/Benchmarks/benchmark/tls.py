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
from .figure import Figure, at_least_ratio, at_most, at_most_ratio
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
TARGET = b"/token?tripID=cached-0000"
# GET, https, the host and the path (RFC 7541 appendix A), after the preface, empty SETTINGS and their acknowledgement.
FIELDS = b"\x82\x87\x01\x09127.0.0.1\x04" + bytes([len(TARGET)]) + TARGET
HTTP2_REQUEST = (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0" + b"\0\0\0\4\1\0\0\0\0"
                 + bytes([0, 0, len(FIELDS), 1, 5, 0, 0, 0, 1]) + FIELDS)


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
            figures += requests(bench, daemon, nginx) + idle(daemon, nginx)
    return figures + idle_http2(bench, certificate, key)


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
    ours, its = growth(daemon, ask), growth(nginx, ask)
    return [Figure(f"idle TLS connection, of {CONNECTIONS:,}", "kB", [ours], at_most_ratio(1.0), "nginx", [its])]


def idle_http2(bench, certificate, key):
    """The same with HTTP/2, in servers of their own: freed memory of earlier connections would be used again."""
    port = free_port()
    with Daemon(bench, settings(port, certificate, key)) as daemon:
        daemon.secure_port = port
        with Nginx(bench, warm(daemon.port), certificate=(certificate, key)) as nginx:
            ours, its = growth(daemon, ask_on_stream, "h2"), growth(nginx, ask_on_stream, "h2")
    return [Figure(f"idle TLS connection with HTTP/2, of {CONNECTIONS:,}", "kB", [ours], at_most(22), "nginx", [its])]


def growth(server, ask, *protocols):
    if descriptor_limit() < WANTED_DESCRIPTORS:
        raise Unmeasured(f"{CONNECTIONS:,} connections need a descriptor limit of {WANTED_DESCRIPTORS:,}")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if protocols:
        context.set_alpn_protocols(protocols)
    before = anonymous_kilobytes(server.process)
    with contextlib.ExitStack() as connections:
        for _ in range(CONNECTIONS):
            plain = socket.create_connection(("127.0.0.1", server.secure_port), timeout=10)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            ask(connections.enter_context(context.wrap_socket(plain)))
        # Ours looks at connections once a second, and gives up the pages of one at the second look without a change.
        time.sleep(3)
        return (anonymous_kilobytes(server.process) - before) * 1.024 / CONNECTIONS


def ask(connection):
    connection.sendall(b"GET " + TARGET + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    if not connection.recv(65536).startswith(b"HTTP/1.1 200 "):
        raise Unmeasured("an answer was not 200, or came in pieces")


def ask_on_stream(connection):
    """A request on the first stream of HTTP/2, up to the frame that ends its answer."""
    connection.sendall(HTTP2_REQUEST)
    received, stream, flags = b"", 0, 0
    while (stream, flags & 1) != (1, 1):
        while len(received) < 9 or len(received) < 9 + int.from_bytes(received[:3], "big"):
            part = connection.recv(65536)
            if not part:
                raise Unmeasured("a connection was closed")
            received += part
        length, kind, flags = int.from_bytes(received[:3], "big"), *received[3:5]
        stream, payload, received = int.from_bytes(received[5:9], "big"), received[9:9 + length], received[9 + length:]
        # The status by the static table; nginx sends a size of the dynamic table before it.
        if kind == 1 and 0x88 not in payload[:2]:
            raise Unmeasured("an answer was not 200")
