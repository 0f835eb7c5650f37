"""HTTP/2 floods from many connections: http2_floods.py PORT PID

Each flood is sent by eight connections, until each is closed or has sent eight megabytes. After each flood another client is
served. Prints for each flood how many of its connections were closed, and by how many kilobytes the peak memory of the process
PID grew meanwhile.
"""
import pathlib
import socket
import struct
import sys

sys.dont_write_bytecode = True

from outcome import PATIENCE, report, require  # noqa: E402

PORT, PROCESS = int(sys.argv[1]), pathlib.Path("/proc") / sys.argv[2]
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
CONNECTIONS, MOST = 8, 8 << 20
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 8, 9
END_STREAM, END_HEADERS, ACK, PADDED = 1, 4, 1, 8


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """A field that is not added to the dynamic table (RFC 7541 section 6.2.2)."""
    return bytes([0, len(name)]) + name + bytes([len(value)]) + value


def request(number, path=b"/token?tripID=trip-1", flags=END_STREAM | END_HEADERS):
    fields = ((b":method", b"GET"), (b":scheme", b"http"), (b":authority", b"localhost"), (b":path", path))
    return frame(HEADERS, flags, 2 * number + 1, b"".join(literal(*field) for field in fields))


def reset(number):
    return frame(RST_STREAM, 0, 2 * number + 1, struct.pack(">I", 8))


def window(stream, more):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", more))


# A field of 4,000 bytes that is added to the dynamic table, then repeated by one byte each (RFC 7541 section 6.1).
GROWING = b"\x40\x01x\x7f\xa1\x1e" + b"y" * 4000 + b"\xbe" * 10000
# By name: what is sent first, and what is sent repeatedly after it.
FLOODS = {
    "PING": (b"", lambda number: frame(PING, 0, 0, bytes(8))),
    "PING's echo": (b"", lambda number: frame(PING, ACK, 0, bytes(8))),
    "SETTINGS": (b"", lambda number: frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65535))),
    "PRIORITY": (b"", lambda number: frame(PRIORITY, 0, 1, bytes([0, 0, 0, 3, 1]))),
    "unknown frames": (b"", lambda number: frame(0x63, 0, 0, bytes(100))),
    "WINDOW_UPDATE": (b"", lambda number: window(0, 1)),
    "empty DATA": (request(0, flags=END_HEADERS), lambda number: frame(DATA, 0, 1)),
    "padding alone": (request(0, flags=END_HEADERS), lambda number: frame(DATA, PADDED, 1, bytes(1))),
    "CONTINUATION": (frame(HEADERS, END_STREAM, 1), lambda number: frame(CONTINUATION, 0, 1)),
    "CONTINUATION with fields": (
        frame(HEADERS, END_STREAM, 1), lambda number: frame(CONTINUATION, 0, 1, literal(b"x", b"y" * 100) * 100)),
    "fields that grow": (b"", lambda number: frame(HEADERS, END_STREAM | END_HEADERS, 2 * number + 1, GROWING)),
    "rapid reset": (b"", lambda number: request(number, b"/token?tripID=trip-%d" % number) + reset(number)),
    "MadeYouReset": (b"", lambda number: request(number) + window(2 * number + 1, (1 << 31) - 1)),
    "invalid requests": (
        b"", lambda number: frame(HEADERS, END_STREAM | END_HEADERS, 2 * number + 1, literal(b":method", b"GET"))),
    # The client may have sent them before it received the reset.
    "HEADERS below a stream that was reset": (
        frame(HEADERS, END_STREAM | END_HEADERS, 2 * 1000000 + 1, literal(b":method", b"GET")), request),
}


def connect():
    peer = socket.create_connection(("127.0.0.1", PORT), PATIENCE)
    peer.sendall(PREFACE + frame(SETTINGS, 0, 0))
    return peer


def is_ended(peer, first, flood):
    """Whether the server closes the connection before MOST bytes are sent; nothing is read until then."""
    peer.settimeout(PATIENCE)
    sent = number = 0
    try:
        peer.sendall(first)
        while sent < MOST:
            bytes_ = b"".join(flood(number + more) for more in range(64))
            number += 64
            peer.sendall(bytes_)
            sent += len(bytes_)
        # The server may have closed it after the last byte.
        while peer.recv(65536):
            pass
    except TimeoutError:
        # The server stops reading from a client that does not read, so it buffers no more.
        return False
    except OSError:
        pass
    return True


def is_served():
    with connect() as peer:
        peer.settimeout(PATIENCE)
        peer.sendall(request(0))
        found = b""
        while b"TRIP_TOKEN_KEY" not in found:
            more = peer.recv(65536)
            if not more:
                return False
            found += more
    return True


def most_memory():
    """The peak resident memory of the process, in kilobytes."""
    lines = (PROCESS / "status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def main():
    require(is_served(), "no client was served before the floods")
    found = {}
    for name, (first, flood) in FLOODS.items():
        before = most_memory()
        peers = [connect() for _ in range(CONNECTIONS)]
        ended = sum(is_ended(peer, first, flood) for peer in peers)
        require(is_served(), f"after {name} no other client was served")
        found[name] = [ended, most_memory() - before]
        for peer in peers:
            peer.close()
    return {"floods": found}


if __name__ == "__main__":
    report(main)
