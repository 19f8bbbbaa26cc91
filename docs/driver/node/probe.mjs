// Probes for JavaScript: how near a test comes to each side of a condition, and which lines it runs.
//
// load is a hook of Node that changes the files of a service on the way to V8. A line that begins with a statement
// records that it is reached. In the conditions of "if" and "while", each operand of && and || is passed to compare or
// truth, which record how near it came to being true, and to being false. Lines do not move. changed has no parser, so
// that the example needs no package: it skips comments, strings and regular expressions, and takes a condition apart at
// &&, || and one comparison. Conditions elsewhere, such as those of ?: and for, and statements that do not begin a line
// are left as they are. A driver for a large service would use a parser, such as acorn.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const own = new URL(".", import.meta.url).href; // the files in this folder get probes, except those of the driver
const hasProbes = (url) => url.startsWith(own) && !/\/node_modules\/|\/(probe|driver)\.mjs/.test(url);

export async function load(url, context, next) {
  if (!hasProbes(url)) return next(url, context);
  const path = fileURLToPath(url);
  const source = changed(await readFile(path, "utf8"), url.slice(own.length).replace(/\?.*/, "")).text;
  return { format: "module", source, shortCircuit: true };
}

// blockBegins matches the code before the bracket of a block. Other such brackets are those of objects and classes.
const blockBegins = /(^|\)|=>|\b(else|try|catch|finally|do)|\b(case\b[^:?]*|default)\s*:|[;{}])$/;

