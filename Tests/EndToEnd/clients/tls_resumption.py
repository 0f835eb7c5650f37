"""Resumes TLS 1.3 three times, each time with the ticket of the connection before: tls_resumption.py PORT CA_FILE"""
import socket
import ssl
import sys

sys.dont_write_bytecode = True

from outcome import PATIENCE, report, require  # noqa: E402
from raw_http import AnswerReader, get  # noqa: E402

PORT, AUTHORITY = int(sys.argv[1]), sys.argv[2]
CONNECTIONS = 4


def main():
    context = ssl.create_default_context(cafile=AUTHORITY)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    session, resumed, tickets = None, [], set()
    for _ in range(CONNECTIONS):
        plain = socket.create_connection(("127.0.0.1", PORT), timeout=PATIENCE)
        with context.wrap_socket(plain, server_hostname="localhost", session=session) as peer:
            peer.sendall(get("/healthz"))
            # A ticket comes before the answer.
            require(AnswerReader(peer).next().status == 200, "the request was refused")
            session = peer.session
            resumed.append(peer.session_reused)
            # In TLS 1.3 the id of a session is the digest of its ticket.
            tickets.add(session.id)
    return {"resumed": resumed, "tickets": len(tickets)}


report(main)
