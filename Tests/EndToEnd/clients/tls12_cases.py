"""What a client of TLS 1.2 must not say, or may: each case is a name, what must come of it, and what is done."""
from tls12_client import RENEGOTIATION, SIGNAL, SUITES, hello
from tls13_client import CHANGE, DATA, HANDSHAKE, REQUEST, Alerted, message, record, vector

HEARTBEAT = 24


def cases():
    yield "a sound handshake", "answered", lambda client: (client.shake(), client.ask())[-1]
    yield "renegotiation", "no_renegotiation", renegotiation(1)
    yield "renegotiation by the letter", "no_renegotiation", renegotiation(1, by_letter=True)
    yield "renegotiation of who does not know of its securing", "no_renegotiation", renegotiation(1, SUITES)
    yield "a request after a renegotiation that was refused", "answered", refused
    yield "renegotiation without end", "end reset", flood
    yield "keys changed before there are any", "unexpected_message", early
    yield "keys changed after the handshake", "unexpected_message", late(CHANGE, b"\1")
    yield "a heartbeat before the handshake's end", "unexpected_message", heartbeat
    yield "a heartbeat", "unexpected_message", late(HEARTBEAT, b"\1\x40\0")
    yield "the new keys of TLS 1.3", "unexpected_message", late(HANDSHAKE, message(24, b"\0"))
    yield "another's Finished", "decrypt_error", finished(lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]))
    yield "a Finished cut short", "decode_error", finished(lambda whole: message(20, whole[4:-1]))
    yield "a share beside any curve", "illegal_parameter decode_error internal_error", nothing
    yield "a request in clear", "bad_record_mac unexpected_message decode_error", clear
    yield "the mark of a server that could speak TLS 1.3", "answered", marked


def renegotiation(count, suites=SUITES + SIGNAL, by_letter=False):
    def work(client):
        client.shake()
        again = hello(suites)
        if by_letter:
            again.set(RENEGOTIATION, vector(1, client.own))
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
    """No more is heard of who goes on after so many warnings."""
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
    client.meet()
    client.send(record(CHANGE, b"\1"))


def heartbeat(client):
    """CVE-2014-0160."""
    client.meet()
    client.send(record(HEARTBEAT, b"\1\x40\0"))


def late(kind, body):
    def work(client):
        client.shake()
        client.seal(kind, body)
    return work


def finished(change):
    def work(client):
        client.meet()
        client.exchange()
        client.finish(change(client.finished()))
    return work


def nothing(client):
    client.meet()
    client.send(record(HANDSHAKE, message(16, vector(1, bytes(32)))))


def clear(client):
    client.shake()
    client.send(record(DATA, REQUEST))


def marked(client):
    """RFC 8446 section 4.1.3: so that nobody in the middle can have spoken for the client."""
    client.shake()
    assert client.sound.endswith(b"DOWNGRD\1"), client.sound
    return client.ask()
