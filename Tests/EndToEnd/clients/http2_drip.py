"""Lets an answer over HTTP/2 come byte by byte, while another client is served: http2_drip.py PORT TLS_PORT CA_FILE

The stream is cancelled before 200 bytes, and the other client is served after each.
"""
import sys
import time

sys.dont_write_bytecode = True

from http2_connection import DATA, LAST, RESET, SETTINGS, WINDOW_UPDATE, Connection  # noqa: E402
from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

PORT, TLS_PORT, AUTHORITY = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
# The whole answer would take a minute.
INTERVAL_SECONDS = 0.05
CLOSED_WINDOW = b"\0\4" + bytes(4)
ONE_BYTE = b"\0\0\0\1"


def main():
    drip = Connection(TLS_PORT, AUTHORITY)
    drip.send(SETTINGS, 0, 0, CLOSED_WINDOW)
    drip.ask(1, "/token?tripID=trip-1")
    count = served = 0
    with connect("127.0.0.1", PORT) as other:
        answers = AnswerReader(other)
        while True:
            drip.send(WINDOW_UPDATE, 0, 1, ONE_BYTE)
            kind, flags, _, payload = drip.until(lambda frame: frame[2] == 1 and frame[0] in (DATA, RESET))[-1]
            if kind == RESET:
                break
            require(not flags & LAST, "the whole answer came")
            count += len(payload)
            other.sendall(get("/token?tripID=trip-2"))
            served += answers.next().status == 200
            time.sleep(INTERVAL_SECONDS)
    require(int.from_bytes(payload, "big") == 8, f"the stream was reset with {payload}, expected CANCEL")
    # At most twenty bytes a second, so that it came within ten seconds.
    require(0 < count < 200 and served == count, f"{count} bytes, and the other client was served {served} times")


report(main)
