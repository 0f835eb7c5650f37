"""What the kernel reports about a running process (proc(5))."""
import os
from pathlib import Path

from .unmeasured import Unmeasured

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def cpu_seconds(process):
    """User and system time of all threads so far, utime + stime of /proc/PID/stat."""
    # The command name in parentheses may hold blanks: fields are counted after the last parenthesis.
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


def anonymous_kilobytes(process):
    """What the process alone holds: clean pages of files cost nobody anything, and come back when they are used."""
    return kilobytes(process, "status", "RssAnon")


def proportional_kilobytes(process):
    """The same and its share of the pages of files."""
    return kilobytes(process, "smaps_rollup", "Pss")



def kilobytes(process, file, name):
    for line in Path(f"/proc/{process}/{file}").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise Unmeasured(f"/proc/{process}/{file} has no {name} line")


def open_descriptors(process):
    return len(os.listdir(f"/proc/{process}/fd"))


def only_child(process):
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    if len(children) != 1:
        raise Unmeasured(f"process {process} has {len(children)} child processes where one was expected")
    return int(children[0])
