"""Half-closes right after whole requests, for tokens that have to be signed: http2_half_close.py PORT [CA]

All are answered before the connection ends. (GOAWAY comes only if answers are pending when the server sees the end.)
"""
import socket
import sys

sys.dont_write_bytecode = True

from http2_connection import Connection, is_end, outcome  # noqa: E402
from outcome import report, require  # noqa: E402

REQUESTS = 20


def main():
    connection = Connection(int(sys.argv[1]), *sys.argv[2:])
    streams = range(1, 2 * REQUESTS, 2)
    for stream in streams:
        connection.ask(stream, f"/token?tripID=half-{stream}")
    # Over TLS without close_notify, as clients end that do not wait for it.
    socket.socket.shutdown(connection.socket, socket.SHUT_WR)
    frames = []
    while frame := connection.next():
        frames.append(frame)
    answered = sum(any(map(is_end(stream), frames)) and outcome(frames, stream)["ok"] for stream in streams)
    require(answered == REQUESTS, f"{answered} of {REQUESTS} requests were answered")


report(main)
