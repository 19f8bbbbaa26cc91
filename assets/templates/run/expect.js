
// valuesAt returns the values at a JSON pointer. The token * means all items of an array, or all members of an
// object. The value of a member that an object does not have is undefined.
function valuesAt(text, pointer) {
  let value;
  try {
    value = decoded(text);
  } catch (_) {
    return [undefined];
  }
  return valuesIn(value, pointer);
}

// valuesIn returns the values at a JSON pointer of a decoded value.
function valuesIn(value, pointer) {
  let all = [value];
  const tokens = pointer.split("/").slice(1);
  tokens.forEach((token, i) => {
    const last = i === tokens.length - 1;
    all = all.flatMap((v) => {
      const container = v !== null && typeof v === "object" && !(v instanceof Num);
      if (token === "*") return container ? Object.values(v) : [];
      const name = token.replace(/~1/g, "/").replace(/~0/g, "~");
      if (container && Object.prototype.hasOwnProperty.call(v, name)) return [v[name]];
      return last ? [undefined] : [];
    });
  });
  return all;
}

function typeOf(v) {
  if (v === null) return "null";
  if (Array.isArray(v)) return "array";
  if (v instanceof Num) return plain(v.text).includes("e-") ? "number" : "integer";
  return typeof v;
}

// An expectation describes an assertion on an answer, and checks it.
const expectation = (what, holds) => ({ what, holds });
const each = (pointer, holds) => (reply) => valuesAt(reply.text, pointer).every((v) => v === undefined || holds(v));
const typed = (pointer, ...types) =>
  expectation(`type ${types.join(" or ")} at "${pointer}"`, each(pointer, (v) => types.includes(typeOf(v)) || (types.includes("number") && typeOf(v) === "integer")));
const given = (pointer) =>
  expectation(`a value at "${pointer}"`, (reply) => {
    const all = valuesAt(reply.text, pointer);
    return !all.includes(undefined) && (all.length > 0 || pointer.includes("*"));
  });
const absent = (pointer) => expectation(`nothing at "${pointer}"`, each(pointer, () => false));
const among = (pointer, ...values) => expectation(`one of ${values.join(", ")} at "${pointer}"`, each(pointer, (v) => values.some((w) => same(v, decoded(w)))));
const matching = (pointer, pattern) => expectation(`a match for ${pattern} at "${pointer}"`, each(pointer, (v) => typeof v !== "string" || new RegExp(pattern).test(v)));
const headed = (name, pattern) => expectation(`the header ${name} to match ${pattern}`, (reply) => new RegExp(pattern).test(reply.headers(name) || ""));
const without = (pattern) => expectation(`no match for ${pattern}`, (reply) => !new RegExp(pattern).test(reply.text));
const unchanged = (pointer, before) =>
  expectation(`${before.json()} at "${pointer}" as before`, (reply) => {
    const value = inside(reply.text, pointer);
    return value !== undefined && same(value, before.value);
  });
const texts = (all) => all.filter((v) => v !== undefined).map((v) => new Value(v).text());
const listed = (pointer, before) => expectation(`${before.json()} at "${pointer}"`, (reply) => texts(valuesAt(reply.text, pointer)).includes(before.text()));

// textsIn returns the values in the items of a list, as texts, at the place that follows the token * of a JSON pointer.
const textsIn = (list, pointer) => texts(valuesIn(list.value, "/*" + pointer.slice(pointer.indexOf("/*") + 2)));
const covering = (pointer, before) =>
  expectation(`all values of the earlier list at "${pointer}"`, (reply) => {
    const here = texts(valuesAt(reply.text, pointer));
    return textsIn(before, pointer).every((v) => here.includes(v));
  });
const disjoint = (pointer, before) =>
  expectation(`no values of the earlier list at "${pointer}"`, (reply) => {
    const here = texts(valuesAt(reply.text, pointer));
    return !textsIn(before, pointer).some((v) => here.includes(v));
  });
