"""A stop while an HTTP/2 stream over TLS waits for its answer, frame by frame.

python http2_drain.py PORT CA_FILE DAEMON_PROCESS BACK_END_PORT

The back end (back_end.py) holds the answer about held-1 until the daemon has sent GOAWAY and has answered another request
that was on its way.
"""
import http.client
import json
import os
import signal
import sys
import time

sys.dont_write_bytecode = True

from http2_connection import GOAWAY, LIMIT_SECONDS, Connection, is_end, outcome  # noqa: E402
from outcome import report, require  # noqa: E402


def back_end(port, method, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_SECONDS)
    connection.request(method, path)
    return json.loads(connection.getresponse().read())


def last_stream(frame):
    return int.from_bytes(frame[3][:4], "big")


def main():
    port, authority, daemon, back = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    connection = Connection(port, authority)
    connection.ask(1, "/token?tripID=held-1")
    deadline = time.monotonic() + LIMIT_SECONDS
    while back_end(back, "GET", "/seen")["active"] == 0:
        require(time.monotonic() < deadline, "the back end was not asked")
        time.sleep(0.01)
    os.kill(daemon, signal.SIGTERM)
    frames = connection.until(lambda frame: frame[0] == GOAWAY)
    notice = last_stream(frames[-1])
    connection.ask(3, "/healthz")
    frames += connection.until(is_end(3))
    require(not any(frame[2] == 1 for frame in frames), "the first request was answered already")
    back_end(back, "POST", "/release")
    late = connection.until(is_end(1))
    frames += late
    while frame := connection.next():
        frames.append(frame)
    goaways = [frame for frame in frames if frame[0] == GOAWAY]
    return {
        "notice": notice, "last": last_stream(goaways[-1]), "code": int.from_bytes(goaways[-1][3][4:8], "big"),
        "pending": outcome(frames, 1), "on_its_way": outcome(frames, 3),
    }


report(main)
