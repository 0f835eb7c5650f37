"""Where the figures were measured: without these facts they cannot be compared with others."""
import os
import platform
import subprocess
from pathlib import Path


def facts(binary):
    return {
        "processor": processor(),
        "kernel": platform.release(),
        "system": system(),
        "nginx": first_line(["nginx", "-v"]).removeprefix("nginx version: "),
        "wrk": first_line(["wrk", "--version"]).split(" Copyright")[0],
        "openssl": first_line(["openssl", "version"]),
        "token-provider": first_line([str(binary), "--version"]),
        "load average at the end": " ".join(f"{value:.2f}" for value in os.getloadavg()),
    }


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def system():
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.system()


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[0] if lines else "unknown"
