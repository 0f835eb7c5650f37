"""A server of HTTP/2 over TLS that answers each request as its body says. Prints its port, then runs until it is killed.

Arguments: a file with a certificate and its key, then settings such as streams=1 (how many requests it allows at once) and
alpn=http/1.1 (the only protocol it chooses). It needs no header of a request, so it has no HPACK.
"""
import json
import socket
import ssl
import struct
import sys
import threading

DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY = 0, 1, 3, 4, 6, 7
END_STREAM, ACKNOWLEDGES = 1, 1
END_HEADERS = 4
INTERNAL_ERROR, REFUSED_STREAM = 2, 7
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
lock = threading.Lock()
counts = {"connections": 0, "requests": 0, "open": 0, "most": 0}
ARGUMENTS = dict(argument.split("=") for argument in sys.argv[2:])


def count(**changes):
    with lock:
        for name, change in changes.items():
            counts[name] += change
        counts["most"] = max(counts["most"], counts["open"])


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name, value):
    """A field that no table has (RFC 7541 section 6.2.2); both lengths are below 127."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


class Connection(threading.Thread):
    def __init__(self, plain):
        super().__init__(daemon=True)
        self.plain, self.bodies, self.waiting = plain, {}, []

    def run(self):
        try:
            self.socket = context.wrap_socket(self.plain, server_side=True)
            count(connections=1)
            if self.socket.selected_alpn_protocol() == "h2":
                self.serve()
            else:
                self.answer_old()
        except (OSError, EOFError):
            pass
        finally:
            count(open=-len(self.bodies))
            self.plain.close()

    def answer_old(self):
        """HTTP/1.1, for one request."""
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.read(1)
        self.socket.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nold")

    def read(self, length):
        data = b""
        while len(data) < length:
            piece = self.socket.recv(length - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def send(self, *frames):
        self.socket.sendall(b"".join(frames))

    def serve(self):
        settings = struct.pack(">HI", 3, int(ARGUMENTS["streams"])) if "streams" in ARGUMENTS else b""
        if "garbage" in ARGUMENTS:
            return self.send(b"HTTP/1.1 400 canary\r\n\r\n" * 9)
        self.send(frame(SETTINGS, 0, 0, settings))
        assert self.read(len(PREFACE)) == PREFACE
        while True:
            head = self.read(9)
            length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
            stream, payload = int.from_bytes(head[5:], "big") & 0x7FFFFFFF, self.read(length)
            if kind == SETTINGS and not flags & ACKNOWLEDGES:
                self.send(frame(SETTINGS, ACKNOWLEDGES, 0))
            elif kind == PING and not flags & ACKNOWLEDGES:
                self.send(frame(PING, ACKNOWLEDGES, 0, payload))
            elif kind == HEADERS:
                self.bodies[stream] = b""
                count(requests=1, open=1)
            elif kind == DATA:
                self.bodies[stream] += payload
            elif kind == RESET and self.bodies.pop(stream, None) is not None:
                count(open=-1)
            if kind in (HEADERS, DATA) and flags & END_STREAM:
                name, _, argument = self.bodies[stream].decode().partition(" ")
                getattr(self, "answer_" + name)(stream, argument)

    def end(self, stream):
        del self.bodies[stream]
        count(open=-1)

    def answer(self, stream, body, fields=b"", status=b"\x88"):
        """Answers with 200 unless told otherwise."""
        self.end(stream)
        fields = status + literal(b"content-type", b"text/plain") + fields
        pieces = [frame(DATA, 0, stream, body[start:start + 16384]) for start in range(0, len(body), 16384)]
        self.send(frame(HEADERS, END_HEADERS, stream, fields), *pieces, frame(DATA, END_STREAM, stream))

    def answer_echo(self, stream, argument):
        self.answer(stream, argument.encode())

    def answer_counts(self, stream, argument):
        with lock:
            text = json.dumps(counts)
        self.answer(stream, text.encode())

    def answer_bytes(self, stream, argument):
        self.answer(stream, b"x" * int(argument))

    def answer_interim(self, stream, argument):
        early = literal(b":status", b"103") + literal(b"x-early", b"1")
        self.send(frame(HEADERS, END_HEADERS, stream, early))
        self.answer(stream, b"ok", literal(b"x-final", b"1"))

    def answer_silence(self, stream, argument):
        pass

    def answer_many(self, stream, argument):
        """Answers once so many of these requests have come."""
        self.waiting.append(stream)
        if len(self.waiting) == int(argument):
            for waiting in self.waiting:
                self.answer(waiting, b"done")

    def answer_cut(self, stream, argument):
        """Ends the connection within the answer."""
        self.send(frame(HEADERS, END_HEADERS, stream, b"\x88"), frame(DATA, 0, stream, b"canary"))
        raise EOFError

    def answer_vanish(self, stream, argument):
        """Ends the connection without an answer."""
        raise EOFError

    def answer_reset(self, stream, argument):
        self.end(stream)
        self.send(frame(RESET, 0, stream, struct.pack(">I", INTERNAL_ERROR)))

    def answer_ended(self, stream, argument):
        """Resets the stream after the header without an error, which libcurl takes for its end."""
        self.end(stream)
        self.send(frame(HEADERS, END_HEADERS, stream, b"\x88"), frame(RESET, 0, stream, bytes(4)))

    def answer_refuse(self, stream, argument):
        """Refuses the first so many requests of all connections."""
        with lock:
            refuses = counts["requests"] <= int(argument)
        if not refuses:
            return self.answer(stream, b"taken")
        self.end(stream)
        self.send(frame(RESET, 0, stream, struct.pack(">I", REFUSED_STREAM)))

    def answer_goaway(self, stream, argument):
        """Says that this request was not taken."""
        self.end(stream)
        self.send(frame(GOAWAY, 0, 0, struct.pack(">II", stream - 2, 0)))

    def answer_farewell(self, stream, argument):
        """Says that further requests will not be taken (RFC 9113 section 6.8), and answers this one."""
        self.send(frame(GOAWAY, 0, 0, struct.pack(">II", 2**31 - 1, 0)))
        self.answer(stream, b"last")


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1])
context.set_alpn_protocols([ARGUMENTS.get("alpn", "h2")])
with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
    print(server.getsockname()[1], flush=True)
    while True:
        plain, _ = server.accept()
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        Connection(plain).start()
