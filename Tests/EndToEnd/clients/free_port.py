"""Prints a port that no program listens on. It is below those that the system chooses (ip_local_port_range), so that no connection
and no other listener gets it before the program that it is for.
"""
import random
import socket


def free_port():
    while True:
        with socket.socket() as listener:
            try:
                listener.bind(("", random.randrange(20_000, 32_000)))
                return listener.getsockname()[1]
            except OSError:
                pass  # Another program has it.


if __name__ == "__main__":
    print(free_port())