// changed returns the text of a file with probes, and the targets of these probes.
export function changed(text, file) {
  const targets = [], blocks = []; // for each open bracket, whether it is that of a block
  const inBlock = () => blocks.at(-1) ?? true;
  let out = "", code = "", line = 1; // code is the end of the code so far, without comments
  for (let i = 0; i < text.length; ) {
    if (i === 0 || text[i - 1] === "\n") {
      const start = /^[ \t]*(?!(?:case|default|else|catch|finally|import|export|function|class)\b)(?=[A-Za-z_$])/.exec(text.slice(i));
      if (start && inBlock() && /(^|[;{}])$/.test(code.trimEnd())) {
        targets.push({ id: `${file}:${line}`, kind: "statement", package: "shop", file, line });
        out += `${start[0]}probes.line("${file}:${line}"); `;
        i += start[0].length;
      }
    }
    const end = skipped(text, i);
    const head = end === i + 1 && /^(?:if|while)\s*\(/.exec(text.slice(i, i + 20));
    let piece = text.slice(i, end);
    if (head && inBlock() && !/[\w$.]/.test(text[i - 1] ?? " ")) {
      const from = i + head[0].length, to = closing(text, from);
      const column = i - text.lastIndexOf("\n", i - 1);
      piece = head[0] + condition(text.slice(from, to), { file, line, column, targets });
      blocks.push(false);
      i = to;
    } else {
      if (piece === "{") blocks.push(blockBegins.test(code.trimEnd()));
      else if (piece === "(" || piece === "[") blocks.push(false);
      else if (")]}".includes(piece)) blocks.pop();
      i = end;
    }
    if (!/^\/[/*]/.test(piece)) code = (code + piece).slice(-60);
    out += piece;
    line += piece.split("\n").length - 1;
  }
  return { text: out, targets };
}

// skipped returns where the comment, string or regular expression at i ends, or i + 1 if there is none.
function skipped(text, i) {
  const rest = text.slice(i, i + 2), quote = text[i];
  if (rest === "//") return (text.indexOf("\n", i) + 1 || text.length + 1) - 1;
  if (rest === "/*") return (text.indexOf("*/", i) + 2 - 1 || text.length - 1) + 1;
  const isRegExp = quote === "/" && /(?:[(,=:[!&|?{};]|\breturn|^)\s*$/.test(text.slice(Math.max(0, i - 20), i));
  if (!isRegExp && !`"'\``.includes(quote)) return i + 1;
  for (let k = i + 1, inClass = false; k < text.length; k++) {
    if (text[k] === "\\") k++;
    else if (isRegExp && "[]".includes(text[k])) inClass = text[k] === "[";
    else if (quote === "`" && text.startsWith("${", k)) k = closing(text, k + 2);
    else if (text[k] === quote && !inClass) return k + 1;
  }
  return text.length;
}

// closing returns where the bracket closes that was opened before i.
function closing(text, i) {
  for (let depth = 1; i < text.length; i = skipped(text, i)) {
    if ("([{".includes(text[i])) depth++;
    if (")]}".includes(text[i]) && --depth === 0) break;
  }
  return i;
}

// split returns the parts of a text between operators that are outside of brackets, and these operators.
function split(text, operators) {
  const parts = [""], found = [];
  for (let i = 0; i < text.length; ) {
    const operator = operators.find((o) => text.startsWith(o, i));
    const end = "([{".includes(text[i]) ? closing(text, i + 1) + 1 : operator ? i + operator.length : skipped(text, i);
    if (operator) parts.push(""), found.push(operator);
    else parts[parts.length - 1] += text.slice(i, end);
    i = end;
  }
  return { parts, found };
}

// Longer operators come first. The last ones are no comparisons: a condition that has them is not taken apart.
const comparisons = ["===", "!==", "==", "!=", "<=", ">="], others = ["=>", ">>>", ">>", "<<", "??", "&&", "||", "=", "?", ",", "<", ">"];

// condition returns a condition with probes, and adds its targets to place.targets.
function condition(text, place) {
  const { parts, found } = split(text, ["&&", "||", "??", "=>", "?", ","]);
  if (found.some((o) => !["&&", "||"].includes(o))) return probe("truth", text, [text], place, true);
  return parts.map((part, i) => operand(part, place, found.length === 0) + (found[i] ?? "")).join("");
}

function operand(text, place, isWhole) {
  const inner = text.trim();
  if (inner.startsWith("(") && closing(inner, 1) === inner.length - 1) return text.replace(inner, () => `(${condition(inner.slice(1, -1), place)})`);
  const { parts, found } = split(text, [...comparisons, ...others]);
  if (found.length === 1 && [...comparisons, "<", ">"].includes(found[0])) {
    return probe("compare", text, [parts[0], JSON.stringify(found[0]), parts[1]], place, isWhole);
  }
  return probe("truth", text, [text], place, isWhole);
}

function probe(name, text, args, { file, line, column, targets }, isWhole) {
  const id = `${file}:${line}:${column}.${targets.filter((t) => t.line === line && t.column === column).length / 2}`;
  for (const side of ["true", "false"]) {
    targets.push({ id: `${id}:${side}`, kind: isWhole ? side : `condition ${side}`, package: "shop", file, line, column, label: text.trim() });
  }
  return `probes.${name}(${JSON.stringify(id)}, ${args.map((a) => `(${a})`).join(", ")})`;
}

// test has how near the test came to each target.
export const test = new Map();

export function reach(id, h) {
  if (h > (test.get(id) ?? 0)) test.set(id, h);
}

// far is the distance of values that are neither numbers nor texts, such as of undefined.
const far = 1e9;

// distances returns how far a comparison is from being true, and from being false: 0 if it is.
function distances(a, operator, b) {
  const near = typeof a === "string" && typeof b === "string" ? textDistance(a, b) : Math.abs(Number(a) - Number(b));
  const difference = Number(a) - Number(b);
  switch (operator) {
    case "===": case "==": return [near, 1];
    case "!==": case "!=": return [1, near];
    case "<": return [difference + 1, -difference];
    case "<=": return [difference, 1 - difference];
    case ">": return [1 - difference, difference];
    default: return [-difference, difference + 1];
  }
}

// textDistance counts the characters that differ, and how much the first of them does.
function textDistance(a, b) {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const first = Math.abs((a.charCodeAt(same) || 0) - (b.charCodeAt(same) || 0));
  return Math.max(a.length, b.length) - same - 1 + first / (first + 1);
}

const results = {
  "===": (a, b) => a === b, "==": (a, b) => a == b, "!==": (a, b) => a !== b, "!=": (a, b) => a != b,
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
};

function compare(id, a, operator, b) {
  const result = results[operator](a, b);
  const [toTrue, toFalse] = distances(a, operator, b).map((d) => (Number.isNaN(d) ? far : d > 0 ? d : 1));
  reach(`${id}:true`, result ? 1 : 1 / (1 + toTrue));
  reach(`${id}:false`, result ? 1 / (1 + toFalse) : 1);
  return result;
}

function truth(id, value) {
  reach(`${id}:${value ? "true" : "false"}`, 1);
  reach(`${id}:${value ? "false" : "true"}`, 0.5);
  return value;
}

globalThis.probes = { line: (id) => reach(id, 1), compare, truth };
