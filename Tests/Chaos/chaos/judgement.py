"""What must be true at the end, whatever happened."""
import os
import re
import signal
import subprocess
import time
from pathlib import Path

SETTLE_SECONDS = 90
MOST_KILOBYTES_MORE = 16 * 1024
# Forward authorization may keep 32, signatures 8, and the other requests to Google a few.
MOST_TO_SERVICES = 48
CLOSE_WAIT = "08"


class Judgement:
    """What the daemon held after a load without faults."""

    def __init__(self, scene, load):
        self.scene = scene
        self.refused_before = sum(
            count for what, count in load.counts.items() if what.split()[-1] not in ("200", "refused"))
        self.answered_before = sum(count for what, count in load.counts.items() if what.endswith(" 200"))
        time.sleep(5)
        self.kilobytes, self.descriptors = self.held()

    def held(self):
        status = Path(f"/proc/{self.scene.process}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+)", status)[1]), self.descriptors_of_its_own()

    def to_services(self):
        """The connections to the services that it asks: inode and state of each (proc(5))."""
        services = {f"{service.port:04X}" for service in self.scene.services.values()}
        lines = Path(f"/proc/{self.scene.process}/net/tcp").read_text().splitlines()[1:]
        return {fields[9]: fields[3] for fields in map(str.split, lines) if fields[2].split(":")[1] in services}

    def descriptors_of_its_own(self):
        """Without connections that it keeps to the services it asks."""
        kept = self.to_services()
        count = 0
        for descriptor in Path(f"/proc/{self.scene.process}/fd").iterdir():
            try:
                count += re.sub(r"socket:\[(\d+)\]", r"\1", os.readlink(descriptor)) not in kept
            except OSError:
                continue
        return count

    def settled(self):
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            kilobytes, descriptors = self.held()
            fits = kilobytes <= self.kilobytes + MOST_KILOBYTES_MORE and descriptors <= self.descriptors
            if fits or time.monotonic() > deadline:
                return kilobytes, descriptors
            time.sleep(1)

    def of(self, load, faults, recovered):
        """Prints the counts and the invariants; the exit status."""
        print("faults: " + ", ".join(f"{count} x {name}" for name, count in sorted(faults.counts.items())))
        print("clients: " + ", ".join(f"{count} x {what}" for what, count in sorted(load.counts.items())))
        lives = self.scene.daemon.process.poll() is None
        kilobytes, descriptors = self.settled() if lives else (0, 0)
        services = self.to_services() if lives else {}
        forgotten = sum(state == CLOSE_WAIT for state in services.values())
        status = self.scene.daemon.end(signal.SIGTERM) if lives else self.scene.daemon.process.returncode
        self.scene.finish_audit()
        load.compare()
        verified = subprocess.run(
            [self.scene.binary, "audit", "verify", *self.scene.archived], capture_output=True, text=True)
        handed_out = sum(count for what, count in load.counts.items() if what.endswith(" 200"))
        other = [what for what in load.counts if re.search(r" (?!200|401|403|408|429|503)\d{3}$", what)]
        found = [
            (not faults.failed and len(faults.counts) == len(faults.all),
             f"{sum(faults.counts.values())} faults of {len(faults.counts)} sorts in {len(faults.all)} happened; failed: "
             f"{'; '.join(faults.failed) or 'none'}"),
            (lives and status == 0, f"the daemon lived, and ended with {status}"),
            (self.answered_before > 0 and self.refused_before == 0,
             f"before any fault: {self.answered_before:,} tokens, {self.refused_before} refusals"),
            (not load.unrecorded, f"tokens without an audit record: {len(load.unrecorded)} of {handed_out:,}; {load.recorded:,} records"),
            (verified.returncode == 0, f"audit verify: {(verified.stdout + verified.stderr).strip().splitlines()[-1]}"),
            (not load.faults, f"requests without an answer or a closed connection, dead or wrong tokens: {len(load.faults)}"),
            (not other, f"answers other than 200, 401, 403, 408, 429 and 503: {', '.join(other) or 'none'}"),
            (recovered, "every sort of request is answered with a token after the faults ended"),
            (kilobytes <= self.kilobytes + MOST_KILOBYTES_MORE,
             f"memory of its own (RssAnon): {self.kilobytes:,} kB before, {kilobytes:,} kB after"),
            (descriptors <= self.descriptors, f"descriptors: {self.descriptors} before, {descriptors} after"),
            (len(services) <= MOST_TO_SERVICES and not forgotten,
             f"connections to services: {len(services)}, {forgotten} of which the service has ended"),
        ]
        for passes, sentence in found:
            print(f"{'pass' if passes else 'FAIL'}  {sentence}")
        return 0 if all(passes for passes, _ in found) else 1
