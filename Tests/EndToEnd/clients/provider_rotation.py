"""An identity provider under traffic: discovery, keys, an outage, and its return with other keys.

python provider_rotation.py NAME DAEMON FOLDER

FOLDER has the key that the daemon signs with, key.json. A client with a token of the provider's first keys sends requests
all the time. It must be served during the outage, and never again once the new keys are known.
"""
import contextlib
import json
import pathlib
import sys
import threading
import time

sys.dont_write_bytecode = True

from daemon_process import Daemon  # noqa: E402
from free_port import free_port  # noqa: E402
from identity_providers import Canaille, OIDCProviderMock  # noqa: E402
from outcome import PATIENCE, report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

PROVIDERS = {"oidc-provider-mock": OIDCProviderMock, "canaille": Canaille}
NAME, DAEMON, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
OUTAGE = 100


def main():
    provider = PROVIDERS[NAME](free_port())
    provider.start()
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: provider.kill())
        daemon = stack.enter_context(Daemon(DAEMON, configuration(provider), FOLDER / "daemon.log"))
        old = provider.tokens()
        for token in old:
            require_rules(daemon, token)
        with Traffic(daemon, old[0]) as traffic:
            traffic.require(200, 20)
            provider.kill()
            traffic.require(200, OUTAGE)
            require(ask(daemon, old[-1]).status == 200, "an outage of the provider became an outage of the daemon")
            provider.start()
            traffic.require(200, 20)
            for token in provider.tokens():
                require_rules(daemon, token)
            for token in old:
                require(ask(daemon, token).status == 401, "a token of removed keys is accepted")
            traffic.require(401, 20)
        require(daemon.end() == 0, "the daemon did not end in order")
        return {"tokens": len(old), "answers": traffic.counts, "order": traffic.order}


def configuration(provider):
    config = {
        "listen": "127.0.0.1:0", "credentials": "key.json",
        "issuers": [{"issuer": provider.url, "audiences": provider.audiences, "algorithms": provider.algorithms,
                     "keys": "discovery"}],
        "rules": [{"name": "riders", "kinds": ["consumer"], "issuers": [provider.url],
                   "claims": [{"claim": "sub", "equals": provider.subject}], "ids": {"tripID": ["trip-1"]}}],
    }
    config["limits"] = {"principal_rate": 0}
    path = FOLDER / "provider.yaml"
    path.write_text(json.dumps(config))  # JSON is YAML
    return path


def require_rules(daemon, token):
    for target, status in [("tripID=trip-1", 200), ("tripID=trip-2", 403), ("vehicleID=trip-1", 403)]:
        answer = ask(daemon, token, target)
        require(answer.status == status, f"{target}: {answer.status} instead of {status}: {answer.body!r}")


def ask(daemon, token, target="tripID=trip-1"):
    with connect(daemon.host, daemon.port) as connection:
        connection.sendall(get(f"/token?{target}", fields=[f"Authorization: Bearer {token}"]))
        return AnswerReader(connection).next()


class Traffic(threading.Thread):
    """One client that sends requests with the same token on one connection."""

    def __init__(self, daemon, token):
        super().__init__(daemon=True)
        self.daemon_process, self.token = daemon, token
        self.counts, self.order, self.ends = {}, [], False

    def run(self):
        with connect(self.daemon_process.host, self.daemon_process.port) as connection:
            answers = AnswerReader(connection)
            while not self.ends:
                connection.sendall(get("/token?tripID=trip-1", fields=[f"Authorization: Bearer {self.token}"]))
                status = answers.next().status
                self.counts[status] = self.counts.get(status, 0) + 1
                if self.order[-1:] != [status]:
                    self.order.append(status)
                time.sleep(0.002)

    def require(self, status, more):
        """Waits for so many more answers of this status."""
        before = dict(self.counts)
        deadline = time.monotonic() + PATIENCE
        while self.counts.get(status, 0) < before.get(status, 0) + more:
            require(self.is_alive() and time.monotonic() < deadline, f"no more {status}s: {self.counts}")
            time.sleep(0.005)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ends = True
        self.join(20)


report(main)
