"""Every process a run starts, pinned to its core and stopped at the end, however the run ends."""
import subprocess

from .unmeasured import Unmeasured

STOP_SECONDS = 15
PREFIX = ["setpriv", "--pdeathsig", "TERM", "taskset", "-c"]


def name(child):
    """The command itself, without the prefix that pins it."""
    return child.args[len(PREFIX) + 1]


class Children:
    def __init__(self):
        self.running = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop_all()

    def start(self, command, core, **options):
        """Starts a command on one core. It ends even if this program is killed (parent-death signal)."""
        pinned = [*PREFIX, str(core), *map(str, command)]
        # A session of its own: Ctrl-C reaches this program only, which then stops its children in order.
        child = subprocess.Popen(pinned, start_new_session=True, **options)
        self.running.append(child)
        return child

    def finish(self, child, seconds):
        """Waits for a child that ends by itself and returns its standard output."""
        try:
            output, errors = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired as error:
            self.stop(child)
            raise Unmeasured(f"`{name(child)}` did not end within {seconds} s") from error
        self.running.remove(child)
        if child.returncode != 0:
            raise Unmeasured(f"`{name(child)}` failed with status {child.returncode}: {(errors or '').strip()}")
        return output

    def stop(self, child):
        self.running.remove(child)
        if child.poll() is not None:
            return
        child.terminate()
        try:
            child.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def stop_all(self):
        for child in list(self.running):
            self.stop(child)
