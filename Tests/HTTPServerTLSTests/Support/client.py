"""Clients of a TLS server: client.py WHAT PORT CA [ARGUMENT]. The test compares the output."""

import json
import select
import socket
import ssl
import struct
import sys
import threading
import time

what, port, authority = sys.argv[1], int(sys.argv[2]), sys.argv[3]
argument = sys.argv[4] if len(sys.argv) > 4 else ""
REQUEST = b"GET /now HTTP/1.1\r\nHost: localhost\r\n\r\n"


def connect(receive_buffer=None):
    plain = socket.socket()
    if receive_buffer:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    plain.settimeout(60)
    plain.connect(("127.0.0.1", port))
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return plain


def context(version=None):
    settings = ssl.create_default_context(cafile=authority)
    if version:
        settings.minimum_version = settings.maximum_version = version
    return settings


def secure(plain=None, **others):
    return context().wrap_socket(plain or connect(), server_hostname="localhost", suppress_ragged_eofs=False, **others)


def read_all(peer):
    parts = []
    while part := peer.recv(65536):
        parts.append(part)
    return b"".join(parts)


def hello():
    """The ClientHello of a handshake."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        context().wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()


def until_end(plain):
    """The number of remaining bytes, and how the connection ends."""
    try:
        return len(read_all(plain)), "end"
    except ConnectionResetError:
        return 0, "reset"


def bytewise():
    plain, incoming, outgoing = connect(), ssl.MemoryBIO(), ssl.MemoryBIO()
    peer = context().wrap_bio(incoming, outgoing, server_hostname="localhost")

    def exchange(step):
        while True:
            try:
                result = step()
            except ssl.SSLWantReadError:
                result = None
            for byte in outgoing.read():
                plain.sendall(bytes([byte]))
            if result is not None:
                return result
            incoming.write(plain.recv(1))

    exchange(lambda: peer.do_handshake() or True)
    exchange(lambda: peer.write(REQUEST))
    print(exchange(lambda: peer.read(15)).decode())


def pipeline():
    peer, count = secure(), int(argument)
    peer.sendall(REQUEST * (count - 1) + REQUEST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    print(read_all(peer).count(b"HTTP/1.1 200 OK\r\n"))


def slow():
    """Reads an answer of 8 MB in small pieces from a small buffer, then sends another request."""
    peer = secure(connect(4096))
    peer.sendall(REQUEST.replace(b"/now", b"/large"))
    data = b""
    while b"\r\n\r\n" not in data:
        data += peer.recv(100)
    left = 8_388_608 - len(data.split(b"\r\n\r\n", 1)[1])
    while left > 0:
        left -= len(peer.recv(min(left, 3000)))
    peer.sendall(REQUEST)
    print(left, peer.recv(15).decode())


def silent():
    print(*until_end(connect()))


def half():
    plain, first = connect(), hello()
    plain.sendall(first[: len(first) // 2])
    print(*until_end(plain))


def dribble():
    """Sends a byte at a time, too slowly for the deadline. A byte that arrives after the close causes a reset."""
    plain = connect()
    length, ending = 0, "end"
    try:
        for byte in hello():
            plain.sendall(bytes([byte]))
            if select.select([plain], [], [], 0.01)[0]:
                break
        else:
            ending = "served to its last byte"
        length = len(plain.recv(1))
    except ConnectionError:
        pass
    print(length, ending)


def midway():
    """Reads the server's part of the handshake and sends nothing more."""
    plain = connect()
    plain.sendall(hello())
    length, ending = until_end(plain)
    assert length > 500, length
    print(ending)


def greeting():
    """Sends most of a ClientHello of 100 kB; prints how many bytes come back."""
    plain = connect()
    message = b"\x01" + (100_000).to_bytes(3, "big") + b"\x03\x03" + bytes(99_998)
    try:
        for start in range(0, 96_000, 16_000):
            plain.sendall(b"\x16\x03\x01" + (16_000).to_bytes(2, "big") + message[start:start + 16_000])
    except ConnectionError:
        pass
    print(until_end(plain)[0])


def reset():
    for length in range(1, 200, 10):
        plain = connect()
        plain.sendall(hello()[:length])
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        plain.close()
    for _ in range(20):
        plain = connect()
        plain.sendall(hello())
        plain.recv(1)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        plain.close()
    peer = secure()
    peer.sendall(REQUEST)
    print(peer.recv(15).decode())


