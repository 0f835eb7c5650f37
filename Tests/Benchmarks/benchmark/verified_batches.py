"""100,000 tokens that were signed in batches, each verified by OpenSSL's own library."""
import base64
import json
import socket

from . import libcrypto
from .daemon import Daemon
from .figure import Figure, at_least
from .unmeasured import Unmeasured

COUNT = 100_000
CONNECTIONS = 40


def measure(bench):
    if not bench.crypto_mb:
        return []
    with Daemon(bench, {"signing": {"batch": bench.crypto_mb}}, is_watched=True) as daemon:
        armour = json.loads((bench.directory / "key.json").read_text())["private_key"].strip().splitlines()
        key = libcrypto.Key(base64.b64decode("".join(armour[1:-1])))
        valid = sum(1 for token in tokens(daemon.port) if is_valid(key, token))
        return [Figure("tokens of batches that OpenSSL verifies", "tokens", [valid], at_least(COUNT)),
                Figure("of them signed in batches", "tokens", [batched(daemon.admin_port)], at_least(COUNT * 0.9))]


def tokens(port):
    """Each of a new id; the requests of all connections are sent before an answer is read."""
    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(CONNECTIONS)]
    streams = [client.makefile("rb") for client in clients]
    for turn in range(COUNT // CONNECTIONS):
        for number, client in enumerate(clients):
            client.sendall(f"GET /token?tripID=v-{turn}-{number} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        for stream in streams:
            yield json.loads(body(stream))["TRIP_TOKEN_KEY"]


def body(stream):
    if not stream.readline().startswith(b"HTTP/1.1 200 "):
        raise Unmeasured("an answer was not 200")
    length = 0
    while (line := stream.readline()) != b"\r\n":
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return stream.read(length)


def is_valid(key, token):
    signed, _, signature = token.rpartition(".")
    return key.verifies(base64.urlsafe_b64decode(signature + "=="), signed.encode())


def batched(port):
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        text = client.makefile("rb").read().decode()
    return next(float(line.split()[1]) for line in text.splitlines()
                if line.startswith("token_provider_batched_signatures_total "))
