"""Scrapes a daemon's metrics in both formats, parses each strictly, and prints their content.

usage: scrape_metrics.py URL
"""

import json
import re
import sys
import urllib.request

from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_metrics
from prometheus_client.parser import text_string_to_metric_families as prometheus

TYPES = {
    "text/plain": "text/plain; version=0.0.4; charset=utf-8",
    "application/openmetrics-text": "application/openmetrics-text; version=1.0.0; charset=utf-8",
}
SAMPLE = re.compile(
    r'([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
    r'(?:,[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*")*\})? (-?[0-9]+(?:\.[0-9]+)?)')


def scrape(url, accept, method="GET"):
    request = urllib.request.Request(url, method=method, headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=600) as answer:
        assert answer.headers["Content-Type"] == TYPES[accept], answer.headers["Content-Type"]
        assert answer.headers["Vary"] == "Accept" and answer.headers["Cache-Control"] == "no-store"
        return answer.read().decode("utf-8", errors="strict"), int(answer.headers["Content-Length"])


def check_lines(text):
    """The grammar of format 0.0.4, which the library's own parser is lenient about."""
    types, seen, done, current = {}, set(), set(), None
    assert text.endswith("\n") and "\r" not in text
    for line in text[:-1].split("\n"):
        if line.startswith("# "):
            _, word, name, _ = line.split(" ", 3)
            assert word in ("TYPE", "HELP"), line
            if word == "TYPE":
                assert name not in types, f"{name} is there twice"
                types[name] = line.split(" ")[3]
                assert types[name] in ("counter", "gauge", "histogram"), line
                if current:
                    done.add(current)
                current = name
            assert name == current, f"{line}: not of {current}"
            continue
        match = SAMPLE.fullmatch(line)
        assert match, f"no sample: {line!r}"
        name, labels, _ = match.groups()
        family = re.sub("_(bucket|sum|count)$", "", name) if types[current] == "histogram" else name
        assert family == current and family not in done, f"{line}: not of {current}"
        assert types[current] != "counter" or name.endswith("_total"), line
        assert (name, labels) not in seen, f"{line}: reported twice"
        seen.add((name, labels))


def values(families):
    return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in families for sample in family.samples}


def main(url):
    plain, length = scrape(url, "text/plain")
    assert length == len(plain.encode())
    check_lines(plain)
    plain_families = list(prometheus(plain))
    structured, _ = scrape(url, "application/openmetrics-text")
    assert structured.endswith("# EOF\n") and structured.count("# EOF") == 1
    open_families = list(open_metrics(structured))
    for method_accept in TYPES:
        body, announced = scrape(url, method_accept, method="HEAD")
        assert body == "" and announced > 1000
    old, new = values(plain_families), values(open_families)
    created = {key for key in new if key[0].endswith("_created")}
    assert created and set(old) == set(new) - created, set(old) ^ (set(new) - created)
    for family in open_families:
        assert family.documentation and (not family.unit or family.name.endswith(family.unit)), family.name
    labels = {}
    for (name, pairs) in old:
        for label, value in pairs:
            labels.setdefault(label, set()).add(value)
    print(json.dumps({
        "names": sorted({name for name, _ in old}),
        "labels": {label: sorted(found) for label, found in labels.items()},
        "samples": len(old),
    }))


main(sys.argv[1])
