"""A certificate with which the loopback server speaks TLS, and with it HTTP/2."""
import subprocess
from pathlib import Path


def certify(folder):
    """The paths of a new certificate for 127.0.0.1, which is its own authority, and of its key."""
    certificate, key = Path(folder, "google.pem"), Path(folder, "google.key")
    command = ["openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=loopback", "-keyout", key]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-newkey", "rsa:2048", "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key
