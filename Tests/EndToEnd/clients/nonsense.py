"""Seeded invalid input for random_bytes.py: the same seed and number make the same bytes."""
import random

GOOD = [
    b"GET /token?tripID=a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /token?vehicleID=b HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nUser-Agent: x/1\r\n\r\n",
    b"GET /healthz HTTP/1.0\r\n\r\n",
    b"POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
    b"GET /token?tripID=a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, close\r\n\r\n",
    b"GET http://localhost/token?tripID=%C3%A9 HTTP/1.1\r\nHost: localhost\r\n\r\n",
]
PIECES = [
    b"\r\n", b"\n", b"\r", b"\r\n\r\n", b"\x00", b" ", b"\t", b":", b"%", b"%00", b"%2", b"GET ", b"PRI * HTTP/2.0",
    b" HTTP/1.1", b" HTTP/9.9", b"Host: a", b"Host: a\r\nHost: b", b"Content-Length: 5", b"Content-Length: -1",
    b"Content-Length: 5, 5", b"Content-Length: 99999999999999999999", b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: \x0bchunked", b"Connection: close", b"Expect: 100-continue", b"Upgrade: h2c", b"X : y",
    b" folded: value", b"\xff\xfe", b"\x16\x03\x01", b"FFFFFFFFFFFFFFFF\r\n", b"0\r\n\r\n", b"/token?tripID=",
    b"?tripID=a&tripID=b", b"*", b"//", b"/../",
]


def blob(seed, number):
    chance = random.Random(f"{seed}/{number}")
    return chance.choice([noise, mutation, mutation, mutation, pieces, pieces, flood])(chance)


def noise(chance):
    return chance.randbytes(chance.randint(0, 2000))


def mutation(chance):
    """One to three good requests with a few of their bytes changed, lost, doubled or added to."""
    data = bytearray(b"".join(chance.choices(GOOD, k=chance.randint(1, 3))))
    for _ in range(chance.randint(1, 5)):
        place = chance.randrange(len(data) + 1)
        length = chance.randint(0, 4)
        replacement = chance.choice([
            b"", chance.randbytes(chance.randint(1, 3)), chance.choice(PIECES), bytes(data[place:place + length]) * 2])
        data[place:place + length] = replacement
    return bytes(data)


def pieces(chance):
    """A request line and fields put together from pieces that matter to a parser."""
    return chance.choice(GOOD)[:chance.randint(0, 60)] + b"".join(chance.choices(PIECES, k=chance.randint(1, 30)))


def flood(chance):
    """More of one thing than any limit allows."""
    size = chance.choice([1_000, 20_000, 40_000, 200_000])
    letter = bytes([chance.randrange(256)])
    return chance.choice([
        letter * size,
        b"GET /" + letter * size + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + letter * size + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * (size // 6) + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % size + letter * size,
        # No more than fits in the sockets' buffers, since the client reads nothing until all is sent.
        GOOD[0] * (min(size, 40_000) // len(GOOD[0])),
    ])
