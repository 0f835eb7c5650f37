"""Searches the memory of processes for private keys: key_scan.py PID[,PID...] KEY...

A key is a file of PEM (PKCS #8, or SEC 1 for EC), or a service account's key. For each key and process it prints, as JSON, in which
mappings each integer of the key lies, in any order of bytes or words that OpenSSL or Intel's library use, and how many lines
of the PEM text lie anywhere.
"""
import base64
import collections
import json
import pathlib
import re
import sys

RSA_NAMES = ["d", "p", "q", "dp", "dq", "qinv"]


def elements(der):
    """The elements of a DER sequence's content, as pairs of tag and content."""
    while der:
        length, start = der[1], 2
        if length >= 0x80:
            start += length & 0x7F
            length = int.from_bytes(der[2:start], "big")
        yield der[0], der[start:start + length]
        der = der[start + length:]


def integers(der):
    """The secret integers of a private key, by their names, as bytes with the most significant first."""
    parts = list(elements(next(elements(der))[1]))
    if parts[1][0] == 0x30:  # PKCS #8: version, algorithm, key
        return integers(parts[2][1])
    if len(parts) >= 9:  # RFC 8017: version, n, e, d, p, q, dp, dq, qinv
        return {name: content.lstrip(b"\0") for name, (_, content) in zip(RSA_NAMES, parts[3:9])}
    return {"d": parts[1][1]}  # RFC 5915: version, d


def words(number, bits):
    """The number as 64-bit words with this many bits each, the least significant first."""
    mask = (1 << bits) - 1
    count = (number.bit_length() + bits - 1) // bits
    return b"".join((number >> bits * place & mask).to_bytes(8, "little") for place in range(count))


def windows(content):
    """Pieces by which a whole is found, and also what is left of it once its first or last bytes were overwritten."""
    size = min(32, len(content))
    return {content[start:start + size] for start in (0, (len(content) - size) // 2, len(content) - size)}


def patterns(path):
    """What to search for, by name: pieces of bytes."""
    text = pathlib.Path(path).read_text()
    if text.lstrip().startswith("{"):
        text = json.loads(text)["private_key"]
    lines = [line for line in text.splitlines() if line and not line.startswith("-----")]
    found = {"PEM": {line.encode()[8:40] for line in lines if len(line) >= 40}}
    for name, content in integers(base64.b64decode("".join(lines))).items():
        number = int.from_bytes(content, "big")
        found[name] = windows(content) | windows(content[::-1]) | windows(words(number, 52))
    return found


class Mapping:
    def __init__(self, line):
        addresses, self.rights, *_ = line.split()
        self.start, self.end = (int(address, 16) for address in addresses.split("-"))
        self.name = line.split(maxsplit=5)[5] if len(line.split(maxsplit=5)) > 5 else "anonymous"
        self.locked, self.flags = 0, []


def mappings(pid):
    found = []
    for line in pathlib.Path(f"/proc/{pid}/smaps").read_text().splitlines():
        if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            found.append(Mapping(line))
        elif line.startswith("Locked:"):
            found[-1].locked = int(line.split()[1])
        elif line.startswith("VmFlags:"):
            found[-1].flags = line.split()[1:]
    return found


def is_locked(mapping, by_start, by_end):
    """Whether all of it is locked and in no dump (dd), and so is what adjoins it up to memory that nothing can read."""
    for neighbours, edge in ((by_start, "end"), (by_end, "start")):
        while mapping and not mapping.rights.startswith("---"):
            if mapping.locked * 1024 < mapping.end - mapping.start or "dd" not in mapping.flags:
                return False
            mapping, last = neighbours.get(getattr(mapping, edge)), mapping
        if not mapping:
            return False
        mapping = last
    return True


def scan(pid, keys):
    all_of_them = mappings(pid)
    by_start = {mapping.start: mapping for mapping in all_of_them}
    by_end = {mapping.end: mapping for mapping in all_of_them}
    places = {path: {name: collections.Counter() for name in found} for path, found in keys.items()}
    with open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for mapping in all_of_them:
            if not mapping.rights.startswith("r") or mapping.name.startswith(("[vvar", "[vsyscall")):
                continue
            memory.seek(mapping.start)
            content, size = b"", mapping.end - mapping.start
            try:
                while len(content) < size:
                    part = memory.read(size - len(content))
                    if not part:
                        break
                    content += part
            except OSError:
                # Beyond the end of a mapped file.
                pass
            kind = "locked" if is_locked(mapping, by_start, by_end) else f"{mapping.rights} {mapping.name}"
            for path, found in keys.items():
                for name, pieces in found.items():
                    # A whole number shows in each of its pieces.
                    count = max(content.count(piece) for piece in pieces) if name != "PEM" else sum(
                        content.count(piece) for piece in pieces)
                    if count:
                        places[path][name][kind] += count
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return {
        "VmLck": int(re.search(r"VmLck:\s+(\d+)", status)[1]),
        "keys": [{name: dict(counter) for name, counter in found.items()} for found in places.values()],
    }


def main(pids, *paths):
    keys = {path: patterns(path) for path in paths}
    print(json.dumps({pid: scan(pid, keys) for pid in pids.split(",")}, indent=2))


main(*sys.argv[1:])
