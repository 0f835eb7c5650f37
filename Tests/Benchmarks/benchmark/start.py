"""The time from exec to the first answer, and the daemon's size before any token was requested."""
import os
import signal
import socket
import time

from . import build
from .bench import CLIENT_CORE, SERVER_CORE
from .daemon import Daemon, environment, free_port, write_configuration
from .figure import Figure, at_most
from .http_connection import request_bytes
from .process_status import anonymous_kilobytes, proportional_kilobytes
from .unmeasured import Unmeasured

STARTS = 15
GIVE_UP_SECONDS = 5


def measure(bench):
    first_answer(bench)  # loads the binary and the key into the page cache
    return [
        Figure("exec to first 200", "ms", [first_answer(bench) for _ in range(STARTS)], at_most(15)),
        *idle_memory(bench),
        Figure("release binary, stripped", "MB", [build.stripped_size(bench.binary, bench.directory) / 1e6],
               at_most(25)),
    ]


def first_answer(bench):
    """Milliseconds from exec until /healthz has answered 200."""
    port = free_port()
    return milliseconds_until(bench, port, "/healthz", write_configuration(bench, port, {}), environment())


def milliseconds_until(bench, port, path, configuration, variables):
    """Milliseconds from exec until the path is answered with 200 on the port."""
    command = [str(bench.binary), "serve", "--config", str(configuration)]
    null = os.open(os.devnull, os.O_RDWR)
    streams = [(os.POSIX_SPAWN_DUP2, null, stream) for stream in (0, 1, 2)]
    # The child inherits this program's core; `taskset` would add another exec to the time.
    os.sched_setaffinity(0, {SERVER_CORE})
    begun = time.perf_counter()
    process = os.posix_spawn(command[0], command, variables, file_actions=streams)
    os.sched_setaffinity(0, {CLIENT_CORE})
    try:
        wait_for_answer(port, path, begun + GIVE_UP_SECONDS)
        return (time.perf_counter() - begun) * 1000
    finally:
        os.close(null)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def wait_for_answer(port, path, deadline):
    while time.perf_counter() < deadline:
        with socket.socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) != 0:
                continue
            attempt.settimeout(GIVE_UP_SECONDS)
            attempt.sendall(request_bytes(path))
            if attempt.recv(4096).startswith(b"HTTP/1.1 200 "):
                return
    raise Unmeasured(f"the daemon did not answer {path} with 200 within {GIVE_UP_SECONDS} s of its start")


def idle_memory(bench):
    def megabytes():
        with Daemon(bench) as daemon:
            time.sleep(1)  # the work that start-up defers is done
            return [kilobytes(daemon.process) * 1024 / 1e6 for kilobytes in (anonymous_kilobytes, proportional_kilobytes)]

    anonymous, proportional = zip(*(megabytes() for _ in range(3)))
    return [Figure("idle memory of its own (RssAnon)", "MB", list(anonymous), at_most(3)),
            Figure("idle memory with its share of files (PSS)", "MB", list(proportional))]
