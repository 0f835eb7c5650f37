// The console: polls the daemon's figures and shows them.

import { Chart } from "./charts.js";
import {
  announce, badge, bytes, clock, compact, draw, duration, find, given, make, note, show, sign, visible,
} from "./page.js";
import { CHARTS, TOKENS, rate, state, sum, value } from "./figures.js";
import { IDS, chooseFields } from "./questions.js";

const WINDOW = 15 * 60000;
const POLL = 2000;
const CURES = {
  signing: "Check the credentials and Google's reach: run token-provider doctor. Replace a key that does not sign.",
  audit: "Free space, or fix the permissions of the audit log. Tokens are given again as soon as it can be written.",
  certificates: "Install a valid certificate, client authority or revocation list, then reload.",
  issuers: "Make sure that the daemon reaches the identity provider. The log says what failed.",
  serving: "The daemon is stopping. Send clients to another replica.",
};
const TERMS = {
  certificate: "Server certificate",
  ocsp_response: "OCSP response",
  client_authority: "Client authority",
  revocation_list: "Revocation list",
  api_key: "API key",
  access_token: "Access token",
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
    make("span", {}, kind.replaceAll("_", " ")), make("span", { class: "numbers value" }, count
      .toLocaleString("en")), track(count / most, ""))));
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
  document.title = `${words[0]} · token-provider`;
  find("version").textContent = visible(data.version);
  show(find("summary"), [level, words], () => [
    make("div", { class: `word ${level}` }, sign(level), make("div", { role: "status" }, make("strong", {},
      words[0]), make("span", { class: "quiet" }, words[1]))),
    make("dl", { class: "facts", id: "facts" }, facts.map(([name]) => make("div", {}, make("dt", {}, name),
      make("dd", { class: "numbers" }))))
  ]);
  facts.forEach(([, text], index) => { find("facts").children[index].lastChild.textContent = text; });
  show(find("checks"), data.checks, () => data.checks.map((check) => {
    const [kind, word] = check.failure !== null ? ["bad", "failing"] : check.warning !== null ? ["warn",
      "warning"
    ] : ["good", "ok"];
    const reason = check.failure ?? check.warning;
    return make("li", { class: "card" }, make("header", {}, make("h3", {}, check.name), badge(kind, word)),
      reason === null ? null : [given(reason, "p"), make("p", { class: "quiet" }, make("strong", {},
        "Cure: "), CURES[check.name] ?? "See the runbook.")]);
  }));
}

const brief = (seconds) => duration(seconds).split(" ").slice(0, 2).join(" ");

function showTerms(data) {
  const terms = [...data.terms].sort((one, other) => one.seconds - other.seconds);
  const shown = terms.slice(0, 12);
  const farthest = Math.max(86400, ...shown.map((term) => term.seconds));
  find("terms-note").textContent = terms.length > shown.length ?
    `${shown.length} of ${terms.length.toLocaleString("en")}` : "";
  const rows = shown.map((term) => {
    const isRenewed = term.kind === "access_token";
    const kind = term.seconds <= 0 ? "bad" : !isRenewed && term.seconds < 7 * 86400 ? "warn" : "";
    return { ...term, kind, title: TERMS[term.kind] ?? term.kind, left: term.seconds <= 0 ? "expired" : brief(
        term.seconds), note: isRenewed ? "renewed automatically" : "" };
  });
  show(find("terms"), rows.map((row) => [row.title, row.name, row.left]), () => rows.length === 0 ?
    [make("li", { class: "blank" }, "Nothing that expires is configured.")] :
    rows.map((row) => make("li", {}, make("span", {}, make("span", { class: "quiet small" }, row.title, row.note ?
        `, ${row.note}` : ""), make("br"), given(row.name)),
      track(row.seconds / farthest, row.kind), make("span", { class: "left numbers" }, row.kind ? badge(row
        .kind, row.left) : row.left))));
  const keys = data.issuer_keys.map((keys) => [keys.issuer, keys.age === null ? "no valid keys" :
    `keys fetched ${brief(keys.age)} ago`
  ]);
  show(find("issuers"), keys, () => keys.map(([issuer, text]) => make("li", {}, given(issuer), make(
  "span", { class: "quiet" }, `: ${text}`))));
}

function showRefusals(data) {
  const rows = [...data.refusals].reverse();
  show(find("refused"), rows, () => rows.length === 0 ?
    [make("p", { class: "blank" }, "No request was refused since the start.")] :
    [make("table", {}, make("caption", { class: "unseen" }, "Latest refusals, newest first"),
      make("thead", {}, make("tr", {}, ["Time", "Code", "For", "Cause", "Request"].map((name) => make(
      "th", { scope: "col" }, name)))),
      make("tbody", {}, rows.map((row) => make("tr", {},
        make("td", { class: "numbers" }, make("time", { datetime: new Date(row.time * 1000).toISOString() },
          clock(row.time * 1000))),
        make("td", { class: "narrow" }, make("code", {}, row.code)), make("td", {}, row.subject ? given(row
          .subject, "code") : make("span", { class: "quiet" }, "–")),
        make("td", {}, given(row.reason)), make("td", {}, given(row.request_id, "code", "quiet"))))))]);
}

function showConfiguration(data) {
  const { successes, failures, errors, restart_for } = data.reload;
  const facts = [
    ["File", data.configuration_file === null ? "none: flags and environment" : data.configuration_file],
    ["Reloads", `${successes} done, ${failures} failed`],
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
