"""Parallel requests, each on a connection of its own; prints how many answers had each status.

python parallel_requests.py [--hold] HOST PORT COUNT TARGET [FIELD...]

{} in the target is the request's number. With --hold it prints a line once all are sent, and holds them until it is killed.
"""
import collections
import resource
import signal
import sys
import time

sys.dont_write_bytecode = True

from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOLDS = sys.argv[1] == "--hold"
HOST, PORT, COUNT, TARGET, *FIELDS = sys.argv[2:] if HOLDS else sys.argv[1:]


def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, int(COUNT) + 100), hard))
    connections = [connect(HOST, int(PORT)) for _ in range(int(COUNT))]
    began = time.monotonic()
    for number, connection in enumerate(connections):
        connection.sendall(get(TARGET.replace("{}", str(number)), fields=FIELDS))
    if HOLDS:
        print("sent", flush=True)
        signal.pause()
    statuses = collections.Counter()
    for connection in connections:
        answer = AnswerReader(connection).next()
        require(answer is not None, "a request was not answered")
        statuses[str(answer.status)] += 1
        connection.close()
    return {"statuses": statuses, "seconds": time.monotonic() - began}


report(main)
