"""Checks that each fault of the loopback server occurs, and that it refuses what Google and AWS refuse.

python loopback_google_checks.py
"""
import http.client
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import loopback_accounts as names  # noqa: E402
import loopback_aws_checks  # noqa: E402
import loopback_faults  # noqa: E402
import loopback_refusal_checks  # noqa: E402
from loopback_client import Client, expect, expect_error, FLAVOR, FORM, METADATA  # noqa: E402
from loopback_fault_checks import FAULTS  # noqa: E402
from loopback_process import Loopback  # noqa: E402
from outcome import PATIENCE, report, require  # noqa: E402


def counts_and_shares(client):
    client.faults({"fault": "server_error", "requests": 2}, {"fault": "slow", "milliseconds": 1, "percent": 1})
    statuses = [client.metadata("email")[0] for _ in range(200)]
    require(statuses == [500, 500] + [200] * 198, "a fault for two requests applied to others")
    applied = client.loopback.control("GET", "/_faults")["faults"]
    require([each["applied"] for each in applied] == [2, 2], f"faults were applied otherwise: {applied}")
    client.faults({"fault": "server_error", "path": ":signJwt"})
    expect(client.metadata("email"), 200)
    client.faults()
    expect(client.sign(), 200)
    expect(client.ask("POST", "/_faults", '[{"fault": "unheard"}]'), 400, "one of slow")


def rotation(client):
    before, token = client.keys(), client.signed()
    for keep, published in ((True, 2), (False, 1)):
        client.loopback.control("POST", "/_rotate", {"account": names.DRIVER, "keep": keep})
        require(len(client.keys()) == published, f"{published} keys expected after a rotation")
        expect(client.trip(token), 404 if keep else 401)
    require(not before & client.keys(), "the rotated key is still published")
    expect(client.trip(client.signed()), 404)


def expiry(client):
    token = client.access_token()
    client.loopback.control("POST", "/_expire", {})
    expect_error(client.sign(token=token), 401, "UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED")
    expect(client.sign(), 200)


def records(client):
    client.loopback.forget()
    client.grant("/token", grant_type="refresh_token", client_id="unheard")
    [request] = client.loopback.recorded()
    require((request["method"], request["path"], request["status"]) == ("POST", "/token", 401), f"recorded: {request}")
    require(request["body"] == "grant_type=refresh_token&client_id=unheard", f"recorded: {request}")
    require(["content-type", FORM["Content-Type"]] in request["headers"], f"recorded: {request}")


SETTINGS = [counts_and_shares, rotation, expiry, records]


def check_restart(folder):
    """A server that starts again at the same port has the same keys, but knows none of the access tokens."""
    stored = Path(folder) / "keys.json"
    with Loopback("--stored", stored) as first:
        keys, token, port = Client(first).keys(), Client(first).access_token(), first.port
    with Loopback("--stored", stored, "--port", port) as second:
        require(Client(second).keys() == keys, "a restart changed the keys")
        expect_error(Client(second).sign(token=token), 401, "UNAUTHENTICATED", "ACCESS_TOKEN_TYPE_UNSUPPORTED")


def check_tls(folder):
    """The same server over TLS, at a certificate that the client trusts."""
    certificate, key = f"{folder}/certificate.pem", f"{folder}/key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=loopback", "-days", "1"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    with Loopback("--certificate", certificate, "--key", key) as loopback:
        context = ssl.create_default_context(cafile=certificate)
        connection = http.client.HTTPSConnection("127.0.0.1", loopback.port, timeout=PATIENCE, context=context)
        connection.request("GET", f"{METADATA}/email", headers=FLAVOR)
        answer = connection.getresponse()
        require((answer.status, answer.read().decode()) == (200, names.WORKLOAD), "the server does not answer over TLS")
        connection.close()


def main():
    checked = {check.__name__ for check in FAULTS}
    require(checked == set(loopback_faults.FAULTS), f"faults without a check: {set(loopback_faults.FAULTS) ^ checked}")
    checks = FAULTS + SETTINGS + loopback_refusal_checks.REFUSALS + loopback_aws_checks.REFUSALS
    with tempfile.TemporaryDirectory() as folder:
        with Loopback("--files", folder, "--key-lifetime", 77) as loopback:
            for check in checks:
                check(Client(loopback))
                loopback.faults()
        check_restart(folder)
        check_tls(folder)
    require((len(checked), len(checks)) == (25, 40), f"{len(checked)} faults and {len(checks)} checks")


if __name__ == "__main__":
    report(main)
