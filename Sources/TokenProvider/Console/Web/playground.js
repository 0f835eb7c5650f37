// The playground of the demo: one request, its answer and token, and what happens next.

import { announce, badge, copyButton, duration, find, given, make, pretty, visible } from "./page.js";
import { PLATFORMS } from "./snippets.js";

const KINDS = {
  consumer: ["Rider app: one trip", "tripID", "Trip", "trip-1"],
  driver: ["Driver app: one vehicle", "vehicleID", "Vehicle", "vehicle-1"],
  untrusted_delivery_driver: ["Delivery driver's app: one vehicle", "deliveryVehicleID", "Delivery vehicle",
    "van-1"
  ],
  trusted_delivery_driver: ["Delivery driver's app: one vehicle and a task", "deliveryVehicleID",
    "Delivery vehicle", "van-1"
  ],
  delivery_consumer: ["Shipment page: one parcel", "trackingID", "Tracking id", "parcel-1"],
  task_batch: ["Back end: several tasks", "taskIDs", "Tasks, separated by commas", "task-1,task-2"],
};
const FORMATS = {
  sdk: "Google's Swift and Objective-C samples",
  on_demand: "On-demand apps, React Native, Flutter",
  last_mile: "Last-mile apps",
  javascript: "An authTokenFetcher",
  android: "The Android documentation's sample",
};

let refresh = null,
  current = null,
  chosen = "curl";

// What is chosen.

function choice() {
  const kind = find("kind").value,
    format = find("format").value;
  const query = [
    [KINDS[kind][1], find("first-id").value]
  ];
  if (kind === "trusted_delivery_driver") query.push(["taskID", find("second-id").value]);
  if (format !== "sdk") query.push(["format", format]);
  const target = `/token?${query.map(([name, value]) => `${name}=${encode(value)}`).join("&")}`;
  const isVehicle = kind.endsWith("driver");
  const token = { sdk: isVehicle ? "VEHICLE_TOKEN_KEY" : "TRIP_TOKEN_KEY", on_demand: "jwt", android: isVehicle ?
      "VehicleServiceToken" : "ServiceToken" } [format] ?? "token";
  const expiry = {
    sdk: { name: "TOKEN_EXPIRATION", unit: "seconds" },
    on_demand: { name: "expirationTimestamp", unit: "milliseconds" },
    last_mile: { name: "expiration_timestamp_ms", unit: "milliseconds" },
    javascript: { name: "expiresInSeconds", unit: "left" },
    android: { name: "TokenExpiryMs", unit: "milliseconds" },
  } [format];
  return { kind, target, url: new URL(`.${target}`, location.href.split(/[?#]/)[0]).href, token, expiry };
}

/** Percent-encodes text, whose lone surrogates no URL can hold. */
const encode = (text) => encodeURIComponent(text.toWellFormed?.() ?? text.replace(/\p{Surrogate}/gu, "\u{fffd}"))
  .replaceAll("%2C", ",").replaceAll("'", "%27");

function showChoice() {
  const chosen = choice();
  find("request").textContent = `GET ${chosen.target} HTTP/1.1\nHost: ${location.host}`;
  find("kind-hint").textContent = KINDS[chosen.kind][0];
  find("format-hint").textContent = `Read by: ${FORMATS[find("format").value]}`;
  find("first-label").textContent = KINDS[chosen.kind][2];
  find("second").hidden = chosen.kind !== "trusted_delivery_driver";
  showCode();
}

// The answer and its token.

/** A token as the Firebase emulator makes them, unsigned, if this demo accepts them. */
function credentials() {
  const iss = document.body.dataset.emulator;
  if (iss === undefined) return {};
  const part = (value) => btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss, aud: iss.split("/").pop(), sub: "playground", iat: now, exp: now + 3600 };
  return { Authorization: `Bearer ${part({ alg: "none", typ: "JWT" })}.${part(claims)}.` };
}

async function ask(request = choice()) {
  const began = performance.now();
  const response = await fetch(request.url, { cache: "no-store", headers: credentials() });
  const text = await response.text();
  const answer = { status: response.status, milliseconds: performance.now() - began, text, request };
  try { answer.json = JSON.parse(text); } catch { answer.json = null; }
  answer.token = response.ok ? answer.json?.[request.token] : undefined;
  if (answer.token !== undefined) {
    const given = answer.json[request.expiry.name];
    answer.refreshAt = { seconds: given * 1000, milliseconds: given, left: Date.now() + given * 1000 } [request
      .expiry.unit
    ];
  }
  return answer;
}

async function get() {
  find("ask").disabled = true;
  try {
    current = await ask();
    showAnswer(current);
    await showToken(current);
    announce(current.token === undefined ? "The request was refused." : "The token has arrived.");
  } catch {
    current = null;
    refused();
    find("answer").replaceChildren(make("div", { class: "note bad" }, make("strong", {}, "No answer. "),
      "Is the demo still running?"));
  }
  find("ask").disabled = false;
  find("ask").focus();
}

function showAnswer({ status, milliseconds, json, text, token }) {
  find("status").replaceChildren(badge(token === undefined ? "bad" : "good",
    `${status} in ${milliseconds.toFixed(1)} ms`));
  find("answer").replaceChildren(make("pre", { class: "given", tabindex: 0 }, json === null ? visible(text) :
    pretty(json)));
}

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
  character.charCodeAt(0));
const decoded = (text) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes(text)));

function refused() {
  for (const id of ["token-step", "refresh-step"]) find(id).hidden = true;
  refresh = null;
}

