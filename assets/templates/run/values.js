// Num is a number of JSON as it is written: numbers of JavaScript are not exact.
class Num {
  constructor(text) {
    this.text = text;
  }
}

// decoded reads JSON. While it does so, a number is an object with the single member "\0", and each
// text that begins with that character has the character twice.
function decoded(text) {
  JSON.parse(text); // throws an error if the text is not JSON
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (word) =>
    word[0] !== '"' ? `{"\\u0000": "${word}"}` : word.startsWith('"\\u0000') ? `"\\u0000${word.slice(1)}` : word);
  return JSON.parse(marked, (_, v) => {
    if (typeof v === "string" && v.startsWith("\0\0")) return v.slice(1);
    if (v === null || typeof v !== "object" || Array.isArray(v)) return v;
    return Object.prototype.hasOwnProperty.call(v, "\0") ? new Num(v["\0"]) : unmarked(v);
  });
}

// unmarked is an object without the doubled characters at the start of its names.
function unmarked(object) {
  if (!Object.keys(object).some((name) => name.startsWith("\0"))) return object;
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name.startsWith("\0\0") ? name.slice(1) : name, value]));
}

// encoded writes JSON.
function encoded(value) {
  if (value instanceof Num) return value.text;
  if (Array.isArray(value)) return `[${value.map(encoded).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).map((k) => `${JSON.stringify(k)}:${encoded(value[k])}`).join(",")}}`;
}

// plain spells a number as digits and exponent: 12.50 is 125e-1.
function plain(text) {
  const [mantissa, power] = text.toLowerCase().split("e");
  const [whole, fraction] = mantissa.replace("-", "").split(".");
  const digits = (whole + (fraction || "")).replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") return "0";
  return `${text[0] === "-" ? "-" : ""}${short}e${Number(power || 0) + digits.length - short.length - (fraction || "").length}`;
}

// same reports whether two values are equal as JSON.
function same(a, b) {
  if (a instanceof Num && b instanceof Num) return plain(a.text) === plain(b.text);
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return a === b;
  if (a instanceof Num || b instanceof Num || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.prototype.hasOwnProperty.call(b, k) && same(a[k], b[k]));
}

// inside is the value at a JSON pointer of a JSON text, undefined if there is none.
function inside(text, pointer) {
  try {
    return pointer.split("/").slice(1).reduce((value, token) => {
      const name = token.replace(/~1/g, "/").replace(/~0/g, "~");
      if (value === null || typeof value !== "object" || value instanceof Num) return undefined;
      return Object.prototype.hasOwnProperty.call(value, name) && (name !== "length" || !Array.isArray(value)) ? value[name] : undefined;
    }, decoded(text));
  } catch (_) {
    return undefined;
  }
}

// lastSegment is the last segment of a URL's path, "" if it has none.
function lastSegment(url) {
  const path = url.trim().replace(/[?#].*$/, "").replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "").replace(/\/+$/, "");
  try {
    return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
  } catch (_) {
    return "";
  }
}

// Value is a part of an answer, or an environment variable, for a later call.
class Value {
  constructor(value) {
    this.value = value;
  }

  text() {
    return typeof this.value === "string" ? this.value : encoded(this.value);
  }

  json() {
    return encoded(this.value);
  }

  // number returns the value as JSON. If the text of the value is a number, the JSON is a number.
  number() {
    return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(this.text()) ? this.text() : this.json();
  }

  query() {
    return encodeURIComponent(this.text());
  }

  form() {
    return this.query();
  }

  path() {
    return /^\.*$/.test(this.text()) ? this.text().replace(/\./g, "%2E") : this.query();
  }
}
