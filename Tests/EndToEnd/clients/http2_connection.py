"""HTTP/2, frame by frame, over TLS unless no authority for certificates is given."""
import socket
import ssl

from outcome import require

LIMIT_SECONDS = 600
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
# END_STREAM and END_HEADERS; END_STREAM or ACK alone.
WHOLE, LAST = 5, 1
OK = 0x88  # ":status: 200" in HPACK's static table


class Connection:
    def __init__(self, port, authority=None):
        self.socket = socket.create_connection(("127.0.0.1", port), LIMIT_SECONDS)
        if authority:
            context = ssl.create_default_context(cafile=authority)
            context.set_alpn_protocols(["h2"])
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
            require(self.socket.selected_alpn_protocol() == "h2", "HTTP/2 was not chosen")
        self.socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self.send(SETTINGS, 0, 0, b"")
        self.buffer = b""

    def send(self, kind, flags, stream, payload):
        head = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big")
        self.socket.sendall(head + payload)

    def ask(self, stream, path, more=()):
        """Sends a request, with other or more fields than these."""
        fields = {":method": "GET", ":scheme": "https", ":authority": "localhost", ":path": path,
                  "authorization": "Bearer caller", **dict(more)}
        block = b"".join(b"\0" + text(name) + text(value) for name, value in fields.items())
        self.send(HEADERS, WHOLE, stream, block)

    def next(self):
        """The next frame, as its type, flags, stream and payload; None at the end."""
        while len(self.buffer) < 9 or len(self.buffer) < 9 + int.from_bytes(self.buffer[:3], "big"):
            received = self.socket.recv(65536)
            if not received:
                require(not self.buffer, "the connection ended within a frame")
                return None
            self.buffer += received
        length = int.from_bytes(self.buffer[:3], "big")
        frame, self.buffer = self.buffer[:9 + length], self.buffer[9 + length:]
        return frame[3], frame[4], int.from_bytes(frame[5:9], "big"), frame[9:]

    def until(self, wanted):
        """The frames up to a wanted one; settings and pings are acknowledged."""
        frames = []
        while not frames or not wanted(frames[-1]):
            frame = self.next()
            require(frame, f"the connection ended after {frames}")
            if frame[0] in (SETTINGS, PING) and not frame[1] & LAST:
                self.send(frame[0], LAST, 0, frame[3] if frame[0] == PING else b"")
            frames.append(frame)
        return frames


def text(value):
    """A string literal of HPACK (RFC 7541 section 5.2)."""
    head, rest = bytes([min(len(value), 127)]), len(value) - 127
    while rest >= 0:
        head += bytes([rest & 127 | (128 if rest > 127 else 0)])
        rest = (rest >> 7) - (0 if rest > 127 else 1)
    return head + value.encode()


def is_end(stream):
    return lambda frame: frame[2] == stream and frame[0] in (DATA, HEADERS, RESET) and (frame[1] & LAST or frame[0] == RESET)


def outcome(frames, stream):
    """How a stream was answered: whether by 200, and with how many bytes."""
    own = [frame for frame in frames if frame[2] == stream]
    return {"ok": own[0][0] == HEADERS and own[0][3][0] == OK, "bytes": sum(len(f[3]) for f in own if f[0] == DATA)}
