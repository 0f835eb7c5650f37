"""Clients that each ask again as soon as they are answered, and how long each of them waits.

wrk also counts the first requests of its connections, which all come at once while they are still being accepted. Here
the time until the load is steady does not count.
"""
import select
import socket
import time

from .unmeasured import Unmeasured


def latencies(port, connections, settle_seconds, seconds, name):
    """The seconds that each request of a new id took, measured for `seconds` after `settle_seconds`."""
    poller, sockets, sent, found, serial = select.epoll(), {}, {}, [], 0

    def ask(number):
        nonlocal serial
        serial += 1
        sockets[number].sendall(f"GET /token?tripID={name}-{serial} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        sent[number] = time.perf_counter()

    for _ in range(connections):
        connection = socket.create_connection(("127.0.0.1", port))
        sockets[connection.fileno()] = connection
        poller.register(connection, select.EPOLLIN)
    begun = time.perf_counter()
    for number in sockets:
        ask(number)
    while (now := time.perf_counter()) < begun + settle_seconds + seconds:
        for number, _ in poller.poll(1):
            if not sockets[number].recv(65536).startswith(b"HTTP/1.1 200 "):
                raise Unmeasured("an answer was not 200, or came in pieces")
            answered = time.perf_counter()
            if now > begun + settle_seconds:
                found.append(answered - sent[number])
            ask(number)
    for connection in sockets.values():
        connection.close()
    return sorted(found)
