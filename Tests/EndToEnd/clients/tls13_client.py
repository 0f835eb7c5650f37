"""A client of TLS 1.3 (RFC 8446) that can be made to send anything: hellos, messages and records are bytes to change."""
import hashlib
import hmac
import os
import socket
import struct

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CHANGE, ALERT, HANDSHAKE, DATA = 20, 21, 22, 23
SERVER_NAME, GROUPS, SIGNATURES, PSK, EARLY_DATA, VERSIONS, COOKIE, PSK_MODES, SHARES = 0, 10, 13, 41, 42, 43, 44, 45, 51
X25519, P256 = 0x001D, 0x0017
ALERTS = {0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 22: "record_overflow",
          40: "handshake_failure", 47: "illegal_parameter", 50: "decode_error", 51: "decrypt_error",
          70: "protocol_version", 80: "internal_error", 86: "inappropriate_fallback", 100: "no_renegotiation",
          109: "missing_extension"}
RETRY = hashlib.sha256(b"HelloRetryRequest").digest()
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def vector(width, body):
    return len(body).to_bytes(width, "big") + body


def numbers(*values):
    return b"".join(value.to_bytes(2, "big") for value in values)


def record(kind, body, version=0x0303):
    return struct.pack("!BHH", kind, version, len(body)) + body


def message(kind, body):
    return bytes([kind]) + vector(3, body)


def share(group, key):
    return numbers(group) + vector(2, key)


class Hello:
    """The parts of a ClientHello, which cases change."""

    def __init__(self, **parts):
        self.key = X25519PrivateKey.generate()
        public = self.key.public_key().public_bytes_raw()
        self.version, self.session = 0x0303, vector(1, os.urandom(32))
        self.suites, self.compression = vector(2, numbers(0x1301)), vector(1, b"\0")
        self.extensions = {
            SERVER_NAME: vector(2, b"\0" + vector(2, b"localhost")), GROUPS: vector(2, numbers(X25519, P256)),
            SIGNATURES: vector(2, numbers(0x0403, 0x0804)), VERSIONS: vector(1, numbers(0x0304)),
            SHARES: vector(2, share(X25519, public))}
        # After the other extensions, and after the whole message body.
        self.more, self.trailing = b"", b""
        for name, value in parts.items():
            setattr(self, name, value)

    def set(self, extension, body):
        """Sets an extension, or removes it (None)."""
        self.extensions.pop(extension, None)
        if body is not None:
            self.extensions[extension] = body
        return self

    def message(self):
        extensions = b"".join(numbers(kind) + vector(2, body) for kind, body in self.extensions.items()) + self.more
        return message(1, numbers(self.version) + os.urandom(32) + self.session + self.suites + self.compression
                       + vector(2, extensions) + self.trailing)


def expand(secret, label, context=b"", length=32):
    """HKDF-Expand-Label of RFC 8446 section 7.1, whose one block of SHA-256 is enough here."""
    info = length.to_bytes(2, "big") + vector(1, b"tls13 " + label) + vector(1, context)
    return hmac.digest(secret, info + b"\x01", "sha256")[:length]


class Keys:
    """Seals the records of one direction."""

    def __init__(self, secret):
        self.secret, self.count = secret, 0
        self.cipher, self.iv = AESGCM(expand(secret, b"key", length=16)), expand(secret, b"iv", length=12)

    def nonce(self):
        count, self.count = self.count.to_bytes(12, "big"), self.count + 1
        return bytes(one ^ other for one, other in zip(self.iv, count))

    def seal(self, kind, body, padding=0):
        inner = body + bytes([kind]) + bytes(padding)
        head = struct.pack("!BHH", DATA, 0x0303, len(inner) + 16)
        return head + self.cipher.encrypt(self.nonce(), inner, head)

    def open(self, head, body):
        inner = self.cipher.decrypt(self.nonce(), body, head).rstrip(b"\0")
        return inner[-1], inner[:-1]

    def updated(self):
        return Keys(expand(self.secret, b"traffic upd"))


