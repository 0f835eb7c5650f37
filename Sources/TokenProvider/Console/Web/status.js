// How the daemon is: a headline that names all that is wrong, and the checks of readiness.

import { badge, bytes, clock, compact, duration, find, given, grouped, make, show, sign, visible } from "./page.js";
import { TOKENS, rate, state, value } from "./figures.js";

/** The most that the headline names. */
const MOST = 6;

/** Everything that is wrong, each with the place that says more. */
function troubles({ checks, warnings, reload, terms, issuer_keys }) {
  const found = [];
  const shown = checks.flatMap(({ name, failure, warning }) => [failure, warning].filter((text) => text !== null)
    .map((text) => [`${name}: ${text}`, `#check-${name}`, text]));
  found.push(...shown);
  if (reload.errors.length > 0) {
    const more = reload.errors.length > 1 ? ` (and ${grouped(reload.errors.length - 1)} more)` : "";
    found.push([`the last reload failed: ${reload.errors[0]}${more}`, "#configuration"]);
  }
  found.push(...reload.restart_for.map((text) => [text, "#configuration"]));
  found.push(...warnings.filter((text) => !shown.some(([, , known]) => known === text)).map((text) => [text,
    "#terms-title"]));
  // The end of everything else is in the warnings.
  for (const { kind, name, seconds, due } of terms) {
    if (due && kind === "api_key") found.push([`the API key ${name} ${seconds > 0 ? `expires in ${duration(seconds)}`
      : `expired ${duration(seconds)} ago`}`, "#terms-title"]);
  }
  for (const { name, seconds } of issuer_keys) {
    if (seconds !== null && seconds <= 0) found.push([`the keys of ${name} expired`, "#terms-title"]);
  }
  return found;
}

export function showStatus(data) {
  const found = troubles(data);
  const isReady = data.checks.every((check) => check.failure === null);
  const level = !isReady ? "bad" : found.length > 0 ? "warn" : "good";
  const word = { good: "Ready", bad: "Not ready", warn: found.length === 1 ? "Ready, with a warning" :
    `Ready, with ${found.length} warnings` } [level];
  const last = state.samples.at(-1),
    before = state.samples.at(-2) ?? last;
  const seconds = Math.max(0.001, (value(last, "time") - value(before, "time")) / 1000);
  const facts = [
    ["Uptime", duration(data.now - data.started)],
    ["Tokens per second", last === before ? "–" : compact(rate(...TOKENS)(before, last, seconds))],
    ["Tokens since the start", compact(value(last, "cached") + value(last, "minted"))],
    ["Cached tokens", `${compact(value(last, "cache_entries"))} in ${bytes(value(last, "cache_bytes"))}`],
  ];
  document.body.classList.remove("old");
  find("version").textContent = visible(data.version);
  summarise(level, word, found.length === 0 ? "Every check passes." : list(found), facts);
  showChecks(data.checks, false);
}

/** Without an answer nothing is known to be good: what is shown is old, and looks so. */
export function showSilence() {
  document.body.classList.add("old");
  summarise("bad", "No answer", state.data === null ? "The daemon has not answered yet." :
    `What you see is as of ${clock(state.data.now * 1000)}.`, []);
  if (state.data !== null) showChecks(state.data.checks, true);
}

function list(found) {
  const rows = found.slice(0, MOST).map(([text, place]) => make("li", {}, make("a", { href: place, class: "given" },
    visible(text))));
  if (found.length > MOST) rows.push(make("li", { class: "quiet" }, `and ${grouped(found.length - MOST)} more`));
  return make("ul", {}, rows);
}

/** The first thing to see: how the daemon is, in a word, what is wrong, and some figures. */
function summarise(level, word, more, facts) {
  document.title = `${word} · token-provider`;
  show(find("summary"), [level, word, more.textContent ?? more], () => [
    make("div", { class: `word ${level}` }, sign(level), make("div", { role: "status" }, make("strong", {}, word),
      typeof more === "string" ? make("span", { class: "quiet" }, more) : more)),
    make("dl", { class: "facts", id: "facts" }, facts.map(([name]) => make("div", {}, make("dt", {}, name),
      make("dd", { class: "numbers" }))))
  ]);
  facts.forEach(([, text], index) => { find("facts").children[index].lastChild.textContent = text; });
}

function showChecks(checks, isOld) {
  show(find("checks"), [checks, isOld], () => checks.map((check) => {
    const [kind, word] = check.failure !== null ? ["bad", "failing"] : check.warning !== null ? ["warn",
      "warning"
    ] : isOld ? ["", "not known"] : ["good", "ok"];
    const reason = check.failure ?? check.warning;
    return make("li", { class: reason === null ? "card" : "card wide", id: `check-${check.name}` },
      make("header", {}, make("h3", {}, check.name), badge(kind, word)),
      reason === null ? null : [given(reason, "p"), ...cure(check)]);
  }));
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** What to do about a check's reason, with the commands that do it. */
const cure = ({ cure, commands }) => cure === null ? [] : [make("p", { class: "quiet given" }, make("strong", {},
  "Cure: "), visible(sentence(cure))), ...commands.map((command) => given(command, "code", "command"))];
