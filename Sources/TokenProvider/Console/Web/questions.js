// What the operator submits, to the daemon alone: a token to inspect, a decision to explain, and a reload.

import { badge, duration, find, given, make, note, pretty, visible } from "./page.js";

/** The query parameter of each kind's id, and its label. */
export const IDS = {
  consumer: ["tripID", "Trip"],
  driver: ["vehicleID", "Vehicle"],
  untrusted_delivery_driver: ["deliveryVehicleID", "Delivery vehicle"],
  trusted_delivery_driver: ["deliveryVehicleID", "Delivery vehicle"],
  delivery_consumer: ["trackingID", "Tracking id"],
  task_batch: ["taskIDs", "Tasks, separated by commas"],
};


/** Text as a header can hold it: base64url of its UTF-8 bytes. */
function encoded(text) {
  const binary = [...new TextEncoder().encode(text)].map((byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function send(path, request, input) {
  const headers = { "Token-Provider-Request": request };
  if (input !== undefined) headers["Token-Provider-Input"] = encoded(input);
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
    try {
      const answer = await ask();
      const children = answer.detail === undefined ? render(answer) : [note("bad", "Not possible", [answer
        .detail
      ])];
      place.replaceChildren(...children.filter(Boolean));
    } catch {
      place.replaceChildren(note("bad", "Not possible", ["The daemon does not answer."]));
    }
    button.disabled = false;
    button.focus();
  };
  form.addEventListener(form.tagName === "FORM" ? "submit" : "click", act);
}

submit(find("inspect-form"), find("inspected"), () => send("console/inspect", "inspect", find("pasted").value), (
  report) => {
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

submit(find("explain-form"), find("explained"), () => {
  const kind = find("kind").value,
    ids = {},
    caller = document.querySelector("[name=caller]:checked").value;
  const first = find("first-id").value,
    second = find("second-id").value;
  if (IDS[kind] && first !== "") ids[IDS[kind][0]] = first;
  if (kind === "trusted_delivery_driver" && second !== "") ids.taskID = second;
  return send("console/explain", "explain", JSON.stringify({
    kind,
    ids,
    ...(caller === "token" ? { token: find("token").value } : caller === "name" ? { api_key: find(
        "key-name").value } : {})
  }));
}, (decision) => {
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
      "dd", {}, given(text)))))
  ];
});

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
