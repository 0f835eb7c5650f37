"""A keep-alive HTTP/1.1 connection on a raw socket: cheap enough to be timed, with the exact bytes of its answers."""
import socket
from dataclasses import dataclass


@dataclass
class Answer:
    status: int
    head: bytes
    body: bytes

    @property
    def field_count(self):
        return self.head.count(b"\r\n") - 2  # not the status line, not the empty line


def request_bytes(path, authorization=None):
    header = f"Authorization: {authorization}\r\n" if authorization else ""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\n".encode()


class HTTPConnection:
    def __init__(self, port, timeout=10):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def get(self, path, authorization=None):
        return self.exchange(request_bytes(path, authorization))

    def exchange(self, request):
        self.socket.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self.receive()
        head, _, body = received.partition(b"\r\n\r\n")
        length = content_length(head)
        while len(body) < length:
            body += self.receive()
        return Answer(int(head[9:12]), head + b"\r\n\r\n", body)

    def receive(self):
        part = self.socket.recv(65536)
        if not part:
            raise ConnectionError("the server closed the connection before its answer was complete")
        return part


def content_length(head):
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    raise ConnectionError("the answer has no Content-Length")
