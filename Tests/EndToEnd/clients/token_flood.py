"""Clients behind one address: some send forged tokens without a pause, and users fetch theirs meanwhile.

python token_flood.py HOST PORT ADDRESS FORGED TOKEN...

Every forged token must be answered 401; the number of users that were served is reported. Then clients of HTTP/2 send
forged tokens and go, each by a reset of the streams or of the connection, and the users fetch theirs again.
"""
import socket
import struct
import sys
import threading

sys.dont_write_bytecode = True

from http2_connection import HEADERS, RESET, Connection, is_end  # noqa: E402
from outcome import report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT, ADDRESS, FORGED = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
FORGERS, EACH = 6, 50
LEAVERS, STREAMS = 40, 60
CANCEL = (8).to_bytes(4, "big")


def ask(reader, connection, token):
    fields = [f"Authorization: Bearer {token}", f"X-Forwarded-For: {ADDRESS}"]
    connection.sendall(get("/token?tripID=trip-1", fields=fields))
    return reader.next().status


def forge(statuses):
    with connect(HOST, PORT) as connection:
        reader = AnswerReader(connection)
        for _ in range(EACH):
            statuses.append(ask(reader, connection, FORGED))


def leave(resets):
    connection = Connection(PORT)
    streams = range(1, 2 * STREAMS, 2)
    for stream in streams:
        connection.ask(stream, "/token?tripID=trip-1", {"authorization": f"Bearer {FORGED}", "x-forwarded-for": ADDRESS})
    if resets:
        for stream in streams:
            connection.send(RESET, 0, stream, CANCEL)
        # What was sent before this is done with.
        connection.ask(2 * STREAMS + 1, "/healthz")
        frames = connection.until(is_end(2 * STREAMS + 1))
        require(any(frame[0] == HEADERS and frame[2] > 2 * STREAMS for frame in frames), "health was not answered")
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.socket.close()


def main():
    statuses = []
    forgers = [threading.Thread(target=forge, args=(statuses,)) for _ in range(FORGERS)]
    for thread in forgers:
        thread.start()
    served = serve()
    for thread in forgers:
        thread.join()
    require(set(statuses) == {401}, f"forged tokens were answered {set(statuses)}")
    leavers = [threading.Thread(target=leave, args=(number % 2,)) for number in range(LEAVERS)]
    for thread in leavers:
        thread.start()
    served += serve()
    for thread in leavers:
        thread.join()
    return {"forged": len(statuses), "served": served}


def serve():
    """Fetches each user's token; returns how many were served."""
    with connect(HOST, PORT) as connection:
        reader = AnswerReader(connection)
        for token in sys.argv[5:]:
            status = ask(reader, connection, token)
            require(status == 200, f"a user was answered {status}")
    return len(sys.argv[5:])


report(main)
