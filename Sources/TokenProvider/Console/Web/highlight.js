// Colours for code: comments, strings and the words of six languages.

import { make } from "./page.js";

const WORDS = "as async await break case catch const default double else export final for fun func guard if import in let new "
  + "nil null private return self struct switch throw throws try val var when while";
const PARTS = new RegExp([
  /(?<comment>\/\/[^\n]*|^#[^\n]*)/.source,
  /(?<string>@?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)/.source,
  `(?<word>@?\\b(?:${WORDS.replaceAll(" ", "|")})\\b)`,
].join("|"), "gm");

/** The text as texts and coloured elements. */
export function highlighted(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(PARTS)) {
    const [kind] = Object.entries(match.groups).find(([, part]) => part !== undefined);
    found.push(text.slice(end, match.index), make("span", { class: `code-${kind}` }, match[0]));
    end = match.index + match[0].length;
  }
  return [...found, text.slice(end)];
}
