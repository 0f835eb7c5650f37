"""Fills the memory of a daemon by one kind of connection after the other, each until the step that relieves it.

python memory_relief.py PORT TLS_PORT METRICS_URL

Every connection comes from one of many addresses, so that none holds more than its share. Prints for each step
which ones were counted by then, and how many connections of that kind were open.
"""
import errno
import itertools
import resource
import select
import socket
import sys
import time

sys.dont_write_bytecode = True

from http2_connection import GOAWAY, RESET, text  # noqa: E402
from memory_attacks import END, PREFACE, frame, secure  # noqa: E402
from memory_steps import counted  # noqa: E402
from outcome import require, report  # noqa: E402
from raw_http import AnswerReader, get  # noqa: E402

PORT, TLS_PORT, METRICS = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
ADDRESSES = itertools.cycle(f"127.0.2.{number}" for number in range(1, 201))
MOST, LIMIT_SECONDS = 4000, 600
CREDENTIALS = "Authorization: Bearer caller"


def main():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    facts = {}
    for kind, wave, step in ((silent, 100, "silent"), (asked, 100, "idle"), (http2_asked, 20, "session")):
        facts[step], held = fill(kind, wave, step)
        types = {frame_type for peer in held for frame_type, _ in frames(peer)}
        for peer in held:
            peer.close()
    facts["session"]["goaway"] = GOAWAY in types
    # What waits for the back end cannot be closed: it stays for the rest.
    kept = []
    for kind, step, pause in ((http2_waiting, "stream", 0.1), (unread, "stalled", 1.1), (waiting, "refused", 0.1)):
        facts[step], held = fill(kind, 10, step, pause)
        if kind is http2_waiting:
            facts[step]["codes"] = sorted({code(payload) for peer in held for frame_type, payload in frames(peer)
                                           if frame_type == RESET})
        kept += held
    facts["refused"]["answers"] = answers(held)
    return facts


def fill(kind, wave, step, pause=0.1):
    """Opens so many connections at a time until the step is counted. A connection is spared for its first second."""
    before, held, end = counted(METRICS), [], time.monotonic() + LIMIT_SECONDS
    while True:
        for number in range(wave):
            try:
                held.append(kind(len(held) + number))
            except (OSError, EOFError) as error:
                # Otherwise the daemon closed it, and counts that.
                require(getattr(error, "errno", 0) != errno.EMFILE, f"{len(held)} connections: {error}")
        now = counted(METRICS)
        taken = sorted(step for step in now if now[step] > before[step])
        if step in taken:
            return {"steps": taken, "connections": len(held)}, held
        require(time.monotonic() < end and len(held) < MOST, f"{len(held)} connections: {taken}, expected {step}")
        time.sleep(pause)


def connect(port=PORT, window=None):
    connection = socket.socket()
    if window:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    connection.settimeout(5)
    connection.bind((next(ADDRESSES), 0))
    connection.connect(("127.0.0.1", port))
    return connection


def request(word, number):
    return get(f"/token?tripID={word}-{number}", fields=[CREDENTIALS])


def silent(_):
    return connect()


def asked(_):
    connection = connect()
    connection.sendall(request("allow", 1))
    if AnswerReader(connection).next() is None:
        raise EOFError
    return connection


def http2(path):
    """An HTTP/2 connection with one request."""
    peer = secure(connect(TLS_PORT), "h2")
    fields = b"\x82\x87\x01\x09localhost\x04" + text(path) + b"\0" + text("authorization") + text("Bearer caller")
    peer.sendall(PREFACE + frame(4, 0, 0) + frame(4, 1, 0) + frame(1, END, 1, fields))
    return peer


def http2_asked(_):
    peer = http2("/token?tripID=allow-1")
    answer = b""
    while b"expiration" not in answer.lower():
        part = peer.recv(65536)
        if not part:
            raise EOFError
        answer += part
    return peer


def frames(peer):
    """The types and payloads of the frames that have come."""
    received = b""
    peer.setblocking(False)
    try:
        while part := peer.recv(65536):
            received += part
    except OSError:
        pass  # There is no more, or the connection was reset.
    peer.settimeout(5)
    while len(received) >= 9:
        length = int.from_bytes(received[:3], "big")
        yield received[3], received[9:9 + length]
        received = received[9 + length:]


def code(payload):
    """The error code of RST_STREAM (RFC 9113 section 6.4)."""
    return int.from_bytes(payload, "big")


def http2_waiting(number):
    return http2(f"/token?tripID=held-{number}")


def unread(_):
    connection = connect(window=2048)
    connection.sendall(request("allow", 1) * 30)
    return connection


def waiting(number):
    connection = connect()
    connection.sendall(request("held", f"h1-{number}"))
    return connection


def answers(peers):
    """The different statuses that have come."""
    readable, _, _ = select.select(peers, [], [], 5)
    return sorted({answer.status for answer in (AnswerReader(peer).next() for peer in readable) if answer})


report(main)
