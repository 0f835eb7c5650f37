"""What happens to the daemon and around it. Two threads choose at random, so that faults overlap."""
import collections
import contextlib
import http.client
import os
import random
import signal
import socket
import subprocess
import threading
import time

import loopback_accounts

CLOCK_STEPS = (-7200, -3600, -600, -60, -1, 0, 0, 1, 60, 600, 3600, 7200)
ABUSERS = 200


class Faults:
    def __init__(self, scene, seed):
        self.scene, self.randomness = scene, random.Random(seed)
        self.counts, self.failed, self.ended = collections.Counter(), [], threading.Event()
        self.network, self.service_locks = threading.Lock(), {name: threading.Lock() for name in scene.services}
        self.all = [
            self.reload, self.broken_configuration, self.new_certificate, self.clock_step, self.full_disk, self.stopped_service,
            self.killed_service, self.rotated_keys, self.cut_connections, self.dropped_packets, self.lossy_network, self.abuse,
        ]

    def run(self, seconds):
        threads = [threading.Thread(target=self.choose) for _ in range(2)]
        for thread in threads:
            thread.start()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.scene.daemon.process.poll() is None:
            time.sleep(1)
        self.ended.set()
        for thread in threads:
            thread.join()
        self.scene.clock.set(0)
        with self.scene.configuration_lock:
            self.scene.configure()
            self.scene.reload()

    def choose(self):
        while not self.ended.wait(self.randomness.uniform(0.2, 3)):
            fault = self.randomness.choice(self.all)
            try:
                if fault():
                    self.counts[fault.__name__.replace("_", " ")] += 1
            except Exception as error:  # noqa: BLE001 (fewer faults than were asked for must not look like success)
                self.failed.append(f"{fault.__name__}: {type(error).__name__}: {error}")

    def pause(self, most):
        self.ended.wait(self.randomness.uniform(0.1, most))

    def reload(self):
        with self.scene.configuration_lock:
            lifetime = self.randomness.choice(("1h", "50m", "30m"))
            self.scene.configure(lifetime, "http: {header_timeout: 8s}")
            self.scene.reload()
            self.pause(1)
        return True

    def broken_configuration(self):
        with self.scene.configuration_lock:
            self.scene.configure(more="nonsense: true")
            self.scene.reload()
            self.pause(2)
            self.scene.configure()
            self.scene.reload()
        return True

    def new_certificate(self):
        self.scene.write_certificate()
        self.scene.reload()
        return True

    def clock_step(self):
        self.scene.clock.set(self.randomness.choice(CLOCK_STEPS))
        return True

    def full_disk(self):
        if not self.scene.disk_lock.acquire(blocking=False):
            return False
        filler = self.scene.disk / "filler"
        try:
            with open(filler, "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    pass
            self.pause(6)
        finally:
            filler.unlink(missing_ok=True)
            self.scene.disk_lock.release()
        return True

    def service(self):
        name = self.randomness.choice(list(self.scene.services))
        return self.scene.services[name], self.service_locks[name]

    def stopped_service(self):
        service, lock = self.service()
        with lock:
            service.process.send_signal(signal.SIGSTOP)
            self.pause(15)
            service.process.send_signal(signal.SIGCONT)
        return True

    def killed_service(self):
        service, lock = self.service()
        with lock:
            service.kill()
            self.pause(10)
            service.restart()
        return True

    def rotated_keys(self):
        """The identity provider and the account at Google get new keys, asked while no fault cuts this program's connections."""
        with self.network, self.service_locks["identity provider"]:
            connection = http.client.HTTPConnection("127.0.0.1", self.scene.providers.port, timeout=10)
            connection.request("POST", "/rotate")
            connection.getresponse().read()
            connection.close()
        with self.network, self.service_locks["Google"]:
            self.scene.google.control("POST", "/_rotate", {"account": loopback_accounts.DRIVER, "keep": True})
        return True

    def cut_connections(self):
        """For a moment each packet to a server is answered by a reset."""
        with self.rule("reject with tcp reset"):
            self.pause(0.5)
        return True

    def dropped_packets(self):
        load = self.scene.load
        with self.rule("drop"):
            load.drops += 1
            load.dropping.set()
            self.pause(5)
        load.dropping.clear()
        return True

    def lossy_network(self):
        """A tenth of the packets to servers is lost. (netem, which could also delay them, is not in every kernel.)"""
        with self.rule("numgen random mod 10 < 1 drop"):
            self.pause(8)
        return True

    @contextlib.contextmanager
    def rule(self, statement):
        """What happens meanwhile to packets for the daemon and for the services it asks."""
        services = (service.port for service in self.scene.services.values())
        ports = ", ".join(map(str, (self.scene.ports["plain"], self.scene.ports["secure"], *services)))
        with self.network:
            self.nft("add table inet cut\nadd chain inet cut input { type filter hook input priority 0; }\n"
                     f"add rule inet cut input tcp dport {{ {ports} }} {statement}\n")
            try:
                yield
            finally:
                self.nft("delete table inet cut\n")

    def abuse(self):
        """Connections that send nothing, half a request, or noise."""
        connections = []
        for number in range(ABUSERS):
            port = self.scene.ports["secure" if number % 2 else "plain"]
            try:
                connection = socket.create_connection(("127.0.0.1", port), timeout=5)
                connection.sendall((b"", b"GET /token?tripID=a HT", os.urandom(200), b"\x16\x03\x01\x02\x00\x01")[number % 4])
                connections.append(connection)
            except OSError:
                continue
        self.pause(5)
        for connection in connections:
            connection.close()
        return True

    @staticmethod
    def nft(commands):
        subprocess.run(["nft", "-f", "-"], input=commands, text=True, check=True)
