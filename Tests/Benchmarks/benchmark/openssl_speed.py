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


def visits_per_cpu_second(bench, seconds):
    """How often the bare operations of a visit are done: an RSA signature and a verification, an ECDSA signature and two
    operations of X25519."""
    signed, verified = rsa(bench, seconds)
    ecdsa, x25519 = (seconds_each(bench, seconds, name) for name in ("ecdsap256", "ecdhx25519"))
    return 1 / (signed + verified + ecdsa + 2 * x25519)


def rsa(bench, seconds):
    return (1 / rate(bench, seconds, operation) for operation in ("R1", "R2"))


def seconds_each(bench, seconds, name):
    """The processor time of one signature by ECDSA, or of one key agreement: lines like `+R5:COUNT:253:SECONDS`."""
    child = bench.children.start(
        ["openssl", "speed", "-mr", "-seconds", seconds, name], SERVER_CORE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    output = bench.children.finish(child, 10 * seconds + 30)
    counted = re.search(r"^\+R[57]:(\d+):\d+:([\d.]+)$", output, re.M)
    if counted is None:
        raise Unmeasured(f"`openssl speed -mr {name}` printed no line of results: {output!r}")
    return float(counted[2]) / int(counted[1])


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
