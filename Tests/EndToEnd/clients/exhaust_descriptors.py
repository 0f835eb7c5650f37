"""Opens more connections than the server has descriptors for, then frees them.

python exhaust_descriptors.py HOST PORT CONNECTIONS
"""
import sys

sys.dont_write_bytecode = True

from outcome import report  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT, COUNT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def main():
    held = [connect(HOST, PORT, timeout=1) for _ in range(COUNT)]
    for connection in held:
        connection.sendall(get("/healthz"))
    answered = sum(was_answered(connection) for connection in held)
    for connection in held:
        connection.close()
    again = 0
    for _ in range(COUNT):
        with connect(HOST, PORT) as connection:
            connection.sendall(get("/healthz"))
            again += AnswerReader(connection).next().status == 200
    return {"answered_while_full": answered, "answered_when_free": again}


def was_answered(connection):
    try:
        answer = AnswerReader(connection).next()
    except TimeoutError:
        return False
    return answer is not None and answer.status == 200


report(main)
