// What the operator submits, to the daemon alone: a token to inspect, a decision to explain, and a reload.

import { state } from "./figures.js";
import { badge, decoded, duration, find, given, grouped, make, note, pretty, sign, visible } from "./page.js";

/** The query parameter of each kind's id, and its label. */
export const IDS = {
  consumer: ["tripID", "Trip"],
  driver: ["vehicleID", "Vehicle"],
  untrusted_delivery_driver: ["deliveryVehicleID", "Delivery vehicle"],
  trusted_delivery_driver: ["deliveryVehicleID", "Delivery vehicle"],
  delivery_consumer: ["trackingID", "Tracking id"],
  task_batch: ["taskIDs", "Tasks, separated by commas"],
};

/** What is wrong before the daemon is asked, and the field to correct. */
class Mistake extends Error {
  constructor(message, field) {
    super(message);
    this.field = field;
  }
}

/** The text of a field, or a mistake if there is none. */
function filled(id, sentence) {
  const text = find(id).value;
  if (text.trim() === "") throw new Mistake(sentence, id);
  return text;
}

/** Text as a header can hold it: base64url of its UTF-8 bytes. */
function encoded(text, field) {
  const bytes = new TextEncoder().encode(text),
    most = state.data?.limits.input ?? Infinity;
  if (bytes.length > most) throw new Mistake(`This has ${grouped(bytes.length)} bytes, and the daemon takes at most ${
    grouped(most)} here. Paste the token alone.`, field);
  const binary = [...bytes].map((byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function send(path, request, input, field) {
  const headers = { "Token-Provider-Request": request };
  if (input !== undefined) headers["Token-Provider-Input"] = encoded(input, field);
  const response = await fetch(path, { method: "POST", headers, cache: "no-store" });
  const text = await response.text();
  try { return JSON.parse(
  text); } catch { return { detail: `The daemon answered with status ${response.status}.` }; }
}

/** Shows an answer in its place; the button rests until then. */
function submit(form, place, ask, render) {
  const button = form.querySelector("button.main, #reload") ?? form;
  const act = async (event) => {
    event.preventDefault();
    button.disabled = true;
    let next = button;
    try {
      const answer = await ask();
      const children = answer.detail === undefined ? render(answer) : [note("bad", "Not possible", [answer
        .detail
      ])];
      place.replaceChildren(...children.filter(Boolean));
    } catch (error) {
      const isMistake = error instanceof Mistake;
      if (isMistake) next = find(error.field);
      place.replaceChildren(note("bad", isMistake ? "Not asked" : "Not possible", [isMistake ? error.message :
        "The daemon does not answer."
      ]));
    }
    button.disabled = false;
    next.focus();
  };
  form.addEventListener(form.tagName === "FORM" ? "submit" : "click", act);
}

submit(find("inspect-form"), find("inspected"), async () => send("console/inspect", "inspect", filled("pasted",
  "Paste a token first."), "pasted"), (report) => {
  const kinds = { refused: ["bad", "refused"], warning: ["warn", "warning"], note: ["", "note"] };
  const signature = { verified: ["good", "verified"], wrong: ["bad", "wrong"], not_checked: ["",
      "not checked"] } [report.signature.status];
  return [
    report.refused ? note("bad", "Fleet Engine would refuse this.", []) : note("good",
      "Nothing here would make Fleet Engine refuse this token.", []),
    make("ul", { class: "findings" }, report.findings.map((finding) => make("li", {}, badge(...kinds[finding
          .severity]), " ", make("code", { class: "quiet" }, finding.code),
        given(finding.problem, "p"), make("p", { class: "quiet given" }, make("strong", {}, "Cure: "),
          visible(finding.fix)))),
      make("li", {}, badge(...signature), " ", make("strong", {}, "Signature"), given(report.signature
        .sentence, "p", "quiet")),
      report.purpose ? make("li", {}, make("strong", {}, "For"), given(report.purpose.sentence, "p")) : null),
    make("div", { class: "split" }, part("Header", report.header), part("Claims", report.claims))
  ];
});

const part = (title, json) => json === null ? null : make("div", {}, make("h3", {}, title), make(
"pre", { class: "given", tabindex: 0 }, pretty(json)));

/** The question of the form, as the daemon reads it. */
function question() {
  const kind = find("kind").value,
    caller = document.querySelector("[name=caller]:checked").value,
    asked = { kind, ids: {} };
  if (caller === "token") asked.token = filled("token", "Paste a token or an API key, or choose “No credentials”.");
  if (caller === "name") asked.api_key = filled("key-name", "No API keys are configured. Choose another caller.");
  if (IDS[kind]) asked.ids[IDS[kind][0]] = filled("first-id", `Type the id first: ${IDS[kind][1].toLowerCase()}.`);
  if (kind === "trusted_delivery_driver" && find("second-id").value !== "") asked.ids.taskID = find("second-id").value;
  return asked;
}

submit(find("explain-form"), find("explained"), async () => send("console/explain", "explain", JSON.stringify(
  question()), "token"), (decision) => {
  const facts = [
    ["Caller", decision.principal === undefined ? "not authenticated" :
      `${decision.principal || "without a name"} (${decision.source})`
    ],
    ["Kind", decision.kind.replaceAll("_", " ")]
  ];
  if (decision.rule !== undefined) facts.push(["Rule", decision.rule]);
  if (decision.lifetime !== undefined) facts.push(["At most", duration(decision.lifetime)]);
  return [note(decision.allowed ? "good" : "bad", decision.allowed ? "Allowed" : "Refused", [decision.reason]),
    make("dl", { class: "facts" }, facts.map(([name, text]) => make("div", {}, make("dt", {}, name), make(
      "dd", {}, given(text))))),
    make("div", { class: "split" }, checklist(decision.checks), part("Claims of the caller's token", claims()))
  ];
});

/** The conditions in the order of the decision, each met, not met, or not needed. */
const checklist = (checks) => make("div", {}, make("h3", {}, "Checks"), make("ol", { class: "checklist" }, checks.map(
  ({ name, met, detail }) => make("li", { class: met === null ? "" : met ? "good" : "bad" }, sign(met === null ? "" :
    met ? "good" : "bad"), make("span", {}, make("strong", { class: "given" }, visible(name)), make("span", {
    class: "unseen" }, met === null ? ", not needed: " : met ? ", met: " : ", not met: "), given(detail, "span",
    "detail"))))));

/** The claims of the pasted token; null if it has none that can be read. */
function claims() {
  const isToken = document.querySelector("[name=caller]:checked").value === "token";
  const found = isToken && find("token").value.match(/[\w-]+\.([\w-]+)\.[\w-]*/);
  try { return found ? decoded(found[1]) : null; } catch { return null; }
}

/** Asks in the form about a refusal, as far as the log names its caller and its ids. */
export function fillIn({ subject, caller, code }, { log_ids, api_keys }) {
  const [kind, ...rest] = subject.split(":");
  const names = rest.join(":");
  const isKnown = log_ids === "plain" && IDS[kind] && !/,\+\d+$/.test(names);
  const [first, ...second] = kind === "task_batch" ? [names] : names.split(",");
  find("kind").value = kind;
  find("first-id").value = isKnown ? first : "";
  find("second-id").value = isKnown ? second.join(",") : "";
  const isKey = log_ids === "plain" && api_keys.includes(caller);
  const choice = isKey ? "name" : code === "unauthenticated" ? "none" : "token";
  document.querySelector(`[name=caller][value=${choice}]`).checked = true;
  if (isKey) find("key-name").value = caller;
  chooseFields();
  const missing = [
    choice === "token" ? ["token", "the caller's token, which the log does not have"] : null,
    isKnown || !IDS[kind] ? null : ["first-id", "the id, which the log does not name"],
  ].filter(Boolean);
  find("explained").replaceChildren(...missing.length === 0 ? [] : [note("", "Still needed:", missing.map(([,
    text]) => text))]);
  find("explain").scrollIntoView();
  (missing.length > 0 ? find(missing[0][0]) : find("explain-form").querySelector("button.main")).focus({
    preventScroll: true });
}

submit(find("reload"), find("reloaded"), () => send("reload", "reload"), (answer) => {
  const changed = answer.changed ?? [];
  // What the previous reload left is shown again with the next figures, if it still holds.
  find("waiting").replaceChildren();
  find("waiting").shownKey = undefined;
  if (!answer.reloaded) return [note("bad", answer.applied ? "Reloaded, in part" :
    "Not reloaded. The previous configuration stays.", answer.reload_errors ?? [])];
  return [note("good", changed.length ? "Reloaded. These settings changed:" :
    "Reloaded. No setting changed; keys and certificates were read again.", changed)];
});

find("clear").addEventListener("click", () => {
  find("pasted").value = "";
  find("inspected").replaceChildren();
  find("pasted").focus();
});

function chooseCaller() {
  const caller = document.querySelector("[name=caller]:checked").value;
  find("caller-token").hidden = caller !== "token";
  find("caller-name").hidden = caller !== "name";
}

function chooseKind() {
  const kind = find("kind").value;
  find("first").hidden = !IDS[kind];
  find("second").hidden = kind !== "trusted_delivery_driver";
  if (IDS[kind]) find("first").firstElementChild.textContent = IDS[kind][1];
}

find("callers").addEventListener("change", chooseCaller);
find("kind").addEventListener("change", chooseKind);

/** Shows the fields of the chosen caller and kind. */
export function chooseFields() {
  chooseCaller();
  chooseKind();
}
