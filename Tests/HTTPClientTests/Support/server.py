"""An HTTP server whose answers the tests choose by path. Prints its port, then runs until it is killed.

Arguments: none, or a file with a certificate and its key; then "old" for TLS 1.1 at most.
"""
import json
import ssl
import sys
import threading
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

lock = threading.Lock()
four = threading.Barrier(4)
counts = {"connections": 0, "requests": 0, "now": 0, "most": 0}


def count(**changes):
    with lock:
        for name, change in changes.items():
            counts[name] += change
        counts["most"] = max(counts["most"], counts["now"])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self):
        super().setup()
        count(connections=1)

    def log_message(self, *_):
        pass

    def do_GET(self):
        url = urlsplit(self.path)
        self.query = {name: values[0] for name, values in parse_qs(url.query).items()}
        self.body = self.rfile.read(int(self.headers.get("content-length", 0)))
        count(requests=1, now=1)
        try:
            getattr(self, "answer_" + url.path.strip("/").replace("-", "_"))()
        finally:
            count(now=-1)

    do_POST = do_PUT = do_GET

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def raw(self, data):
        self.wfile.write(data)
        self.close_connection = True

    def wait_for_end(self):
        """Sends nothing more until the client has disconnected."""
        self.close_connection = True
        self.connection.recv(1)

    def answer_echo(self):
        seen = {"method": self.command, "target": self.path, "body": self.body.decode(),
                "fields": [[name.lower(), value] for name, value in self.headers.items()]}
        self.answer(200, json.dumps(seen).encode(), Cache_Control="max-age=60", ETag='"v1"')

    def answer_counts(self):
        with lock:
            self.answer(200, json.dumps(counts).encode())

    def answer_four(self):
        """Answers once four of these requests are in progress."""
        four.wait(600)
        self.answer(200, b"done")

    def answer_status(self):
        self.answer(int(self.query["code"]), b"denied")

    def answer_redirect(self):
        self.answer(int(self.query.get("code", 302)), Location=self.query["to"])

    def answer_bytes(self):
        self.answer(200, b"x" * int(self.query["count"]))

    def answer_chunks(self):
        piece = b"400\r\n" + b"x" * 1024 + b"\r\n"
        self.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + piece * int(self.query["count"]) + b"0\r\n\r\n")

    def answer_interim(self):
        self.raw(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nX-Final: 1\r\nContent-Length: 2\r\n\r\nok")

    def answer_trailer(self):
        self.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nCache-Control: max-age=9\r\n\r\n")

    def answer_fields(self):
        self.raw(b"HTTP/1.1 200 OK\r\n" + b"X-Much: canary-much\r\n" * int(self.query["count"]) + b"Content-Length: 0\r\n\r\n")

    def answer_garbage(self):
        self.raw(b"canary is no HTTP\r\n\r\n")

    def answer_cut(self):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncanary")

    def answer_cut_status(self):
        self.raw(b"HTTP/1.1 200 OK\r\n")

    def answer_cut_field(self):
        self.raw(b"HTTP/1.1 200 OK\r\nX-Canary: canary\r\nContent-Ty")

    def answer_cut_chunks(self):
        self.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ncanary\r\n")

    def answer_unframed(self):
        """Ends the body with the connection. Over TLS there is no close_notify, as Python's sockets send none."""
        self.raw(b"HTTP/1.1 200 OK\r\n\r\n" + self.query.get("body", "").encode())

    def answer_silence(self):
        self.wait_for_end()

    def answer_slow_body(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncanary")
        self.wait_for_end()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        pass  # Many tests disconnect on purpose.


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 1:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1])
    if sys.argv[2:] == ["old"]:
        warnings.simplefilter("ignore")
        context.set_ciphers("DEFAULT@SECLEVEL=0")
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_port, flush=True)
server.serve_forever()
