"""A server over TLS that is no token provider: rude_server.py CERTIFICATE KEY.

It prints its port. What it answers depends on the vehicle: `html` gets a page, `redirect` is sent to another host,
`status-N` gets a page with the status N. GET /seen returns the requests that other paths got, and whether they had credentials.
"""
import http.server
import json
import ssl
import sys
import urllib.parse

PAGE = b"<html>Sign in to this network</html>"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen = []

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        name = urllib.parse.parse_qs(url.query).get("vehicleID", [""])[0]
        if url.path == "/seen":
            self.answer(200, json.dumps(self.seen).encode(), "application/json")
        elif url.path != "/token":
            self.seen.append([self.path, "Authorization" in self.headers])
            self.answer(200, PAGE, "text/html")
        elif name == "redirect":
            port = self.server.server_port
            self.answer(307, b"", "text/html", Location=f"https://127.0.0.1:{port}/elsewhere")
        elif name.startswith("status-"):
            self.answer(int(name.removeprefix("status-")), PAGE, "text/html")
        else:
            self.answer(200, PAGE, "text/html")

    def answer(self, status, body, content_type, **fields):
        self.send_response(status)
        for name, value in {"Content-Type": content_type, "Content-Length": str(len(body)), **fields}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    server.serve_forever()


main()
