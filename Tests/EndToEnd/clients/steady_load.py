"""Clients that send requests until standard input ends, whatever happens to the server meanwhile.

python steady_load.py HOST PORT CLIENTS [FILE]

With a file: says when the clients are answered, and sends until that file exists.
"""
import os
import sys
import threading
import time
from types import SimpleNamespace

sys.dont_write_bytecode = True

from drain_client import Counts, KeepAliveClient  # noqa: E402
from outcome import report  # noqa: E402


def main():
    host, port, clients = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    counts = Counts()
    loads = [KeepAliveClient(SimpleNamespace(host=host, port=port), counts, number, time.monotonic() + 600)
             for number in range(clients)]
    threads = [threading.Thread(target=load.run, daemon=True) for load in loads]
    for thread in threads:
        thread.start()
    wait(counts, *sys.argv[4:])
    for load in loads:
        load.deadline = 0
    for thread in threads:
        thread.join(60)
    return counts.facts()


def wait(counts, file=None):
    if file is None:
        sys.stdin.read()
        return
    while counts.facts()["answered"] < 100:
        time.sleep(0.01)
    print("answered", flush=True)
    while not os.path.exists(file):
        time.sleep(0.01)


report(main)