def plain():
    """Sends a request line at once with a header, then byte by byte without; prints the answer if both are equal."""
    answers = []
    for parts in [[argument.encode() + b"\r\nHost: a\r\n\r\n"], [bytes([byte]) for byte in argument.encode()]]:
        peer = connect()
        for part in parts:
            peer.sendall(part)
        answers.append(read_all(peer).decode())
    heads = ["".join(line for line in answer.split("\n") if not line.startswith(("Date", "X-Request"))) for answer in answers]
    print(answers[0] if heads[0] == heads[1] else heads)


def strict():
    """Sends each text on its own connection, followed by a request; prints the number of answers and the last body."""
    for text in json.load(sys.stdin):
        with secure() as peer:
            peer.sendall(text.encode() + REQUEST)
            data = read_all(peer)
        print(data.count(b"HTTP/1.1 "), data.rsplit(b"\r\n\r\n", 1)[1].decode())


def garbage():
    peer = connect()
    peer.sendall(bytes((index * 7 + 3) % 256 for index in range(int(argument))))
    print(*until_end(peer))


def words():
    """Sends, byte by byte, text that starts like a request but is not one."""
    peer = connect()
    try:
        for byte in argument.encode():
            peer.sendall(bytes([byte]))
    except ConnectionError:
        pass
    print(*until_end(peer))


def crowd():
    """Runs as many handshakes at once as the argument says, while another connection sends requests."""
    count, done, stop = int(argument), [], threading.Event()
    gate = threading.Barrier(count + 1)

    def shake():
        gate.wait()
        with secure() as peer:
            peer.sendall(REQUEST)
            done.append(peer.recv(15))

    threads = [threading.Thread(target=shake) for _ in range(count)]
    asker = secure()
    for thread in threads:
        thread.start()
    gate.wait()
    asked = 0
    while any(thread.is_alive() for thread in threads):
        asker.sendall(REQUEST)
        assert asker.recv(65536).startswith(b"HTTP/1.1 200 OK")
        asked += 1
    print(done.count(b"HTTP/1.1 200 OK"), asked > 0)


def closing():
    """The server ends the connection with a close_notify; an end of the stream without it would raise an error."""
    peer = secure()
    peer.sendall(REQUEST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    print(read_all(peer)[:15].decode())


def segments():
    """How many segments with data a visit receives (tcp_info: tcpi_data_segs_in)."""
    peer = secure()
    peer.sendall(REQUEST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    read_all(peer)
    print(struct.unpack_from("I", peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 192), 152)[0])


def ticket():
    """In how many milliseconds, at best, something comes after a handshake to a client that sends nothing."""
    durations = []
    for _ in range(20):
        peer = secure()
        began = time.monotonic()
        select.select([peer], [], [])
        durations.append(time.monotonic() - began)
        peer.close()
    print(int(1000 * min(durations)))


def halfclose():
    """Half-closes after a request and reads the answer."""
    peer = secure()
    peer.sendall(REQUEST.replace(b"/now", b"/work"))
    socket.socket.shutdown(peer, socket.SHUT_WR)
    print(peer.recv(15).decode())


def announced():
    """Sends a PROXY header cut at every position, followed at once by the handshake."""
    header = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" + bytes([198, 51, 100, 9, 127, 0, 0, 1, 1, 2, 3, 4])
    for cut in range(len(header) + 1):
        plain, incoming, outgoing = connect(), ssl.MemoryBIO(), ssl.MemoryBIO()
        peer = context().wrap_bio(incoming, outgoing, server_hostname="localhost")
        plain.sendall(header[:cut])
        rest = header[cut:]

        def exchange(step):
            nonlocal rest
            while True:
                try:
                    return step()
                except ssl.SSLWantReadError:
                    plain.sendall(rest + outgoing.read())
                    rest = b""
                    incoming.write(plain.recv(65536))

        exchange(peer.do_handshake)
        peer.write(REQUEST.replace(b"/now", b"/peer"))
        answer = exchange(lambda: peer.read(65536))
        assert answer.endswith(b"198.51.100.9"), answer
    print("all")


def resume():
    version = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}[argument]
    settings, session, reused = context(version), None, []
    for _ in range(3):
        with settings.wrap_socket(connect(), server_hostname="localhost", session=session) as peer:
            peer.sendall(REQUEST)
            peer.recv(65536)
            reused.append(peer.session_reused)
            session = peer.session
    print(*reused)


globals()[what]()
