"""Peers that are silent, slow, unreading or gone, beside a fast one.

python slow_clients.py HOST PORT          (of a server whose head and write timeouts are 1 s)
"""
import socket
import struct
import sys
import threading

sys.dont_write_bytecode = True

from outcome import Failure, report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

HOST, PORT = sys.argv[1], int(sys.argv[2])
LINGER_AND_RESET = struct.pack("ii", 1, 0)


def main():
    found, slow = {}, []
    for role in (silent, slowly, unreading):
        thread = threading.Thread(target=lambda role=role: found.update({role.__name__: attempt(role)}))
        thread.start()
        slow.append(thread)
    answers = 0
    with connect(HOST, PORT) as connection:
        reader = AnswerReader(connection)
        while any(thread.is_alive() for thread in slow):
            reset_in_mid_request()
            connection.sendall(get(f"/token?tripID=fast-{answers % 10}"))
            require(reader.next().status == 200, "the fast client was refused")
            answers += 1
    require(found == {"silent": "408", "slowly": "408", "unreading": "closed"}, f"the slow clients: {found}")
    # Their deadlines are a second, so it would be three if one of them held the fast one up.
    require(answers > 20, f"the fast client had {answers} answers")


def attempt(role):
    try:
        return role()
    except (OSError, Failure) as failure:
        return f"{type(failure).__name__}: {failure}"


def silent():
    """Sends half a request and then nothing."""
    with connect(HOST, PORT) as connection:
        connection.sendall(b"GET /token?trip")
        return str(AnswerReader(connection).next().status)


def slowly():
    """Sends a byte every 50 ms: each byte is in time, the whole request is not."""
    stop = threading.Event()
    with connect(HOST, PORT) as connection:
        def trickle():
            try:
                connection.sendall(b"GET /token?tripID=a HTTP/1.1\r\nHost: a\r\nX: ")
                while not stop.wait(0.05):
                    connection.sendall(b"x")
            except OSError:
                return
        sender = threading.Thread(target=trickle)
        sender.start()
        try:
            return str(AnswerReader(connection).next().status)
        finally:
            stop.set()
            sender.join()


def unreading():
    """Requests far more than the kernel buffers, and reads none of it."""
    with connect(HOST, PORT) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = get("/token?tripID=unreading") * 100
        try:
            for _ in range(2000):
                connection.sendall(request)
        except (BrokenPipeError, ConnectionResetError):
            return "closed"
    return "all was taken"


def reset_in_mid_request():
    with connect(HOST, PORT) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_AND_RESET)
        connection.sendall(b"GET /token?tripID=gone HTTP/1.1\r\nHost:")


report(main)
