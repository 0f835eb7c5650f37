"""Listens on a port of its own, prints it, and holds it until it is killed."""
import signal
import socket

with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1], flush=True)
    signal.pause()
