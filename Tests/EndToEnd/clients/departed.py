"""Clients whose requests wait for a back end, and that leave: departed.py PORT ADMIN PID COUNT

All ask the same, in requests of 28 kB. Prints how many bytes were `charged` to them while they waited, and how many the process
has `held` for them since they left.
"""
import json
import re
import socket
import struct
import sys
import time
import urllib.request

PORT, ADMIN, PROCESS, COUNT = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
COOKIE = "Cookie: a=" + 14_000 * "x" + "\r\n"
REQUEST = f"GET /token?tripID=held-1 HTTP/1.1\r\nHost: a\r\n{COOKIE}{COOKIE}\r\n".encode()
SECONDS = 40


def charged():
    with urllib.request.urlopen(f"{ADMIN}/metrics") as answer:
        return int(re.search(r"^token_provider_client_memory_bytes (\d+)$", answer.read().decode(), re.M)[1])


def resident():
    with open(f"/proc/{PROCESS}/status") as status:
        return 1024 * int(re.search(r"^RssAnon:\s+(\d+) kB$", status.read(), re.M)[1])


def lowest(value, enough):
    """The value once it is low enough, or at the end of the time."""
    end = time.monotonic() + SECONDS
    while (now := value()) > enough and time.monotonic() < end:
        time.sleep(0.05)
    return now


before = resident()
clients = []
for _ in range(COUNT):
    client = socket.create_connection(("127.0.0.1", PORT))
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.sendall(REQUEST)
    clients.append(client)
most = -lowest(lambda: -charged(), -COUNT * len(REQUEST))
for client in clients:
    client.close()
lowest(charged, 1 << 20)
print(json.dumps({"charged": most, "held": lowest(resident, before + (12 << 20)) - before}))
