"""Clients behind one address: some send forged tokens without a pause, and users fetch theirs meanwhile.

python token_flood.py HOST PORT ADDRESS FORGED TOKEN...

Every forged token must be answered 401; the number of users that were served is reported.
"""
import sys
import threading

sys.dont_write_bytecode = True

from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT, ADDRESS, FORGED = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
FORGERS, EACH = 6, 50


def ask(reader, connection, token):
    fields = [f"Authorization: Bearer {token}", f"X-Forwarded-For: {ADDRESS}"]
    connection.sendall(get("/token?tripID=trip-1", fields=fields))
    return reader.next().status


def forge(statuses):
    with connect(HOST, PORT) as connection:
        reader = AnswerReader(connection)
        for _ in range(EACH):
            statuses.append(ask(reader, connection, FORGED))


def main():
    statuses = []
    forgers = [threading.Thread(target=forge, args=(statuses,)) for _ in range(FORGERS)]
    for thread in forgers:
        thread.start()
    served = 0
    with connect(HOST, PORT) as connection:
        reader = AnswerReader(connection)
        for token in sys.argv[5:]:
            status = ask(reader, connection, token)
            require(status == 200, f"a user was answered {status}")
            served += 1
    for thread in forgers:
        thread.join()
    require(set(statuses) == {401}, f"forged tokens were answered {set(statuses)}")
    return {"forged": len(statuses), "served": served}


report(main)
