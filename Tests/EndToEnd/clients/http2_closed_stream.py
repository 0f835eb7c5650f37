"""Sends DATA on a stream whose answer is complete, then asks again (RFC 9113 section 5.1): http2_closed_stream.py PORT

The stream is reset with STREAM_CLOSED, and the connection still answers.
"""
import sys

sys.dont_write_bytecode = True

from http2_connection import DATA, RESET, Connection, is_end, outcome  # noqa: E402
from outcome import report, require  # noqa: E402


def main():
    connection = Connection(int(sys.argv[1]))
    connection.ask(1, "/token?tripID=trip-1")
    connection.until(is_end(1))
    connection.send(DATA, 0, 1, b"more")
    reset = connection.until(lambda frame: frame[0] == RESET)[-1]
    connection.ask(3, "/token?tripID=trip-2")
    answered = outcome(connection.until(is_end(3)), 3)
    require((reset[2], int.from_bytes(reset[3], "big")) == (1, 5), f"the reset is {reset}, expected STREAM_CLOSED of stream 1")
    require(answered["ok"], "the connection no longer answers")


report(main)
