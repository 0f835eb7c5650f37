"""A service manager for the daemon: listening sockets that outlive it, and a socket to which it reports its state."""
import os
import select
import socket
import subprocess
import time

LIMIT_SECONDS = 600
# The shell becomes the daemon, so LISTEN_PID is the daemon's; inherited descriptors begin at 3.
SHELL = 'for pair in $PLACES; do eval "exec ${pair%:*}<&${pair#*:}-"; done; unset PLACES; export LISTEN_PID=$$; exec "$@"'


class NotifySocket:
    """A datagram socket at a path, or at an abstract name that begins with @."""

    def __init__(self, name):
        self.name = name
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(name.replace("@", "\0", 1) if name.startswith("@") else name)

    def next(self):
        """The next datagram, as its assignments by name."""
        readable, _, _ = select.select([self.socket], [], [], LIMIT_SECONDS)
        if not readable:
            raise OSError("the daemon reported nothing")
        text = self.socket.recv(65536).decode()
        return dict(line.split("=", 1) for line in text.split("\n"))

    def until(self, name, value="1"):
        """The datagrams up to the one that assigns the value."""
        states = []
        deadline = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < deadline:
            states.append(self.next())
            if states[-1].get(name) == value:
                return states
        raise OSError(f"the daemon never reported {name}={value}: {states}")


class Service:
    """The daemon with named sockets, and the socket to which it reports its state."""

    def __init__(self, command, log, sockets=(), notify=None, environment=None):
        self.command = command
        self.log = open(log, "ab")
        self.sockets = sockets
        self.notify = notify
        self.environment = environment or {}

    def start(self):
        numbers = [held.fileno() for _, held in self.sockets]
        # Copied to high numbers first, since one number may be the target of another.
        copies = [os.dup(number) for number in numbers]
        high = [100 + index for index in range(len(copies))]
        for copy, number in zip(copies, high):
            os.dup2(copy, number)
            os.close(copy)
        variables = {
            "PLACES": " ".join(f"{3 + index}:{number}" for index, number in enumerate(high)),
            "TOKEN_PROVIDER_ADMIN_LISTEN": "",
        }
        if self.sockets:
            variables["LISTEN_FDS"] = str(len(self.sockets))
            variables["LISTEN_FDNAMES"] = ":".join(name for name, _ in self.sockets)
        if self.notify:
            variables["NOTIFY_SOCKET"] = self.notify.name
        try:
            self.process = subprocess.Popen(
                ["bash", "-c", SHELL, "service", *self.command], stdin=subprocess.DEVNULL, stdout=self.log,
                stderr=self.log, pass_fds=high, env=os.environ | variables | self.environment)
        finally:
            for number in high:
                os.close(number)
        return self

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()
