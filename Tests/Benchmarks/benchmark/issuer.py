"""An identity provider: its key set in a file, and as many callers' tokens as a measurement needs."""
import base64
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

from . import key_file, libcrypto
from .bench import CLIENT_CORE, SERVER_CORE
from .command import output

NAME = "https://id.benchmark.example"
AUDIENCE = "token-provider"
LIFETIME_SECONDS = 24 * 3600


class Issuer:
    """Two issuers with different labels have different keys with the same names: one can pose as the other."""

    def __init__(self, bench, label="issuer"):
        account = key_file.make(bench.directory / f"{label}.json")
        self.key_set = bench.directory / f"{label}-keys.json"
        self.key_set.write_text(output([bench.binary, "jwks", "--credentials", account]))
        values = json.loads(account.read_text())
        armour = values["private_key"].strip().splitlines()
        self.key = libcrypto.Key(base64.b64decode("".join(armour[1:-1])))
        self.header = encoded({"alg": "RS256", "typ": "JWT", "kid": values["private_key_id"]})

    def bearers(self, count, claims=lambda number: {}):
        """Values of Authorization, each of a different caller; `claims` adds claims to the caller's token."""
        # No server is being measured at this time, so both cores may sign.
        with ThreadPoolExecutor(2, initializer=os.sched_setaffinity, initargs=(0, {SERVER_CORE, CLIENT_CORE})) as pool:
            return list(pool.map(lambda number: self.bearer(number, claims(number)), range(count)))

    def bearer(self, number, claims):
        now = int(time.time())
        standard = {
            "iss": NAME, "aud": AUDIENCE, "sub": f"caller-{number}", "iat": now, "exp": now + LIFETIME_SECONDS}
        signed = self.header + b"." + encoded(standard | claims)
        return f"Bearer {(signed + b'.' + base64url(self.key.sign(signed))).decode()}"


def encoded(value):
    return base64url(json.dumps(value, separators=(",", ":")).encode())


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")
