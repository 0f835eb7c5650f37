"""The release binary with the static standard library, and its size without symbols."""
import os
import subprocess
from pathlib import Path

from .unmeasured import Unmeasured

REPOSITORY = Path(__file__).resolve().parents[3]
COMMAND = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "token-provider"]


def release():
    """Builds the measured program and returns its path. No time limit includes the build."""
    try:
        # All cores for the compiler: this program itself is already pinned to one.
        subprocess.run(["taskset", "-c", f"0-{os.cpu_count() - 1}", *COMMAND], cwd=REPOSITORY, check=True)
        shown = subprocess.run(
            [*COMMAND, "--show-bin-path"], cwd=REPOSITORY, check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise Unmeasured("swift was not found in PATH: install the toolchain or name a built binary with --binary") \
            from error
    except subprocess.CalledProcessError as error:
        raise Unmeasured(f"`{' '.join(COMMAND)}` failed with status {error.returncode}") from error
    return Path(shown.stdout.strip()) / "token-provider"


def require_executable(binary):
    if not os.access(binary, os.X_OK):
        raise Unmeasured(f"{binary} is not an executable file")


def stripped_size(binary, directory):
    """Bytes of a stripped copy; the binary itself does not change."""
    copy = directory / "stripped"
    done = subprocess.run(["strip", "-o", str(copy), str(binary)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Unmeasured(f"strip refused {binary}: {done.stderr.strip()}")
    return copy.stat().st_size
