// Reply is an answer of the service.
class Reply {
  constructor(call, status, headers, text) {
    Object.assign(this, { call, status, headers, text });
  }

  fail(what) {
    throw new Error(`${this.call}: ${what}`);
  }

  excerpt() {
    return JSON.stringify(this.text.slice(0, 300));
  }

  want(status) {
    if (this.status !== status) this.fail(`want status ${status}, got ${this.status} with body ${this.excerpt()}`);
  }

  succeeds() {
    if (this.status < 200 || this.status > 299) this.fail(`want a status of success, got ${this.status} with body ${this.excerpt()}`);
  }

  // statusIn fails unless one of wanted fits the status. Each is a number, or a range such as "100-499".
  statusIn(...wanted) {
    const fits = (range) => {
      const [from, to] = range.split("-").map(Number);
      return from <= this.status && this.status <= (to || from);
    };
    if (!wanted.some(fits)) this.fail(`want status ${wanted.join(" or ")}, got ${this.status} with body ${this.excerpt()}`);
  }

  expect(expectation) {
    if (!expectation.holds(this)) this.fail(`want ${expectation.what}, but the body is ${this.excerpt()}`);
  }

  // broken fails if an expectation holds. It did not hold when the test was written, because of a fault of the
  // service.
  broken(expectation) {
    if (expectation.holds(this)) this.fail(`${expectation.what} holds now, the fault is mended: write expect instead of broken`);
  }

  at(pointer) {
    const value = inside(this.text, pointer);
    if (value === undefined) this.fail(`want a value at "${pointer}", but the body is ${this.excerpt()}`);
    return value;
  }

  present(pointer) {
    this.at(pointer);
  }

  // holds fails unless the body has this JSON value at a JSON pointer.
  holds(pointer, want) {
    const got = this.at(pointer);
    if (!same(got, decoded(want))) this.fail(`want ${want} at "${pointer}", got ${encoded(got)}`);
  }

  field(pointer) {
    return new Value(this.at(pointer));
  }

  // ending returns the last path segment of the URL in a header.
  ending(header) {
    const id = lastSegment(this.headers(header) || "");
    if (id === "") this.fail(`want an id at the end of the header ${header}`);
    return new Value(id);
  }

  // part returns the text that the group of a pattern matches in the body.
  part(pattern) {
    return new Value(this.matched(this.text, pattern));
  }

  // partOf returns the text that the group of a pattern matches in a URL. The URL is in the header place or, if place
  // begins with a slash, at this JSON pointer.
  partOf(place, pattern) {
    const url = place.startsWith("/") ? new Value(this.at(place)).text() : this.headers(place) || "";
    return new Value(decodeURIComponent(this.matched(url, pattern)));
  }

  matched(text, pattern) {
    const found = new RegExp(pattern).exec(text);
    if (found === null) this.fail(`want a part that matches ${pattern}, but the text is ${JSON.stringify(text.slice(0, 300))}`);
    return found[1];
  }

  // headed returns the value of a header.
  headed(header) {
    const value = (this.headers(header) || "").trim();
    if (value === "") this.fail(`want the header ${header}, but there is none`);
    return new Value(value);
  }

  // whole returns the whole body: a JSON value, such as a string, or else a text.
  whole() {
    try {
      return new Value(decoded(this.text));
    } catch (_) {
      return new Value(this.text.trim());
    }
  }

  // cookies returns the cookies that the answer sets, in the form of the header Cookie.
  cookies() {
    const all = (this.headers("Set-Cookie") || "").split("\n").filter((text) => !isDeleted(text))
      .map((text) => text.split(";")[0].trim()).filter((text) => /=./.test(text));
    if (all.length === 0) this.fail("want cookies, but the answer sets none");
    return new Value(all.join("; "));
  }
}

// isDeleted reports whether a header Set-Cookie deletes its cookie: by Max-Age, or else by Expires.
function isDeleted(cookie) {
  const age = /;\s*max-age=(-?\d+)/i.exec(cookie);
  if (age !== null) return Number(age[1]) <= 0;
  const expires = /;\s*expires=([a-z][^;]*)/i.exec(cookie);
  return expires !== null && Date.parse(expires[1].replace(/-/g, " ")) <= Date.now();
}

// header, basic, body and data are options of a request; data is in base64.
const header = (name, value) => (r) => { r.headers[name] = value; };
const body = (text) => (r) => { r.body = text; };

// secret returns the value of an environment variable. If the variable is not set, it returns the argument otherwise.
function secret(name, otherwise = "") {
  const text = (environment[name] || "").trim() || otherwise;
  if (text === "") throw new Error(`no secret to send: set ${name} in the environment, as the top of this file says`);
  return new Value(text);
}

// target returns the URL for a path of the service. It returns the URL of another host unchanged.
const target = (path) => (path.startsWith("/") ? found() + path : path);

// found returns the service's URL.
function found() {
  const base = (environment.SONDE_BASE_URL || baseURL).replace(/\/+$/, "");
  if (base === "") throw new Error("no service to call: set SONDE_BASE_URL to where it is, such as http://127.0.0.1:8080");
  return base;
}
