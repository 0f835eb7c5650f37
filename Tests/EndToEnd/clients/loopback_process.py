"""Starts the loopback server, and speaks to it."""
import http.client
import json
import ssl
import subprocess
import sys
from pathlib import Path

SERVER = Path(__file__).with_name("loopback_google.py")


class Loopback:
    """A running server; it ends with the `with` block."""

    def __init__(self, *options):
        self.options = list(map(str, options))
        self.start()

    def start(self, *options):
        command = [sys.executable, str(SERVER), *self.options, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        facts = json.loads(self.process.stdout.readline())
        self.port, self.url, self.files = facts["port"], facts["url"], facts.get("files", {})

    def restart(self):
        """Starts a killed server again at the same port."""
        self.start("--port", str(self.port))

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def ask(self, method, path, body=None, headers=None, timeout=600):
        """Status, headers and body of an answer on a connection of its own."""
        if self.url.startswith("https:"):
            # Tests that care about certificates do not come here.
            context = ssl._create_unverified_context()
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=context)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def control(self, method, path, value=None):
        status, _, body = self.ask(method, path, None if value is None else json.dumps(value))
        if status != 200:
            raise ValueError(f"{method} {path}: {status} {body.decode()}")
        return json.loads(body)

    def faults(self, *faults):
        return self.control("POST", "/_faults", list(faults))

    def recorded(self):
        return self.control("GET", "/_requests")["requests"]

    def forget(self):
        self.control("DELETE", "/_requests")
