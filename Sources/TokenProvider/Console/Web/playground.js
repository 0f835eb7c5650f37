// The playground of the demo: one request, its answer and token, and what happens next.

import { CALLERS, credentials, reason } from "./callers.js";
import { highlighted } from "./highlight.js";
import { announce, badge, binary, copyButton, decoded, duration, find, given, make, note, pretty, visible,
} from "./page.js";
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
  turn = 0,
  chosen = "Swift";

// What is chosen.

function choice() {
  const kind = find("kind").value,
    format = find("format").value;
  const id = find("first-id").value,
    task = kind === "trusted_delivery_driver" ? find("second-id").value : "",
    caller = find("caller").value,
    isRelative = format === "sdk" && find("expiration").value === "relative";
  const query = [
    [KINDS[kind][1], id]
  ];
  if (task !== "") query.push(["taskID", task]);
  if (format !== "sdk") query.push(["format", format]);
  if (isRelative) query.push(["expiration", "relative"]);
  const target = `/token?${query.map(([name, value]) => `${name}=${encode(value)}`).join("&")}`;
  const isVehicle = kind.endsWith("driver");
  const token = { sdk: isVehicle ? "VEHICLE_TOKEN_KEY" : "TRIP_TOKEN_KEY", on_demand: "jwt", android: isVehicle ?
      "VehicleServiceToken" : "ServiceToken" } [format] ?? "token";
  const expiry = {
    sdk: { name: "TOKEN_EXPIRATION", unit: isRelative ? "left" : "seconds" },
    on_demand: { name: "expirationTimestamp", unit: "milliseconds" },
    last_mile: { name: "expiration_timestamp_ms", unit: "milliseconds" },
    javascript: { name: "expiresInSeconds", unit: "left" },
    android: { name: "TokenExpiryMs", unit: "milliseconds" },
  } [format];
  const isAuthenticated = CALLERS[caller]?.claims !== undefined;
  return { kind, id, caller, isAuthenticated, target, url: new URL(`.${target}`, location.href.split(/[?#]/)[0]).href, token, expiry };
}

/** Percent-encodes text, whose lone surrogates no URL can hold. */
const encode = (text) => encodeURIComponent(text.toWellFormed?.() ?? text.replace(/\p{Surrogate}/gu, "\u{fffd}"))
  .replaceAll("%2C", ",").replaceAll("'", "%27");

/** What is wrong with the choice, and the field to correct; null if the daemon may be asked. */
function mistake() {
  const { kind, id } = choice();
  const name = KINDS[kind][2].split(",")[0].toLowerCase();
  if (id.trim() === "") return ["first-id", `Type the id first: ${name}.`];
  const fields = kind === "task_batch" ? [] : [["first-id", id], ["second-id", find("second-id").value]];
  const long = fields.find(([, text]) => [...text].length > 64);
  return long ? [long[0], `The id has ${[...long[1]].length} characters; Fleet Engine takes at most 64.`] : null;
}

/** Shows the request, and nothing of a previous one. */
function showChoice() {
  const chosen = choice();
  find("request").textContent = `GET ${chosen.target} HTTP/1.1\nHost: ${location.host}${chosen.isAuthenticated ?
    "\nAuthorization: Bearer ID_TOKEN" : ""}`;
  find("relative").hidden = find("format").value !== "sdk";
  turn += 1;
  current = null;
  find("status").replaceChildren();
  find("answer").replaceChildren(blank("Get a token to see the answer."));
  clearToken();
  find("kind-hint").textContent = KINDS[chosen.kind][0];
  find("format-hint").textContent = `Read by: ${FORMATS[find("format").value]}`;
  find("first-label").textContent = KINDS[chosen.kind][2];
  find("second").hidden = chosen.kind !== "trusted_delivery_driver";
  showCode();
}

// The answer and its token.

async function ask(request = choice()) {
  const began = performance.now();
  const response = await fetch(request.url, { cache: "no-store", headers: credentials(request.caller) });
  const text = await response.text();
  const answer = { status: response.status, milliseconds: performance.now() - began, text, request };
  // The header has whole seconds.
  answer.skew = Math.round((Date.parse(response.headers.get("Date")) + 500 - Date.now()) / 1000);
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
  const wrong = mistake();
  if (wrong !== null) {
    find("answer").replaceChildren(note("bad", "Not asked", [wrong[1]]));
    return find(wrong[0]).focus();
  }
  showChoice();
  const own = turn;
  find("ask").disabled = true;
  try {
    const answer = await ask();
    // A change since then has cleared the page: this answer belongs to another request.
    if (own === turn) {
      current = answer;
      showAnswer(current);
      await showToken(current);
      announce(current.token === undefined ? "The request was refused." : "The token has arrived.");
    }
  } catch {
    if (own === turn) find("answer").replaceChildren(noAnswer());
  }
  find("ask").disabled = false;
  find("ask").focus();
}

function showAnswer({ status, milliseconds, json, text, token, request }) {
  find("status").replaceChildren(badge(token === undefined ? "bad" : "good",
    `${status} in ${milliseconds.toFixed(1)} ms`));
  find("answer").replaceChildren(make("pre", { class: "given", tabindex: 0 }, json === null ? visible(text) :
    pretty(json)), given(reason(request, status), "p", "quiet"));
}

const noAnswer = () => note("bad", "No answer", ["Is the demo still running?"]);

const blank = (sentence) => make("p", { class: "blank" }, sentence);

function clearToken() {
  refresh = null;
  find("again").disabled = true;
  for (const id of ["signature", "countdown", "clock", "again-result"]) find(id).replaceChildren();
  find("token").replaceChildren(blank("An answer of 200 has a token, which is shown here."));
  find("countdown-note").textContent = "With a token, this counts the time until the app should ask again.";
}

/** A clock that is wrong makes apps ask too early or too late, unless the expiry is relative. */
function showClock({ skew, request }) {
  const isWrong = Math.abs(skew) > 5 && request.expiry.unit !== "left";
  const cure = find("format").value === "sdk" ? "choose the expiration relative (expiration=relative)" :
    "use the format sdk with expiration=relative";
  find("clock").replaceChildren(...isWrong ? [note("warn", `This device's clock is ${duration(skew)} ${skew > 0 ?
    "behind" : "ahead"}.`, [`The expiry is a time of the server's clock, so the app would ask too ${skew > 0 ? "late" :
    "early"}. Cure: ${cure}, which gives the seconds that are left.`])] : []);
}

async function showToken(answer) {
  const { token, refreshAt } = answer;
  clearToken();
  if (token === undefined) return;
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
  find("again").disabled = false;
  showClock(answer);
  refresh = refreshAt;
  count();
  const [kind, word, sentence] = await verify(parts, header);
  if (current !== answer) return;
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
  const isRight = await crypto.subtle.verify(algorithm, key, binary(signature), new TextEncoder().encode(
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
  const result = find("again-result"),
    own = turn;
  try {
    const next = await ask(current.request);
    if (own !== turn) return;
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
      if (own !== turn) return;
      result.replaceChildren(make("div", { class: "note good" }, make("strong", {}, "New token. "),
        `It is for ${duration((refresh - Date.now()) / 1000)}; steps 2 and 3 show it.`));
    }
  } catch {
    result.replaceChildren(noAnswer());
  }
  find("again").disabled = own !== turn;
  find("again").focus();
}

// The code.

function showCode() {
  find("code").replaceChildren(...highlighted(visible(PLATFORMS[chosen](choice())).replaceAll("\\u{a}", "\n")));
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
find("caller").append(...Object.entries(CALLERS).map(([value, { name }]) => make("option", { value }, name)));
find("callers").hidden = Object.keys(CALLERS).length === 0;
find("tabs").append(...tabs);
find("request-title").after(copyButton(() => PLATFORMS.curl(choice()), "curl command"));
find("code-title").after(copyButton(() => PLATFORMS[chosen](choice()), "code"));
find("kind").addEventListener("change", () => {
  find("first-id").value = KINDS[find("kind").value][3];
  showChoice();
});
for (const id of ["first-id", "second-id", "format", "expiration", "caller"]) find(id).addEventListener("input", showChoice);
find("form").addEventListener("submit", (event) => { event.preventDefault();
  get(); });
find("again").addEventListener("click", askAgain);
select("Swift");
showChoice();
setInterval(count, 1000);
