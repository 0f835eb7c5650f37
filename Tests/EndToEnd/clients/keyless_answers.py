"""What a device, the log and `doctor` are told of each fault in an answer of Google's.

python keyless_answers.py DAEMON

`differences` names the rows in which one of them was told something else, `found` where a secret was written.
"""
import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True

import loopback_accounts as names  # noqa: E402
from daemon_process import Daemon  # noqa: E402
from google_auth_checks import environment  # noqa: E402
from keyless_canary import ask, CANARIES, forms, search, secrets  # noqa: E402
from loopback_process import Loopback  # noqa: E402
from outcome import report, require  # noqa: E402

ENDING = "tokens cannot be signed"
LONGEST, SHARES = 60, 4
SIGN, KEYS, METADATA, STS, IMPERSONATE = ":signJwt", "/jwk/", "/computeMetadata/", "/v1/token", ":generateAccessToken"
USER, MACHINE, FEDERATED = "authorized_user", "metadata_server", "external_file_text"
IMPERSONATED = "external_impersonated"
FLAVOR, TYPE, JSON = "answered without Metadata-Flavor: Google", "content type", "something other than JSON"
CUT, QUOTA, EXPIRED = "did not answer in full: ", "RATE_LIMIT_EXCEEDED", "ACCESS_TOKEN_EXPIRED"
# A fault, the credentials of google_auth_checks.py, the path that it changes; then the step of doctor that fails, and a
# part of what log and doctor say. Without a step, the device gets its token and doctor finds all well.
ROWS = [
    ("wrong_flavor", MACHINE, METADATA, "access_token", FLAVOR, FLAVOR),
    ("wrong_flavor", MACHINE, "", "credentials", FLAVOR, FLAVOR),
    # Google's clients do not look at it either.
    ("wrong_content_type", USER, "/token", None, None, None),
    ("wrong_content_type", USER, SIGN, "signing", TYPE, TYPE),
    ("wrong_content_type", USER, KEYS, "published_keys", TYPE, TYPE),
    ("expired_token", USER, SIGN, "signing", EXPIRED, EXPIRED),
    ("expired_token", IMPERSONATED, IMPERSONATE, "access_token", EXPIRED, EXPIRED),
    ("too_many_requests", USER, SIGN, "signing", QUOTA, QUOTA),
    ("too_many_requests", USER, "/token", "access_token", QUOTA, QUOTA),
    ("too_many_requests", MACHINE, METADATA, "access_token", QUOTA, QUOTA),
    ("too_many_requests", USER, KEYS, "published_keys", "status 429", "status 429"),
    ("slow", USER, "", None, None, None),
    ("slow", MACHINE, METADATA, None, None, None),
    ("cut_off", USER, SIGN, "signing", CUT, CUT),
    ("cut_off", USER, "/token", "access_token", CUT, CUT),
    ("cut_off", USER, KEYS, "published_keys", CUT, CUT),
    ("cut_off", MACHINE, METADATA, "access_token", CUT, CUT),
    ("cut_off", FEDERATED, STS, "access_token", CUT, CUT),
    ("garbage", USER, SIGN, "signing", JSON, JSON),
    ("garbage", USER, "/token", "access_token", JSON, JSON),
    ("garbage", USER, KEYS, "published_keys", "a bad key set", "a bad key set"),
    ("garbage", MACHINE, METADATA, "access_token", JSON, JSON),
    ("garbage", FEDERATED, STS, "access_token", JSON, JSON),
    ("garbage", IMPERSONATED, IMPERSONATE, "access_token", JSON, JSON),
]
# What the faults need; a client must be told the seconds of a quota.
NEEDS = {"too_many_requests": {"seconds": 4}, "slow": {"milliseconds": 500}}


