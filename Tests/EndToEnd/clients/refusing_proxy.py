"""Passes requests on to a server, after one refusal with valid credentials: 503, to be sent again in a second.

python refusing_proxy.py URL          prints its port; GET /facts tells what was answered
"""
import http.server
import json
import sys
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True

statuses = []
refused_at = None
waited = False


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        global refused_at, waited
        if self.path == "/facts":
            return self.answer(200, json.dumps({"statuses": statuses, "waited": waited}).encode())
        status, body = self.ask()
        if status == 200 and refused_at is None:
            refused_at = time.monotonic()
            status, body = 503, b"{}"
        elif status == 200:
            waited = time.monotonic() - refused_at > 0.9
        statuses.append(status)
        self.answer(status, body)

    def ask(self):
        request = urllib.request.Request(sys.argv[1] + self.path, headers={"Authorization": self.headers["Authorization"]})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if status == 503:
            self.send_header("Retry-After", "1")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
