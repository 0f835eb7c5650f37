"""Sends part of a request, prints a line, and holds the connection until it is killed.

python hold_connection.py HOST PORT
"""
import signal
import sys

sys.dont_write_bytecode = True

from raw_http import AnswerReader, connect, get  # noqa: E402

with connect(sys.argv[1], int(sys.argv[2])) as connection:
    connection.sendall(get("/healthz"))
    AnswerReader(connection).next()
    connection.sendall(b"GET /token")
    print("held", flush=True)
    signal.pause()
