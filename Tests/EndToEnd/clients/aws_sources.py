"""Compares botocore and the daemon: where both find AWS's credentials beyond the variables of a key and an instance's metadata.

python aws_sources.py DAEMON
"""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

import loopback_accounts as names  # noqa: E402
import loopback_aws as aws  # noqa: E402
from daemon_process import Daemon  # noqa: E402
from keyless_canary import ask, forms, search  # noqa: E402
from loopback_process import Loopback  # noqa: E402
from outcome import PATIENCE, report, require  # noqa: E402

BOTOCORE = """
import botocore.session, json
found = botocore.session.Session().get_credentials().get_frozen_credentials()
print(json.dumps([found.access_key, found.secret_key, found.token]))
"""
EXPECTED = [aws.ROLE_KEY, *aws.ACCESS_KEYS[aws.ROLE_KEY][:2]]


class Trial:
    """One source: botocore with it, then the daemon, then the daemon once the source gives nothing."""

    def __init__(self, binary, name, loopback, folder):
        self.binary, self.name, self.loopback, self.folder = binary, name, loopback, Path(folder)
        self.requests = 1
        # The sandbox allows no other file of the folder.
        self.token, self.log = self.folder / "token" / name, self.folder / f"{name}.log"
        self.config = self.folder / "token-provider.yaml"
        self.config.write_text(
            "callers: none\nlisten: 127.0.0.1:0\nadmin: {listen: []}\ncredentials: application_default\n"
            f"sign_as: {names.DRIVER}\ngoogle: {{iam_credentials: '{loopback.url}', keys: '{loopback.url}'}}\n"
            "credentials_allowed_hosts: [127.0.0.1]\nlog: {level: trace}\n")
        variables, self.path, self.good, self.bad = {
            "container_file": (
                {"AWS_CONTAINER_CREDENTIALS_FULL_URI": f"{loopback.url}/container",
                 "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": str(self.token)},
                "/container", aws.CONTAINER_TOKENS[1], "another/Token"),
            "container_variable": (
                {"AWS_CONTAINER_CREDENTIALS_FULL_URI": f"{loopback.url}/container",
                 "AWS_CONTAINER_AUTHORIZATION_TOKEN": aws.CONTAINER_TOKENS[0]},
                "/container", "", ""),
            "web_identity": (
                {"AWS_WEB_IDENTITY_TOKEN_FILE": str(self.token), "AWS_ROLE_ARN": aws.ROLE_ARN,
                 "AWS_ROLE_SESSION_NAME": "fleet", "AWS_ENDPOINT_URL_STS": loopback.url},
                "/", Path(folder, "subject-token.txt").read_text(), "eyJhbGciOiJub25lIn0.e30.AA"),
        }[name]
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": folder, "AWS_REGION": aws.REGION,
            "GOOGLE_APPLICATION_CREDENTIALS": loopback.files["aws_environment"],
        } | variables
        self.token.parent.mkdir(exist_ok=True)
        self.token.write_text(self.good)

    def asked(self):
        """What the source was asked, without what each client may choose."""
        found = [each for each in self.loopback.recorded() if each["path"] == self.path]
        require(found, f"{self.name}: {self.path} was not asked")
        headers = dict(found[-1]["headers"])
        return found[-1]["method"], headers.get("authorization"), sorted(found[-1]["body"].split("&"))

    def run(self):
        self.loopback.forget()
        botocore = self.environment | {"AWS_EC2_METADATA_DISABLED": "true"}
        found = subprocess.run([sys.executable, "-c", BOTOCORE], env=botocore, capture_output=True, text=True, check=True)
        require(json.loads(found.stdout) == EXPECTED, f"{self.name}: botocore found others")
        expected = self.asked()
        self.loopback.forget()
        with Daemon(self.binary, self.config, self.log, environment=self.environment) as daemon:
            require(ask(f"{daemon.url}/token?vehicleID=vehicle-1")[0] == 200, f"{self.name}: {self.log.read_text()}")
            require(self.asked() == expected, f"{self.name}: {self.asked()} instead of {expected}")
            if self.good:
                self.renew(daemon)
            daemon.end()
        return self.name

    def renew(self, daemon):
        """A renewed token is read, and one that is refused is an outage without a word of it."""
        for content, status in [(self.bad, 503), (None, 503), (self.good, 200)]:
            self.token.unlink() if content is None else self.token.write_text(content)
            self.loopback.control("POST", "/_expire")
            texts = {"answer": "", "log": ""}
            end = time.monotonic() + PATIENCE
            while texts["answer"] == "" or found != status:
                require(time.monotonic() < end, f"{self.name}: no {status}: {self.log.read_text()}")
                self.requests += 1
                found, texts["answer"] = ask(f"{daemon.url}/token?vehicleID=vehicle-{self.requests}")
            texts["log"] = self.log.read_text()
            canaries = [form for text in [self.good, self.bad, *EXPECTED[1:]] for form in forms(text)]
            leaks = search(texts, canaries)
            require(not leaks, f"{self.name}: secrets were found: {leaks}")


def main():
    with tempfile.TemporaryDirectory() as folder, Loopback("--files", folder) as loopback:
        names_of_sources = ["container_file", "container_variable", "web_identity"]
        return {"sources": [Trial(sys.argv[1], name, loopback, folder).run() for name in names_of_sources]}


if __name__ == "__main__":
    report(main)
