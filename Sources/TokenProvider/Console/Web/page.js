// What both pages share. Text of others only ever becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";
const SIGNS = {
  good: "M1.5 6.5 4.5 9.5 10.5 2.5",
  bad: "M2 2 10 10M10 2 2 10",
  warn: "M6 1V7.5M6 10V10.5",
  none: "M2 6H10",
};

/** An element with attributes, listeners (functions) and children. */
export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function draw(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ?
      "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

export const find = (id) => document.getElementById(id);

/** Replaces the children only if they would be others, so that selections and screen readers are left in peace. */
export function show(element, key, children) {
  const text = JSON.stringify(key);
  if (element.shownKey === text) return;
  element.shownKey = text;
  element.replaceChildren(...children().flat());
}

/** A sign, to be beside its word. */
export function sign(state) {
  return draw("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, draw("path", {
    d: SIGNS[state] ?? SIGNS.none,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 2,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  }));
}

export const badge = (state, word) => make("span", { class: `state ${state}` }, sign(state), word);

/** A text with control, format and piled-up combining characters made visible. */
export function visible(text) {
  return String(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (found) =>
      `\\u{${found.codePointAt(0).toString(16)}}`)
    .replace(/(\p{M}{3})(\p{M}+)/gu, (_, first, rest) => `${first}[+${[...rest].length} marks]`);
}

export const given = (text, tag = "span", kind = "") => make(tag, { class: `given ${kind}` }, visible(text));

/** A whole number in full. */
export const grouped = (value) => value.toLocaleString("en");

const units = [
  [86400, "day", "days"],
  [3600, "hour", "hours"],
  [60, "minute", "minutes"],
  [1, "second", "seconds"]
];

/** The two largest units of a duration, such as "2 days 3 hours". */
export function duration(seconds) {
  let rest = Math.floor(Math.abs(seconds));
  const words = [];
  for (const [size, one, many] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${grouped(count)} ${count === 1 ? one : many}`);
    if (words.length === 2 || (words.length === 1 && count === 0)) break;
  }
  return words.join(" ") || "0 seconds";
}

/** A number that always takes few characters. */
export function compact(value) {
  if (!Number.isFinite(value)) return "–";
  if (value !== 0 && Math.abs(value) < 0.01) return "<0.01";
  if (Math.abs(value) < 1000) return String(Number(value.toPrecision(3)));
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}

export function bytes(value) {
  const names = ["B", "KiB", "MiB", "GiB", "TiB"];
  let place = 0;
  for (; value >= 1024 && place < names.length - 1; place += 1) value /= 1024;
  return `${compact(value)} ${names[place]}`;
}

export const clock = (milliseconds) => new Date(milliseconds).toLocaleTimeString("en-GB");

/** Date and time of day, such as "2026-11-21 16:00:05". */
export const stamp = (milliseconds) => new Date(milliseconds).toLocaleString("sv-SE");

/** The difference of this browser's time to UTC, such as "UTC+02:00". */
export function offset(milliseconds) {
  const minutes = -new Date(milliseconds).getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "−" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}

/** The object that a part of a token holds. */
export const decoded = (part) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(binary(part)));
export const binary = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
  character.charCodeAt(0));

/** Puts a text on the clipboard and says so on the button. */
export function copyButton(text, what) {
  const button = make("button", { type: "button", class: "slim", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    let done = "Copied";
    try { await navigator.clipboard.writeText(text()); } catch { done = "Select and copy"; }
    button.textContent = done;
    announce(`${what}: ${done}`);
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  return button;
}

/** Says a sentence to screen readers. */
export function announce(sentence) {
  find("said").textContent = sentence;
}

export const pretty = (json) => visible(JSON.stringify(json, null, 2)).replaceAll("\\u{a}", "\n");

/** A sentence of its own kind, with a list below it. */
export const note = (kind, title, sentences) => make("div", { class: `note ${kind}` }, make("strong", {}, title), make(
  "ul", {}, sentences.map((text) => given(text, "li"))));
