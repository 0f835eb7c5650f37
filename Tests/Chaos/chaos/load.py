"""Clients of every sort, which keep what they got for comparison with the audit log."""
import base64
import collections
import hashlib
import http.client
import json
import random
import socket
import ssl
import threading
import time

from raw_http import AnswerReader, Truncated, connect, get
from scene import AUDIT_FILE_BYTES

THREADS, PAUSE = 16, 0.05
# The daemon's own deadlines are shorter: a request that waits for this long was forgotten.
LONGEST, PROBE_SECONDS = 45, 5
# The daemon reads the clock once in a turn of an event loop, which may have begun before the request.
TURN = 2
LONGEST_LIFE = 3600
RECOVERY_SECONDS = 180
KNOWN_IDS, NEW_SHARE = 200, 0.2


def is_token(value):
    return isinstance(value, str) and value.count(".") == 2 and value.startswith("eyJ")


class Load:
    """`with Load(scene) as load:`; a previous load's tokens that have no record yet are taken over."""

    def __init__(self, scene, previous=None):
        self.scene, self.lock, self.stopped = scene, threading.Lock(), threading.Event()
        self.counts, self.faults = collections.Counter(), []
        # The fingerprints of tokens by request, until their records are read.
        self.unrecorded = previous.unrecorded if previous else {}
        self.recorded = previous.recorded if previous else 0
        # The moments at which packets are dropped: only then may a request get neither an answer nor a closed connection.
        self.dropping = threading.Event()
        self.drops = 0
        self.known_identity = None, -1e9
        self.identity()
        self.threads = [threading.Thread(target=self.client, args=(number,)) for number in range(THREADS)]
        self.threads.append(threading.Thread(target=self.rotate))

    def __enter__(self):
        self.scene.load = self
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        for thread in self.threads:
            thread.join()

    def client(self, number):
        route = ("consumer", "driver", "delivery_consumer")[number % 3]
        randomness = random.Random(number)
        while not self.stopped.is_set():
            try:
                with self.connection(number % 2 == 1) as connection:
                    for _ in range(randomness.randrange(1, 60)):
                        if self.stopped.wait(PAUSE) or not self.ask(connection, route, randomness):
                            break
            except (ConnectionError, TimeoutError, ssl.SSLError, Truncated):
                self.count("connection closed or refused")
                self.stopped.wait(PAUSE)
            except Exception as error:  # noqa: BLE001 (a client that ends would hide what it saw)
                self.fault(f"{type(error).__name__}: {error}")
                self.stopped.wait(1)

    def connection(self, is_secure):
        port, drops = self.scene.ports["secure" if is_secure else "plain"], self.drops
        try:
            connection = connect("127.0.0.1", port, LONGEST)
            # If the daemon has closed it while packets were dropped, a later probe is answered with a reset.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL):
                connection.setsockopt(socket.IPPROTO_TCP, option, PROBE_SECONDS)
            if not is_secure:
                return connection
            context = ssl.create_default_context()
            # The certificate is replaced, which is no matter of this test.
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            return context.wrap_socket(connection, server_hostname="localhost")
        except TimeoutError:
            self.require_drops_since(drops, "a connection was not ready")
            raise

    def require_drops_since(self, drops, what):
        """Packets that are dropped excuse a time of silence, and only that."""
        if self.drops == drops and not self.dropping.is_set():
            self.fault(f"{what} after {LONGEST} s")
            raise TimeoutError
        self.count("silence while packets were dropped")

    def ask(self, connection, route, randomness):
        """Whether the connection can go on."""
        number = randomness.randrange(10**9) if randomness.random() < NEW_SHARE else randomness.randrange(KNOWN_IDS)
        word = "allow-" if route == "delivery_consumer" else ""
        wanted = f"{word}{number}"
        fields = self.credentials(route)
        began, reader = time.monotonic(), AnswerReader(connection)
        connection.sendall(get(f"/token/{route}/{wanted}", fields=fields))
        while True:
            drops = self.drops
            try:
                answer = reader.next()
                break
            except TimeoutError:
                self.require_drops_since(drops, f"a request of {route} had no answer and no end")
        if answer is None:
            self.count("connection closed or refused")
            return False
        self.count(f"{route} {answer.status}")
        if answer.status == 200:
            self.judge(answer, wanted, began)
        elif any(map(is_token, json.loads(answer.body).values())):
            self.fault(f"a token in an answer of status {answer.status}")
        return not answer.closes

    def credentials(self, route):
        if route == "driver":
            return [f"Authorization: Bearer {self.scene.api_key}"]
        if route == "consumer":
            return [f"Authorization: Bearer {self.identity()}"]
        return []

    def identity(self):
        """A token of the identity provider; the last one while that does not answer."""
        with self.lock:
            token, fetched = self.known_identity
            if time.monotonic() - fetched < 5:
                return token
            # Clients that come meanwhile use the last one.
            self.known_identity = token, time.monotonic()
        now = int(time.time())
        claims = {"iss": f"http://127.0.0.1:{self.scene.providers.port}", "aud": "chaos", "sub": "rider",
                  "iat": now - 14_400, "exp": now + 14_400}
        try:
            provider = http.client.HTTPConnection("127.0.0.1", self.scene.providers.port, timeout=2)
            provider.request("POST", "/token", json.dumps(claims))
            token = json.loads(provider.getresponse().read())["token"]
            provider.close()
        except (OSError, http.client.HTTPException):
            return token or "none"
        with self.lock:
            self.known_identity = token, time.monotonic()
        return token

    def judge(self, answer, wanted, began):
        """The token is for what was asked, and lives by the daemon's clock."""
        body = json.loads(answer.body)
        token = next(filter(is_token, body.values()))
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        earliest, latest = (time.time() + offset for offset in self.scene.clock.range(began - TURN))
        if claims["exp"] - earliest < 1:
            self.fault(f"a token with {claims['exp'] - earliest:.0f} s left")
        # Fleet Engine refuses both.
        if claims["iat"] > latest + 1 or claims["exp"] - claims["iat"] > LONGEST_LIFE:
            self.fault(f"a token from {claims['iat'] - latest:.0f} s ahead that lives for {claims['exp'] - claims['iat']} s")
        if wanted not in claims["authorization"].values():
            self.fault(f"a token of {claims['authorization']} for {wanted}")
        with self.lock:
            if answer.fields["x-request-id"] in self.unrecorded:
                self.faults.append("two answers with one request id")
            self.unrecorded[answer.fields["x-request-id"]] = hashlib.sha256(token.encode()).digest()[:16].hex()

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def fault(self, sentence):
        with self.lock:
            self.faults.append(sentence)
        print(f"FAULT: {sentence}", flush=True)

    def rotate(self):
        """Renames the audit log when it is large, and compares what it recorded."""
        while not self.stopped.wait(1):
            try:
                if self.scene.audit.stat().st_size > AUDIT_FILE_BYTES and self.scene.disk_lock.acquire(timeout=1):
                    try:
                        self.scene.rotate()
                    finally:
                        self.scene.disk_lock.release()
            except OSError as error:
                self.count(f"rotation: {error.strerror}")
            self.compare()

    def compare(self):
        """Reads the finished files: each token's record is there, with the token's fingerprint."""
        while self.scene.unread:
            for line in self.scene.unread.pop(0).read_bytes().splitlines():
                self.record(json.loads(line))

    def record(self, record):
        if "token" not in record or "request_id" not in record:
            return
        with self.lock:
            found = self.unrecorded.pop(record["request_id"], None)
            self.recorded += 1
        if found not in (None, record["token"]):
            self.fault(f"the record of request {record['request_id']} has another token")

    def recovers(self):
        """Whether each sort of request is answered with a token again, after all faults have ended."""
        deadline = time.monotonic() + RECOVERY_SECONDS
        routes = ("consumer 200", "driver 200", "delivery_consumer 200")
        before = {route: self.counts[route] for route in routes}
        while any(self.counts[route] - before[route] < 100 for route in routes):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.5)
        return True
