"""A proxy that answers CONNECT as its argument says. Prints its port, then the lines of each CONNECT as one of JSON.

python proxy.py open|silent|slow|garbage|closed|flood|no-tls|STATUS [4|6]
"""
import json
import socket
import sys
import threading
import time

mode = sys.argv[1]
family = socket.AF_INET6 if sys.argv[2:] == ["6"] else socket.AF_INET


def relay(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    finally:
        for end in source, target:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def serve(client):
    head = b""
    while b"\r\n\r\n" not in head:
        head += client.recv(4096) or b"\r\n\r\n"
    print(json.dumps(head.decode().split("\r\n")), flush=True)
    if mode == "open":
        port = int(head.split()[1].rsplit(b":", 1)[1])
        server = socket.create_connection(("127.0.0.1", port))
        client.sendall(b"HTTP/1.1 200 canary\r\nX-Canary: a\r\n\r\n")
        threading.Thread(target=relay, args=(client, server), daemon=True).start()
        return relay(server, client)
    if mode.isdigit():
        client.sendall(f"HTTP/1.1 {mode} canary\r\nLocation: https://canary.test/\r\nContent-Length: 6\r\n\r\ncanary".encode())
    elif mode == "garbage":
        client.sendall(b"canary is no HTTP\r\n\r\n")
    elif mode == "no-tls":
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ncanary")
    elif mode == "flood":
        client.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            client.sendall(b"X-Canary: canary\r\n" * 100)
    elif mode == "slow":
        client.sendall(b"HTTP/1.1 407 Who\r\nContent-Length: 1000000\r\n\r\n")
        while True:
            client.sendall(b"x")
            time.sleep(0.05)
    if mode != "closed":
        client.recv(1)  # Until the client has disconnected.
    client.close()


def run(client):
    try:
        serve(client)
    except OSError:
        pass  # Clients disconnect from most of these.


listener = socket.create_server(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0), family=family)
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=run, args=(listener.accept()[0],), daemon=True).start()
