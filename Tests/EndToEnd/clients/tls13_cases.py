"""What a client of TLS 1.3 must not say, or may: each case is a name, what must come of it, and what is done.

Where RFC 8446 names an alert it is that; where OpenSSL's versions differ, or say more or less than it does, there are several.
"""
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from tls13_client import (
    ALERT, CHANGE, COOKIE, DATA, EARLY_DATA, GROUPS, HANDSHAKE, P256, PSK, PSK_MODES, REQUEST, SHARES, SIGNATURES, VERSIONS,
    X25519, Hello, message, numbers, record, share, vector)

GREASE = 0x0A0A
KEY = X25519PrivateKey.generate().public_key().public_bytes_raw()
UNKNOWN_PSK = vector(2, vector(2, b"nobody's") + bytes(4)) + vector(2, vector(1, bytes(32)))


def hellos():
    """Hellos by name: what must come of a handshake that begins with it."""
    def known(hello):
        """With words that nobody knows, as browsers say them (RFC 8701)."""
        hello.suites = vector(2, numbers(GREASE, 0x1301))
        public = hello.key.public_key().public_bytes_raw()
        hello.set(GROUPS, vector(2, numbers(GREASE, X25519))).set(SIGNATURES, vector(2, numbers(GREASE, 0x0403, 0x0804)))
        hello.set(SHARES, vector(2, share(GREASE, b"\0") + share(X25519, public)))
        return hello.set(VERSIONS, vector(1, numbers(GREASE, 0x0305, 0x0304))).set(GREASE, b"")

    yield "sound", "answered", Hello()
    yield "with words that nobody knows", "answered", known(Hello())
    yield "of the version 1.3 by its old field", "answered", Hello(version=0x0304)
    yield "of the version 1.9 by its old field", "answered", Hello(version=0x030A)
    yield "of SSL 3 by its old field", "protocol_version handshake_failure", Hello(version=0x0300)
    yield "of versions that nobody knows", "protocol_version", Hello().set(VERSIONS, vector(1, numbers(0x0305, GREASE)))
    yield "of TLS 1.1", "protocol_version", Hello(version=0x0302).set(VERSIONS, None)
    yield "of TLS 1.2 after an attempt at more", "inappropriate_fallback", Hello(
        suites=vector(2, numbers(0xC02B, 0x5600))).set(VERSIONS, None)
    yield "of no versions", "decode_error protocol_version", Hello().set(VERSIONS, vector(1, b""))
    yield "of half a version", "decode_error protocol_version", Hello().set(VERSIONS, vector(1, b"\3\4\3"))
    yield "without suites", "decode_error illegal_parameter", Hello(suites=vector(2, b""))
    yield "with half a suite", "decode_error illegal_parameter", Hello(suites=vector(2, b"\x13\1\x13"))
    yield "with suites that nobody knows", "handshake_failure", Hello(suites=vector(2, numbers(GREASE, 0x13FF)))
    yield "with suites of TLS 1.2 alone", "handshake_failure", Hello(suites=vector(2, numbers(0xC02B, 0xC02F)))
    yield "with compression", "illegal_parameter", Hello(compression=vector(1, b"\0\1"))
    yield "without a method of compression", "decode_error illegal_parameter", Hello(compression=vector(1, b""))
    yield "with a session's name that is too long", "decode_error illegal_parameter", Hello(session=vector(1, bytes(33)))
    yield "without signatures", "missing_extension", Hello().set(SIGNATURES, None)
    yield "with signatures that nobody knows", "handshake_failure", Hello().set(SIGNATURES, vector(2, numbers(GREASE)))
    yield "with signatures by SHA-1 alone", "handshake_failure", Hello().set(SIGNATURES, vector(2, numbers(0x0203, 0x0201)))
    yield "without groups", "missing_extension", Hello().set(GROUPS, None)
    yield "without shares", "missing_extension", Hello().set(SHARES, None)
    yield "with groups that nobody knows", "handshake_failure", Hello().set(
        GROUPS, vector(2, numbers(GREASE, 0xFE00))).set(SHARES, vector(2, share(GREASE, KEY)))
    yield "with a share of a group that it does not name", "illegal_parameter", Hello().set(GROUPS, vector(2, numbers(P256)))
    yield "with a share cut short", "illegal_parameter decode_error", shared(X25519, KEY[:31])
    yield "with a share of nothing", "decode_error illegal_parameter", shared(X25519, b"")
    yield "with a share that any key makes zero", "illegal_parameter internal_error", shared(X25519, bytes(32))
    yield "with a share beside the curve", "illegal_parameter", shared(P256, b"\4" + bytes(63) + b"\1")
    yield "with a share that goes past its end", "decode_error", Hello().set(SHARES, b"\0\x24" + share(X25519, KEY)[:20])
    yield "with an extension twice", "illegal_parameter decode_error", Hello(more=numbers(16, 0) * 2)
    yield "with an extension past its end", "decode_error", Hello(more=numbers(0x1234, 100))
    yield "with bytes behind it", "decode_error", Hello(behind=b"\0")
    yield "with a thousand extensions", "answered", Hello(more=b"".join(numbers(0x8000 + n, 0) for n in range(1000)))
    yield "with a key that nobody has", "answered", Hello().set(PSK_MODES, b"\1\1").set(PSK, UNKNOWN_PSK)
    yield "with such a key but no way to use it", "missing_extension", Hello().set(PSK, UNKNOWN_PSK)
    yield "with such a key in the wrong place", "illegal_parameter", Hello().set(PSK_MODES, b"\1\1").set(
        PSK, UNKNOWN_PSK).set(GREASE, b"")
    yield "with a cookie of nobody's", "answered illegal_parameter", Hello().set(COOKIE, vector(2, b"crumbs"))


