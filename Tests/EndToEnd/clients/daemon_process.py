"""The real binary, for clients that start and stop it themselves."""
import signal
import subprocess
import urllib.parse


class Daemon:
    """Its address, as `url`, `host` and `port`, and the URL of its admin listener, if it has one."""

    def __init__(self, binary, config, log, wrapper=(), environment=None):
        self.command = [*wrapper, binary, "serve", "--config", str(config)]
        self.log, self.environment, self.admin = open(log, "ab"), environment, None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL, env=self.environment)
        line = self.process.stdout.readline().decode().strip()
        if " admin on " in line:
            self.admin, line = line.rpartition(" ")[2], self.process.stdout.readline().decode().strip()
        if " listening on " not in line:
            raise OSError(f"the daemon did not start; its log is {self.log.name}")
        self.url = line.rpartition(" ")[2]
        parts = urllib.parse.urlsplit(self.url)
        self.host, self.port = parts.hostname, parts.port

    def end(self, by=signal.SIGTERM):
        self.process.send_signal(by)
        return self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
