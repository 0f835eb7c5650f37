"""Devices whose tokens Google signs: some are known, others come for the first time, and each asks again at once."""
import collections
import threading
import time

from outcome import require
from raw_http import AnswerReader, connect, get

KNOWN, NEW = 8, 8
# A device that was refused waits for less than it should, so that the load goes on.
PAUSE = 0.05


class Load:
    """`with Load(daemon, "run") as load:`; afterwards `facts` tells what the devices got."""

    def __init__(self, daemon, name):
        self.address, self.name = (daemon.host, daemon.port), name
        self.lock, self.stopped, self.slowest = threading.Lock(), threading.Event(), 0
        self.counts = {"known": collections.Counter(), "new": collections.Counter()}
        self.threads = [threading.Thread(target=self.device, args=("known", number)) for number in range(KNOWN)]
        self.threads += [threading.Thread(target=self.device, args=("new", number)) for number in range(NEW)]

    def __enter__(self):
        with connect(*self.address) as connection:
            for number in range(KNOWN):
                require(ask(connection, f"known-{number}").status == 200, "a device got no first token")
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        for thread in self.threads:
            thread.join()

    def device(self, group, number):
        asked = 0
        with connect(*self.address) as connection:
            while not self.stopped.wait(PAUSE):
                asked += 1
                began = time.monotonic()
                answer = ask(connection, f"known-{number}" if group == "known" else f"{self.name}-{number}-{asked}")
                self.count(group, answer, time.monotonic() - began)

    def count(self, group, answer, seconds):
        # An answer that cannot be used, and a refusal that does not say when to come again, have counts of their own.
        name = str(answer.status) if answer else "none"
        if name == "503" and not answer.fields.get("retry-after", "").isdecimal():
            name = "503 without Retry-After"
        with self.lock:
            self.counts[group][name] += 1
            self.slowest = max(self.slowest, seconds)

    @property
    def facts(self):
        return self.counts | {"slowest": self.slowest}


def ask(connection, vehicle):
    connection.sendall(get(f"/token?vehicleID={vehicle}"))
    return AnswerReader(connection).next()
