"""The cases of strict.py: requests, and how each must end."""

import string

TOKEN = set((string.ascii_letters + string.digits + "!#$%&'*+-.^_`|~").encode())
CLOSED = "closed"


def line(first, *fields, body=b""):
    fields = [field if isinstance(field, bytes) else field.encode() for field in fields]
    return b"\r\n".join([first.encode(), *fields, b"", b""]) + body


def get(*fields, target="/healthz", method="GET", version="HTTP/1.1", host="a"):
    return line(f"{method} {target} {version}", *([f"Host: {host}"] if host is not None else []), *fields)


def post(*fields, body=b""):
    """A request that is answered with 405. A body of a known length is dropped; another closes the connection."""
    return line("POST /healthz HTTP/1.1", "Host: a", *fields, body=body)


def chunked(body):
    return post("Transfer-Encoding: chunked", body=body)


# section of RFC 9110 or 9112, name, bytes, the answers' statuses, then CLOSED where no canary may be answered
def cases():
    yield from request_lines()
    yield from hosts()
    yield from fields()
    yield from lengths()
    yield from chunks()
    yield from connections()
    yield from semantics()
    yield from two_readings()


def request_lines():
    yield "9112 2.2", "one empty line before", b"\r\n" + get(), [200]
    yield "9112 2.2", "bare LF", get().replace(b"\r\n", b"\n"), [400, CLOSED]
    yield "9112 2.2", "bare CR", get().replace(b"\r\n", b"\r", 1), [400, CLOSED]
    yield "9112 2.2", "space before the first field", get().replace(b"Host", b" Host"), [400, CLOSED]
    yield "9112 2.2", "space before the request", b" " + get(), [400, CLOSED]
    for version, statuses in {
        "HTTP/1.0": [200, CLOSED],
        "HTTP/1.2": [200],
        "HTTP/1.9": [200],
        "HTTP/2.0": [505, CLOSED],
        "HTTP/0.9": [505, CLOSED],
        "HTTP/1.10": [400, CLOSED],
        "HTTP/1": [400, CLOSED],
        "HTTP/1.": [400, CLOSED],
        "http/1.1": [400, CLOSED],
        "HTTP /1.1": [400, CLOSED],
        "HTTP/ 1.1": [400, CLOSED],
        "HTTP/1,1": [400, CLOSED],
        "HTTPS/1.1": [400, CLOSED],
        "HTTP/-1.1": [400, CLOSED],
        "HTTP/1.1 ": [400, CLOSED],
    }.items():
        yield "9112 2.3", f"version {version!r}", get(version=version), statuses
    for separator in ["  ", "\t", "\x0b", "\x0c", " \t", "\xa0"]:
        for position in (0, 1):
            parts = ["GET", "/healthz", "HTTP/1.1"]
            parts[position] += separator + parts.pop(position + 1)
            yield "9112 3", f"separator {separator!r}", line(" ".join(parts), "Host: a"), [400, CLOSED]
    yield "9112 3", "no version", line("GET /healthz", "Host: a"), [400, CLOSED]
    yield "9112 3", "no target", line("GET HTTP/1.1", "Host: a"), [400, CLOSED]
    yield "9112 3.1", "unknown method", get(method="BREW"), [501, CLOSED]
    yield "9112 3.1", "method in lower case", get(method="get"), [501, CLOSED]
    for byte in range(256):
        if byte not in TOKEN and byte != 0x20:
            yield "9112 3.1", f"method with byte {byte:02x}", b"G" + bytes([byte]) + get(), [400, CLOSED]
    yield "9112 3", "a target of 70,000 bytes", get(target="/" + "a" * 70000), [414, CLOSED]
    for byte in [*range(0x21), *range(0x7F, 0x100), *b'"<>\\^`{|}#']:
        if byte != 0x20:
            raw = get(target="/heaXlthz").replace(b"X", bytes([byte]), 1)
            yield "9112 3.2", f"target with byte {byte:02x}", raw, [400, CLOSED]
    for target in ["healthz", "", "%", "/%", "/%4", "/%zz", "/%u0041", "a:80", "*", "//", "/../healthz"]:
        statuses = {"//": [404], "/../healthz": [404]}.get(target, [400, CLOSED])
        yield "9112 3.2", f"target {target!r}", get(target=target), statuses
    yield "9112 3.2.2", "absolute form", get(target="http://a/healthz"), [200]
    yield "9112 3.2.2", "absolute form in upper case", get(target="HTTP://A:80/healthz"), [200]
    yield "9112 3.2.2", "absolute form, and another Host", get(target="http://b/healthz"), [400, CLOSED]
    yield "9112 3.2.2", "absolute form with user information", get(target="http://x@a/healthz"), [400, CLOSED]
    yield "9112 3.2.3", "CONNECT", get(method="CONNECT", target="a:80", host="a:80"), [405]
    yield "9112 3.2.4", "OPTIONS *", get(method="OPTIONS", target="*"), [405]


