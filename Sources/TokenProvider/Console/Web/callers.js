// Who asks in the playground: nothing signs the tokens of its callers, and a demo accepts them only if it says so.

const { emulator, drivers } = document.body.dataset;
const NOBODY = { name: "Nobody: no token" };

/** The callers to choose from, by a word; none if this demo asks for no token. */
export const CALLERS = emulator === undefined ? {} : drivers === undefined ? {
  user: { name: "A signed-in user", claims: { sub: "playground" } },
  nobody: NOBODY,
} : {
  ada: { name: "Ada, who drives vehicle-1", claims: { sub: "ada", vehicle: "vehicle-1" } },
  bob: { name: "Bob, who drives vehicle-2", claims: { sub: "bob", vehicle: "vehicle-2" } },
  nobody: NOBODY,
};

/** The caller's token as the Firebase emulator makes them, unsigned. */
export function credentials(caller) {
  const own = CALLERS[caller]?.claims;
  if (own === undefined) return {};
  const part = (value) => btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: emulator, aud: emulator.split("/").pop(), iat: now, exp: now + 3600, ...own };
  return { Authorization: `Bearer ${part({ alg: "none", typ: "JWT" })}.${part(claims)}.` };
}

/** Which rule decided, and why. */
export function reason({ caller, kind, id }, status) {
  if (emulator === undefined) return "Everyone gets a token here (callers: none). To see 401 and 403, run "
    + "token-provider demo --callers.";
  const claim = CALLERS[caller].claims?.vehicle;
  if (status === 401) return CALLERS[caller].claims === undefined ? "Refused before any rule: the request has no token." :
    "Refused before any rule: the caller's token is not valid.";
  if (drivers === undefined || kind !== "driver") return status === 200 ?
    `Allowed by the rule ${drivers === undefined ? "firebase-emulator" : "everyone"}: any caller with a token.` : "";
  if (status === 200) return `Allowed by the rule drivers: the claim vehicle is ${claim}, the id of the request.`;
  return status !== 403 ? "" :
    `Refused: the rule drivers allows the vehicle of the claim vehicle, which is ${claim}, not ${id}. `
    + "No other rule names the kind driver.";
}
