"""A running token-provider with a configuration made for the measurement."""
import json
import os
import socket
import subprocess
import time

from . import key_file
from .children import name
from .http_connection import HTTPConnection
from .unmeasured import Unmeasured

READY_SECONDS = 10
# One event loop, as nginx has one worker; connection limits that no measurement reaches; no log line per request.
DEFAULTS = {
    "callers": "none",
    "http": {"loops": 1, "max_connections": 16384, "max_connections_per_address": 16384},
    "log": {"level": "error", "access": False},
}


class Daemon:
    """`with Daemon(bench, {"log": {...}}) as daemon:`; the given sections replace those of DEFAULTS."""

    def __init__(self, bench, settings=None, log=None, is_watched=False, variables=None):
        """`log` is the open file for standard error; a watched daemon has an admin listener; `variables` are added to the
        environment."""
        self.bench = bench
        self.port = free_port()
        self.configuration = write_configuration(bench, self.port, settings or {})
        self.errors = bench.directory / f"token-provider-{self.port}.log"
        self.log = log
        self.admin_port = free_port() if is_watched else None
        self.variables = environment(self.admin_port) | (variables or {})

    @property
    def command(self):
        return [self.bench.binary, "serve", "--config", self.configuration]

    def __enter__(self):
        with open(self.errors, "wb") as errors:
            self.child = self.bench.children.start(
                self.command, self.bench.server_cores, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=self.log or errors, env=self.variables)
        self.process = self.child.pid
        try:
            wait_until_ready(self.port, self.child)
        except Unmeasured as problem:
            raise Unmeasured(f"{problem}; it said: {self.errors.read_text().strip() or 'nothing'}") from problem
        return self

    def __exit__(self, *_):
        if self.child in self.bench.children.running:
            self.bench.children.stop(self.child)


def environment(admin_port=None):
    """The environment without the operator's TOKEN_PROVIDER_ variables, which would override the configuration file."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TOKEN_PROVIDER_")}
    kept.pop("GOOGLE_APPLICATION_CREDENTIALS", None)
    admin = f"127.0.0.1:{admin_port}" if admin_port else ""
    return kept | {"TOKEN_PROVIDER_ADMIN_LISTEN": admin, "SWIFT_BACKTRACE": "enable=no", "LIBDISPATCH_LOG": "NO"}


def write_configuration(bench, port, settings):
    key = bench.directory / "key.json"
    if not key.exists():
        key_file.make(key)
    file = bench.directory / f"token-provider-{port}.yaml"
    file.write_text(yaml(DEFAULTS | {"listen": f"127.0.0.1:{port}", "credentials": str(key)} | settings))
    return file


def yaml(values, indent=""):
    """Nested mappings as block YAML; a scalar or a list in JSON is also valid YAML. A key with None is left out."""
    lines = []
    for key, value in values.items():
        if value is None:
            continue
        if isinstance(value, dict):
            lines.append(f"{indent}{key}:\n{yaml(value, indent + '  ')}")
        else:
            lines.append(f"{indent}{key}: {json.dumps(value)}\n")
    return "".join(lines)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_ready(port, child):
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if child.poll() is not None:
            raise Unmeasured(f"`{name(child)}` ended with status {child.returncode} before it answered")
        try:
            with HTTPConnection(port) as connection:
                if connection.get("/healthz").status == 200:
                    return
        except OSError:
            time.sleep(0.01)
    raise Unmeasured(f"`{name(child)}` did not answer /healthz within {READY_SECONDS} s")
