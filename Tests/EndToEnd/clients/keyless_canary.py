"""No secret of any credentials, and no token that stands for one, is in what the daemon writes or answers.

python keyless_canary.py DAEMON

Google's answers quote the secrets that they were sent. Searched are the log at its lowest level, errors, metrics,
readiness, the console's data, the audit log, the output of `check` and `doctor`, and the command line; `found` names what
was found, and where.
"""
import base64
import json
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

sys.dont_write_bytecode = True

import loopback_accounts as names  # noqa: E402
import loopback_aws  # noqa: E402
import loopback_grants as grants  # noqa: E402
from daemon_process import Daemon  # noqa: E402
from google_auth_checks import environment  # noqa: E402
from loopback_process import Loopback  # noqa: E402
from outcome import PATIENCE, report, require  # noqa: E402

CASES = [
    "service_account", "authorized_user", "external_client", "external_file_json", "external_url_json",
    "external_impersonated",
    "aws_environment_session", "aws_instance_impersonated", "impersonated_delegates", "metadata_server",
]
HEADERS = ["authorization", "x-aws-ec2-metadata-token", "x-source"]
PAGES = ["/healthz", "/readyz", "/metrics", "/version", "/.well-known/jwks.json", "/console/data.json"]
PARAMETERS = ["assertion", "subject_token", "refresh_token", "client_secret"]
# Of access tokens, JWTs, keys and signatures, whatever they are; and the secrets of the files.
CANARIES = ["ya29.", "eyJ", "PRIVATE KEY", "AWS4-HMAC", grants.CLIENT_SECRET, grants.REFRESH_TOKEN] + [
    text for key in loopback_aws.ACCESS_KEYS.values() for text in key[:2] if text]


def secrets(request):
    """The parts of a request that hold a secret, by name."""
    headers = {name.lower(): value for name, value in request["headers"]}
    found = {name: headers[name] for name in HEADERS if name in headers}
    if "x-www-form-urlencoded" in headers.get("content-type", ""):
        form = dict(urllib.parse.parse_qsl(request["body"]))
        found |= {name: form[name] for name in PARAMETERS if name in form}
    return found


def forms(value):
    """A secret as it was sent, without its scheme, and decoded."""
    bare = value.rpartition(" ")[2]
    decoded = base64.b64decode(bare).decode() if value.startswith("Basic ") else urllib.parse.unquote(bare)
    return {bare, decoded}


class Trial:
    """One daemon, from its start to what it left behind."""

    def __init__(self, binary, case, loopback, folder):
        self.binary, self.folder = binary, Path(folder)
        self.config, self.log, self.audit = (self.folder / name for name in ("config.yaml", "log", "audit"))
        url = loopback.url
        self.config.write_text(
            "callers: none\nlisten: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0'}\ncredentials: application_default\n"
            f"sign_as: {names.DRIVER}\ngoogle: {{iam_credentials: '{url}', keys: '{url}'}}\nlog: {{level: trace}}\n"
            f"credentials_allowed_hosts: [127.0.0.1]\naudit: {{output: file, file: {self.audit}}}\n")
        self.environment = environment(case, loopback, folder)
        for path in (self.log, self.audit):
            path.unlink(missing_ok=True)

    def run(self, expected):
        """What can be read of the daemon, by where, after it has answered a request."""
        with Daemon(self.binary, self.config, self.log, environment=self.environment) as daemon:
            status, answer = ask(f"{daemon.url}/token?vehicleID=vehicle-1")
            require(status == expected, f"{status} where {expected} was expected: {self.log.read_text()}")
            texts = {path: page(f"{daemon.admin}{path}") for path in PAGES}
            texts["cmdline"] = Path(f"/proc/{daemon.process.pid}/cmdline").read_text()
            daemon.end()
        if expected != 200:
            texts["answer"] = answer
        for command in (["check", "--json"], ["doctor"], ["doctor", "--json"]):
            texts[" ".join(command)] = self.output(*command)
        return texts | {"log": self.log.read_text(), "audit": self.audit.read_text()}

    def output(self, *command):
        command = [self.binary, *command, "--config", str(self.config)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        require(done.stdout, f"{command} wrote nothing: {done.stderr}")
        return done.stdout + done.stderr


def ask(url):
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.status, f"{answer.headers}{answer.read().decode()}"
    except urllib.error.HTTPError as error:
        return error.code, f"{error.headers}{error.read().decode()}"


def page(url):
    """What a page shows. Readiness shows the same with 503, while nothing can be signed."""
    status, answer = ask(url)
    require(status == 200 or status == 503 and url.endswith("/readyz"), f"{url} has {status}: {answer}")
    return answer


def search(texts, canaries):
    return sorted((where, canary[:12]) for where, text in texts.items() for canary in canaries if canary in text)


def check(case, binary, loopback, folder):
    """How many answers quoted a secret, and what was found."""
    loopback.forget()
    found = search(Trial(binary, case, loopback, folder).run(200), CANARIES)
    requests = [each for each in loopback.recorded() if secrets(each)]
    quoted = {(each["path"].partition("?")[0], part) for each in requests for part in secrets(each)}
    for path, part in sorted(quoted):
        loopback.faults({"fault": "echoed", "path": path, "part": part})
        loopback.forget()
        texts = Trial(binary, case, loopback, folder).run(503)
        loopback.faults()
        values = {form for each in loopback.recorded() for value in secrets(each).values() for form in forms(value)}
        found += [(path, part, *each) for each in search(texts, CANARIES + sorted(values))]
    return len(quoted), found


def main():
    with tempfile.TemporaryDirectory() as folder, Loopback("--files", folder) as loopback:
        results = {case: check(case, sys.argv[1], loopback, folder) for case in CASES}
    found = {case: found for case, (_, found) in results.items() if found}
    require(not found, f"secrets were written: {found}")
    quoted = sum(count for count, _ in results.values())
    require(quoted == 28, f"{quoted} answers quoted a secret")


if __name__ == "__main__":
    report(main)
