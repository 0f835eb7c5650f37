"""What every measurement gets: the binary, a folder of its own, the processes, and how long to measure."""
from dataclasses import dataclass
from pathlib import Path

from .children import Children

# The server is alone on one core, the load generator and this program are on the other: neither waits for the other.
SERVER_CORE = 0
CLIENT_CORE = 1

TURN_SECONDS = 1


@dataclass
class Bench:
    binary: Path
    directory: Path
    children: Children
    quick: bool
    # The path of Intel's library, with which several signatures are made at once; None if that is not measured.
    crypto_mb: str | None = None
    # As `taskset` takes them.
    server_cores: str = str(SERVER_CORE)
    client_cores: str = str(CLIENT_CORE)

    @property
    def rounds(self):
        return 3 if self.quick else 5

    @property
    def turns(self):
        """Many short rounds, of `TURN_SECONDS` each, for comparisons: a shared machine's speed changes within seconds."""
        return 9 if self.quick else 25

    @property
    def seconds(self):
        """The length of one round of load."""
        return 1 if self.quick else 5
