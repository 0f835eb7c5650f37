"""Opens more connections than the server has descriptors for, measures whether it idles meanwhile, then frees them.

python exhaust_descriptors.py HOST PORT CONNECTIONS PID
"""
import os
import sys
import time

sys.dont_write_bytecode = True

from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT, COUNT, PID = sys.argv[1], *map(int, sys.argv[2:])


def main():
    held = [connect(HOST, PORT, timeout=1) for _ in range(COUNT)]
    for connection in held:
        connection.sendall(get("/healthz"))
    answered = sum(was_answered(connection) for connection in held)
    busy = busy_share()
    for connection in held:
        connection.close()
    again = 0
    for _ in range(COUNT):
        with connect(HOST, PORT) as connection:
            connection.sendall(get("/healthz"))
            again += AnswerReader(connection).next().status == 200
    require(answered < COUNT and again == COUNT, f"{answered} of {COUNT} were answered while it was full, then {again}")
    # It retries to accept ten times a second. Without that pause it would take a whole processor.
    require(busy < 0.1, f"it was busy for {busy} of a second")


def busy_share():
    """The share of a processor that the server used in a second in which no connection could be accepted."""
    began, ticks = time.monotonic(), processor_ticks()
    time.sleep(1)
    return (processor_ticks() - ticks) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - began)


def processor_ticks():
    with open(f"/proc/{PID}/stat", encoding="ascii") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def was_answered(connection):
    try:
        answer = AnswerReader(connection).next()
    except TimeoutError:
        return False
    return answer is not None and answer.status == 200


report(main)
