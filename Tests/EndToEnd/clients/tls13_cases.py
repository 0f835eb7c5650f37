"""Forbidden and allowed behaviour of a TLS 1.3 client: each case is a name, its expected outcome, and its actions.

The outcome is the alert of RFC 8446, or one of several where OpenSSL's versions differ from it.
"""
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from tls13_client import (
    ALERT, CHANGE, COOKIE, DATA, EARLY_DATA, GROUPS, HANDSHAKE, P256, PSK, PSK_MODES, REQUEST, SHARES, SIGNATURES, VERSIONS,
    X25519, Hello, message, numbers, record, share, vector)

GREASE = 0x0A0A
KEY = X25519PrivateKey.generate().public_key().public_bytes_raw()
UNKNOWN_PSK = vector(2, vector(2, b"unknown") + bytes(4)) + vector(2, vector(1, bytes(32)))


def hellos():
    """Hellos by name, with the expected outcome of a handshake that begins with it."""
    def greased(hello):
        """With reserved values that no server knows, as browsers send them (RFC 8701)."""
        hello.suites = vector(2, numbers(GREASE, 0x1301))
        public = hello.key.public_key().public_bytes_raw()
        hello.set(GROUPS, vector(2, numbers(GREASE, X25519))).set(SIGNATURES, vector(2, numbers(GREASE, 0x0403, 0x0804)))
        hello.set(SHARES, vector(2, share(GREASE, b"\0") + share(X25519, public)))
        return hello.set(VERSIONS, vector(1, numbers(GREASE, 0x0305, 0x0304))).set(GREASE, b"")

    yield "without a fault", "answered", Hello()
    yield "with unknown values", "answered", greased(Hello())
    yield "of the version 1.3 by its old field", "answered", Hello(version=0x0304)
    yield "of the version 1.9 by its old field", "answered", Hello(version=0x030A)
    yield "of SSL 3 by its old field", "protocol_version handshake_failure", Hello(version=0x0300)
    yield "of unknown versions", "protocol_version", Hello().set(VERSIONS, vector(1, numbers(0x0305, GREASE)))
    yield "of TLS 1.1", "protocol_version", Hello(version=0x0302).set(VERSIONS, None)
    yield "of TLS 1.2 after a downgrade", "inappropriate_fallback", Hello(
        suites=vector(2, numbers(0xC02B, 0x5600))).set(VERSIONS, None)
    yield "of no versions", "decode_error protocol_version", Hello().set(VERSIONS, vector(1, b""))
    yield "of half a version", "decode_error protocol_version", Hello().set(VERSIONS, vector(1, b"\3\4\3"))
    yield "without suites", "decode_error illegal_parameter", Hello(suites=vector(2, b""))
    yield "with half a suite", "decode_error illegal_parameter", Hello(suites=vector(2, b"\x13\1\x13"))
    yield "with unknown suites", "handshake_failure", Hello(suites=vector(2, numbers(GREASE, 0x13FF)))
    yield "with suites of TLS 1.2 alone", "handshake_failure", Hello(suites=vector(2, numbers(0xC02B, 0xC02F)))
    yield "with compression", "illegal_parameter", Hello(compression=vector(1, b"\0\1"))
    yield "without a method of compression", "decode_error illegal_parameter", Hello(compression=vector(1, b""))
    yield "with a session's name that is too long", "decode_error illegal_parameter", Hello(session=vector(1, bytes(33)))
    yield "without signatures", "missing_extension", Hello().set(SIGNATURES, None)
    yield "with unknown signatures", "handshake_failure", Hello().set(SIGNATURES, vector(2, numbers(GREASE)))
    yield "with signatures by SHA-1 alone", "handshake_failure", Hello().set(SIGNATURES, vector(2, numbers(0x0203, 0x0201)))
    yield "without groups", "missing_extension", Hello().set(GROUPS, None)
    yield "without shares", "missing_extension", Hello().set(SHARES, None)
    yield "with unknown groups", "handshake_failure", Hello().set(
        GROUPS, vector(2, numbers(GREASE, 0xFE00))).set(SHARES, vector(2, share(GREASE, KEY)))
    yield "with a share of a group that it does not name", "illegal_parameter", Hello().set(GROUPS, vector(2, numbers(P256)))
    yield "with a share cut short", "illegal_parameter decode_error", shared(X25519, KEY[:31])
    yield "with a share of nothing", "decode_error illegal_parameter", shared(X25519, b"")
    yield "with a share of zeros", "illegal_parameter internal_error", shared(X25519, bytes(32))
    yield "with a share that is not on the curve", "illegal_parameter", shared(P256, b"\4" + bytes(63) + b"\1")
    yield "with a share longer than its message", "decode_error", Hello().set(SHARES, b"\0\x24" + share(X25519, KEY)[:20])
    yield "with an extension twice", "illegal_parameter decode_error", Hello(more=numbers(16, 0) * 2)
    yield "with an extension longer than its message", "decode_error", Hello(more=numbers(0x1234, 100))
    yield "with trailing bytes", "decode_error", Hello(trailing=b"\0")
    yield "with a thousand extensions", "answered", Hello(more=b"".join(numbers(0x8000 + n, 0) for n in range(1000)))
    yield "with an unknown pre-shared key", "answered", Hello().set(PSK_MODES, b"\1\1").set(PSK, UNKNOWN_PSK)
    yield "with a pre-shared key without its modes", "missing_extension", Hello().set(PSK, UNKNOWN_PSK)
    yield "with a pre-shared key that is not the last extension", "illegal_parameter", Hello().set(PSK_MODES, b"\1\1").set(
        PSK, UNKNOWN_PSK).set(GREASE, b"")
    yield "with an unknown cookie", "answered illegal_parameter", Hello().set(COOKIE, vector(2, b"crumbs"))