def hosts():
    yield "9112 3.2", "no Host", get(host=None), [400, CLOSED]
    yield "9112 3.2", "two Hosts", get("Host: a"), [400, CLOSED]
    yield "9112 3.2", "two Hosts in different case", get("HOST: a"), [400, CLOSED]
    yield "9112 3.2", "no Host in HTTP/1.0", get(host=None, version="HTTP/1.0"), [200, CLOSED]
    for host in [
        "",
        "a b",
        "a/b",
        "a,b",
        "a@b",
        "a:x",
        "a:99999999",
        "[::1",
        "::1]",
        "a?b",
        "a#b",
        "a\\b",
        "\xe9",
        "a:80:80",
        "[1]",
    ]:
        yield "9110 7.2", f"Host {host!r}", get(host=host), [400, CLOSED]
    for host in ["a:80", "a:", "[::1]", "[::1]:80", "A.EXAMPLE", "xn--e1afmkfd.example", "127.0.0.1"]:
        yield "9110 7.2", f"Host {host!r}", get(host=host), [200]


def fields():
    for byte in range(256):
        one = bytes([byte])
        fine = byte in TOKEN
        yield "9112 5", f"name with byte {byte:02x}", get(b"X" + one + b"Y: v"), (
            [200] if fine or byte == 0x3A else [400, CLOSED]
        )
        fine = byte == 9 or 0x20 <= byte != 0x7F
        yield "9110 5.5", f"value with byte {byte:02x}", get(b"X: v" + one + b"v"), [200] if fine else [400, CLOSED]
    for name, field in {
        "space before the colon": "X : v",
        "tab before the colon": "X\t: v",
        "no colon": "X",
        "no name": ": v",
    }.items():
        yield "9112 5.1", name, get(field), [400, CLOSED]
    yield "9112 5.1", "no value", get("X:"), [200]
    yield "9112 5.1", "no space before the value", get("X:v"), [200]
    yield "9112 5.1", "space and tabs around the value", get("X: \t v \t"), [200]
    yield "9112 5.2", "folded by a space", get("X: a\r\n b"), [400, CLOSED]
    yield "9112 5.2", "folded by a tab", get("X: a\r\n\tb"), [400, CLOSED]
    yield "9110 5.4", "a field of 70,000 bytes", get("X: " + "v" * 70000), [431, CLOSED]
    yield "9110 5.4", "5,000 fields", get(*["X: v"] * 5000), [431, CLOSED]


def lengths():
    yield "9112 6.1", "chunked", chunked(b"5\r\nhello\r\n0\r\n\r\n"), [405, CLOSED]
    yield "9112 6.1", "chunked in upper case", post("TRANSFER-ENCODING: CHUNKED", body=b"0\r\n\r\n"), [405, CLOSED]
    yield "9112 6.1", "both lengths", post("Content-Length: 5", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"), [
        400,
        CLOSED,
    ]
    yield "9112 6.1", "both lengths, reversed", post(
        "Transfer-Encoding: chunked", "Content-Length: 5", body=b"0\r\n\r\n"
    ), [400, CLOSED]
    for coding in [
        "gzip",
        "gzip, chunked",
        "chunked, chunked",
        "chunked, gzip",
        "identity",
        "chunked;q=1",
        "x",
        "",
        ",chunked",
        "chunked,",
    ]:
        yield "9112 6.1", f"coding {coding!r}", post(f"Transfer-Encoding: {coding}", body=b"0\r\n\r\n"), [501, CLOSED]
    yield "9112 6.1", "two codings", post(*["Transfer-Encoding: chunked"] * 2, body=b"0\r\n\r\n"), [400, CLOSED]
    in_old = line("POST /healthz HTTP/1.0", "Host: a", "Transfer-Encoding: chunked", body=b"0\r\n\r\n")
    yield "9112 6.1", "chunked in HTTP/1.0", in_old, [400, CLOSED]
    yield "9112 6.3", "a length", post("Content-Length: 5", body=b"hello"), [405]
    yield "9112 6.3", "a length of 0", post("Content-Length: 0"), [405]
    yield "9112 6.3", "no length", post(), [405]
    for value in [
        "5, 5",
        "5,6",
        "+5",
        "-5",
        "0x5",
        "five",
        "5 5",
        "",
        "5.0",
        "1e1",
        "1_0",
        '"5"',
        "5;",
        str(1 << 64),
        "9" * 40,
    ]:
        yield "9112 6.3", f"length {value!r}", post(f"Content-Length: {value}", body=b"hello"), [400, CLOSED]
    yield "9112 6.3", "two lengths", post("Content-Length: 5", "Content-Length: 6", body=b"hello"), [400, CLOSED]
    yield "9112 6.3", "two equal lengths", post(*["Content-Length: 5"] * 2, body=b"hello"), [400, CLOSED]


