"""Runs the commands of a page in the order in which they stand, where the names of its example are this machine's.

unshare --map-root-user --net --mount python documented_commands.py FOLDER PROGRAM CERTIFICATE KEY AUTHORITY < PAGE

PAGE is JSON: `blocks`, each a list of language and text; the `provider`, a name of loopback_provider.py; its `issuer`;
and `tokens`, claims by the names of files. A server runs until the next one begins. It prints each sh block's output.
"""
import fcntl
import json
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import time
import urllib.parse
import urllib.request
import ssl

sys.dont_write_bytecode = True

SERVER = re.compile(r"^\S*token-provider (serve|demo)\b")
HOSTS = ["securetoken.google.com", "id.example.com", "tokens.example.com"]


def open_network(folder):
    """Only its own loopback interface, and the names of the examples there."""
    with socket.socket() as anything:
        up = 1
        fcntl.ioctl(anything, 0x8914, struct.pack("16sh", b"lo", up))  # SIOCSIFFLAGS
    hosts = folder / "hosts"
    hosts.write_text(f"127.0.0.1 localhost {' '.join(HOSTS)}\n")
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)


class Page:
    def __init__(self, folder, program, authority):
        self.folder = folder
        for place in ("bin", ".build/release"):
            (folder / place).mkdir(parents=True)
            (folder / place / "token-provider").symlink_to(program)
        own = {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "CURL_CA_BUNDLE": authority,
            "TOKEN_PROVIDER_OUTGOING_CA_FILE": authority,
        }
        self.environment = os.environ | own
        self.environment.pop("TOKEN_PROVIDER_ADMIN_LISTEN", None)  # Here its usual address is free.
        self.server = None
        self.outputs = []

    def write(self, text):
        """A configuration is a file if it says so; one that ends plain listeners is put in the place of that file's."""
        file = self.folder / "token-provider.yaml"
        if text.startswith("# token-provider.yaml\n"):
            file.write_text(text)
        elif "listen: []\n" in text:
            kept = [line for line in file.read_text().splitlines() if not line.startswith("listen:")]
            file.write_text("\n".join(kept) + f"\n{text}")

    def run(self, text):
        lines = text.splitlines()
        servers = [line for line in lines if SERVER.match(line)]
        if servers:
            assert servers == lines[-1:], f"commands after a server in one block: {text}"
            lines.pop()
        script = "\n".join(["set -euo pipefail"] + lines)
        done = subprocess.run(["bash", "-c", script], **self.options(stdout=subprocess.PIPE, text=True))
        if done.returncode != 0:
            sys.exit(f"status {done.returncode}: {text}\n{done.stdout}")
        self.outputs.append(done.stdout)
        if servers:
            self.serve(servers[0])

    def serve(self, line):
        self.end()
        log = self.folder / "server.log"
        with open(log, "wb") as file:
            self.server = subprocess.Popen(["bash", "-c", f"exec {line}"], **self.options(stdout=file))
        deadline = time.monotonic() + 600
        while b"listening on" not in log.read_bytes():
            if self.server.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"it does not listen: {line}\n{log.read_text()}")
            time.sleep(0.05)
        self.outputs[-1] += log.read_text()

    def options(self, **others):
        fixed = {"cwd": self.folder, "env": self.environment, "stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
        return fixed | others

    def end(self):
        if self.server:
            self.server.terminate()
            self.server.wait()


def start_provider(name, issuer, certificate, key):
    """The provider's process, and what signs claims as it does."""
    url = urllib.parse.urlsplit(issuer)
    script = pathlib.Path(__file__).with_name("loopback_provider.py")
    process = subprocess.Popen(
        [sys.executable, script, name, url.path, certificate, key, url.netloc], stdout=subprocess.PIPE)
    process.stdout.readline()

    def sign(claims):
        context = ssl.create_default_context(cafile=sys.argv[5])
        body = json.dumps({"iss": issuer, "sub": "user-1"} | claims).encode()
        with urllib.request.urlopen(f"https://{url.netloc}/token?key=0", body, context=context) as answer:
            return json.load(answer)["token"]

    return process, sign


def main():
    folder, (program, certificate, key, authority) = pathlib.Path(sys.argv[1]), sys.argv[2:]
    described = json.load(sys.stdin)
    open_network(folder)
    process, sign = start_provider(described["provider"], described["issuer"], certificate, key)
    page = Page(folder, program, authority)
    try:
        for name, claims in described["tokens"].items():
            (folder / name).write_text(sign(claims) + "\n")
            page.environment["ID_TOKEN"] = sign(claims)
        for language, text in described["blocks"]:
            page.write(text) if language == "yaml" else page.run(text)
    finally:
        page.end()
        process.terminate()
    print(json.dumps({"outputs": page.outputs}))


main()
