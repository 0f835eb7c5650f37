"""Listens on a port of its own, prints it, and keeps it until it is ended."""
import socket
import time

with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1], flush=True)
    time.sleep(60)
