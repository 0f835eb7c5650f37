"""Runs a program with little memory: limited_memory.py BYTES FACTS COMMAND...

In a memory cgroup of its own where one can be made below that of this process, or by systemd-run; where neither works, its data
is limited (setrlimit(2): RLIMIT_DATA). SIGTERM is passed on. At the end FACTS gets a JSON object: by which means, the most
bytes of resident memory and sockets together, both by themselves, and whether the kernel killed the program.
"""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

BYTES, FACTS, COMMAND = int(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
NAME = f"token-provider-test-{os.getpid()}"
SAMPLES_PER_SECOND = 20


def own_group(controller):
    """The path of this process's group in the hierarchy of a controller; of version 2 if it is empty."""
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            return path.strip("/")
    return None


class FirstVersion:
    """A group below this one in version 1 of cgroups, where memory of sockets is counted by itself."""
    name = "a memory cgroup (version 1)"

    def __init__(self):
        self.folder = pathlib.Path("/sys/fs/cgroup/memory") / (own_group("memory") or "none") / NAME
        self.folder.mkdir()
        for file in ("memory.limit_in_bytes", "memory.kmem.tcp.limit_in_bytes"):
            (self.folder / file).write_text(str(BYTES))

    def enter(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def sockets(self):
        return int((self.folder / "memory.kmem.tcp.usage_in_bytes").read_text())

    def end(self):
        self.folder.rmdir()


class SecondVersion(FirstVersion):
    """The same in version 2, if its own group may give the controller to groups below."""
    name = "a memory cgroup (version 2)"

    def __init__(self):
        above = pathlib.Path("/sys/fs/cgroup") / own_group("")
        self.folder = above / NAME
        self.folder.mkdir()
        try:
            if not (self.folder / "memory.max").exists():
                (above / "cgroup.subtree_control").write_text("+memory")
            (self.folder / "memory.max").write_text(str(BYTES))
        except OSError:
            self.folder.rmdir()
            raise

    def sockets(self):
        lines = dict(line.split() for line in (self.folder / "memory.stat").read_text().splitlines())
        return int(lines["sock"])


class Unlimited:
    """Without a group: memory of sockets is that of the whole machine."""
    name = "RLIMIT_DATA"

    def __init__(self):
        self.before = self.machine_sockets()

    @staticmethod
    def enter():
        resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))

    def sockets(self):
        return max(0, self.machine_sockets() - self.before)

    @staticmethod
    def machine_sockets():
        for line in pathlib.Path("/proc/net/sockstat").read_text().splitlines():
            if line.startswith("TCP:"):
                return int(line.split()[-1]) * resource.getpagesize()
        return 0

    @staticmethod
    def end():
        pass


class ServiceManager(Unlimited):
    """A scope of systemd, which runs the command as its own child."""
    name = "systemd-run"

    def __init__(self):
        if not os.path.isdir("/run/systemd/system"):
            raise OSError("systemd does not run here")
        COMMAND[:0] = [
            "systemd-run", "--scope", "--quiet", "-p", f"MemoryMax={BYTES}", "-p", "MemorySwapMax=0"]
        super().__init__()

    @staticmethod
    def enter():
        pass


def limit():
    for kind in (FirstVersion, SecondVersion, ServiceManager):
        try:
            return kind()
        except OSError:
            continue
    return Unlimited()


def resident(process):
    try:
        text = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    lines = [line.split()[1] for line in text.splitlines() if line.startswith("VmRSS:")]
    return int(lines[0]) * 1024 if lines else 0


def main():
    limits = limit()
    child = subprocess.Popen(COMMAND, preexec_fn=limits.enter)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: child.send_signal(number))
    most = {"resident": 0, "sockets": 0, "together": 0}
    while child.poll() is None:
        now = {"resident": resident(child.pid), "sockets": limits.sockets()}
        now["together"] = now["resident"] + now["sockets"]
        most = {name: max(most[name], value) for name, value in now.items()}
        time.sleep(1 / SAMPLES_PER_SECOND)
    limits.end()
    FACTS.write_text(json.dumps(
        {"means": limits.name, "limit": BYTES, "killed": child.returncode == -signal.SIGKILL} | most))
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


if __name__ == "__main__":
    sys.exit(main())
