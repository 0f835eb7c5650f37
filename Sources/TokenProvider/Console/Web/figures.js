// Figures over time: what the daemon has sent so far, and the charts that are calculated from it.

import { bytes, compact, grouped } from "./page.js";

export const TOKENS = ["cached", "minted"];
const FAILURES = new Set([
  "signing_unavailable", "audit_unavailable", "caller_check_unavailable", "too_many_connections", "answer_abandoned",
]);

/** The last answer, the places of its columns, and the samples of the window. */
export const state = { data: null, columns: {}, samples: [], started: null, isPaused: false, hasFailed: false };

export const rate = (...names) => (before, after, seconds) => sum(names, after, before) / seconds;
const level = (name) => (before, after) => value(after, name);
export const value = (sample, name) => sample[state.columns[name]] ?? 0;
const growth = (name, after, before) => Math.max(0, value(after, name) - value(before, name));
export const sum = (names, after, before) => names.reduce((total, name) => total + growth(name, after, before), 0);
const problems = (accepts) =>
  Object.keys(state.columns).filter((name) => name.startsWith("problem.") && accepts(name.slice(8)));

/** The milliseconds within which this share of the requests was answered; within a bucket they are interpolated. */
function quantile(share) {
  return (before, after) => {
    const bounds = state.data.duration_bounds;
    const counts = bounds.concat(Infinity).map((_, index) => sum([`duration.${index}`], after, before));
    const all = counts.reduce((total, count) => total + count, 0);
    if (all === 0) return null;
    let below = 0;
    for (let index = 0; index < bounds.length; index += 1) {
      if (below + counts[index] >= share * all) {
        const low = index === 0 ? 0 : bounds[index - 1];
        return (low + (bounds[index] - low) * (share * all - below) / counts[index]) / 1000;
      }
      below += counts[index];
    }
    return bounds.at(-1) / 1000;
  };
}

function hitShare(before, after) {
  const [hits, all] = [sum(["cached"], after, before), sum(["cached", "minted"], after, before)];
  return all === 0 ? null : 100 * hits / all;
}

const whole = (value, isAxis) => isAxis ? compact(value) : grouped(Math.round(value));
const percent = (value) => `${compact(value)} %`;

export const CHARTS = [
  {
    title: "Requests", unit: "per second", about: "Answered requests by outcome",
    series: () => ({
      Tokens: rate(...TOKENS), Refused: rate(...problems((code) => !FAILURES.has(code))),
      Failed: rate(...problems((code) => FAILURES.has(code))), Other: rate("answered"),
    }),
  },
  {
    title: "Tokens", unit: "per second", about: "Where tokens come from",
    series: () => ({
      "From the cache": rate("cached"), "Signed here": rate("signed_here"), "Signed by Google": rate("signed_remotely"),
    }),
  },
  {
    title: "Time to answer", unit: "milliseconds", about: "From the last byte of a request to its answer", floor: 0.5,
    series: () => ({ "Half are within": quantile(0.5), "99 % are within": quantile(0.99) }),
  },
  {
    title: "Cache hits", unit: "% of tokens", about: "Tokens that needed no signature", top: 100, format: percent,
    series: () => ({ "From the cache": hitShare }),
  },
  {
    title: "Connections", unit: "open", about: "Connections to the listeners for apps", floor: 10, format: whole,
    limit: (data) => data.limits.connections, series: () => ({ Open: level("connections") }),
  },
  {
    title: "CPU", unit: "% of one processor", about: "User and system together", floor: 10, format: percent,
    limit: (data) => data.limits.processors && data.limits.processors / 10,
    series: () => ({ "CPU time": (before, after, seconds) => sum(["cpu"], after, before) / seconds / 10 }),
  },
  {
    title: "Memory", unit: "resident", about: "Resident memory of the daemon", floor: 16 << 20, base: 2, format: bytes,
    limit: (data) => data.limits.memory, series: () => ({ Resident: level("memory") }),
  },
  {
    title: "Refusals", unit: "per minute", about: "Refused and failed requests by their code",
    series: () => refusalSeries(),
  },
];

/** The four most frequent codes of the window, and all others together. */
function refusalSeries() {
  const [first, last] = [state.samples[0], state.samples.at(-1)];
  const found = first ? problems(() => true).map((name) => [name, sum([name], last, first)]).filter(([, count]) =>
    count > 0) : [];
  found.sort((one, other) => other[1] - one[1]);
  const perMinute = (names) => (before, after, seconds) => 60 * sum(names, after, before) / seconds;
  if (found.length === 0) return { "All codes": perMinute(problems(() => true)) };
  const rows = found.slice(0, 4).map(([name]) => [name.slice(8).replaceAll("_", " "), perMinute([name])]);
  if (found.length > 4) rows.push(["All others", perMinute(found.slice(4).map(([name]) => name))]);
  return Object.fromEntries(rows);
}
