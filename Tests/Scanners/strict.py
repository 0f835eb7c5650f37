"""Strict HTTP/1.1 against a running daemon: strict.py PORT

Each case is sent on a connection of its own, followed by a second request, the canary. After one that is served, the
canary is answered. One that is refused gets a single answer, and the connection is closed: nothing after it is read as
a request. Prints the cases of each section, and each case that ended differently."""

import re
import sys
from collections import Counter
from pathlib import Path

from strict_cases import CLOSED, cases

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "EndToEnd" / "clients"))
from outcome import Failure, require  # noqa: E402
from raw_http import AnswerReader, connect  # noqa: E402

CANARY = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


def check(port, raw, expected):
    """Fails unless the statuses are the expected ones, and the canary is answered if it has to be."""
    statuses = [status for status in expected if status != CLOSED]
    served = CLOSED not in expected
    with connect("127.0.0.1", port) as connection:
        connection.sendall(raw + CANARY)
        reader = AnswerReader(connection)
        to_head = raw.startswith(b"HEAD")
        seen = []
        while (answer := reader.next(to_head and not seen)) is not None:
            seen.append(answer.status)
            if answer.status == 405:
                require("allow" in answer.fields, "405 without Allow")
            require("date" in answer.fields or answer.status == 100, "no Date")
            if answer.closes:
                reader.require_end()
                break
    wanted = statuses + ([200] if served else [])
    require(seen == wanted, f"got {seen}, expected {wanted}")


def main():
    port = int(sys.argv[1])
    total, wrong = Counter(), []
    for section, name, raw, expected in cases():
        total[section] += 1
        try:
            check(port, raw, expected)
        except (Failure, OSError) as error:
            wrong.append(f"  RFC {section}, {name}: {error}")
    for section, count in sorted(total.items(), key=lambda item: [int(part) for part in re.findall("[0-9]+", item[0])]):
        print(f"RFC {section}: {count} cases")
    print(f"{sum(total.values())} cases, {sum(total.values()) - len(wrong)} as expected, {len(wrong)} not")
    if wrong:
        print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
