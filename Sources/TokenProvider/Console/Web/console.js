// The console: polls the daemon's figures and shows them.

import { Chart } from "./charts.js";
import {
  announce, badge, bytes, clock, compact, draw, duration, find, given, grouped, make, note, show, sign, visible,
} from "./page.js";
import { CHARTS, TOKENS, rate, state, sum, value } from "./figures.js";
import { IDS, chooseFields } from "./questions.js";

const WINDOW = 15 * 60000;
const POLL = 2000;
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
const charts = CHARTS.map((chart) => ({ ...chart, view: new Chart(find("plots"), chart) }));
const kinds = make("ul", { class: "bars" });
find("plots").append(make("div", { class: "card chart" },
  make("header", {}, make("h3", {}, "Tokens by kind", make("span", { class: "quiet small" },
  " in 15 minutes"))), kinds));

function showCharts(data) {
  const now = data.now * 1000,
    last = state.samples.at(-1);
  const time = (sample) => now - (value(last, "time") - value(sample, "time"));
  for (const chart of charts) {
    const series = chart.series();
    const points = state.samples.slice(1).map((sample, index) => {
      const before = state.samples[index];
      const seconds = Math.max(0.001, (value(sample, "time") - value(before, "time")) / 1000);
      return { time: time(sample), values: Object.values(series).map((figure) => figure(before, sample,
          seconds)) };
    });
    const limit = chart.limit ? chart.limit(data) : null;
    chart.view.update(points, Object.keys(series), [now - WINDOW, now], limit ?? null);
  }
  const counts = data.kinds.map((kind) => [kind, sum([`kind.${kind}`], last, state.samples[0])]);
  const most = Math.max(1, ...counts.map(([, count]) => count));
  show(kinds, counts, () => counts.map(([kind, count]) => make("li", {},
    make("span", {}, kind.replaceAll("_", " ")), make("span", { class: "numbers value" }, grouped(
      count)), track(count / most, ""))));
}

const track = (share, kind) => draw("svg", { class: "track", viewBox: "0 0 100 8",
  preserveAspectRatio: "none", "aria-hidden": "true" },
  draw("rect", { class: kind, width: Math.max(share > 0 ? 1 : 0, Math.min(100, 100 * share)), height: 8 }));

// Status, terms and refusals.

function showStatus(data) {
  const failing = data.checks.filter((check) => check.failure !== null);
  const warned = data.checks.filter((check) => check.warning !== null);
  const level = failing.length > 0 ? "bad" : warned.length > 0 ? "warn" : "good";
  const words = { good: ["Ready", "Every check passes."], warn: ["Ready, with a warning", "See the checks below."],
    bad: ["Not ready", `${failing.map((check) => check.name).join(", ")}: see the checks below.`] } [level];
  const last = state.samples.at(-1),
    before = state.samples.at(-2) ?? last;
  const seconds = Math.max(0.001, (value(last, "time") - value(before, "time")) / 1000);
  const facts = [
    ["Uptime", duration(data.now - data.started)],
    ["Tokens per second", last === before ? "–" : compact(rate(...TOKENS)(before, last, seconds))],
    ["Tokens since the start", compact(value(last, "cached") + value(last, "minted"))],
    ["Cached tokens", `${compact(value(last, "cache_entries"))} in ${bytes(value(last, "cache_bytes"))}`],
  ];
  find("version").textContent = visible(data.version);
  summarise(level, words, facts);
  show(find("checks"), data.checks, () => data.checks.map((check) => {
    const [kind, word] = check.failure !== null ? ["bad", "failing"] : check.warning !== null ? ["warn",
      "warning"
    ] : ["good", "ok"];
    const reason = check.failure ?? check.warning;
    return make("li", { class: reason === null ? "card" : "card wide" },
      make("header", {}, make("h3", {}, check.name), badge(kind, word)),
      reason === null ? null : [given(reason, "p"), ...cure(check)]);
  }));
}

