"""Answers for an admin listener: hostile_admin.py BODY [STATUS [LENGTH]]. Prints its port.

The body is in hexadecimal digits; without it the answer never ends. A length of - is left out.
"""
import socket
import sys
import time

body = bytes.fromhex(sys.argv[1]) if len(sys.argv) > 1 else None
status = sys.argv[2] if len(sys.argv) > 2 else "500"
length = sys.argv[3] if len(sys.argv) > 3 else str(len(body or b""))
field = "" if length == "-" else f"Content-Length: {length}\r\n"
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    connection, _ = listener.accept()
    try:
        connection.recv(65536)
        connection.sendall(f"HTTP/1.1 {status} No\r\n{field}\r\n".encode() + (body or b""))
        while body is None:
            time.sleep(0.2)
            connection.sendall(b"x")
    except OSError:
        pass
    connection.close()