def shared(group, key):
    return Hello().set(SHARES, vector(2, share(group, key)))


def records():
    """What is said in other records, at other times, or sealed otherwise."""
    def first(data):
        return lambda client: client.send(data)

    def finished(change):
        """With other records in place of Finished."""
        def work(client):
            client.greet(Hello())
            client.hear()
            client.finish(*change(client.finished()))
            return client.ask()
        return work

    def unfinished(data):
        """In clear, in place of Finished; `data` may be made from what the client knows."""
        def work(client):
            client.greet(Hello())
            client.hear()
            client.send(data if isinstance(data, bytes) else data(client))
        return work

    def plainly(data):
        """The same after the handshake."""
        def work(client):
            client.shake()
            client.send(data if isinstance(data, bytes) else data(client))
        return work

    def sealed(kind, *bodies, padding=0):
        def work(client):
            client.shake()
            for body in bodies:
                client.seal(kind, body, padding)
            return client.ask() if padding == 0 else None
        return work

    refused = "unexpected_message bad_record_mac"
    update = message(24, b"\0")
    yield "a change of ciphers before all", "unexpected_message", first(record(CHANGE, b"\1"))
    yield "a request before all, by records", "unexpected_message", first(record(DATA, REQUEST))
    yield "an alert before all", "unexpected_message end", first(record(ALERT, b"\2\x28"))
    yield "half an alert before all", "decode_error unexpected_message", first(record(ALERT, b"\2"))
    yield "nothing of a handshake, again and again", "unexpected_message", first(record(HANDSHAKE, b"") * 100)
    yield "a handshake past any length", "illegal_parameter decode_error", first(record(HANDSHAKE, b"\1\xff\xff\xff"))
    yield "a record past any length", "record_overflow", first(record(HANDSHAKE, bytes(16_385)))
    yield "a record of a kind that nobody knows", "unexpected_message", unfinished(record(99, b"\1"))
    yield "another change of ciphers", "unexpected_message illegal_parameter decode_error", unfinished(
        record(CHANGE, b"\1\1"))
    yield "the change of ciphers that old boxes want", "answered", changed(1)
    yield "changes of ciphers that nobody wants", "answered", changed(20)
    yield "changes of ciphers without end", "unexpected_message", changed(2000)
    yield "a hello in records of a byte", "answered", bytewise
    yield "a hello after the wrong one", "answered", retried(lambda: Hello())
    yield "the wrong hello twice", "illegal_parameter", retried(lambda: Hello().set(SHARES, vector(2, b"")))

    yield "another's Finished", "decrypt_error", finished(lambda whole: [whole[:-1] + bytes([whole[-1] ^ 1])])
    yield "a Finished cut short", "decode_error decrypt_error", finished(lambda whole: [message(20, whole[4:-1])])
    yield "a Finished that goes on", "decode_error decrypt_error", finished(lambda whole: [message(20, whole[4:] + b"\0")])
    yield "a Finished in two records", "answered", finished(lambda whole: [whole[:9], whole[9:]])
    yield "a Finished with new keys behind it", "unexpected_message", finished(lambda whole: [whole + update])
    yield "a Finished in clear", refused, unfinished(lambda client: record(HANDSHAKE, client.finished()))
    yield "new keys for a Finished", "unexpected_message", finished(lambda _: [update])
    yield "a certificate that nobody asked for", "unexpected_message", finished(lambda _: [message(11, bytes(4))])
    yield "a request for a Finished", refused, lambda client: (client.greet(Hello()), client.hear(), client.ask())

    yield "a request in clear", refused, plainly(record(DATA, REQUEST))
    yield "an alert in clear", refused, plainly(record(ALERT, b"\1\0"))
    yield "a late change of ciphers", "unexpected_message", plainly(record(CHANGE, b"\1"))
    yield "a record that was changed", "bad_record_mac", plainly(
        lambda client: client.writing.seal(DATA, REQUEST)[:-16] + bytes(16))
    yield "a record that comes again", "bad_record_mac", plainly(
        lambda client: client.writing.seal(DATA, b"GET /") * 2)
    yield "a record that holds nothing but padding", "unexpected_message", sealed(0, b"", padding=100)
    yield "a padded request", "answered", sealed(DATA, REQUEST, padding=16_000)
    yield "a sealed record past any length", "record_overflow", sealed(DATA, bytes(16_640), padding=1)
    yield "empty records", "answered", sealed(DATA, *[b""] * 20)
    yield "empty records without end", "unexpected_message", sealed(DATA, *[b""] * 2000)
    yield "a second hello", "unexpected_message", sealed(HANDSHAKE, Hello().message())
    yield "a ticket for the server", "unexpected_message", sealed(HANDSHAKE, message(4, bytes(20)))
    yield "nothing of a handshake, sealed", "unexpected_message decode_error", sealed(HANDSHAKE, b"")
    yield "new keys that nobody knows", "illegal_parameter", sealed(HANDSHAKE, message(24, b"\2"))
    yield "new keys that go on", "decode_error illegal_parameter", sealed(HANDSHAKE, message(24, b"\0\0"))
    yield "new keys with a request between their halves", "unexpected_message", plainly(
        lambda client: b"".join(
            client.writing.seal(*part) for part in [(HANDSHAKE, update[:2]), (DATA, REQUEST), (HANDSHAKE, update[2:])]))
    yield "new keys", "answered", updated(b"\0", 10)
    yield "new keys for both", "answered", updated(b"\1", 10)
    yield "new keys for both, again and again", "end", updated(b"\1", 2000)
    yield "warnings again and again", "decode_error unexpected_message end", sealed(ALERT, *[b"\1\x5a"] * 2000)
    yield "early data that was not asked for", "unexpected_message bad_record_mac", early(Hello, 100)
    yield "early data that is not taken", "answered", early(lambda: Hello().set(EARLY_DATA, b"").set(
        PSK_MODES, b"\1\1").set(PSK, UNKNOWN_PSK), 5000)
    yield "early data without end", "unexpected_message bad_record_mac", early(lambda: Hello().set(EARLY_DATA, b"").set(
        PSK_MODES, b"\1\1").set(PSK, UNKNOWN_PSK), 1_000_000)


def changed(count):
    def work(client):
        client.greet(Hello())
        client.hear()
        client.send(record(CHANGE, b"\1") * count)
        client.finish()
        return client.ask()
    return work


def bytewise(client):
    client.say(Hello())
    for byte in client.said:
        client.send(record(HANDSHAKE, bytes([byte])))
    client.hear()
    client.finish()
    return client.ask()


def retried(second):
    def work(client):
        client.greet(Hello().set(SHARES, vector(2, b"")))
        client.retry(second())
        client.hear()
        client.finish()
        return client.ask()
    return work


def updated(wish, count):
    def work(client):
        client.shake()
        for _ in range(count):
            client.seal(HANDSHAKE, message(24, wish))
            client.writing = client.writing.updated()
        return client.ask()
    return work


def early(hello, count):
    def work(client):
        client.greet(hello())
        for start in range(0, count, 1000):
            client.send(record(DATA, bytes([start % 251 + 1]) * min(1000, count - start)))
        client.hear()
        client.finish()
        return client.ask()
    return work


def cases():
    for name, expected, hello in hellos():
        yield f"a hello {name}", expected, lambda client, hello=hello: (client.shake(hello), client.ask())[-1]
    yield from records()
