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
    # The first GOAWAY allows every stream, since requests may be on their way (RFC 9113 section 6.8).
    require(notice == 2**31 - 1, f"the first GOAWAY names the stream {notice}")
    end = last_stream(goaways[-1]), int.from_bytes(goaways[-1][3][4:8], "big")
    require(end == (3, 0), f"the last GOAWAY has the stream and the code {end}")
    pending, on_its_way = outcome(frames, 1), outcome(frames, 3)
    require(pending["ok"] and pending["bytes"] > 500, f"the request that waited: {pending}")
    require(on_its_way["ok"] and on_its_way["bytes"] == 3, f"the request on its way: {on_its_way}")


report(main)
