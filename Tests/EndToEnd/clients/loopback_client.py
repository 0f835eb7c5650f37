"""Asks the loopback server as a client of Google would, for the checks of the server itself."""
import json
import time
import urllib.parse

import loopback_accounts as names
from outcome import require

FORM, JSON = {"Content-Type": "application/x-www-form-urlencoded"}, {"Content-Type": "application/json"}
FLAVOR = {"Metadata-Flavor": "Google"}
METADATA = "/computeMetadata/v1/instance/service-accounts/default"
KEYS = "/service_accounts/v1/jwk/"
TRIP = f"/v1/providers/{names.PROJECT}/trips/trip-1"
FLEET_ENGINE = "https://fleetengine.googleapis.com/"


class Client:
    """Asks the server as a client would; each method returns status, headers and body."""

    def __init__(self, loopback):
        self.loopback = loopback
        self.ask, self.faults = loopback.ask, loopback.faults

    def metadata(self, leaf="token", headers=FLAVOR):
        return self.ask("GET", f"{METADATA}/{leaf}", headers=headers)

    def access_token(self):
        return json.loads(self.metadata()[2])["access_token"]

    def grant(self, path, **form):
        return self.ask("POST", path, urllib.parse.urlencode(form), FORM)

    def call(self, method, body, account=names.DRIVER, token=None):
        headers = JSON | {"Authorization": f"Bearer {token or self.access_token()}"}
        return self.ask("POST", f"/v1/projects/-/serviceAccounts/{account}:{method}", json.dumps(body), headers)

    def sign(self, account=names.DRIVER, token=None, delegates=(), **changes):
        body = {"payload": json.dumps(claims(account) | changes), "delegates": list(delegates)}
        return self.call("signJwt", body, account, token)

    def signed(self, **changes):
        return json.loads(self.sign(**changes)[2])["signedJwt"]

    def keys(self, account=names.DRIVER):
        return {key["kid"] for key in json.loads(self.ask("GET", KEYS + account)[2])["keys"]}

    def trip(self, token, path=TRIP):
        return self.ask("GET", path, headers={"Authorization": f"Bearer {token}"})


def claims(account):
    now = int(time.time())
    return {
        "iss": account, "sub": account, "aud": FLEET_ENGINE, "iat": now - 300, "exp": now + 3300,
        "authorization": {"tripid": "trip-1"},
    }


def expect(answer, status, text=""):
    found = answer[2].decode(errors="replace")
    require(answer[0] == status and text in found, f"{status} {text} expected: {answer[0]} {found}")


def error(answer):
    """Status, status name and reason of a Google API's error."""
    found = json.loads(answer[2])["error"]
    return answer[0], found["status"], found.get("details", [{}])[0].get("reason")


def expect_error(answer, *expected):
    require(error(answer) == expected, f"{expected} expected: {answer[0]} {answer[2]}")