async function showToken({ token, refreshAt }) {
  if (token === undefined) return refused();
  const parts = token.split(".");
  const [header, claims] = [decoded(parts[0]), decoded(parts[1])];
  const coloured = parts.flatMap((part, index) => [index > 0 ? "." : "", make(
  "span", { class: `part-${index + 1}` }, part)]);
  const times = ["iat", "exp"].map((name) =>
    `${name} is ${new Date(claims[name] * 1000).toLocaleString("en-GB")}`).join(", ");
  find("token").replaceChildren(
    make("pre", { class: "given", tabindex: 0, "aria-label": "Token" }, coloured),
    make("div", { class: "row" }, copyButton(() => token, "token"), make("span", { class: "quiet small" },
      `Header, claims and signature. ${times}.`)),
    make("div", { class: "split" },
      make("div", {}, make("h3", {}, "Header"), make("pre", { class: "given part-1", tabindex: 0 }, pretty(
        header))),
      make("div", {}, make("h3", {}, "Claims"), make("pre", { class: "given part-2", tabindex: 0 }, pretty(
        claims)))),
    make("p", { id: "verdict", class: "quiet" }));
  find("token-step").hidden = find("refresh-step").hidden = false;
  find("again-result").replaceChildren();
  refresh = refreshAt;
  count();
  const [kind, word, sentence] = await verify(parts, header);
  find("signature").replaceChildren(badge(kind, word));
  find("verdict").replaceChildren(given(sentence));
}

/** Verifies the signature in the browser, against the daemon's JWK set. */
async function verify([header, claims, signature], { kid }) {
  if (!globalThis.crypto?.subtle) return ["", "not checked",
    "Browsers verify signatures only at localhost, 127.0.0.1 or over https."
  ];
  const { keys } = await (await fetch("playground/keys.json", { cache: "no-store" })).json();
  const jwk = keys.find((key) => key.kid === kid);
  if (jwk === undefined) return ["bad", "unknown key", `The JWK set has no key ${visible(kid)}.`];
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
  const isRight = await crypto.subtle.verify(algorithm, key, bytes(signature), new TextEncoder().encode(
    `${header}.${claims}`));
  return isRight ? ["good", "signature verified",
      `This browser verified the signature with the key ${visible(kid)} of the JWK set.`
    ] :
    ["bad", "wrong signature", "The key of the JWK set did not sign this token."];
}

function count() {
  if (refresh === null) return;
  const left = Math.max(0, Math.ceil((refresh - Date.now()) / 1000));
  find("countdown").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  find("countdown-note").textContent = left > 0 ?
    "until the app should ask again. The token lasts a little longer." : "The app should ask again now.";
}

async function askAgain() {
  find("again").disabled = true;
  const result = find("again-result");
  try {
    const next = await ask(current?.request);
    if (next.token === undefined) {
      result.replaceChildren(make("div", { class: "note bad" }, make("strong", {}, "Refused. "), given(next.json
        ?.detail ?? next.text)));
    } else if (current?.token === next.token) {
      result.replaceChildren(make("div", { class: "note good" }, make("strong", {}, "Same token. "),
        `It came from the cache in ${next.milliseconds.toFixed(1)} ms: nothing was signed. The daemon signs a new one when too little of its lifetime is left.`
        ));
      refresh = next.refreshAt;
    } else {
      showAnswer(current = next);
      await showToken(next);
      result.replaceChildren(make("div", { class: "note good" }, make("strong", {}, "New token. "),
        `It is for ${duration((refresh - Date.now()) / 1000)}; steps 2 and 3 show it.`));
    }
  } catch {
    result.replaceChildren(make("div", { class: "note bad" }, make("strong", {}, "No answer. "),
      "Is the demo still running?"));
  }
  find("again").disabled = false;
  find("again").focus();
}

// The code.

function showCode() {
  find("code").textContent = visible(PLATFORMS[chosen](choice())).replaceAll("\\u{a}", "\n");
}

const tabs = Object.keys(PLATFORMS).map((name) => make("button", {
  type: "button",
  role: "tab",
  id: `tab-${name}`,
  "aria-controls": "code-panel",
  click: () => select(name),
  keydown: (event) => {
    const names = Object.keys(PLATFORMS),
      place = names.indexOf(name);
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1 + names.length, Home: 0, End: names.length -
        1 } [event.key];
    if (next === undefined) return;
    event.preventDefault();
    select(names[next % names.length]);
    find(`tab-${chosen}`).focus();
  },
}, name));

function select(name) {
  chosen = name;
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", tab.id === `tab-${name}`);
    tab.tabIndex = tab.id === `tab-${name}` ? 0 : -1;
  }
  find("code-panel").setAttribute("aria-labelledby", `tab-${name}`);
  showCode();
}

find("kind").append(...Object.keys(KINDS).map((kind) => make("option", { value: kind }, kind.replaceAll("_",
" "))));
find("format").append(...Object.keys(FORMATS).map((format) => make("option", { value: format }, format.replaceAll(
  "_", " "))));
find("tabs").append(...tabs);
find("request-title").after(copyButton(() => `curl '${choice().url}'`, "curl command"));
find("code-title").after(copyButton(() => PLATFORMS[chosen](choice()), "code"));
find("kind").addEventListener("change", () => {
  find("first-id").value = KINDS[find("kind").value][3];
  showChoice();
});
for (const id of ["first-id", "second-id", "format"]) find(id).addEventListener("input", showChoice);
find("form").addEventListener("submit", (event) => { event.preventDefault();
  get(); });
find("again").addEventListener("click", askAgain);
select("curl");
showChoice();
setInterval(count, 1000);
