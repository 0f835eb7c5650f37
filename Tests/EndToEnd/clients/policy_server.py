"""Answers like Open Policy Agent's Data API by a policy of two levels, which Microsoft's interpreter of Rego evaluates.

python policy_server.py POLICY

It prints its port. POST /v1/data/PACKAGE/RULE with {"input": …} is a question. Without a value there is no result.
"""
import json
import pathlib
import sys

import regopy

sys.dont_write_bytecode = True

from answering import AnsweringHandler, serve  # noqa: E402

POLICY = pathlib.Path(sys.argv[1]).read_text()


class Handler(AnsweringHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        interpreter = regopy.Interpreter()
        interpreter.add_module("policy", POLICY)
        interpreter.set_input(question["input"])
        path = self.path.removeprefix("/v1/data/").replace("/", ".")
        found = json.loads(str(interpreter.query(f"result := data.{path}")).replace("undefined", "{}"))
        self.respond(json.dumps(found.get("bindings", {})).encode())


serve(Handler)
