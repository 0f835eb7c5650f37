"""Keys and rules replaced by SIGHUP repeatedly under load: every answer follows the previous or the new ones entirely.

python reload_decisions.py DAEMON FOLDER RELOADS KEY OTHER_KEY TOKEN OTHER_TOKEN

FOLDER has key.json, api-keys with a line for each of the API keys, and jwks-0.json and jwks-1.json, which each verify one
of the tokens. The first version accepts the first API key and the first token, and allows both trip-0. The other accepts
the second ones and allows them trip-1.
"""
import collections
import json
import pathlib
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True

from daemon_process import Daemon  # noqa: E402
from outcome import PATIENCE, Failure, report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

DAEMON, FOLDER, RELOADS, CREDENTIALS = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:8]
LINES = (FOLDER / "api-keys").read_text().splitlines()
CONFIG, LOG = FOLDER / "reload.json", FOLDER / "daemon.log"
CASES = [(caller, trip) for caller in range(len(CREDENTIALS)) for trip in (0, 1)]


def status(version, caller, trip):
    if caller % 2 != version:
        return 401
    return 200 if trip == version else 403


# What each version answers.
ANSWERS = [{case: status(version, *case) for case in CASES} for version in (0, 1)]


def main():
    write(0)
    with Daemon(DAEMON, CONFIG, LOG) as daemon:
        clients = [Client(daemon, *case) for case in CASES for _ in range(2)]
        for number in range(1, RELOADS + 1):
            write(number % 2)
            daemon.process.send_signal(signal.SIGHUP)
            wait_for("the configuration was reloaded", number)
            for client in clients:
                client.require_only(number % 2)
        require_broken_one_changes_nothing(daemon, clients)
        require(daemon.end() == 0, "the daemon did not end in order")
    return {"answers": sum(sum(client.statuses.values()) for client in clients), "reloads": RELOADS}


def write(version):
    """One version of all files; the issuer's keys keep their file name, so that only the content shows the change."""
    replace(FOLDER / "jwks.json", (FOLDER / f"jwks-{version}.json").read_text())
    replace(FOLDER / f"keys-{version}", LINES[version] + "\n")
    rule = {"name": f"rule-{version}", "kinds": ["consumer"], "ids": {"tripID": [f"trip-{version}"]}}
    replace(CONFIG, json.dumps({  # JSON is YAML
        "listen": "127.0.0.1:0", "credentials": "key.json", "api_keys": {"file": f"keys-{version}"}, "rules": [rule],
        "issuers": [{"issuer": "https://id.example.com", "audiences": ["token-provider"], "algorithms": ["RS256"],
                     "keys": "jwks.json"}],
        "limits": {"principal_rate": 0, "failure_rate": 0}, "log": {"access": False, "level": "notice"}}))


def replace(path, text):
    new = path.with_suffix(".new")
    new.write_text(text)
    new.chmod(0o600)
    new.rename(path)


def wait_for(text, count):
    deadline = time.monotonic() + PATIENCE
    while LOG.read_text().count(text) < count:
        require(time.monotonic() < deadline, f"the log does not say {count} times: {text}")
        time.sleep(0.002)


def require_broken_one_changes_nothing(daemon, clients):
    unfit = {"listen": "127.0.0.1:0", "credentials": "key.json", "rules": [{"name": "x"}]}
    for text in ("rules: [", json.dumps(unfit)):
        before = LOG.read_text().count("not reloaded")
        replace(CONFIG, text)
        daemon.process.send_signal(signal.SIGHUP)
        wait_for("not reloaded", before + 1)
        for client in clients:
            client.require_only(RELOADS % 2)


class Client(threading.Thread):
    """Requests one trip with the same credentials all the time; each answer must be that of one of the versions."""

    def __init__(self, daemon, caller, trip):
        super().__init__(daemon=True)
        self.case, self.address = (caller, trip), (daemon.host, daemon.port)
        self.request = get(f"/token?tripID=trip-{trip}", fields=[f"Authorization: Bearer {CREDENTIALS[caller]}"])
        self.allowed = {answers[self.case] for answers in ANSWERS}
        self.statuses, self.wrong, self.asked, self.expected = collections.Counter(), None, 0, None
        self.start()

    def run(self):
        with connect(*self.address) as connection:
            answers = AnswerReader(connection)
            while self.wrong is None:
                expected = self.expected
                connection.sendall(self.request)
                answer = answers.next()
                if answer is None:
                    return
                self.statuses[answer.status] += 1
                if answer.status not in self.allowed or (expected and answer.status != expected):
                    self.wrong = f"caller {self.case[0]}, trip {self.case[1]}: {answer.status} instead of {expected}"
                self.asked += 1

    def require_only(self, version):
        """Requires answers of this version to all requests that are sent from now on."""
        self.expected = ANSWERS[version][self.case]
        self.wait_for_answers(4)
        self.expected = None
        # Requests on their way are still compared.
        self.wait_for_answers(1)

    def wait_for_answers(self, more):
        until = self.asked + more
        deadline = time.monotonic() + PATIENCE
        while self.asked < until and self.wrong is None:
            require(self.is_alive() and time.monotonic() < deadline, "the daemon stopped answering")
            time.sleep(0.001)
        if self.wrong:
            raise Failure(self.wrong)


report(main)
