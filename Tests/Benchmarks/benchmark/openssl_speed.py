"""The limit of signing and of verifying: `openssl speed rsa2048` on the server's core."""
import re
import subprocess

from .bench import SERVER_CORE
from .unmeasured import Unmeasured


def signatures_per_cpu_second(bench, seconds):
    return rate(bench, seconds, "R1")


def verifications_per_second(bench, seconds):
    return rate(bench, seconds, "R2", "-elapsed")


def verifications_per_cpu_second(bench, seconds):
    return rate(bench, seconds, "R2")


def rate(bench, seconds, operation, *options):
    """`+R1:SIGNATURES:BITS:SECONDS` is the machine-readable line of the private key, `+R2` that of the public key. The
    seconds are processor time, unless the options say `-elapsed`."""
    command = ["openssl", "speed", "-mr", *options, "-seconds", seconds, "rsa2048"]
    child = bench.children.start(
        command, SERVER_CORE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = bench.children.finish(child, 10 * seconds + 30)
    counted = re.search(rf"^\+{operation}:(\d+):2048:([\d.]+)$", output, re.M)
    if counted is None:
        raise Unmeasured(f"`openssl speed -mr rsa2048` printed no +{operation} line: {output!r}")
    return int(counted[1]) / float(counted[2])
