"""Compares google-auth and the daemon: for each type of credentials, both get a token signed by the loopback server, with
the same file in the same environment, and must send the same requests.

python keyless_comparison.py DAEMON

The daemon's tokens also verify with PyJWT, by the keys that Google publishes and by those that the daemon publishes,
and pass `inspect`.
"""
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

sys.dont_write_bytecode = True

import jwt  # noqa: E402

import loopback_accounts as names  # noqa: E402
from daemon_process import Daemon  # noqa: E402
from google_auth_checks import CASES, check_comparison, environment  # noqa: E402
from loopback_process import Loopback  # noqa: E402
from loopback_records import compare  # noqa: E402
from outcome import PATIENCE, report, require  # noqa: E402

AUDIENCE = "https://fleetengine.googleapis.com/"


# Impersonated accounts that sign for themselves: who asks for the signature.
OWN = {"impersonated_user": names.PERSON, "impersonated_delegates": names.KEY_HOLDER}


def account(case, own=False):
    """The account that signs. A machine's own is not named: both clients ask the metadata server for it."""
    return names.DRIVER if CASES[case][0] and not own else CASES[case][1]


def google_auth(case, loopback, folder, own):
    """Runs in a process of its own, since the library reads the environment."""
    import google_auth_case
    variables = environment(case, loopback, folder)
    os.environ.clear()
    os.environ.update(variables)
    sys.argv = ["google_auth_case.py", loopback.url, account(case, own)] + ["--own"] * own
    google_auth_case.main()


def requests_of_google_auth(case, loopback, folder, own):
    child = multiprocessing.get_context("fork").Process(target=google_auth, args=(case, loopback, folder, own))
    child.start()
    child.join()
    require(child.exitcode == 0, f"{case}: google-auth failed")


def requests_of_daemon(case, loopback, folder, own, binary):
    config = Path(folder, "token-provider.yaml")
    sign_as = f"sign_as: {account(case)}\n" if CASES[case][0] and not own else ""
    config.write_text(
        f"callers: none\nlisten: 127.0.0.1:0\nadmin: {{listen: '127.0.0.1:0'}}\ncredentials: application_default\n"
        f"{sign_as}google: {{iam_credentials: '{loopback.url}', keys: '{loopback.url}'}}\n"
        "credentials_allowed_hosts: [127.0.0.1]\n")
    variables = environment(case, loopback, folder)
    with Daemon(binary, config, Path(folder, "daemon.log"), environment=variables) as daemon:
        token = fetched(f"{daemon.url}/token?vehicleID=vehicle-1")["VEHICLE_TOKEN_KEY"]
        keys = fetched(f"{daemon.admin}/.well-known/jwks.json")
    signer = account(case, own)
    check_token(case, signer, token, [keys, fetched(f"{loopback.url}/service_accounts/v1/jwk/{signer}")])
    check_inspection(case, token, keys, folder, binary)


def fetched(url):
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return json.load(answer)


def check_token(case, signer, token, key_sets):
    kid = jwt.get_unverified_header(token)["kid"]
    for keys in key_sets:
        [key] = [each for each in jwt.PyJWKSet.from_dict(keys).keys if each.key_id == kid]
        claims = jwt.decode(token, key, algorithms=["RS256"], audience=AUDIENCE, issuer=signer)
        require(claims["authorization"] == {"vehicleid": "vehicle-1"}, f"{case}: the token has {claims}")


def check_inspection(case, token, keys, folder, binary):
    published = Path(folder, "published.json")
    published.write_text(json.dumps(keys))
    done = subprocess.run([binary, "inspect", "--key", published, token], capture_output=True, text=True)
    require(done.returncode == 0, f"{case}: inspect refuses the token: {done.stdout}{done.stderr}")


def recorded(send, case, loopback, folder, own, *arguments):
    loopback.forget()
    send(case, loopback, folder, own, *arguments)
    requests = loopback.recorded()
    refused = [f"{each['method']} {each['path']} {each['status']}" for each in requests if each["status"] != 200]
    require(not refused, f"{case}: refused requests: {refused}")
    signers = {each["notes"].get("signed_for") for each in requests if each["path"].endswith(":signJwt")}
    require(signers == {OWN[case] if own else CASES[case][1]}, f"{case}: the tokens were signed for {signers}")
    return requests


def main():
    binary, differences = sys.argv[1], {}
    with tempfile.TemporaryDirectory() as folder, Loopback("--files", folder) as loopback:
        # The library reads them when it is imported, which is done once, as it takes long.
        os.environ["GCE_METADATA_HOST"] = os.environ["GCE_METADATA_IP"] = f"127.0.0.1:{loopback.port}"
        import google_auth_case  # noqa: F401
        cases = [(case, False) for case in CASES] + [(case, True) for case in OWN]
        for case, own in cases:
            expected = recorded(requests_of_google_auth, case, loopback, folder, own)
            check_comparison(expected)
            found = compare(expected, recorded(requests_of_daemon, case, loopback, folder, own, binary))
            if any(found.values()):
                differences[f"{case}, own: {own}"] = found
    require(len(cases) == 21 and not differences, f"{len(cases)} cases, differences: {differences}")


if __name__ == "__main__":
    report(main)
