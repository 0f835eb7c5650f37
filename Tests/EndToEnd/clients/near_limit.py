"""Opens so many connections and keeps them, each with one request: first health checks, then tokens. Each is answered, by 503
if it must be, unless its request was late for want of a processor."""
import json
import socket
import sys
import time

ADDRESS, COUNT = (sys.argv[1], int(sys.argv[2])), int(sys.argv[3])
# The daemon waits for 20 ms.
SHORT = 0.01


def answer(connection, target):
    began = time.monotonic()
    connection.settimeout(600)
    connection.connect(ADDRESS)
    try:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        sent = time.monotonic()
        text = connection.recv(65536).decode()
    except ConnectionError:
        sent, text = time.monotonic(), ""
    return text or (None if sent - began > SHORT else "closed")


counts = {}
for target, statuses in [("/healthz", {"200"}), ("/token?tripID=a", {"200", "503"})]:
    connections = [socket.socket() for _ in range(COUNT)]
    answers = [answer(connection, target) for connection in connections]
    seen = {text.split(" ")[1] if " " in text else text for text in answers if text}
    assert seen <= statuses and "200" in seen, seen
    for text in answers:
        if text and text.startswith("HTTP/1.1 503"):
            assert "too_many_connections" in text and "Connection: close" in text, text
    counts[target] = len([text for text in answers if text])
    for connection in connections:
        connection.close()

print(json.dumps(counts))
