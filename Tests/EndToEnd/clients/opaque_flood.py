"""Clients behind one address, whose credentials only the back end knows: one sends garbage, and users fetch their tokens.

python opaque_flood.py HOST PORT WAY

The garbage comes at 40 requests a second, each with other credentials. WAY is "streams": on a few connections of HTTP/2;
"patient": each on a connection of its own, until it is answered; or "hasty": the same, but its client soon resets it.
Reports how many users were answered 200, how many requests of garbage were sent, and their answers so far if they came on
connections of their own.
"""
import collections
import socket
import struct
import sys
import threading
import time

sys.dont_write_bytecode = True

from http2_connection import Connection  # noqa: E402
from outcome import PATIENCE, report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT, WAY = sys.argv[1], int(sys.argv[2]), sys.argv[3]
ADDRESS = "203.0.113.7"
GAP, SESSIONS, HASTE = 1 / 40, 4, 0.2
# More refusals than an address may have, and more requests than may wait.
REFUSALS, HEAD_START, USERS = 25, 130, 20


def ask(number, word, timeout=PATIENCE):
    """The status of one request, on a connection of its own; None if its client reset it before."""
    fields = [f"Authorization: Bearer {word}-{number}", f"X-Forwarded-For: {ADDRESS}"]
    with connect(HOST, PORT, timeout) as connection:
        connection.sendall(get(f"/token?tripID={word}-{number}", fields=fields))
        try:
            return AnswerReader(connection).next().status
        except TimeoutError:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return None


class Flood:
    def __init__(self):
        self.sent = 0
        self.statuses = collections.Counter()
        self.ends = threading.Event()
        self.sessions = [Connection(PORT) for _ in range(SESSIONS)] if WAY == "streams" else []
        for session in self.sessions:
            threading.Thread(target=self.read, args=(session,), daemon=True).start()
        self.sender = threading.Thread(target=self.run, daemon=True)
        self.sender.start()

    def run(self):
        began = time.monotonic()
        while not self.ends.wait(max(0, began + GAP * self.sent - time.monotonic())):
            number = REFUSALS + self.sent
            if self.sessions:
                self.send(number)
            else:
                threading.Thread(target=self.send_alone, args=(number,), daemon=True).start()
            self.sent += 1

    def send(self, number):
        session = self.sessions[self.sent % SESSIONS]
        fields = {"authorization": f"Bearer unknown-{number}", "x-forwarded-for": ADDRESS}
        session.ask(2 * (self.sent // SESSIONS) + 1, f"/token?tripID=unknown-{number}", fields)

    def send_alone(self, number):
        status = ask(number, "unknown", HASTE if WAY == "hasty" else PATIENCE)
        if status:
            self.statuses[str(status)] += 1

    def read(self, session):
        while not self.ends.is_set() and session.next():
            pass


def main():
    for number in range(REFUSALS):
        require(ask(number, "unknown") == 401, "garbage was not refused")
    flood = Flood()
    while flood.sent < HEAD_START:
        require(flood.sender.is_alive(), "the garbage ended early")
        time.sleep(GAP)
    served = collections.Counter(str(ask(number, "allow")) for number in range(USERS))
    flood.ends.set()
    return {"sent": flood.sent, "garbage": dict(flood.statuses), "users": served}


report(main)
