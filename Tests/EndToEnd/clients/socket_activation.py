"""Executes a program that inherits descriptors, as a service manager does.

python socket_activation.py NAME=WHAT... -- COMMAND...

WHAT is ADDR:PORT, unix:PATH or @NAME to listen on, or an unusable descriptor: pipe, datagram, idle (a socket that is bound
and does not listen) or closed.
"""
import os
import socket
import sys

FIRST = 3


def main():
    split = sys.argv.index("--")
    given, command = sys.argv[1:split], sys.argv[split + 1:]
    names, held = zip(*(item.split("=", 1) for item in given))
    opened = [descriptor(what) for what in held]
    # Copied above all targets first, so that none is overwritten before it is copied.
    high = [os.dup2(number, 100 + index) if number is not None else None for index, number in enumerate(opened)]
    os.closerange(FIRST, 100)
    for index, number in enumerate(high):
        if number is not None:
            os.dup2(number, FIRST + index)
    os.closerange(FIRST + len(high), 200)
    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(high)), LISTEN_FDNAMES=":".join(names))
    os.execvp(command[0], command)


def descriptor(what):
    if what == "closed":
        return None
    if what == "pipe":
        return os.pipe()[0]
    family, address = place("127.0.0.1:0" if what in ("datagram", "idle") else what)
    kind = socket.SOCK_DGRAM if what == "datagram" else socket.SOCK_STREAM
    made = socket.socket(family, kind)
    made.bind(address)
    if what not in ("datagram", "idle"):
        made.listen()
    return made.detach()


def place(text):
    if text.startswith("unix:"):
        return socket.AF_UNIX, text.removeprefix("unix:")
    if text.startswith("@"):
        return socket.AF_UNIX, "\0" + text[1:]
    host, _, port = text.rpartition(":")
    family = socket.AF_INET6 if host.startswith("[") else socket.AF_INET
    return family, (host.strip("[]"), int(port))


main()
