"""A rolling update of two pods under load, as Kubernetes does it with the manifests: this acts as kubelet and load balancer.

python rolling_update.py DAEMON FOLDER CONFIGURATION KEY PRE_STOP GRACE ALIVE_PATH READY_PATH

A pod that is being stopped gets new connections for LAG seconds more, as from a node that does not know yet. After the
update the identity provider stops, and another update starts, whose first pod must never be ready.
"""
import asyncio
import http.client
import itertools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from types import SimpleNamespace

sys.dont_write_bytecode = True

from drain_client import Counts, KeepAliveClient  # noqa: E402
from outcome import report, require  # noqa: E402
from raw_http import get  # noqa: E402

DAEMON, FOLDER, CONFIGURATION, KEY = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]
PRE_STOP, GRACE, ALIVE, READY = int(sys.argv[5]), int(sys.argv[6]), sys.argv[7], sys.argv[8]
PODS, CLIENTS, LAG, LIMIT_SECONDS = 2, 8, 2, 600


class Pod:
    def __init__(self, name):
        environment = os.environ | {
            "TOKEN_PROVIDER_LISTEN": "127.0.0.1:0", "TOKEN_PROVIDER_ADMIN_LISTEN": "127.0.0.1:0",
            "TOKEN_PROVIDER_CREDENTIALS": KEY, "TOKEN_PROVIDER_LIMITS_PRINCIPAL_RATE": "100000",
        }
        self.log = FOLDER / f"{name}.log"
        self.process = subprocess.Popen(
            [DAEMON, "serve", "--config", str(FOLDER / "token-provider.yaml")], env=environment, stdin=subprocess.DEVNULL,
            stdout=open(FOLDER / f"{name}.audit", "wb"), stderr=open(self.log, "wb"))
        self.connections, self.late, self.is_going = 0, 0, False
        until(f"{name} listens", lambda: "listening on" in self.log.read_text() or self.process.poll() is not None)
        self.admin, self.port = (
            int(re.search(rf'{word} on http://127\.0\.0\.1:(\d+)', self.log.read_text())[1]) for word in ("admin", "listening"))

    def probe(self, path):
        """The status and the body of a probe's answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=2)
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def start(self):
        until("the startup probe passes", lambda: self.probe(ALIVE)[0] == 200)
        until("the readiness probe passes", lambda: self.probe(READY)[0] == 200)
        return self

    def end(self, balancer):
        """Stops the pod; the balancer learns of it a little later than the pod itself."""
        self.is_going = True
        began = time.monotonic()
        threading.Timer(LAG, balancer.pods.remove, [self]).start()
        time.sleep(PRE_STOP)
        require(self.probe(READY)[0] == 200, "it must go on answering until SIGTERM")
        self.process.send_signal(signal.SIGTERM)
        require(self.process.wait(began + GRACE - time.monotonic()) == 0, "a pod did not end with 0 in its grace period")


class Balancer:
    """Connects each client to the next pod that it knows to be ready."""

    def __init__(self):
        self.pods, self.turns, self.unreachable = [], itertools.count(), 0
        started = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve(started)), daemon=True).start()
        require(started.wait(LIMIT_SECONDS), "the balancer did not start")

    async def serve(self, started):
        server = await asyncio.start_server(self.connect, "127.0.0.1", 0, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await server.serve_forever()

    async def connect(self, reader, writer):
        pods = list(self.pods)
        pod = pods[next(self.turns) % len(pods)]
        pod.connections += 1
        pod.late += pod.is_going
        try:
            pod_reader, pod_writer = await asyncio.open_connection("127.0.0.1", pod.port)
        except OSError:
            self.unreachable += 1
            return writer.close()
        await asyncio.gather(carry(reader, pod_writer), carry(pod_reader, writer))


async def carry(source, sink):
    try:
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
    except ConnectionError:
        pass
    sink.close()


class Client(KeepAliveClient):
    """Every other client closes its connection after each answer."""

    def __init__(self, port, counts, number, token):
        super().__init__(SimpleNamespace(host="127.0.0.1", port=port), counts, number, time.monotonic() + 600)
        last = ["Connection: close"] if number % 2 else []
        self.request = get(f"/token?vehicleID=v-{number}", fields=[f"Authorization: Bearer {token}", *last])


class Provider:
    def __init__(self):
        script = pathlib.Path(__file__).with_name("key_server.py")
        self.process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}"

    def token(self, number):
        claims = {"iss": self.url, "sub": f"driver-{number}", "aud": "token-provider", "vehicle": {"id": f"v-{number}"}}
        with urllib.request.urlopen(f"{self.url}/token", json.dumps(claims).encode()) as answer:
            return json.load(answer)["token"]

    def end(self):
        self.process.kill()
        self.process.wait()


def until(what, is_so):
    deadline = time.monotonic() + LIMIT_SECONDS
    while not is_so():
        require(time.monotonic() < deadline, f"{what}: not within {LIMIT_SECONDS} s")
        time.sleep(0.02)


def more_answers(counts, count=500):
    wanted = counts.facts()["answered"] + count
    until("clients are answered", lambda: counts.facts()["answered"] >= wanted)


def update(pods, balancer, counts):
    """Adds one pod, and removes one once the new pod is ready."""
    for number, previous in enumerate(pods):
        new = Pod(f"new-{number}").start()
        balancer.pods.append(new)
        more_answers(counts)
        previous.end(balancer)
        yield new


def stuck_update(counts):
    """The reason that the first pod of an update gives for not being ready."""
    pod = Pod("stuck")
    try:
        until("the startup probe passes", lambda: pod.probe(ALIVE)[0] == 200)
        said = set()
        for _ in range(5):
            more_answers(counts)
            status, body = pod.probe(READY)
            require(status == 503, f"a pod without keys is ready: {body}")
            said.add(body)
        return said.pop()
    finally:
        pod.process.kill()
        pod.process.wait()


def main():
    provider = Provider()
    text = CONFIGURATION.read_text()
    (FOLDER / "token-provider.yaml").write_text(text.replace("https://id.example.com", provider.url))
    balancer, counts = Balancer(), Counts()
    previous = [Pod(f"previous-{number}").start() for number in range(PODS)]
    balancer.pods += previous
    loads = [Client(balancer.port, counts, number, provider.token(number)) for number in range(CLIENTS)]
    threads = [threading.Thread(target=load.run, daemon=True) for load in loads]
    for thread in threads:
        thread.start()
    pods = list(update(previous, balancer, counts))
    provider.end()
    stuck = stuck_update(counts)
    for load in loads:
        load.deadline = 0
    for thread in threads:
        thread.join(LIMIT_SECONDS)
    ready = [pod.probe(READY)[0] for pod in pods]
    for pod in pods:
        pod.process.kill()
        pod.process.wait()
    return counts.facts() | {
        "unreachable": balancer.unreachable, "late": sum(pod.late for pod in previous), "ready": ready, "stuck": stuck,
        "connections": [pod.connections for pod in previous + pods],
    }


report(main)
