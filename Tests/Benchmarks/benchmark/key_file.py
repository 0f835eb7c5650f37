"""A service-account key file as Google issues them, with an RSA-2048 key made by openssl for this run only."""
import json
import os
import subprocess


def make(path):
    made = subprocess.run(
        ["openssl", "genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
        capture_output=True, text=True)
    if made.returncode != 0:  # OpenSSL before 3.0 does not know -quiet
        made = subprocess.run(
            ["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
            capture_output=True, text=True, check=True)
    account = {
        "type": "service_account",
        "project_id": "benchmark",
        "private_key_id": "0123456789abcdef0123456789abcdef01234567",
        "private_key": made.stdout,
        "client_email": "benchmark@benchmark.iam.gserviceaccount.com",
        "token_uri": "https://oauth2.googleapis.com/token",
    }
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(account, file)
    return path