def chunks():
    """Nothing after such a body is read as a request, whoever finds another end of it."""
    for name, body in {
        "digits in both cases": b"a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n",
        "zeros before the size": b"0005\r\nhello\r\n000\r\n\r\n",
        "an extension": b"5;a=b\r\nhello\r\n0\r\n\r\n",
        "a quoted extension": b'5;a="b"\r\nhello\r\n0;c\r\n\r\n',
        "a trailer": b"0\r\nX: v\r\n\r\n",
        "no digit": b"\r\nhello\r\n0\r\n\r\n",
        "a size of x": b"x\r\n",
        "a size of 0x5": b"0x5\r\nhello\r\n0\r\n\r\n",
        "a size of -5": b"-5\r\nhello\r\n0\r\n\r\n",
        "a size of +5": b"+5\r\nhello\r\n0\r\n\r\n",
        "a space before the size": b" 5\r\nhello\r\n0\r\n\r\n",
        "a size beyond 2^64": b"1" + b"0" * 16 + b"5\r\nhello\r\n0\r\n\r\n",
        "LF after the size": b"5\nhello\r\n0\r\n\r\n",
        "CR after the size": b"5\rhello\r\n0\r\n\r\n",
        "no line end after the data": b"5\r\nhello0\r\n\r\n",
        "LF after the data": b"5\r\nhello\n0\r\n\r\n",
        "more data than the size": b"4\r\nhello\r\n0\r\n\r\n",
        "LF in an extension": b"5;a\nb\r\nhello\r\n0\r\n\r\n",
        "CR in an extension": b"5;a\rb\r\nhello\r\n0\r\n\r\n",
        "NUL in an extension": b"5;a\0b\r\nhello\r\n0\r\n\r\n",
        "LF after the last chunk": b"0\n\r\n",
        "a folded trailer": b"0\r\nX: a\r\n b\r\n\r\n",
        "a trailer with a length": b"0\r\nContent-Length: 5\r\n\r\n",
        "a trailer without a colon": b"0\r\nX\r\n\r\n",
        "bare LF in a trailer": b"0\r\nX: a\n\r\n\r\n",
    }.items():
        yield "9112 7.1", name, chunked(body), [405, CLOSED]


def connections():
    yield "9112 9.3", "two requests", get() + get(), [200, 200]
    yield "9112 9.3", "close", get("Connection: close"), [200, CLOSED]
    yield "9112 9.3", "close in upper case", get("Connection: CLOSE"), [200, CLOSED]
    yield "9112 9.3", "close in a list", get("Connection: x, close"), [200, CLOSED]
    yield "9112 9.3", "keep-alive in HTTP/1.0", get("Connection: keep-alive", version="HTTP/1.0"), [200]
    yield "9112 9.3.2", "ten requests", get() * 10, [200] * 10
    yield "9112 9.3.2", "after a refusal", get() + get("X") + get(), [200, 400, CLOSED]


def semantics():
    yield "9110 7.8", "an upgrade to h2c", get(
        "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"
    ), [200]
    yield "9110 7.8", "an upgrade to websocket", get("Connection: Upgrade", "Upgrade: websocket"), [200]
    yield "9110 9.3.1", "GET with a body", get("Content-Length: 5") + b"hello", [200]
    yield "9110 9.3.2", "HEAD", get(method="HEAD"), [200]
    yield "9110 9.3.8", "TRACE", get(method="TRACE"), [405]
    yield "9110 10.1.1", "100-continue", post("Expect: 100-continue", "Content-Length: 5", body=b"hello"), [405, CLOSED]
    yield "9110 10.1.1", "unknown expectation", post("Expect: x", "Content-Length: 5", body=b"hello"), [417, CLOSED]


def two_readings():
    """Every byte at every place of the two fields that say where a body ends, beside the other of them."""
    hidden = b"0\r\n\r\n"
    length, coding = b"Content-Length: 5", b"Transfer-Encoding: chunked"
    for byte in range(256):
        one = bytes([byte])
        # A name with another letter is another field. One with "_" for "-" is refused: some read it as such.
        other = [405] if byte in TOKEN else [400, CLOSED]
        for name, field in {
            "before": one + coding,
            "in the name": b"Transfer" + one + b"Encoding: chunked",
            "after the name": coding.replace(b":", one + b":"),
        }.items():
            statuses = [405] if byte == 0x3A and name == "in the name" else other
            if byte in b"-_" and name == "in the name":
                statuses = [400, CLOSED]
            yield "9112 11.2", f"{byte:02x} {name} of Transfer-Encoding", post(length, field, body=hidden), statuses
        for name, field in {
            "before": b"Transfer-Encoding:" + one + b"chunked",
            "in": b"Transfer-Encoding: chun" + one + b"ked",
            "after": coding + one,
        }.items():
            yield "9112 11.2", f"{byte:02x} {name} the coding", post(length, field, body=hidden), [400, CLOSED]
        if one.isdigit():
            continue
        spaces = [405] if byte in b"\t " else [400, CLOSED]
        yield "9112 11.2", f"{byte:02x} before the length", post(b"Content-Length:" + one + b"5", body=b"hello"), spaces
        yield "9112 11.2", f"{byte:02x} after the length", post(length + one, body=b"hello"), spaces
        # After what is not the end of a line, the rest is no field.
        joined = post(b"X: v" + one + coding, length, body=hidden)
        yield "9112 11.2", f"{byte:02x} instead of a line's end", joined, (
            [405] if byte == 9 or 0x20 <= byte != 0x7F else [400, CLOSED]
        )
