"""HTTP servers of tests that answer whole bodies and log nothing."""
import http.server


class AnsweringHandler(http.server.BaseHTTPRequestHandler):
    def respond(self, body, status=200, content_type="application/json", **fields):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve(handler, port=0):
    """Prints its port first."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    print(server.server_port, flush=True)
    server.serve_forever()
