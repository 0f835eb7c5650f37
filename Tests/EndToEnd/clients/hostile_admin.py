"""Answers for an admin listener: hostile_admin.py BODY, in hexadecimal digits; without it the answer never ends. Prints its port."""
import socket
import sys
import time

body = bytes.fromhex(sys.argv[1]) if len(sys.argv) > 1 else None
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    connection, _ = listener.accept()
    try:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 500 No\r\n\r\n" + (body or b""))
        while body is None:
            time.sleep(0.2)
            connection.sendall(b"x")
    except OSError:
        pass
    connection.close()
