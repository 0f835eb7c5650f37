"""The real binary, for clients that start and stop it themselves."""
import signal
import subprocess
import urllib.parse


class Daemon:
    def __init__(self, binary, config, log, wrapper=()):
        self.command = [*wrapper, binary, "serve", "--config", str(config)]
        self.log = open(log, "ab")
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL)
        line = self.process.stdout.readline().decode()
        if not line.startswith("listening on "):
            raise OSError(f"the daemon did not start; its log is {self.log.name}")
        url = urllib.parse.urlsplit(line.removeprefix("listening on ").strip())
        self.host, self.port = url.hostname, url.port

    def end(self, by=signal.SIGTERM):
        self.process.send_signal(by)
        return self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
