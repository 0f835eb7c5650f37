"""A company's back end on loopback that decides by the word an id begins with, and records the questions it gets.

python back_end.py [PORT]

It prints its port. POST /allowed is a question. After POST /status/500 every question is answered with that status,
after POST /status/0 by its id again. Questions about held-… are answered after POST /release. GET /seen returns the
questions, the number of their connections, and how many questions are pending now and were at most.
"""
import http.server
import json
import sys
import threading
import time
import urllib.parse

PLAIN = {
    "allow": 204, "unknown": 401, "deny": 403, "latedeny": 403, "error": 500, "missing": 404, "accepted": 202, "moved": 302, "busy": 429,
}
JSON = {
    "named": {"principal": "r\u00e9n\u00e9"}, "short": {"lifetime": 120}, "second": {"lifetime": 1}, "half": {"lifetime": 30},
    "minute": {"lifetime": 60},
    "long": {"lifetime": 90_000}, "both": {"principal": "rider-9", "lifetime": 600}, "false": {"result": False},
    "none": {}, "true": {"result": True}, "text": {"result": "true"},
}
RAW = {
    "torn": b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
    "garbage": b"\x00\xff\x16\x03 no HTTP at all\r\n\r\n",
    "drop": b"",
    "broken": b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{',
    "page": b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n{"lifetime":60}',
    "catchall": b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<!doctype html>',
    "empty": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
    "untyped": b'HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n {"allow":false}',
    # Nothing tells where these bodies end but the connection.
    "died": b"HTTP/1.1 200 OK\r\n\r\n",
    "cut": b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n",
    "halved": b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"principal":"rider-7","lifetime":60',
    "object": b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"principal":"rider-7","lifetime":60}',
    "chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "chunked": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "twice": b'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    "longdeny": b"HTTP/1.1 403 Forbidden\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 1_000_000,
    "longunknown": b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 1_000_000,
    "huge": b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 1_000_000,
}
PAUSES = {"slow": 3, "stuck": 60, "brief": 0.02, "late": 0.2, "latedeny": 0.2}


class Seen:
    def __init__(self):
        self.lock = threading.Lock()
        self.connections = set()
        self.questions = []
        self.active = 0
        self.most_active = 0
        self.status = 0
        self.released = threading.Event()

    def begin(self, question, peer):
        with self.lock:
            self.connections.add(peer)
            self.questions.append(question)
            self.active += 1
            self.most_active = max(self.active, self.most_active)

    def end(self):
        with self.lock:
            self.active -= 1


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen = Seen()

    def do_GET(self):
        if uri := self.headers.get("X-Forwarded-Uri"):
            return self.ask(b"", {"ids": dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(uri).query))})
        seen = self.seen
        with seen.lock:
            facts = {
                "questions": seen.questions, "connections": len(seen.connections), "active": seen.active,
                "most_active": seen.most_active,
            }
            self.answer(200, facts)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.startswith("/status/"):
            self.seen.status = int(self.path.rpartition("/")[2])
            return self.answer(200, {})
        if self.path == "/release":
            self.seen.released.set()
            return self.answer(200, {})
        self.ask(body, json.loads(body))

    def ask(self, body, question):
        asked = {"path": self.path, "fields": [list(field) for field in self.headers.items()], "body": body.hex()}
        self.seen.begin(asked, self.client_address)
        try:
            self.decide(question)
        finally:
            self.seen.end()

    def decide(self, question):
        if self.seen.status:
            return self.answer(self.seen.status)
        # Open Policy Agent has the question as its input.
        ids = question.get("input", question)["ids"]
        word = str(next(iter(ids.values()), "")).partition("-")[0]
        time.sleep(PAUSES.get(word, 0))
        if word == "held":
            self.seen.released.wait()
        if word in RAW:
            self.wfile.write(RAW[word])
            self.close_connection = True
        elif word in JSON:
            self.answer(200, JSON[word])
        else:
            self.answer(PLAIN.get(word, 204))

    def answer(self, status, value=None):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if status in (401, 302):
            self.send_header("WWW-Authenticate", "Secret realm=inside")
            self.send_header("Location", "/elsewhere")
        if value is not None:
            self.send_header("Content-Type", "application/json; charset=utf-8")
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, *_):
        """Clients may disconnect before their answer."""


def main():
    server = Server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


main()
