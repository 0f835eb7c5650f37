"""Writes the files of Application Default Credentials that an installed gcloud writes, with its own code and offline.

python gcloud_forms.py FOLDER

Files of external accounts come from `create-cred-config`; those of a login, which needs a browser, from the code that
stores them once somebody has logged in. It prints the paths by name.
"""
import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from outcome import report, require  # noqa: E402

POOL = "projects/1/locations/global/workloadIdentityPools/p/providers/q"
EMAIL = "driver-tokens@my-fleet.iam.gserviceaccount.com"
CONFIGS = {
    "file": ["--credential-source-file=/run/token"],
    "file_json": [
        "--credential-source-file=/run/token", "--credential-source-type=json",
        "--credential-source-field-name=access_token"],
    "url": ["--credential-source-url=https://sts.googleapis.com/token", "--credential-source-headers=X-Source=loopback"],
    "impersonated": ["--credential-source-file=/run/token", f"--service-account={EMAIL}"],
    "aws": ["--aws"],
    "aws_session": ["--aws", "--enable-imdsv2", f"--service-account={EMAIL}"],
}
# Runs in gcloud's own Python.
LOGIN = """
import sys
lib, folder = sys.argv[1:]
sys.path[:0] = [lib, lib + "/third_party"]
from google.oauth2 import credentials
from googlecloudsdk.core.credentials import creds
user = credentials.Credentials(
    None, refresh_token="1//canary", token_uri="https://oauth2.googleapis.com/token", client_id="1.apps.example",
    client_secret="canary")
creds.ADC(user).DumpADCToFile(folder + "/login.json")
creds.ADC(user).DumpExtendedADCToFile(folder + "/login_quota.json", quota_project="my-fleet")
creds.ADC(user, "%s", ["first@my-fleet.iam.gserviceaccount.com"]).DumpADCToFile(folder + "/login_impersonated.json")
""" % EMAIL


def run(command, environment):
    """What it prints; its errors appear among those of this client."""
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    require(done.returncode == 0, f"{' '.join(command[:4])} ended with status {done.returncode}")
    return done.stdout.strip()


def main():
    folder = Path(sys.argv[1])
    environment = os.environ | {"CLOUDSDK_CONFIG": str(folder / "gcloud"), "CLOUDSDK_CORE_DISABLE_PROMPTS": "1"}
    for name, options in CONFIGS.items():
        create = ["gcloud", "iam", "workload-identity-pools", "create-cred-config", POOL, *options]
        run([*create, f"--output-file={folder / name}.json"], environment)
    places = run(["gcloud", "info", "--format=value(basic.python_location,installation.sdk_root)"], environment)
    python, root = places.split("\t")
    run([python, "-c", LOGIN, f"{root}/lib", str(folder)], environment)
    return {path.stem: str(path) for path in sorted(folder.glob("*.json"))}


if __name__ == "__main__":
    report(main)
