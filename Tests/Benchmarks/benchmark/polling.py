"""Programs that ask the admin listener again and again while something else is measured."""
import contextlib
import threading

from .http_connection import HTTPConnection
from .unmeasured import Unmeasured


@contextlib.contextmanager
def polling(port, pause_seconds, clients):
    """Each client is a function that asks on a connection of its own, after each pause."""
    ended, problems = threading.Event(), []

    def poll(ask):
        try:
            with HTTPConnection(port) as connection:
                while not ended.wait(pause_seconds):
                    ask(connection)
        except (OSError, Unmeasured) as problem:
            problems.append(problem)

    threads = [threading.Thread(target=poll, args=[ask]) for ask in clients]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    if problems:
        raise Unmeasured(f"the admin listener failed: {problems[0]}")
