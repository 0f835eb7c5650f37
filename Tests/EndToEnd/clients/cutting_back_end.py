"""A back end over TLS whose answers are cut: by the end of the connection without close_notify, or by a reset stream.

python cutting_back_end.py CERTIFICATE KEY

It prints its port. It speaks HTTP/2 with clients that offer it. A question about cut-… is answered with headers that
announce JSON and nothing after them, about half-… with half of an object, about whole-… with an object and about any other
id with an empty body, whose length is told.
"""
import json
import socket
import ssl
import struct
import sys
import threading

HEADERS, RESET, SETTINGS = 1, 3, 4
END_STREAM, END_HEADERS, ACKNOWLEDGES = 1, 4, 1
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
OBJECT = b'{"principal":"rider-7","lifetime":120}'
JSON = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
ANSWERS = {
    "cut": JSON, "half": JSON + OBJECT[:20], "whole": JSON + OBJECT, "none": b"HTTP/1.1 200 OK\r\n\r\n",
    "allow": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
}


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def serve(plain):
    try:
        with context.wrap_socket(plain, server_side=True) as connection:
            answer = serve_streams if connection.selected_alpn_protocol() == "h2" else serve_question
            with connection.makefile("rb") as received:
                answer(connection, received)
    except OSError:
        pass  # The client has gone.


def serve_question(connection, received):
    length = 0
    while (line := received.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    ids = json.loads(received.read(length))["ids"]
    connection.sendall(ANSWERS[next(iter(ids.values())).partition("-")[0]])


def serve_streams(connection, received):
    """Each stream is reset after its headers, without an error."""
    connection.sendall(frame(SETTINGS, 0, 0))
    received.read(len(PREFACE))
    while len(head := received.read(9)) == 9:
        length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
        payload = received.read(length)
        stream = int.from_bytes(head[5:], "big")
        if kind == SETTINGS and not flags & ACKNOWLEDGES:
            connection.sendall(frame(SETTINGS, ACKNOWLEDGES, 0))
        elif stream and flags & END_STREAM:
            connection.sendall(frame(HEADERS, END_HEADERS, stream, b"\x88") + frame(6, 0, 0, stream.to_bytes(8, "big")))
        elif kind == 6 and flags & ACKNOWLEDGES:
            connection.sendall(frame(RESET, 0, int.from_bytes(payload, "big"), bytes(4)))


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(*sys.argv[1:3])
context.set_alpn_protocols(sys.argv[3:])
with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=serve, args=[server.accept()[0]], daemon=True).start()
