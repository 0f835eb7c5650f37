"""Answers like Open Policy Agent's Data API by a policy of two levels, which Microsoft's interpreter of Rego evaluates.

python policy_server.py POLICY

It prints its port. POST /v1/data/PACKAGE/RULE with {"input": …} is a question. Without a value there is no result.
"""
import http.server
import json
import pathlib
import sys

import regopy

POLICY = pathlib.Path(sys.argv[1]).read_text()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        interpreter = regopy.Interpreter()
        interpreter.add_module("policy", POLICY)
        interpreter.set_input(question["input"])
        path = self.path.removeprefix("/v1/data/").replace("/", ".")
        found = json.loads(str(interpreter.query(f"result := data.{path}")).replace("undefined", "{}"))
        body = json.dumps(found.get("bindings", {})).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
