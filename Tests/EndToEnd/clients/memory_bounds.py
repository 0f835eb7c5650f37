"""What a daemon that is not short of memory lets clients hold: memory_bounds.py PORT TLS_PORT METRICS_URL

Prints how many streams a connection may have, the most bytes that the kernel queues for a client that pipelines and reads
nothing, how many silent connections of one address stay open although they are more than its share, and how many were closed for
that.
"""
import select
import socket
import sys
import time

sys.dont_write_bytecode = True

from memory_attacks import PREFACE, connect, frame, secure  # noqa: E402
from memory_steps import counted  # noqa: E402
from outcome import report, require  # noqa: E402

PORT, TLS_PORT, METRICS = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
MAX_CONCURRENT_STREAMS = 3
UNREAD, SILENT = 40, 300


def main():
    facts = {"streams": streams(), "kernel_bytes": kernel_bytes()}
    held = [connect("silent", PORT, "127.0.1.1") for _ in range(SILENT)]
    # Longer than a connection is spared for being new.
    time.sleep(1.5)
    closed, _, _ = select.select(held, [], [], 0)
    return facts | {"kept": SILENT - len(closed), "over_share": counted(METRICS)["over_share"]}


def streams():
    """SETTINGS_MAX_CONCURRENT_STREAMS (RFC 9113 section 6.5.2)."""
    with secure(socket.create_connection(("127.0.0.1", TLS_PORT)), "h2") as peer:
        peer.sendall(PREFACE + frame(4, 0, 0))
        received = b""
        while len(received) < 9 or len(received) < 9 + int.from_bytes(received[:3], "big"):
            received += peer.recv(4096)
    require(received[3] == 4, f"a frame of type {received[3]}, expected SETTINGS")
    payload = received[9:9 + int.from_bytes(received[:3], "big")]
    settings = {payload[at + 1]: int.from_bytes(payload[at + 2:at + 6], "big") for at in range(0, len(payload), 6)}
    return settings[MAX_CONCURRENT_STREAMS]


def kernel_bytes():
    """Of the connections that the daemon has accepted, sent and received bytes together (proc(5): /proc/net/tcp)."""
    held = [connect("pipeline", PORT, "127.0.0.1") for _ in range(UNREAD)]
    time.sleep(0.5)
    ends = {peer.getsockname()[1] for peer in held}
    # A line may come twice while the system's table changes.
    queued = {}
    with open("/proc/net/tcp", encoding="ascii") as table:
        for line in list(table)[1:]:
            _, local, remote, _, queues = line.split()[:5]
            client = int(remote.split(":")[1], 16)
            if int(local.split(":")[1], 16) == PORT and client in ends:
                queued[client] = sum(int(part, 16) for part in queues.split(":"))
    require(len(queued) == UNREAD, f"{len(queued)} of {UNREAD} connections are open")
    for peer in held:
        peer.close()
    return max(queued.values())


report(main)