class Trial:
    """One row: the daemon with the fault, then without it, and doctor with it."""

    def __init__(self, binary, row, loopback, folder):
        self.binary, self.row, self.loopback = binary, row, loopback
        self.config, self.log = Path(folder, "token-provider.yaml"), Path(folder, "log")
        self.log.unlink(missing_ok=True)
        self.environment = environment(row[1], loopback, folder)
        self.config.write_text(
            "callers: none\nlisten: 127.0.0.1:0\nadmin: {listen: []}\ncredentials: application_default\n"
            f"sign_as: {names.DRIVER}\ngoogle: {{iam_credentials: '{loopback.url}', keys: '{loopback.url}'}}\n"
            "credentials_allowed_hosts: [127.0.0.1]\nkinds: {enabled: [driver]}\n")
        self.asked, self.differences, self.texts = 0, [], {}

    def expect(self, condition, sentence):
        if not condition:
            self.differences.append(f"{' '.join(self.row[:3])}: {sentence}")

    def ask(self, daemon):
        self.asked += 1
        status, answer = ask(f"{daemon.url}/token?vehicleID=vehicle-{self.asked}")
        if status != 200:
            self.texts["answer"] = answer
        return status, answer

    def run(self):
        fault, _, path, step, said, diagnosed = self.row
        self.loopback.forget()
        self.loopback.faults({"fault": fault, "path": path} | NEEDS.get(fault, {}))
        with Daemon(self.binary, self.config, self.log, environment=self.environment) as daemon:
            status, answer = self.ask(daemon)
            self.expect(status == (503 if step else 200), f"the device got {status}")
            if step:
                self.check_refusal(daemon, answer, said)
            self.check_doctor(step, diagnosed)
            self.loopback.faults()
            self.wait(lambda: self.ask(daemon)[0] == 200, "no token without the fault")
            daemon.end()
        self.texts["log"] = self.log.read_text()
        self.expect(step or ENDING not in self.texts["log"], "the log has an outage")
        sent = [value for each in self.loopback.recorded() for value in secrets(each).values()]
        canaries = CANARIES + sorted({form for value in sent for form in forms(value)})
        return self.differences, search(self.texts, canaries)

    def check_refusal(self, daemon, answer, said):
        wait = dict(line.lower().split(": ", 1) for line in answer.splitlines() if ": " in line).get("retry-after", "")
        exact = str(NEEDS["too_many_requests"]["seconds"]) if self.row[::2][:2] == ("too_many_requests", SIGN) else wait
        self.expect(wait.isdecimal() and wait == exact, f"Retry-After is {wait}")
        # One failure may be an accident; the log has a line once there are more.
        self.wait(lambda: ENDING in self.log.read_text() or self.ask(daemon)[0] == 200, "the log has no outage")
        lines = [line for line in self.log.read_text().splitlines() if ENDING in line]
        self.expect(len(lines) == 1 and said in lines[0], f"the log says {lines}")

    def check_doctor(self, step, diagnosed):
        command = [self.binary, "doctor", "--json", "--config", str(self.config)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=LONGEST)
        self.texts["doctor"] = done.stdout + done.stderr
        steps = json.loads(done.stdout)["kinds"][0]["steps"]
        failed = {each["step"]: each["detail"] for each in steps if each["outcome"] == "failed"}
        self.expect(done.returncode == (1 if step else 0), f"doctor ended with {done.returncode}")
        self.expect(list(failed) == ([step] if step else []), f"doctor failed in {list(failed)}")
        self.expect(not step or diagnosed in failed.get(step, ""), f"doctor says {failed}")

    def wait(self, condition, sentence):
        deadline = time.monotonic() + LONGEST
        while not condition():
            require(time.monotonic() < deadline, f"{' '.join(self.row[:3])}: {sentence}: {self.log.read_text()}")
            time.sleep(0.1)


def run(rows):
    """Rows take their time with waiting, so that a few at a time do not disturb each other."""
    with tempfile.TemporaryDirectory() as folder, Loopback("--files", folder) as loopback:
        return [Trial(sys.argv[1], row, loopback, folder).run() for row in rows]


def main():
    with ThreadPoolExecutor(SHARES) as pool:
        results = sum(pool.map(run, [ROWS[share::SHARES] for share in range(SHARES)]), [])
    require(len(results) == 24, f"{len(results)} rows")
    wrong = [each for each in results if any(each)]
    require(not wrong, f"differences, and secrets that were found: {wrong}")


if __name__ == "__main__":
    report(main)
