"""The whole configuration replaced repeatedly under load, every other file broken: clients notice only new tokens.

python reload_everything.py DAEMON FOLDER RELOADS

FOLDER has key.json and other.json, keys with two ids. Valid configurations alternate in key, limits, log level and
timeouts, with broken ones between them. Clients keep their connections; a token requested after a reload must be signed
with the new key, although the previous token was cached.
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True

from daemon_process import Daemon  # noqa: E402
from outcome import PATIENCE, report, require  # noqa: E402
from raw_http import AnswerReader, connect, get  # noqa: E402

DAEMON, FOLDER, RELOADS = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
CONFIG, ADMIN, KEYS = FOLDER / "everything.json", FOLDER / "admin.sock", ["key.json", "other.json"]
BROKEN = ["credentials: nowhere.json", "kinds: [", "http: {idle_timeout: 0s}\ncallers: none\ncredentials: key.json"]


def main():
    ids = [json.loads((FOLDER / name).read_text())["private_key_id"] for name in KEYS]
    write(0)
    os.environ["TOKEN_PROVIDER_ADMIN_LISTEN"] = f"unix:{ADMIN}"
    with Daemon(DAEMON, CONFIG, FOLDER / "daemon.log") as daemon:
        clients = [Client(daemon, number) for number in range(8)]
        for number in range(1, RELOADS + 1):
            if number % 2:
                replace(BROKEN[number // 2 % len(BROKEN)])
                require(reload() == 1, "a broken file was loaded")
            else:
                write(number // 2)
                require(reload() == 0, "a valid file was not loaded")
            expected = ids[(number // 2) % 2]
            for client in clients:
                client.require_key(expected)
        for client in clients:
            client.stop()
        require(daemon.end() == 0, "the daemon did not end in order")
    facts = {"answers": sum(client.answers for client in clients), "reloads": RELOADS}
    return facts | {"wrong": [client.wrong for client in clients if client.wrong]}


def write(version):
    replace(json.dumps({  # JSON is YAML
        "listen": "127.0.0.1:0", "credentials": KEYS[version % 2], "callers": "none",
        "limits": {"failure_burst": 20 + version % 3}, "log": {"level": ["notice", "warning"][version % 2]},
        "http": {"idle_timeout": f"{60 + version % 7}s", "max_connections": 1000 + version % 5},
        "answer": {"expiration": ["absolute", "relative"][version // 3 % 2]}}))


def replace(text):
    new = CONFIG.with_suffix(".new")
    new.write_text(text)
    new.chmod(0o600)
    new.rename(CONFIG)


def reload():
    return subprocess.run([DAEMON, "reload", "--url", f"unix:{ADMIN}"], capture_output=True, timeout=PATIENCE).returncode


class Client(threading.Thread):
    """Requests one trip on one connection all the time."""

    def __init__(self, daemon, number):
        super().__init__(daemon=True)
        self.address, self.request = (daemon.host, daemon.port), get(f"/token?tripID=trip-{number}")
        self.answers, self.wrong, self.key, self.stopped = 0, None, None, False
        self.start()

    def run(self):
        try:
            with connect(*self.address) as connection:
                reader = AnswerReader(connection)
                while not self.stopped:
                    connection.sendall(self.request)
                    answer = reader.next()
                    if answer is None or answer.status != 200 or answer.closes:
                        self.wrong = f"answer {self.answers}: {answer and answer.status}"
                        return
                    token = json.loads(answer.body)["TRIP_TOKEN_KEY"]
                    header = token.split(".")[0]
                    self.key = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))["kid"]
                    self.answers += 1
        except (OSError, ValueError) as error:
            self.wrong = f"answer {self.answers}: {error!r}"

    def require_key(self, key):
        """Requires tokens of this key in answers to all requests that are sent from now on."""
        asked = self.answers
        deadline = time.monotonic() + PATIENCE
        while self.answers < asked + 2 and self.wrong is None:
            require(time.monotonic() < deadline, "the daemon stopped answering")
            time.sleep(0.001)
        require(self.wrong is None, f"a client was disturbed: {self.wrong}")
        require(self.key == key, f"a token of {self.key} after {key} was loaded")

    def stop(self):
        self.stopped = True
        self.join(20)


report(main)