class Client:
    """One connection."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=600)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.reading = self.writing = None
        self.transcript, self.waiting = b"", b""

    def send(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused already; the reason can still be read

    def seal(self, kind, body, padding=0):
        self.send(self.writing.seal(kind, body, padding))

    def exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def next(self):
        """The next record that is not a change of ciphers."""
        while True:
            head = self.exactly(5)
            kind, body = head[0], self.exactly(int.from_bytes(head[3:], "big"))
            if kind == CHANGE:
                self.changed()
                continue
            if self.reading:
                kind, body = self.opened(head, body)
            if kind == ALERT:
                raise Alerted(ALERTS.get(body[1], f"alert {body[1]}"))
            return kind, body

    def changed(self):
        """The server sent a change of ciphers, which has no effect in TLS 1.3."""

    def opened(self, head, body):
        return self.reading.open(head, body) if head[0] == DATA else (head[0], body)

    def handshake(self):
        """The next message of a handshake, which is added to the transcript."""
        while len(self.waiting) < 4 or len(self.waiting) < 4 + int.from_bytes(self.waiting[1:4], "big"):
            kind, body = self.next()
            assert kind == HANDSHAKE, kind
            self.waiting += body
        end = 4 + int.from_bytes(self.waiting[1:4], "big")
        whole, self.waiting = self.waiting[:end], self.waiting[end:]
        self.transcript += whole
        return whole

    def send_hello(self, hello, version=0x0301):
        self.prepare_hello(hello)
        self.send(record(HANDSHAKE, self.transcript, version))

    def prepare_hello(self, hello):
        self.hello, self.transcript = hello, hello.message()

    def retry(self, hello):
        """Sends a second hello to a server that has asked for one."""
        first = self.transcript
        answer = self.handshake()
        assert answer[6:38] == RETRY
        again = hello.message()
        self.transcript = message(254, hashlib.sha256(first).digest()) + answer + again
        self.hello = hello
        self.send(record(HANDSHAKE, again))

    def read_server_handshake(self):
        """The server's part of the handshake, up to its Finished."""
        answer = self.handshake()
        assert answer[6:38] != RETRY, "it asks for another hello"
        shared = self.hello.key.exchange(X25519PublicKey.from_public_bytes(self.share(answer)))
        empty, zero = hashlib.sha256().digest(), bytes(32)
        early = hmac.digest(zero, zero, "sha256")
        secret = hmac.digest(expand(early, b"derived", empty), shared, "sha256")
        digest = hashlib.sha256(self.transcript).digest()
        self.writing = Keys(expand(secret, b"c hs traffic", digest))
        self.reading = Keys(expand(secret, b"s hs traffic", digest))
        while self.handshake()[0] != 20:
            pass
        master = hmac.digest(expand(secret, b"derived", empty), zero, "sha256")
        self.digest = hashlib.sha256(self.transcript).digest()
        self.reading = Keys(expand(master, b"s ap traffic", self.digest))
        self.next_writing = Keys(expand(master, b"c ap traffic", self.digest))

    def share(self, answer):
        extensions = answer[4 + 2 + 32 + 1 + answer[38] + 3 + 2:]
        while extensions:
            kind, length = struct.unpack("!HH", extensions[:4])
            if kind == SHARES:
                return extensions[8:4 + length]
            extensions = extensions[4 + length:]
        raise AssertionError("no key share")

    def finished(self):
        return message(20, hmac.digest(expand(self.writing.secret, b"finished"), self.digest, "sha256"))

    def finish(self, *parts):
        """Ends the handshake, by records of these bodies if there are any."""
        for part in parts or [self.finished()]:
            self.seal(HANDSHAKE, part)
        self.writing = self.next_writing

    def complete_handshake(self, hello=None):
        self.send_hello(hello or Hello())
        self.read_server_handshake()
        self.finish()

    def ask(self, padding=0):
        """Sends a request; "answered" if it is answered."""
        self.seal(DATA, REQUEST, padding)
        return self.answer()

    def answer(self):
        while True:
            kind, body = self.next()
            if kind == HANDSHAKE and body[0] == 24:
                self.reading = self.reading.updated()
            if kind == DATA:
                return "answered" if body.startswith(b"HTTP/1.1 200 ") else "answered otherwise"

    def outcome(self, work):
        """The outcome of a connection: "answered", the name of an alert, "end" or "reset"."""
        try:
            return work(self) or self.answer()
        except Alerted as alert:
            return str(alert)
        except EOFError:
            return "end"
        except ConnectionResetError:
            return "reset"
        finally:
            self.socket.close()


class Alerted(Exception):
    """The server's alert."""
