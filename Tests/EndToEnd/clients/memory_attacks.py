"""Clients that make a server hold as much memory as they can, each in its own way; every address holds many connections."""
import select
import socket
import ssl
import struct
import time

from raw_http import get

REQUEST = get("/token?tripID=trip-1")
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
END = 5  # END_STREAM and END_HEADERS (RFC 9113 section 6.2)
STREAMS = 90
ROUND_SECONDS = 0.05
OPENED_IN_A_ROUND = 64


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def head(number):
    """A request's fields: method, scheme and path by the static table (RFC 7541 appendix A), and the authority."""
    path = b"/token?tripID=trip-%02d" % number
    return b"\x82\x87\x01\x09localhost\x04" + bytes([len(path)]) + path


def tls(*protocols):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if protocols:
        context.set_alpn_protocols(protocols)
    return context


def hello():
    """The first flight of a handshake."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        tls("h2").wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()


def secure(connection, *protocols):
    connection.settimeout(5)
    return tls(*protocols).wrap_socket(connection, server_hostname="localhost")


# Each takes a connected socket and returns what has to stay open.

def silent(connection):
    """Sends nothing."""
    return connection


def partial_head(connection):
    """Sends half of a request."""
    connection.sendall(REQUEST[:-2] + b"X-Rest: ")
    return connection


def pipeline(connection):
    """Sends requests for as long as the server takes them, and reads no answer."""
    connection.setblocking(False)
    try:
        while True:
            connection.send(REQUEST * 200)
    except BlockingIOError:
        return connection


def unread(connection):
    """Sends as many requests as the answers of fit into the kernel's queue, and reads none."""
    connection.sendall(REQUEST * 30)
    return connection


def last_unread(connection):
    """Requests as many answers, the last one the connection's, and reads none: what it has to send the server keeps."""
    connection.sendall(REQUEST * 30 + get("/token?tripID=trip-1", fields=["Connection: close"]))
    return connection


def cut_hello(connection, first=hello()):
    """Sends a ClientHello without its last byte."""
    connection.sendall(first[:-1])
    return connection


def half_handshake(connection, first=hello()):
    """Sends a ClientHello, and reads the server's flight without an answer."""
    connection.sendall(first)
    return connection


def idle_http2(connection):
    """Does a handshake and begins HTTP/2."""
    peer = secure(connection, "h2")
    peer.sendall(PREFACE + frame(4, 0, 0) + frame(4, 1, 0))
    return peer


def closed_window(connection):
    """Requests on ninety streams, whose answers it does not let come."""
    peer = secure(connection, "h2")
    requests = b"".join(frame(1, END, 2 * number + 1, head(number)) for number in range(STREAMS))
    peer.sendall(PREFACE + frame(4, 0, 0, struct.pack(">HI", 4, 0)) + frame(4, 1, 0) + requests)
    return peer


ATTACKS = {attack.__name__: attack for attack in (
    silent, partial_head, pipeline, unread, last_unread, cut_hello, half_handshake, idle_http2, closed_window)}
SECURE = {"cut_hello", "half_handshake", "idle_http2", "closed_window"}
SMALL_WINDOW = {"pipeline", "unread", "last_unread"}


def connect(name, port, address):
    connection = socket.socket()
    try:
        if name in SMALL_WINDOW:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.settimeout(2)
        connection.bind((address, 0))
        connection.connect(("127.0.0.1", port))
        return ATTACKS[name](connection)
    except OSError:
        connection.close()
        return None


def hold(name, port, addresses, connections, is_over, pause=0):
    """Keeps so many connections of each address open, again where the server closes one, after a pause in seconds; how many it
    had at once, and in all."""
    poll, held, counts = select.epoll(), {}, dict.fromkeys(addresses, 0)
    most = opened = 0
    while not is_over():
        for address in addresses:
            for _ in range(min(OPENED_IN_A_ROUND, connections - counts[address])):
                peer = connect(name, port, address)
                if peer is None:
                    break
                held[peer.fileno()] = (peer, address)
                poll.register(peer.fileno(), select.EPOLLRDHUP)
                counts[address] += 1
                opened += 1
        most = max(most, len(held))
        is_full = all(count == connections for count in counts.values())
        for number, _ in poll.poll(ROUND_SECONDS if is_full else 0):
            peer, address = held.pop(number)
            counts[address] -= 1
            peer.close()
        time.sleep(pause)
    for peer, _ in held.values():
        peer.close()
    return most, opened
