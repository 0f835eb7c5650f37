"""A client of TLS 1.2 (RFC 5246, by ECDHE and AES-GCM: RFC 5289) that can be made to send anything."""
import hashlib
import hmac
import struct

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import tls13_client
from tls13_client import CHANGE, HANDSHAKE, SHARES, VERSIONS, X25519, Hello, message, numbers, record, vector

SUITES = numbers(0xC02B, 0xC02F)
# Announces secure renegotiation (RFC 5746), as the extension does.
SIGNAL = numbers(0x00FF)
RENEGOTIATION = 0xFF01


def hello(suites=SUITES + SIGNAL):
    return Hello(suites=vector(2, suites)).set(VERSIONS, None).set(SHARES, None)


def expand(secret, label, seed, length):
    """The PRF of RFC 5246 section 5."""
    seed, block, output = label + seed, label + seed, b""
    while len(output) < length:
        block = hmac.digest(secret, block, "sha256")
        output += hmac.digest(secret, block + seed, "sha256")
    return output[:length]


class Keys:
    """Seals the records of one direction (RFC 5288)."""

    def __init__(self, key, salt):
        self.cipher, self.salt, self.count = AESGCM(key), salt, 0

    def head(self, kind, length):
        head, self.count = struct.pack("!QBHH", self.count, kind, 0x0303, length), self.count + 1
        return head

    def seal(self, kind, body, _=0):
        nonce = self.count.to_bytes(8, "big")
        sealed = nonce + self.cipher.encrypt(self.salt + nonce, body, self.head(kind, len(body)))
        return record(kind, sealed)

    def open(self, head, body):
        return self.cipher.decrypt(self.salt + body[:8], body[8:], self.head(head[0], len(body) - 24))


class Client(tls13_client.Client):
    """One connection."""

    def opened(self, head, body):
        return head[0], self.reading.open(head, body)

    def start_handshake(self, first=None):
        """Sends a hello, and reads the server's messages up to ServerHelloDone."""
        self.send_hello(first or hello())
        answer = self.handshake()
        self.client_random, self.server_random = self.transcript[6:38], answer[6:38]
        while (part := self.handshake())[0] != 14:
            if part[0] == 12:
                self.public = part[8:8 + part[7]]

    def exchange(self):
        """Sends the client's key share, and derives the keys of both directions."""
        whole = message(16, vector(1, self.hello.key.public_key().public_bytes_raw()))
        self.transcript += whole
        self.send(record(HANDSHAKE, whole))
        shared = self.hello.key.exchange(X25519PublicKey.from_public_bytes(self.public))
        self.master = expand(shared, b"master secret", self.client_random + self.server_random, 48)
        block = expand(self.master, b"key expansion", self.server_random + self.client_random, 40)
        self.next_writing, self.next_reading = Keys(block[:16], block[32:36]), Keys(block[16:32], block[36:40])

    def finished(self):
        return message(20, expand(self.master, b"client finished", hashlib.sha256(self.transcript).digest(), 12))

    def finish(self, *parts):
        self.send(record(CHANGE, b"\1"))
        self.writing = self.next_writing
        self.verify_data = self.finished()[4:]
        for part in parts or [self.finished()]:
            self.seal(HANDSHAKE, part)
        while self.handshake()[0] != 20:
            pass

    def changed(self):
        self.reading = self.next_reading

    def complete_handshake(self, first=None):
        self.start_handshake(first)
        self.exchange()
        self.finish()
