"""Sends a part of a request, says so, and keeps the connection until it is ended.

python hold_connection.py HOST PORT
"""
import sys
import time

sys.dont_write_bytecode = True

from raw_http import AnswerReader, connect, get  # noqa: E402

with connect(sys.argv[1], int(sys.argv[2])) as connection:
    connection.sendall(get("/healthz"))
    AnswerReader(connection).next()
    connection.sendall(b"GET /token")
    print("held", flush=True)
    time.sleep(60)
