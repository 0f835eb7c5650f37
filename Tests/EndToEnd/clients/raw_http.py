"""HTTP/1.1 answers read from a raw socket with the exact grammar (RFC 9112), so that no fault is forgiven or hidden."""
import re
import socket
from dataclasses import dataclass

from outcome import PATIENCE, Failure, require

STATUS_LINE = re.compile(rb"HTTP/1\.1 ([1-5][0-9][0-9]) [\t\x20-\x7e]*")
FIELD_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?)?[ \t]*")
BODILESS = {204, 304}


class Malformed(Failure):
    """Bytes that are not an HTTP answer."""


class Truncated(Failure):
    """The connection ended inside an answer."""


@dataclass
class Answer:
    status: int
    fields: dict
    body: bytes

    @property
    def closes(self):
        return self.fields.get("connection", "").lower() == "close"


def connect(host, port, timeout=PATIENCE):
    connection = socket.create_connection((host, port), timeout=timeout)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def get(path, method="GET", version="1.1", fields=()):
    lines = [f"{method} {path} HTTP/{version}", "Host: localhost", *fields]
    return "".join(line + "\r\n" for line in lines).encode() + b"\r\n"


class AnswerReader:
    """Reads answers off a connection, one after the other."""

    def __init__(self, connection):
        self.connection = connection
        self.buffer = b""

    def next(self, to_head=False):
        """The next answer, or None if the connection ended before its first byte."""
        while b"\r\n\r\n" not in self.buffer:
            if not self.more():
                if self.buffer:
                    raise Truncated(f"the connection ended inside a head: {self.buffer[:80]!r}")
                return None
        # Nothing is taken before all is here: a caller may go on after a timeout.
        begin = self.buffer.index(b"\r\n\r\n") + 4
        status, fields = parse_head(self.buffer[:begin - 4])
        end = begin + body_length(status, fields, to_head)
        while len(self.buffer) < end:
            if not self.more():
                raise Truncated(f"the connection ended after {len(self.buffer) - begin} of {end - begin} bytes of a body")
        body, self.buffer = self.buffer[begin:end], self.buffer[end:]
        return Answer(status, fields, body)

    def more(self):
        part = self.connection.recv(65536)
        self.buffer += part
        return len(part) > 0

    def require_end(self):
        """Nothing may follow, and the connection must be closed."""
        try:
            answer = self.next()
        except ConnectionResetError as error:
            raise Failure("the connection was reset, expected an orderly close") from error
        require(answer is None, f"an answer too many: {answer}")


def parse_head(head):
    lines = head.split(b"\r\n")
    status = STATUS_LINE.fullmatch(lines[0])
    if status is None:
        raise Malformed(f"not a status line: {lines[0][:80]!r}")
    fields = {}
    for line in lines[1:]:
        field = FIELD_LINE.fullmatch(line)
        if field is None:
            raise Malformed(f"not a field line: {line[:80]!r}")
        name = field[1].decode().lower()
        if name in fields:
            raise Malformed(f"the field {name} is repeated")
        fields[name] = (field[2] or b"").decode()
    return int(status[1]), fields


def body_length(status, fields, to_head):
    if "transfer-encoding" in fields:
        raise Malformed("an answer with Transfer-Encoding, where every length is known")
    if status < 200 or status in BODILESS:
        return 0
    length = fields.get("content-length", "")
    if not re.fullmatch("[0-9]+", length):
        raise Malformed(f"Content-Length is {length!r} in an answer of status {status}")
    return 0 if to_head else int(length)
