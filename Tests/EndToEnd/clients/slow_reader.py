"""Takes its answers one byte at a time: slow_reader.py PORT WRITE_TIMEOUT SECONDS...

Each client sends a hundred pipelined requests with `Connection: close` in the last, and reads a byte every so many seconds. The
daemon gives up each, but not before its write timeout.
"""
import socket
import sys
import threading
import time

sys.dont_write_bytecode = True

from outcome import PATIENCE, report, require  # noqa: E402
from raw_http import get  # noqa: E402

PORT, TIMEOUT, *PAUSES = int(sys.argv[1]), *map(float, sys.argv[2:])


def read_slowly(pause, found, index):
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.connect(("127.0.0.1", PORT))
        began = time.monotonic()
        connection.sendall(get("/token?tripID=slow") * 99 + get("/token?tripID=slow", fields=["Connection: close"]))
        while time.monotonic() - began < PATIENCE:
            time.sleep(pause)
            # What was received already can still be read; the reset shows in the socket's state (tcp(7): TCP_INFO).
            if connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == 7:
                found[index] = round(time.monotonic() - began, 1)
                return
            connection.recv(1)


def main():
    found = [None] * len(PAUSES)
    threads = [threading.Thread(target=read_slowly, args=(pause, found, index)) for index, pause in enumerate(PAUSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    require(all(seconds and seconds >= TIMEOUT for seconds in found), f"they were given up after {found} seconds")


report(main)
