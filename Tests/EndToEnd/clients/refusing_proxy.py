"""Passes requests on to a server, after one refusal with valid credentials: 503, to be sent again in a second.

python refusing_proxy.py URL          prints its port; GET /facts tells what was answered
"""
import json
import sys
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True

from answering import AnsweringHandler, serve  # noqa: E402

statuses = []
refused_at = None
waited = False


class Handler(AnsweringHandler):
    def do_GET(self):
        global refused_at, waited
        if self.path == "/facts":
            return self.respond(json.dumps({"statuses": statuses, "waited": waited}).encode())
        status, body = self.ask()
        if status == 200 and refused_at is None:
            refused_at = time.monotonic()
            status, body = 503, b"{}"
        elif status == 200:
            waited = time.monotonic() - refused_at > 0.9
        statuses.append(status)
        self.respond(body, status, **({"Retry_After": "1"} if status == 503 else {}))

    def ask(self):
        request = urllib.request.Request(sys.argv[1] + self.path, headers={"Authorization": self.headers["Authorization"]})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()


serve(Handler)