/** The first thing to see: how the daemon is, in a word, a sentence and some figures. */
function summarise(level, words, facts) {
  document.title = `${words[0]} · token-provider`;
  show(find("summary"), [level, words], () => [
    make("div", { class: `word ${level}` }, sign(level), make("div", { role: "status" }, make("strong", {},
      words[0]), make("span", { class: "quiet" }, words[1]))),
    make("dl", { class: "facts", id: "facts" }, facts.map(([name]) => make("div", {}, make("dt", {}, name),
      make("dd", { class: "numbers" }))))
  ]);
  facts.forEach(([, text], index) => { find("facts").children[index].lastChild.textContent = text; });
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** What to do about a check's reason, with the commands that do it. */
const cure = ({ cure, commands }) => cure === null ? [] : [make("p", { class: "quiet given" }, make("strong", {},
  "Cure: "), visible(sentence(cure))), ...commands.map((command) => given(command, "code", "command"))];

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

function showTerms(data) {
  const all = terms(data),
    shown = all.slice(0, 12);
  const farthest = Math.max(30 * 86400, ...shown.map((term) => term.seconds).filter(Number.isFinite));
  const end = (MARKS.find(([, seconds]) => seconds >= farthest) ?? MARKS.at(-1))[1];
  const marks = MARKS.filter(([, seconds]) => seconds <= end);
  find("terms-note").textContent = all.length > shown.length ?
    `${shown.length} of ${grouped(all.length)}` : "";
  const rows = shown.map((term) => {
    const kind = term.seconds <= 0 ? "bad" : !term.isRenewed && term.seconds < 7 * 86400 ? "warn" : "";
    return { ...term, kind, title: [TERMS[term.kind] ?? term.kind, term.note, term.isRenewed && kind === "" ?
        "renewed automatically" : ""].filter(Boolean).join(", "),
      left: term.left ?? (term.seconds <= 0 ? "expired" : brief(term.seconds)) };
  });
  show(find("terms"), rows.map((row) => [row.title, row.name, row.left]), () => rows.length === 0 ?
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

// Browsers take the roles of a table from one that is not laid out as such, as on a phone.
const cell = (content, kind) => make("td", { role: "cell", class: kind }, content);

function showRefusals(data) {
  const rows = [...data.refusals].reverse();
  show(find("refused"), rows, () => rows.length === 0 ?
    [make("p", { class: "blank" }, "No request was refused since the start.")] :
    [make("table", { role: "table" }, make("caption", { class: "unseen" }, "Latest refusals, newest first"),
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ["Time", "Code", "For", "Cause", "Request"].map(
        (name) => make("th", { scope: "col", role: "columnheader" }, name)))),
      make("tbody", { role: "rowgroup" }, rows.map((row) => make("tr", { role: "row" },
        cell(make("time", { datetime: new Date(row.time * 1000).toISOString() }, clock(row.time * 1000)), "numbers"),
        cell(make("code", {}, row.code), "narrow"),
        cell(row.subject ? given(row.subject, "code") : make("span", { class: "quiet" }, "–")),
        cell(given(row.reason)), cell(given(row.request_id, "code", "quiet"))))))]);
}

function showConfiguration(data) {
  const { successes, failures, errors, restart_for } = data.reload;
  const facts = [
    ["File", data.configuration_file === null ? "none: flags and environment" : data.configuration_file],
    ["Outgoing", data.outgoing],
    ["Reloads", `${grouped(successes)} done, ${grouped(failures)} failed`],
    ["Kinds served", data.kinds.join(", ").replaceAll("_", " ") || "none"]
  ];
  show(find("configured"), facts, () => facts.map(([name, text]) => make("div", {}, make("dt", {}, name), make(
  "dd", {}, given(text)))));
  show(find("waiting"), [errors, restart_for, find("reloaded").textContent], () => [
    errors.length && !find("reloaded").querySelector(".bad") ? note("bad",
      "The last reload failed. The previous configuration is active.", errors) : null,
    restart_for.length ? note("warn", "These changes wait for a restart:", restart_for) : null
  ].filter(Boolean));
  show(find("key-name"), data.api_keys, () => data.api_keys.length ? data.api_keys.map((name) => make(
  "option", { value: name }, visible(name))) : [make("option", { value: "" }, "No API keys are configured")]);
  const all = [...Object.keys(IDS), "server", "delivery_server", "delivery_fleet_reader", "fleet_reader"];
  show(find("kind"), data.kinds, () => all.map((kind) => make("option", { value: kind }, kind.replaceAll("_", " ") +
    (data.kinds.includes(kind) ? "" : " (off)"))));
}

// Polling.

async function poll() {
  const last = state.samples.findLast((sample) => sample.isStored);
  const response = await fetch(
  `console/data.json${last ? `?after=${value(last, "time")}` : ""}`, { cache: "no-store" });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const data = await response.json();
  if (data.started !== state.started)[state.samples, state.started] = [
    [], data.started
  ];
  state.data = data;
  state.columns = Object.fromEntries(data.columns.map((name, index) => [name, index]));
  state.samples = state.samples.filter((sample) => sample.isStored && value(sample, "time") >= value(data.current,
    "time") - WINDOW);
  for (const sample of data.samples) state.samples.push(Object.assign(sample, { isStored: true }));
  // The current figures are a point of their own once they differ enough in time for a rate.
  const newest = state.samples.at(-1);
  if (!newest || value(data.current, "time") - value(newest, "time") >= 1000) state.samples.push(data.current);
  for (const part of [showStatus, showTerms, showCharts, showRefusals, showConfiguration]) part(data);
}

async function turn() {
  if (!state.isPaused && !document.hidden) {
    try {
      await poll();
      live("good", "Live");
      if (state.hasFailed) announce("The daemon answers again.");
      state.hasFailed = false;
    } catch (error) {
      live("bad", "No answer");
      if (!state.hasFailed) announce("The daemon does not answer.");
      summarise("bad", ["No answer", state.data === null ? "The daemon has not answered yet." :
        `What you see is as of ${clock(state.data.now * 1000)}.`], []);
      state.hasFailed = true;
      if (!(error instanceof TypeError) && !/^status /.test(error.message)) console.error(error);
    }
  }
  setTimeout(turn, POLL);
}

const live = (kind, word) => show(find("live"), word, () => [badge(kind, word)]);

find("pause").addEventListener("click", () => {
  state.isPaused = !state.isPaused;
  find("pause").textContent = state.isPaused ? "Resume" : "Pause";
  live(state.isPaused ? "" : "good", state.isPaused ? "Paused" : "Live");
});

await turn();
chooseFields();