def shared(group, key):
    return Hello().set(SHARES, vector(2, share(group, key)))


def records():
    """Messages in other records, at other times, or sealed differently."""
    def first(data):
        return lambda client: client.send(data)

    def finished(change):
        """With other records in place of Finished."""
        def work(client):
            client.send_hello(Hello())
            client.read_server_handshake()
            client.finish(*change(client.finished()))
            return client.ask()
        return work

    def unfinished(data):
        """In cleartext in place of Finished; `data` may be made from the client's state."""
        def work(client):
            client.send_hello(Hello())
            client.read_server_handshake()
            client.send(data if isinstance(data, bytes) else data(client))
        return work

    def plainly(data):
        """The same after the handshake."""
        def work(client):
            client.complete_handshake()
            client.send(data if isinstance(data, bytes) else data(client))
        return work

    def sealed(kind, *bodies, padding=0):
        def work(client):
            client.complete_handshake()
            for body in bodies:
                client.seal(kind, body, padding)
            return client.ask() if padding == 0 else None
        return work

    refused = "unexpected_message bad_record_mac"
    update = message(24, b"\0")
    yield "a change of ciphers before all", "unexpected_message", first(record(CHANGE, b"\1"))
    yield "a request before all, in a record", "unexpected_message", first(record(DATA, REQUEST))
    yield "an alert before all", "unexpected_message end", first(record(ALERT, b"\2\x28"))
    yield "half an alert before all", "decode_error unexpected_message", first(record(ALERT, b"\2"))
    yield "many empty handshake records", "unexpected_message", first(record(HANDSHAKE, b"") * 100)
    yield "a handshake message over the size limit", "illegal_parameter decode_error", first(
        record(HANDSHAKE, b"\1\xff\xff\xff"))
    yield "a record over the size limit", "record_overflow", first(record(HANDSHAKE, bytes(16_385)))
    yield "a record of an unknown type", "unexpected_message", unfinished(record(99, b"\1"))
    yield "another change of ciphers", "unexpected_message illegal_parameter decode_error", unfinished(
        record(CHANGE, b"\1\1"))
    yield "one change of ciphers, for middleboxes", "answered", changed(1)
    yield "twenty changes of ciphers", "answered", changed(20)
    yield "endless changes of ciphers", "unexpected_message", changed(2000)
    yield "a hello in records of a byte", "answered", bytewise
    yield "a hello after the wrong one", "answered", retried(lambda: Hello())
    yield "the wrong hello twice", "illegal_parameter", retried(lambda: Hello().set(SHARES, vector(2, b"")))

    yield "a changed Finished", "decrypt_error", finished(lambda whole: [whole[:-1] + bytes([whole[-1] ^ 1])])
    yield "a Finished cut short", "decode_error decrypt_error", finished(lambda whole: [message(20, whole[4:-1])])
    yield "a Finished that is too long", "decode_error decrypt_error", finished(
        lambda whole: [message(20, whole[4:] + b"\0")])
    yield "a Finished in two records", "answered", finished(lambda whole: [whole[:9], whole[9:]])
    yield "a Finished followed by new keys", "unexpected_message", finished(lambda whole: [whole + update])
    yield "a Finished in cleartext", refused, unfinished(lambda client: record(HANDSHAKE, client.finished()))
    yield "new keys for a Finished", "unexpected_message", finished(lambda _: [update])
    yield "an unrequested certificate", "unexpected_message", finished(lambda _: [message(11, bytes(4))])
    yield "a request for a Finished", refused, lambda client: (
        client.send_hello(Hello()), client.read_server_handshake(), client.ask())

    yield "a request in cleartext", refused, plainly(record(DATA, REQUEST))
    yield "an alert in cleartext", refused, plainly(record(ALERT, b"\1\0"))
    yield "a late change of ciphers", "unexpected_message", plainly(record(CHANGE, b"\1"))
    yield "a record that was changed", "bad_record_mac", plainly(
        lambda client: client.writing.seal(DATA, REQUEST)[:-16] + bytes(16))
    yield "a repeated record", "bad_record_mac", plainly(
        lambda client: client.writing.seal(DATA, b"GET /") * 2)
    yield "a record of padding only", "unexpected_message", sealed(0, b"", padding=100)
    yield "a padded request", "answered", sealed(DATA, REQUEST, padding=16_000)
    yield "a sealed record over the size limit", "record_overflow", sealed(DATA, bytes(16_640), padding=1)
    yield "empty records", "answered", sealed(DATA, *[b""] * 20)
    yield "endless empty records", "unexpected_message", sealed(DATA, *[b""] * 2000)
    yield "a second hello", "unexpected_message", sealed(HANDSHAKE, Hello().message())
    yield "a ticket for the server", "unexpected_message", sealed(HANDSHAKE, message(4, bytes(20)))
    yield "an empty handshake record, sealed", "unexpected_message decode_error", sealed(HANDSHAKE, b"")
    yield "new keys with an unknown request", "illegal_parameter", sealed(HANDSHAKE, message(24, b"\2"))
    yield "new keys with a trailing byte", "decode_error illegal_parameter", sealed(HANDSHAKE, message(24, b"\0\0"))
    yield "new keys with a request between their halves", "unexpected_message", plainly(
        lambda client: b"".join(
            client.writing.seal(*part) for part in [(HANDSHAKE, update[:2]), (DATA, REQUEST), (HANDSHAKE, update[2:])]))
    yield "new keys", "answered", updated(b"\0", 10)
    yield "new keys for both", "answered", updated(b"\1", 10)
    yield "endless new keys for both", "end", updated(b"\1", 2000)
    yield "endless warnings", "decode_error unexpected_message end", sealed(ALERT, *[b"\1\x5a"] * 2000)
    yield "early data without its extension", "unexpected_message bad_record_mac", early(Hello, 100)
    yield "early data that is not accepted", "answered", early(lambda: Hello().set(EARLY_DATA, b"").set(
        PSK_MODES, b"\1\1").set(PSK, UNKNOWN_PSK), 60_000)
    yield "endless early data", "unexpected_message bad_record_mac", early(lambda: Hello().set(EARLY_DATA, b"").set(
        PSK_MODES, b"\1\1").set(PSK, UNKNOWN_PSK), 1_000_000)


