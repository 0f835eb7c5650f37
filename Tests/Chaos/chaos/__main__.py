"""A run: the scene, an hour of load and faults, and the judgement."""
import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "EndToEnd" / "clients"))

from faults import Faults  # noqa: E402
from judgement import Judgement  # noqa: E402
from load import Load  # noqa: E402
from scene import Scene  # noqa: E402

WARM_UP_SECONDS = 45


def main():
    parser = argparse.ArgumentParser(prog="Tests/Chaos/run")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--binary", type=Path, required=True)
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.minutes:g} minutes", flush=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.TemporaryDirectory(prefix="token-provider-chaos-", ignore_cleanup_errors=True) as folder, Scene(Path(folder), options.binary) as scene:
        with Load(scene) as load:
            time.sleep(WARM_UP_SECONDS)
        judgement = Judgement(scene, load)
        with Load(scene, load) as load:
            faults = Faults(scene, options.seed)
            faults.run(options.minutes * 60)
            recovered = load.recovers()
        return judgement.of(load, faults, recovered)


if __name__ == "__main__":
    sys.exit(main())
