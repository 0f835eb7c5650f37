"""The daemon with every sort of caller and signer, the services that it asks, and an audit log on a disk of its own."""
import datetime
import ipaddress
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import loopback_accounts as names
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from daemon_process import Daemon
from loopback_process import Loopback

CLIENTS = Path(__file__).resolve().parents[2] / "EndToEnd" / "clients"
DISK_MEGABYTES = 32
# Renamed when it is larger, so that the disk is filled by faults alone.
AUDIT_FILE_BYTES = 4 << 20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service:
    """A service that the daemon asks, at a port that it keeps when it is started again."""

    def __init__(self, script, port):
        self.command = [sys.executable, "-B", str(CLIENTS / script), str(port)]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline())

    def restart(self):
        self.start()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Clock:
    """The daemon's clock, in seconds from the true one."""

    def __init__(self, folder):
        self.file = folder / "clock"
        self.lock, self.history = threading.Lock(), []
        self.set(0)

    def set(self, offset):
        with self.lock:
            # Both values count until the file has been replaced.
            self.history.append((time.monotonic(), offset))
            new = self.file.with_suffix(".new")
            new.write_text(f"{offset:+d}\n")
            new.rename(self.file)
            self.history.append((time.monotonic(), offset))
            del self.history[:-64]

    def range(self, since):
        """The smallest and the largest offset that were valid at or after a moment."""
        with self.lock:
            before = [offset for moment, offset in self.history if moment <= since]
            after = [offset for moment, offset in self.history if moment > since]
        valid = before[-1:] + after
        return min(valid), max(valid)

    @property
    def environment(self):
        library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        return {
            "LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }


class Scene:
    def __init__(self, folder, binary):
        self.folder, self.binary = folder, binary
        self.disk, self.archive = folder / "disk", folder / "archive"
        self.log, self.configuration = folder / "daemon.log", folder / "token-provider.yaml"
        self.audit, self.archived, self.unread = self.disk / "audit", [], []
        # Held while the disk is full or a file is renamed.
        self.disk_lock = threading.Lock()
        self.configuration_lock = threading.Lock()
        self.services, self.daemon = {}, None

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        for path in (self.disk, self.archive):
            path.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m,mode=0700", "audit", self.disk], check=True)
        self.clock = Clock(self.folder)
        self.services["identity provider"] = self.providers = Service("key_server.py", free_port())
        self.services["back end"] = self.back_end = Service("back_end.py", free_port())
        google_files = self.folder / "google"
        google_files.mkdir()
        self.services["Google"] = self.google = Loopback(
            "--files", google_files, "--stored", self.folder / "google-keys.json")
        self.write_key()
        self.write_certificate()
        made = subprocess.run(
            [self.binary, "api-key", "new", "--json", "chaos"], capture_output=True, text=True, check=True)
        self.api_key, line = (json.loads(made.stdout)[name] for name in ("key", "line"))
        self.write(self.folder / "api-keys", line + "\n")
        self.ports = {"admin": free_port(), "plain": free_port(), "secure": free_port()}
        self.configure()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TOKEN_PROVIDER_")}
        # Swift finds no arguments in a program with a preloaded faketime; without any, the daemon serves.
        environment |= {"TOKEN_PROVIDER_CONFIG": str(self.configuration)} | self.clock.environment
        environment |= {"SWIFT_BACKTRACE": "enable=no", "LIBDISPATCH_LOG": "NO"}
        self.daemon = Daemon(self.binary, self.configuration, self.log, environment=environment)
        self.process = self.daemon.process.pid

    def __exit__(self, *_):
        if self.daemon:
            self.daemon.__exit__()
        else:
            print(self.log.read_text() if self.log.exists() else "the daemon was not started", end="")
        for service in self.services.values():
            service.kill()
        subprocess.run(["umount", self.disk], check=False)

    @staticmethod
    def write(path, text):
        """Replaces a secret file whole, as the daemon may read it at any moment."""
        new = path.with_name(path.name + ".new")
        new.touch(mode=0o600)
        new.write_text(text)
        new.rename(path)

    def write_key(self):
        key = rsa.generate_private_key(65537, 2048).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        self.write(self.folder / "key.json", json.dumps({
            "type": "service_account", "client_email": "chaos@chaos.iam.gserviceaccount.com", "private_key_id": "chaos",
            "private_key": key.decode()}))

    def write_certificate(self):
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
        now, days = datetime.datetime.now(datetime.timezone.utc), datetime.timedelta(days=2)
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - days).not_valid_after(now + 20 * days)
            .add_extension(x509.SubjectAlternativeName([
                x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
            .sign(key, hashes.SHA256()))
        own = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        # One file, so that a reload never sees a certificate and another's key.
        self.write(self.folder / "tls.pem", own.decode() + certificate.public_bytes(serialization.Encoding.PEM).decode())

    def configure(self, lifetime="1h", more=""):
        folder, issuer, google = self.folder, f"http://127.0.0.1:{self.providers.port}", self.google.url
        self.configuration.write_text(f"""
listen: 127.0.0.1:{self.ports["plain"]}
admin: {{listen: "127.0.0.1:{self.ports["admin"]}"}}
tls:
  listen: 127.0.0.1:{self.ports["secure"]}
  certificates: [{{certificate: {folder}/tls.pem, key: {folder}/tls.pem}}]
credentials: {folder}/key.json
kinds:
  driver: {{credentials: {self.google.files["authorized_user"]}, sign_as: {names.DRIVER}}}
google: {{iam_credentials: '{google}', keys: '{google}'}}
credentials_allowed_hosts: [127.0.0.1]
token: {{lifetime: {lifetime}}}
cache: {{max_bytes: 2097152}}
limits: {{address_rate: 0, principal_rate: 0}}
issuers: [{{issuer: '{issuer}', audiences: [chaos], algorithms: [RS256], keys: '{issuer}/jwks'}}]
api_keys: {{file: {folder}/api-keys}}
forward_auth: {{url: 'http://127.0.0.1:{self.back_end.port}/allowed'}}
rules:
  - {{name: servers, kinds: [driver], api_keys: [chaos], ids: {{vehicleID: any}}}}
  - {{name: riders, kinds: [consumer], issuers: ['{issuer}'], ids: {{tripID: any}}}}
  - {{name: shipments, kinds: [delivery_consumer], forward_auth: true}}
audit: {{output: file, file: {self.audit}}}
{more}""")

    def reload(self):
        self.daemon.process.send_signal(signal.SIGHUP)

    def rotate(self):
        """Renames the audit log, has a new one begun, and moves the finished file off the disk."""
        renamed = self.disk / f"audit.{len(self.archived)}"
        self.audit.rename(renamed)
        deadline = time.monotonic() + 30
        while not (self.audit.exists() and self.audit.stat().st_size) and time.monotonic() < deadline:
            self.reload()
            time.sleep(0.5)
        self.keep(renamed)

    def keep(self, file):
        kept = self.archive / f"audit.{len(self.archived)}"
        shutil.move(file, kept)
        self.archived.append(kept)
        self.unread.append(kept)

    def finish_audit(self):
        """The last file, after the daemon has ended."""
        self.keep(self.audit)
