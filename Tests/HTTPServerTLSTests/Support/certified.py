"""Clients that present certificates: certified.py WHAT PORT CA [ARGUMENTS]. The test compares the output."""

import signal
import socket
import ssl
import sys
import time

what, port, authority, arguments = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
REQUEST = b"GET /who HTTP/1.1\r\nHost: localhost\r\n\r\n"
VERSIONS = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}


def context(version, certificate=None):
    settings = ssl.create_default_context(cafile=authority)
    settings.minimum_version = settings.maximum_version = VERSIONS[version]
    if certificate:
        settings.load_cert_chain(certificate, certificate.removesuffix(".pem") + ".key")
    return settings


def ask(peer):
    peer.sendall(REQUEST)
    answer = peer.recv(65536)
    return answer.split(b"\r\n\r\n", 1)[1].decode() if answer else "end"


def connect(settings, session=None):
    plain = socket.create_connection(("127.0.0.1", port), timeout=600)
    return settings.wrap_socket(plain, server_hostname="localhost", session=session)


def attempt(settings, session=None):
    """The client as the server identifies it, and whether its session was resumed; or that it was refused."""
    try:
        with connect(settings, session) as peer:
            who = ask(peer)
            return who, peer.session_reused, peer.session
    except (ssl.SSLError, ConnectionError):
        return "refused", None, None


def show():
    print(attempt(context(*arguments))[0])


def resume():
    """Connects twice, the second time with the ticket of the first."""
    settings = context(*arguments)
    who, reused, session = attempt(settings)
    print(who, reused, *attempt(settings, session)[:2])


def held():
    """Uses one connection and one session before and after a signal."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    settings = context(*arguments)
    peer = connect(settings)
    print(ask(peer), flush=True)
    signal.sigwait([signal.SIGUSR1])
    try:
        print(ask(peer), end=" ")
    except (ssl.SSLError, ConnectionError):
        print("end", end=" ")
    print(*attempt(settings, peer.session)[:2])


def outlast():
    """Sends requests on one connection, and by its ticket on others, until the server refuses both."""
    settings = context(*arguments)
    peer = connect(settings)
    assert ask(peer) != "end"
    session, seen = peer.session, []
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (seen and seen[-1] == "refused"):
        seen.append(attempt(settings, session)[0])
    try:
        print(seen[-1], ask(peer))
    except (ssl.SSLError, ConnectionError):
        print(seen[-1], "end")


globals()[what]()
