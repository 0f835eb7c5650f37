// What expires next, on one timeline.

import { badge, draw, duration, find, given, grouped, make, show, visible } from "./page.js";

const TERMS = {
  certificate: "Server certificate",
  ocsp_response: "OCSP response",
  client_authority: "Client authority",
  revocation_list: "Revocation list",
  api_key: "API key",
  access_token: "Access token",
  issuer_keys: "Issuer's keys",
  published_keys: "Published keys",
  signing_key: "Signing key",
};
const brief = (seconds) => duration(seconds).split(" ").slice(0, 2).join(" ");

// The timeline is logarithmic, so that hours and years fit on it. Its last mark is behind the last end.
const MARKS = [["1 h", 3600], ["1 day", 86400], ["1 week", 7 * 86400], ["1 month", 30 * 86400], ["1 year", 365 * 86400],
  ["10 years", 3650 * 86400], ["100 years", 36500 * 86400]];
const place = (seconds, end) => Math.log1p(Math.max(0, seconds) / 600) / Math.log1p(end / 600);

/** Keys that were fetched. Published ones are used also when they are old, and fetched again when they are needed. */
function fetched(kind, { name, age, seconds, failure, skipped }) {
  const isDue = kind === "published_keys" && seconds === 0;
  return { kind, name, isRenewed: !isDue, seconds: isDue ? Infinity : seconds ?? 0, left: seconds === null ? "none" :
    isDue ? "when needed" : undefined, note: failure ??
      [age === null ? null : `fetched ${brief(age)} ago`, skipped].filter(Boolean).join("; ") };
}

/** Everything with an end, the first end first, and the keys that sign, which have none. */
function terms(data) {
  const found = data.terms.map((term) => ({ ...term, isRenewed: term.kind === "access_token" }));
  for (const kind of ["issuer_keys", "published_keys"]) found.push(...data[kind].map((keys) => fetched(kind, keys)));
  found.sort((one, other) => one.seconds - other.seconds);
  return found.concat(data.signing_keys.map((name) => ({ kind: "signing_key", name, seconds: Infinity,
    left: "no end", note: `read ${brief(data.keys_read)} ago` })));
}

export function showTerms(data) {
  const all = terms(data),
    shown = all.slice(0, 12);
  const farthest = Math.max(30 * 86400, ...shown.map((term) => term.seconds).filter(Number.isFinite));
  const end = (MARKS.find(([, seconds]) => seconds >= farthest) ?? MARKS.at(-1))[1];
  const marks = MARKS.filter(([, seconds]) => seconds <= end);
  find("terms-note").textContent = all.length > shown.length ?
    `${shown.length} of ${grouped(all.length)}` : "";
  const rows = shown.map((term) => {
    const kind = term.seconds <= 0 ? "bad" : term.due ? "warn" : "";
    return { ...term, kind, title: [TERMS[term.kind] ?? term.kind, term.note, term.isRenewed && kind === "" ?
        "renewed automatically" : ""].filter(Boolean).join(", "),
      left: term.left ?? (term.seconds <= 0 ? "expired" : brief(term.seconds)) };
  });
  show(find("terms"), rows.map((row) => [row.title, row.name, row.left, row.kind]), () => rows.length === 0 ?
    [make("li", { class: "blank" }, "Nothing that expires is configured.")] : [axis(marks, end), ...rows.map((row) =>
      make("li", {}, make("span", {}, make("span", { class: "quiet small given" }, visible(row.title)), make("br"),
      given(row.name)), line(row, marks, end), make("span", { class: "left numbers" }, row.kind ? badge(row.kind,
      row.left) : row.left)))]);
}

function axis(marks, end) {
  const names = [["now", 0], ...marks].map(([name, seconds]) => {
    const label = make("span", { class: "small quiet" }, name);
    label.style.left = `${100 * place(seconds, end)}%`;
    return label;
  });
  return make("li", { class: "axis", "aria-hidden": "true" }, make("span"), make("span", { class: "marks" }, names),
    make("span"));
}

const line = ({ seconds, kind }, marks, end) => draw("svg", { class: "track", viewBox: "0 0 1000 8",
  preserveAspectRatio: "none", "aria-hidden": "true" },
  draw("rect", { class: Number.isFinite(seconds) ? kind : "endless", height: 8,
    width: Math.max(kind === "bad" ? 8 : 4, 1000 * Math.min(1, place(seconds, end))) }),
  marks.slice(0, -1).map(([, seconds]) => draw("path", { class: "mark", d: `M${1000 * place(seconds, end)} 0V8` })));
