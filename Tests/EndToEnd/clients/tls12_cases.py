"""Forbidden and allowed behaviour of a TLS 1.2 client: each case is a name, its expected outcome, and its actions."""
from tls12_client import RENEGOTIATION, SIGNAL, SUITES, hello
from tls13_client import CHANGE, DATA, HANDSHAKE, REQUEST, Alerted, message, record, vector

HEARTBEAT = 24


def cases():
    yield "a valid handshake", "answered", lambda client: (client.complete_handshake(), client.ask())[-1]
    yield "renegotiation", "no_renegotiation", renegotiation(1)
    yield "renegotiation with the extension of RFC 5746", "no_renegotiation", renegotiation(1, extended=True)
    yield "renegotiation without RFC 5746", "no_renegotiation", renegotiation(1, SUITES)
    yield "a request after a renegotiation that was refused", "answered", refused
    yield "endless renegotiation", "end reset", flood
    yield "keys changed before there are any", "unexpected_message", early
    yield "keys changed after the handshake", "unexpected_message", late(CHANGE, b"\1")
    yield "a heartbeat before the handshake's end", "unexpected_message", heartbeat
    yield "a heartbeat", "unexpected_message", late(HEARTBEAT, b"\1\x40\0")
    yield "the new keys of TLS 1.3", "unexpected_message", late(HANDSHAKE, message(24, b"\0"))
    yield "a changed Finished", "decrypt_error", finished(lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]))
    yield "a Finished cut short", "decode_error", finished(lambda whole: message(20, whole[4:-1]))
    yield "a share of zeros", "illegal_parameter decode_error internal_error", nothing
    yield "a request in cleartext", "bad_record_mac unexpected_message decode_error", clear
    yield "the mark of a server that could speak TLS 1.3", "answered", marked


def renegotiation(count, suites=SUITES + SIGNAL, extended=False):
    def work(client):
        client.complete_handshake()
        again = hello(suites)
        if extended:
            again.set(RENEGOTIATION, vector(1, client.verify_data))
        for _ in range(count):
            client.seal(HANDSHAKE, again.message())
    return work


def refused(client):
    renegotiation(1)(client)
    try:
        client.next()
    except Alerted as alert:
        assert str(alert) == "no_renegotiation", alert
    return client.ask()


def flood(client):
    """The server closes the connection of a client that ignores so many warnings."""
    renegotiation(2000)(client)
    client.seal(DATA, REQUEST)
    while True:
        try:
            return client.answer()
        except Alerted as alert:
            if str(alert) != "no_renegotiation":
                raise


def early(client):
    """CVE-2014-0224."""
    client.start_handshake()
    client.send(record(CHANGE, b"\1"))


def heartbeat(client):
    """CVE-2014-0160."""
    client.start_handshake()
    client.send(record(HEARTBEAT, b"\1\x40\0"))


def late(kind, body):
    def work(client):
        client.complete_handshake()
        client.seal(kind, body)
    return work


def finished(change):
    def work(client):
        client.start_handshake()
        client.exchange()
        client.finish(change(client.finished()))
    return work


def nothing(client):
    client.start_handshake()
    client.send(record(HANDSHAKE, message(16, vector(1, bytes(32)))))


def clear(client):
    client.complete_handshake()
    client.send(record(DATA, REQUEST))


def marked(client):
    """RFC 8446 section 4.1.3: proves to the client that no attacker forced the older version."""
    client.complete_handshake()
    assert client.server_random.endswith(b"DOWNGRD\1"), client.server_random
    return client.ask()
