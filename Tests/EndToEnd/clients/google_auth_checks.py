"""Checks the loopback server with google-auth itself, for each type of credentials, and prints the requests that arrived.

python google_auth_checks.py [--raw FILE]

For each case it runs google_auth_case.py in the environment of the case. The printed requests are in canonical form;
--raw writes them as recorded, for loopback_records.py to compare with those of another client.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import google.auth  # noqa: E402

import loopback_accounts as names  # noqa: E402
import loopback_aws  # noqa: E402
from loopback_process import Loopback  # noqa: E402
from loopback_records import canonical, compare  # noqa: E402
from outcome import PATIENCE, report, require  # noqa: E402

FOLDER = Path(__file__).parent
USER_KEY, ROLE_KEY = sorted(loopback_aws.ACCESS_KEYS)
AWS_USER = {
    "AWS_REGION": loopback_aws.REGION, "AWS_ACCESS_KEY_ID": USER_KEY,
    "AWS_SECRET_ACCESS_KEY": loopback_aws.ACCESS_KEYS[USER_KEY][0],
}
AWS_SESSION = {
    "AWS_DEFAULT_REGION": loopback_aws.REGION, "AWS_ACCESS_KEY_ID": ROLE_KEY,
    "AWS_SECRET_ACCESS_KEY": loopback_aws.ACCESS_KEYS[ROLE_KEY][0],
    "AWS_SESSION_TOKEN": loopback_aws.ACCESS_KEYS[ROLE_KEY][1],
}
QUOTA = {"GOOGLE_CLOUD_QUOTA_PROJECT": "environment-project"}
# From a case to its credentials file (None: the metadata server), its principal, and what else is in its environment.
CASES = {
    "service_account": ("service_account", names.KEY_HOLDER, {}),
    "authorized_user": ("authorized_user", names.PERSON, {}),
    "external_file_text": ("external_file_text", names.FEDERATED, {}),
    "external_file_json": ("external_file_json", names.FEDERATED, {}),
    "external_url_text": ("external_url_text", names.FEDERATED, {}),
    "external_url_json": ("external_url_json", names.FEDERATED, {}),
    "external_client": ("external_client", names.FEDERATED, {}),
    "external_impersonated": ("external_impersonated", names.WORKLOAD, {}),
    "aws_environment": ("aws_environment", names.AWS_USER, AWS_USER),
    "aws_environment_session": ("aws_environment", names.AWS_PRINCIPAL, AWS_SESSION),
    "aws_instance": ("aws_instance", names.AWS_PRINCIPAL, {}),
    "aws_instance_impersonated": ("aws_instance_impersonated", names.WORKLOAD, {}),
    "impersonated_user": ("impersonated_user", names.WORKLOAD, {}),
    "impersonated_delegates": ("impersonated_delegates", names.CHAINED, {}),
    "metadata_server": (None, names.WORKLOAD, {}),
    "quota_service_account": ("service_account", names.KEY_HOLDER, QUOTA),
    "quota_external_impersonated": ("external_impersonated", names.WORKLOAD, QUOTA),
    "quota_impersonated_user": ("impersonated_user", names.WORKLOAD, QUOTA),
    "quota_metadata_server": (None, names.WORKLOAD, QUOTA),
}


def environment(case, loopback, home):
    """The environment in which a client finds the credentials of a case, and no others."""
    file, _, variables = CASES[case]
    host = f"127.0.0.1:{loopback.port}"
    found = {"GOOGLE_APPLICATION_CREDENTIALS": loopback.files[file]} if file else {}
    metadata = {} if file else {"GCE_METADATA_HOST": host, "GCE_METADATA_IP": host}
    return {"PATH": os.environ["PATH"], "HOME": str(home)} | found | metadata | variables


def run(case, loopback, home, *options):
    """What the library reports, and the requests that it sent."""
    loopback.forget()
    command = [sys.executable, str(FOLDER / "google_auth_case.py"), loopback.url, names.DRIVER, *options]
    done = subprocess.run(command, env=environment(case, loopback, home), capture_output=True, text=True, timeout=PATIENCE)
    require(done.returncode == 0, f"{case}: {done.stderr.strip().splitlines()[-1:]}")
    requests = loopback.recorded()
    refused = [f"{each['method']} {each['path']} {each['status']}" for each in requests if each["status"] != 200]
    require(not refused, f"{case}: refused requests: {refused}")
    return json.loads(done.stdout), requests


def check(case, loopback, home):
    facts, requests = run(case, loopback, home)
    signers = {each["notes"].get("signed_for") for each in requests if each["path"].endswith(":signJwt")}
    require(signers == {CASES[case][1]}, f"{case}: the tokens were signed for {signers}")
    again = run(case, loopback, home)[1]
    differences = compare(requests, again)
    require(not any(differences.values()), f"{case}: two equal runs differ: {differences}")
    blobs = run(case, loopback, home, "--blobs")[0]
    return facts | {"ways": blobs["ways"]}, requests


def check_ping(loopback, home):
    """The library's own test for a machine of Google's accepts the loopback server."""
    script = (
        "import google.auth.transport.requests as requests, google.auth.compute_engine._metadata as metadata\n"
        "print(metadata.ping(requests.Request()))")
    variables = environment("metadata_server", loopback, home)
    done = subprocess.run([sys.executable, "-c", script], env=variables, capture_output=True, text=True)
    require(done.stdout.strip() == "True", f"google-auth does not take the server for a metadata server: {done.stderr}")


def check_comparison(requests):
    """Each change that matters to a server shows as a difference; another User-Agent does not."""
    [sent] = [request for request in requests if request["path"].endswith(":signJwt")]
    others = [request for request in requests if request is not sent]
    changes = [
        {"method": "PUT"}, {"path": sent["path"] + "?x=1"}, {"body": '{"payload": "{}"}'}, {"headers": []},
        {"notes": {"token_of": "another principal"}},
        {"headers": sent["headers"] + [["X-Goog-User-Project", "another"]]},
    ]
    for change in changes:
        found = compare(requests, others + [sent | change])
        require(all(len(each) == 1 for each in found.values()), f"the comparison does not see {change}")
    found = compare(requests, others + [sent | {"headers": sent["headers"] + [["User-Agent", "another"]]}])
    require(not any(found.values()), f"the comparison sees another User-Agent: {found}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--raw")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Loopback("--files", folder) as loopback:
        check_ping(loopback, folder)
        found = {case: check(case, loopback, folder) for case in CASES}
    for _, requests in found.values():
        check_comparison(requests)
    if options.raw:
        Path(options.raw).write_text(json.dumps({case: requests for case, (_, requests) in found.items()}))
    require(len(found) == 19, f"{len(found)} cases")
    return {
        "library": f"google-auth {google.auth.__version__}",
        "cases": {case: facts for case, (facts, _) in found.items()},
        "requests": {case: canonical(requests) for case, (_, requests) in found.items()},
    }


if __name__ == "__main__":
    report(main)