def changed(count):
    def work(client):
        client.send_hello(Hello())
        client.read_server_handshake()
        client.send(record(CHANGE, b"\1") * count)
        client.finish()
        return client.ask()
    return work


def bytewise(client):
    client.prepare_hello(Hello())
    for byte in client.transcript:
        client.send(record(HANDSHAKE, bytes([byte])))
    client.read_server_handshake()
    client.finish()
    return client.ask()


def retried(second):
    def work(client):
        client.send_hello(Hello().set(SHARES, vector(2, b"")))
        client.retry(second())
        client.read_server_handshake()
        client.finish()
        return client.ask()
    return work


def updated(wish, count):
    def work(client):
        client.complete_handshake()
        for _ in range(count):
            client.seal(HANDSHAKE, message(24, wish))
            client.writing = client.writing.updated()
        return client.ask()
    return work


def early(hello, count):
    def work(client):
        client.send_hello(hello())
        for start in range(0, count, 1000):
            client.send(record(DATA, bytes([start % 251 + 1]) * min(1000, count - start)))
        client.read_server_handshake()
        client.finish()
        return client.ask()
    return work


def cases():
    for name, expected, hello in hellos():
        yield f"a hello {name}", expected, lambda client, hello=hello: (client.complete_handshake(hello), client.ask())[-1]
    yield from records()
