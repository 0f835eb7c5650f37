"""A client that updates its keys COUNT times with libssl: key_updates.py PORT COUNT. Prints how the connection ends."""

import ctypes
import socket
import sys

port, count = int(sys.argv[1]), int(sys.argv[2])
REQUEST = b"GET /now HTTP/1.1\r\nHost: localhost\r\n\r\n"

ssl = ctypes.CDLL("libssl.so.3")
for name in ("TLS_client_method", "SSL_CTX_new", "SSL_new"):
    getattr(ssl, name).restype = ctypes.c_void_p
context = ctypes.c_void_p(ssl.SSL_CTX_new(ctypes.c_void_p(ssl.TLS_client_method())))
connection = ctypes.c_void_p(ssl.SSL_new(context))

plain = socket.create_connection(("127.0.0.1", port))
plain.setblocking(True)
ssl.SSL_set_fd(connection, plain.fileno())
assert ssl.SSL_connect(connection) == 1
sent = 0
while sent < count and ssl.SSL_key_update(connection, 0) == 1 and ssl.SSL_do_handshake(connection) == 1:
    sent += 1
answer = ctypes.create_string_buffer(65536)
ssl.SSL_write(connection, REQUEST, len(REQUEST))
length = ssl.SSL_read(connection, answer, len(answer))
print(answer.raw[:15].decode() if length > 0 else "end")
