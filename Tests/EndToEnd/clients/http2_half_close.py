"""Half-closes right after whole requests, for tokens that have to be signed, and after their answers: http2_half_close.py PORT [CA]

All are answered before the connection ends, and the client is told by GOAWAY which was the last.
"""
import socket
import sys

sys.dont_write_bytecode = True

from http2_connection import GOAWAY, Connection, is_end, outcome  # noqa: E402
from outcome import report, require  # noqa: E402

REQUESTS = 20


def main():
    for is_answered in (False, True):
        connection = Connection(int(sys.argv[1]), *sys.argv[2:])
        streams, frames = range(1, 2 * REQUESTS, 2), []
        for stream in streams:
            connection.ask(stream, f"/token?tripID=half-{stream}")
            frames += connection.until(is_end(stream)) if is_answered else []
        # Over TLS without close_notify, as clients end that do not wait for it.
        socket.socket.shutdown(connection.socket, socket.SHUT_WR)
        while frame := connection.next():
            frames.append(frame)
        answered = sum(any(map(is_end(stream), frames)) and outcome(frames, stream)["ok"] for stream in streams)
        require(answered == REQUESTS, f"{answered} of {REQUESTS} requests were answered")
        last = [int.from_bytes(frame[3][:4], "big") for frame in frames if frame[0] == GOAWAY]
        require(last == [streams[-1]], f"streams of GOAWAY: {last}; expected {streams[-1]}")


report(main)
