"""What an attacker in the daemon gets from its signing process: hostile_orders.py DAEMON KEY LIBRARY

It starts the process that starts the signing ones as the daemon does, then orders one that runs a library, is not confined and signs
for anybody, with descriptors of everything, and asks it for signatures. It prints, as JSON, what it got.
"""
import base64
import json
import os
import pathlib
import re
import socket
import sys
import tempfile
import time

AUDIENCE = "https://fleetengine.googleapis.com/"
GOOGLE = "https://oauth2.googleapis.com/token"
TERMS = {"allowed_hosts": [], "universe_domain": "googleapis.com", "batch": "off", "default_accounts": 0, "confined": 1,
         "audiences": [AUDIENCE]}


def start(daemon):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.posix_spawn(daemon, ["token-provider", "signing-process", "confined"], os.environ,
                         file_actions=[(os.POSIX_SPAWN_DUP2, theirs.fileno(), 3)])
    theirs.close()
    return pid, ours


def children(pid):
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def links(pid):
    """What a process's descriptors are."""
    return {os.readlink(entry) for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir()}


def extras():
    """Descriptors of what no signing process needs, by name."""
    datagrams, streams = (socket.socketpair(socket.AF_UNIX, kind) for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM))
    return {"file": tempfile.TemporaryFile(), "internet": socket.socket(), "datagrams": datagrams[0], "streams": streams[0]}


def encoded(value):
    content = value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(content).rstrip(b"=")


def messages(key):
    """What is asked to be signed, by name; the first is as it should be."""
    now, account = int(time.time()), key["client_email"]
    header = {"alg": "RS256", "typ": "JWT", "kid": key["private_key_id"]}
    claims = {"iss": account, "sub": account, "aud": AUDIENCE, "iat": now - 300, "exp": now + 3300,
              "authorization": {"tripid": "trip-1"}}
    grant = {"iss": account, "aud": GOOGLE, "iat": now, "exp": now + 3600,
             "scope": "https://www.googleapis.com/auth/cloud-platform"}
    parts = {
        "token": (header, claims),
        "grant": (header, grant),
        "token of Google's token service": (header, claims | {"aud": GOOGLE}),
        "token of tomorrow": (header, claims | {"iat": now + 86400, "exp": now + 90000}),
        "bytes": None,
    }
    return {name: encoded(part[0]) + b"." + encoded(part[1]) if part else b"bytes" for name, part in parts.items()}


def signature(channel, message):
    channel.send(b"\x01\x00\x00" + len(message).to_bytes(4, "big") + message)
    answer = channel.recv(1 << 16)
    return int.from_bytes(answer[:2], "big")


def main(daemon, path, library):
    starter, control = start(daemon)
    control.send(json.dumps(TERMS).encode())
    status, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    channel, others = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    given = extras()
    order = TERMS | {"credentials": [path], "batch": library, "confined": 0, "default_accounts": 1,
                     "allowed_hosts": ["attacker.example"], "audiences": [GOOGLE]}
    descriptors = [theirs.fileno(), others.fileno()] + [extra.fileno() for extra in given.values()]
    socket.send_fds(control, [json.dumps(order).encode()], descriptors)
    theirs.close()
    others.close()
    status.settimeout(600)
    channel.settimeout(600)
    report = json.loads(status.recv(1 << 18))
    signing = children(starter)[0]
    own = {name: os.readlink(f"/proc/self/fd/{extra.fileno()}") for name, extra in given.items()}
    print(json.dumps({
        "entries": [sorted(entry) for entry in report["entries"]],
        "runs_library": library in pathlib.Path(f"/proc/{signing}/maps").read_text(),
        "filters": re.search(r"Seccomp_filters:\t(\d+)", pathlib.Path(f"/proc/{signing}/status").read_text())[1],
        "kept": sorted(name for name, link in own.items() if link in links(signing) | links(starter)),
        "signed": [name for name, message in messages(json.loads(pathlib.Path(path).read_text())).items()
                   if signature(channel, message)],
    }))


main(*sys.argv[1:])
