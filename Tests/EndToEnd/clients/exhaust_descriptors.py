"""Opens more connections than the server has descriptors for, measures whether it idles meanwhile, then frees them.

python exhaust_descriptors.py HOST PORT CONNECTIONS PID
"""
import os
import sys
import time

sys.dont_write_bytecode = True

from outcome import report  # noqa: E402
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
    return {"answered_while_full": answered, "answered_when_free": again, "busy_share": busy}


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
