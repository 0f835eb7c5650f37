// The console: polls the daemon's figures and shows them.

import { Chart } from "./charts.js";
import { announce, badge, draw, duration, find, given, grouped, make, note, offset, show, stamp, visible } from "./page.js";
import { CHARTS, state, sum, value } from "./figures.js";
import { IDS, chooseFields } from "./questions.js";
import { showRefusals } from "./refusals.js";
import { showSilence, showStatus } from "./status.js";
import { showTerms } from "./terms.js";

const WINDOW = 15 * 60000;
const POLL = 2000;
/** Milliseconds. A daemon that hangs does not answer. */
const PATIENCE = 5000;
const charts = CHARTS.map((chart) => ({ ...chart, view: new Chart(find("plots"), chart) }));
const kinds = make("ul", { class: "bars" });
// Beside the charts of requests and tokens.
find("plots").children[1].after(make("div", { class: "card chart kinds" },
  make("header", {}, make("h3", {}, "Tokens by kind", make("span", { class: "quiet small" },
  " in this time"))), kinds));

function showCharts(data) {
  const now = data.now * 1000,
    last = state.samples.at(-1),
    age = now - data.started * 1000;
  // The daemon's seconds are whole.
  const range = Math.min(WINDOW, Math.max(5000, age));
  find("charts-range").textContent = range === WINDOW ? "The last 15 minutes." :
    `Since the start ${duration(age / 1000)} ago.`;
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
    chart.view.update(points, Object.keys(series), [now - range, now], limit ?? null);
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

function showConfiguration(data) {
  const { successes, failures, errors, restart_for, time } = data.reload;
  const facts = [
    ["File", data.configuration_file === null ? "none: flags and environment" : data.configuration_file],
    ["Outgoing", data.outgoing],
    ["Reloads", `${grouped(successes)} done, ${grouped(failures)} failed`],
    ["Last reload", time === null ? "none" : `${stamp(time * 1000)} (${offset(time * 1000)})`],
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
  `console/data.json${last ? `?after=${value(last, "time")}` : ""}`, { cache: "no-store",
    signal: AbortSignal.timeout(PATIENCE) });
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
      showSilence();
      state.hasFailed = true;
      if (!isOutage(error)) console.error(error);
    }
  }
  setTimeout(turn, POLL);
}

const isOutage = (error) => error instanceof TypeError || error instanceof DOMException ||
  /^status /.test(error.message);

const live = (kind, word) => show(find("live"), word, () => [badge(kind, word)]);

find("pause").addEventListener("click", () => {
  state.isPaused = !state.isPaused;
  find("pause").textContent = state.isPaused ? "Resume" : "Pause";
  live("", state.isPaused ? "Paused" : "Waiting");
});

await turn();
chooseFields();
