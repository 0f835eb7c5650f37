"""A command that is run only for its output."""
import subprocess

from .unmeasured import Unmeasured


def output(command):
    """The standard output of the command."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        raise Unmeasured(f"`{command[0]} {command[1]}` failed with status {done.returncode}: {done.stderr.strip()}")
    return done.stdout
