"""One client, many requests, each of which must be answered.

python many_requests.py HOST PORT COUNT
"""
import sys

sys.dont_write_bytecode = True

from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT, COUNT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def main():
    with connect(HOST, PORT) as connection:
        reader = AnswerReader(connection)
        for _ in range(COUNT // 100):
            connection.sendall(get("/token?tripID=many") * 100)
            for _ in range(100):
                answer = reader.next()
                require(answer.status == 200, f"a request was answered {answer.status}: {answer.body[:500]}")
    return {"answered": COUNT // 100 * 100}


report(main)
