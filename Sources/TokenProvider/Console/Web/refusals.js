// The latest refusals: equal ones together, those that a filter finds, and each to explain.

import { copyButton, find, given, grouped, make, offset, show, stamp } from "./page.js";
import { fillIn } from "./questions.js";

/** Longer ids than a UUID may break into lines. */
const UNBROKEN = 36;
const NAMES = ["code", "subject", "reason", "caller", "client"];
let latest = null;

// Browsers take the roles of a table from one that is not laid out as such, as on a phone.
const cell = (kind, ...content) => make("td", { role: "cell", class: kind }, ...content);

const id = (text, kind = "") => given(text, "code", text.length > UNBROKEN ? kind : `unbroken ${kind}`);

/** The newest of each group of equal refusals, with the number of them. */
function groups(refusals) {
  const found = new Map();
  for (const refusal of [...refusals].reverse()) {
    const key = JSON.stringify(NAMES.map((name) => refusal[name]));
    const group = found.get(key);
    if (group === undefined) found.set(key, { ...refusal, count: 1 });
    else group.count += 1;
  }
  return [...found.values()];
}

export function showRefusals(data) {
  latest = data;
  const words = find("refusal-filter").value.toLowerCase().split(/\s+/);
  const all = groups(data.refusals);
  const rows = all.filter((row) => {
    const text = [...NAMES, "request_id"].map((name) => row[name] ?? "").join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  find("refusal-count").textContent = rows.length === all.length ? "" :
    `${grouped(rows.length)} of ${grouped(all.length)}`;
  show(find("refused"), [rows, data.log_ids, data.api_keys], () => all.length === 0 ?
    [make("p", { class: "blank" }, "No request was refused since the start.")] : rows.length === 0 ?
    [make("p", { class: "blank" }, "No refusal has all words of the filter.")] : [table(rows, data)]);
}

function table(rows, data) {
  const names = [`Time, ${offset(data.now * 1000)}`, "Who", "What", "Cause", "Request"];
  return make("table", { role: "table" }, make("caption", { class: "unseen" }, "Latest refusals, newest first"),
    make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, names.map((name) => make("th", { scope: "col",
      role: "columnheader" }, name)))),
    make("tbody", { role: "rowgroup" }, rows.map((row) => line(row, data))));
}

function line(row, data) {
  const milliseconds = row.time * 1000;
  const kind = row.subject.split(":")[0];
  const explain = make("button", { type: "button", class: "slim", click: () => fillIn(row, data) }, "Explain this");
  return make("tr", { role: "row" },
    cell("numbers", make("time", { datetime: new Date(milliseconds).toISOString() }, stamp(milliseconds)),
      row.count > 1 ? make("span", { class: "state" }, `${row.count} times`) : null),
    cell("lines", row.caller ? id(row.caller) : make("span", { class: "quiet" }, "–"),
      row.client ? id(row.client, "quiet") : null),
    cell("lines", make("code", {}, row.code), row.subject ? id(row.subject, "quiet") : null),
    cell("", given(row.reason)),
    cell("", id(row.request_id, "quiet"), make("div", { class: "row" }, copyButton(() => row.request_id,
      `request id ${row.request_id}`), data.kinds.includes(kind) ? explain : null)));
}

find("refusal-filter").addEventListener("input", () => latest && showRefusals(latest));
