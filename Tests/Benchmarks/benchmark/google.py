"""Google on this machine (load/signer.c) for daemons without a key file: it signs, publishes keys and is a metadata server."""
import json
import signal
import subprocess
from pathlib import Path

from .bench import CLIENT_CORE
from .http_connection import HTTPConnection
from .unmeasured import Unmeasured

SOURCE = Path(__file__).resolve().parent.parent / "load" / "signer.c"
LIBRARIES = ["-lnghttp2", "-lssl", "-lcrypto"]


class Google:
    """`with Google(bench) as google:`; `settings` and `variables` are for a daemon."""

    def __init__(self, bench):
        self.bench = bench
        self.certificate, key = make_certificate(bench)
        self.command = [compile_signer(bench), self.certificate, key]

    def __enter__(self):
        self.child = self.bench.children.start(
            self.command, CLIENT_CORE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.secure_port, self.port = map(int, self.child.stdout.readline().split())
        self.process = self.child.pid
        return self

    def __exit__(self, *_):
        if self.child in self.bench.children.running:
            self.bench.children.stop(self.child)

    def settings(self, **token):
        """The quota is set aside, unless a measurement sets one."""
        url = f"https://127.0.0.1:{self.secure_port}"
        return {
            "credentials": "application_default", "google": {"iam_credentials": url, "keys": url},
            "outgoing": {"ca_file": str(self.certificate)}, "signing": {"quota": 10_000_000},
        } | ({"token": token} if token else {})

    @property
    def variables(self):
        # No file of credentials comes before the metadata server.
        return {"GCE_METADATA_HOST": f"127.0.0.1:{self.port}", "HOME": str(self.bench.directory)}

    def figures(self):
        with HTTPConnection(self.port) as connection:
            return json.loads(connection.get("/figures").body)

    def fail(self, fails):
        """Begins or ends an outage, in which each call is answered with 503."""
        self.child.send_signal(signal.SIGUSR1 if fails else signal.SIGUSR2)


def make_certificate(bench):
    certificate, key = bench.directory / "google.pem", bench.directory / "google.key"
    command = ["openssl", "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-days", "60", "-subj", "/CN=Google"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


def compile_signer(bench):
    signer = bench.directory / "signer"
    try:
        subprocess.run(["cc", "-O2", "-o", signer, SOURCE, *LIBRARIES], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unmeasured(
            f"{SOURCE.name} was not compiled (expected cc, libssl-dev and libnghttp2-dev): {error}") from error
    return signer
