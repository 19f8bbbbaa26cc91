// hosts are the hosts around the service in the running test.
const hosts = {
  servers: new Map(), permanent: [], stubs: [], running: false, openCalls: 0,

  // forget removes what earlier tests left.
  forget() {
    Object.assign(this, { counts: new Map(), unanswered: [], calls: [], unmatched: [], oracles: null, calledAt: null, within: 0, deadline: 0, asked: [] });
  },

  // listen starts the servers that play the hosts.
  async listen() {
    for (const name of servers) if (!this.servers.has(name)) this.servers.set(name, await listen(name));
  },

  // startProcess prepares for a new process of the service: until the test begins, only the permanent stubs answer.
  startProcess() {
    this.forget();
    Object.assign(this, { stubs: [], running: false });
    for (const stub of this.permanent) stub.given = 0;
  },

  allOf(name) {
    return [...this.stubs, ...this.permanent].filter((stub) => stub.host === name);
  },

  // choose returns the first stub that fits. If a background stub fits, too, it is chosen in two cases: no call to
  // the service is open, or the first stub has no answer left.
  choose(name, fits) {
    let first;
    for (const stub of this.allOf(name)) {
      if (stub.background && fits(stub)) return first && this.openCalls > 0 && answerAt(first, first.given) ? first : stub;
      if (!first && !stub.background && fits(stub)) first = stub;
    }
    return first;
  },

  // answer returns the next answer to a request, undefined if there is none.
  answer(call) {
    const nth = (this.counts.get(call.host) || 0) + 1;
    this.counts.set(call.host, nth);
    const stub = this.choose(call.host, (s) => matches(s, call, nth));
    call.mayBeNone = this.allOf(call.host).some((s) => s.background && matches(s, call, s.nth));
    if (!stub || !stub.background) this.calls.push(call);
    const answer = stub && answerAt(stub, stub.given++);
    if (answer) {
      stub.answeredAt = performance.now();
      return answer;
    }
    if (this.oracles) return this.answerUnmatched(call);
    this.unanswered.push(describe(call));
    return undefined;
  },

  // answerUnmatched answers a request that no stub matches. In a test with one oracle, it gives the answer of the
  // nearest stub for the same operation, so that only this oracle can fail.
  answerUnmatched(call) {
    const near = this.allOf(call.host).filter((s) => operationFits(s.request, call)).map((s) => ({ s, differences: differencesOf(s, call) }));
    near.sort((a, b) => a.differences.length - b.differences.length || (a.s.given >= a.s.script.length) - (b.s.given >= b.s.script.length));
    const { s: stub, differences = [] } = near[0] || {};
    if (this.oracles.length === 1) {
      if (!stub) {
        this.unanswered.push(describe(call));
        return undefined;
      }
      if (stub.nth || differences.length > 0) stub.given++;
      return answerAt(stub, stub.given - 1) || stub.script.at(-1);
    }
    if (!stub) this.unmatched.push(`${describe(call)}, which was not recorded`);
    else if (differences.length === 0) this.unmatched.push(`${describe(call)}, once more than it was recorded`);
    for (const d of differences) this.unmatched.push(`${describe(call)}, where the nearest stub differs: ${d}`);
    return { status: 501, fields: ["Content-Type: text/plain"], body: Buffer.from("no stub of the test matches\n"), send: sendWhole };
  },

  // underTest returns the outward calls since the beginning of the call under test.
  underTest() {
    return this.calls.filter((call) => this.calledAt !== null && call.start >= this.calledAt);
  },

  // wait waits for a condition, at most until a second after the first wait of the test. Once the recorded number of
  // outward calls has arrived, it waits only a moment for further calls.
  async wait(done) {
    this.deadline = this.deadline || performance.now() + 1000;
    for (let quiet = 0; !done(); await pause(0.001)) {
      const now = performance.now();
      if (now > this.deadline || (quiet && now > quiet)) return;
      if (!quiet && this.underTest().length >= this.within) quiet = now + 50;
    }
  },
};
hosts.forget();

const pause = (seconds) => new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });

Object.assign(watch, { began() { hosts.openCalls++; }, ended() { hosts.openCalls--; } });

// listen starts the server that plays a host. If the tests do not start the service, the service calls the address of
// the host itself, so the server must listen there.
function listen(name) {
  const started = service !== null && !environment.SONDE_BASE_URL;
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(name);
  if (!started && host !== "localhost" && host !== "::1" && !host.startsWith("127.")) {
    throw new Error(`the running service calls ${name} itself, where the tests cannot listen: unset SONDE_BASE_URL, and the tests start a service`);
  }
  // The service may end a request early, and Node.js refuses some headers: such a request gets no answer.
  const server = http.createServer((request, response) => respond(name, request, response).catch(() => response.destroy()));
  server.unref();
  return new Promise((resolve, reject) => {
    server.on("error", (error) => reject(new Error(`no server can play ${name}: ${error.message}`)));
    server.listen(started ? 0 : Number(port), started ? "127.0.0.1" : host, () => resolve(server));
  });
}

// respond answers one request of a connection.
async function respond(name, request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const [path, query = ""] = request.url.split(/\?(.*)/s);
  const call = {
    host: name, method: request.method, path, query: new URLSearchParams(query), headers: request.headersDistinct,
    body: Buffer.concat(chunks), start: performance.now(), mayBeNone: false,
  };
  const answer = hosts.answer(call);
  response.sendDate = false;
  response.shouldKeepAlive = false;
  if (answer) await answer.send(response, answer);
  else response.socket.resetAndDestroy();
}

const asUTF8 = (text) => Buffer.from(text, "latin1").toString();
const headerOf = (call, name) => (call.headers[name.toLowerCase()] || []).map(asUTF8);
const describe = (call) => `${call.method} ${call.path} at ${call.host}`;

// operationFits reports whether a call has the method and the path of an operation such as POST /charges/{id}. The
// method or the path may be missing.
function operationFits(request, call) {
  const slash = request.indexOf("/");
  const method = (slash < 0 ? request : request.slice(0, slash)).trim();
  return (method === "" || method === call.method) && (slash < 0 || pathPattern(request.slice(slash)).pattern.test(call.path));
}

// pathPattern returns a pattern that matches the paths of a template, and the names of the template's parameters.
function pathPattern(path) {
  const parts = path.split(/\{([^/]*?)\}/);
  const literals = parts.filter((_, i) => i % 2 === 0).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return { pattern: new RegExp(`^${literals.join("([^/]+)")}/?$`), names: parts.filter((_, i) => i % 2 === 1) };
}

const differencesOf = (stub, call) => stub.conditions.flatMap((differs) => differs(call));
const matches = (stub, call, nth) => operationFits(stub.request, call) && differencesOf(stub, call).length === 0 && (stub.nth === 0 || stub.nth === nth);

// answerAt returns the answer of a stub that follows the first n answers, undefined if there is none. A script with a
// single answer repeats this answer.
function answerAt(stub, n) {
  if (n < stub.script.length) return stub.script[n];
  if (stub.repeats && stub.script.length > 0) return stub.script[n % stub.script.length];
  return stub.last || (stub.script.length === 1 ? stub.script[0] : undefined);
}

// head sets the header of an answer.
function head(response, answer) {
  const fields = new Map();
  for (const field of answer.fields) {
    const [, name, value] = /^([^:]*):\s*(.*?)\s*$/s.exec(field);
    if (/^connection$/i.test(name)) continue;
    const key = name.toLowerCase();
    fields.set(key, [name, [...(fields.get(key) || [name, []])[1], Buffer.from(value).toString("latin1")]]);
  }
  if (!fields.has("content-type") && isJSON(answer.body)) fields.set("content-type", ["Content-Type", ["application/json"]]);
  if (answer.status !== 204 && answer.status !== 304 && !fields.has("content-length") && !fields.has("transfer-encoding")) {
    fields.set("content-length", ["Content-Length", [String(answer.body.length)]]);
  }
  for (const [name, values] of fields.values()) response.setHeader(name, values.length === 1 ? values[0] : values);
  response.strictContentLength = false;
  response.writeHead(answer.status);
}

function isJSON(body) {
  try {
    JSON.parse(body.toString());
    return true;
  } catch (_) {
    return false;
  }
}

// write sends a part of a body, after the header.
function write(response, body) {
  if (body.length === 0) response.flushHeaders();
  return new Promise((resolve) => { if (body.length === 0) resolve(); else response.write(body, () => resolve()); });
}

function sendWhole(response, answer) {
  head(response, answer);
  response.end(answer.body);
}

const sendReset = (response) => response.socket.resetAndDestroy();

// octets returns the bytes of a text in base64, for a body that is not UTF-8.
const octets = (text) => Buffer.from(text, "base64");

// Rules describe the answers of a stub, and the requests that it answers.
const answers = (send, status = 200, text = "", fields = []) => (stub) => { stub.script.push({ status, fields, body: Buffer.from(text), send }); };

// replies answers a request. Each field is like "Content-Type: text/plain".
const replies = (status, text, ...fields) => answers(sendWhole, status, text, fields);

// resets resets the connection instead of an answer.
const resets = () => answers(sendReset);
const refuses = resets, isUnreachable = resets, timesOut = resets, hasWrongTLS = resets, hasExpiredCertificate = resets, hasUnknownAuthority = resets;

// isMute sends nothing, and resets the connection after 5 seconds.
const isMute = () => answers(async (response) => {
  await pause(5);
  sendReset(response);
});

// changed is a rule that adds the answer of another rule, with a change.
const changed = (rule, change) => (stub) => {
  rule(stub);
  Object.assign(stub.script.at(-1), change(stub.script.at(-1)));
};

// cutAfter sends the first n bytes of an answer, and then ends the connection.
const cutAfter = (n, rule) => changed(rule, () => ({
  async send(response, answer) {
    head(response, answer);
    await write(response, answer.body.subarray(0, n));
    response.socket.end();
  },
}));

// stallsAfter sends the first n bytes of an answer and then nothing. It ends the connection after 5 seconds.
const stallsAfter = (n, rule) => changed(rule, () => ({
  async send(response, answer) {
    head(response, n < answer.body.length ? answer : { ...answer, body: Buffer.concat([answer.body, Buffer.from(" ")]) });
    await write(response, answer.body.subarray(0, n));
    await pause(5);
    response.socket.end();
  },
}));

// truncated sends the first half of an answer as if it were the whole answer.
const truncated = (rule) => changed(rule, (answer) => ({ body: answer.body.subarray(0, Math.floor(answer.body.length / 2)) }));

// slowly waits some seconds before an answer, and then sends rate bytes of the answer each second. If rate is 0, it
// sends the answer at once.
const slowly = (wait, rate, rule) => changed(rule, () => ({
  async send(response, answer) {
    await pause(wait);
    head(response, answer);
    const size = rate ? 1 + Math.floor(rate / 100) : answer.body.length || 1;
    for (let start = 0; start < answer.body.length; start += size) {
      await write(response, answer.body.subarray(start, start + size));
      if (rate && start + size < answer.body.length) await pause(size / rate);
    }
    response.end();
  },
}));

// again repeats the answers of the stub.
const again = () => (stub) => { stub.repeats = true; };

// afterwards is the answer to all further requests, when the other answers are used up.
const afterwards = (rule) => (stub) => {
  rule(stub);
  stub.last = stub.script.pop();
};

// inBackground answers requests that no call to the service causes. The answers continue from test to test. No oracle
// counts these requests.
const inBackground = () => (stub) => { stub.background = true; };

// ifNth answers only the nth request to the host, from 1.
const ifNth = (n) => (stub) => { stub.nth = n; };

// ifQuery answers only requests with this parameter in their query, and ifHeader only requests with this header.
const ifQuery = (name, value) => (stub) => { stub.conditions.push((call) => member("query", name, call.query.getAll(name), value)); };
const ifHeader = (name, value) => (stub) => { stub.conditions.push((call) => member("header", name, headerOf(call, name), value)); };
const member = (place, name, values, wanted) => (values.includes(wanted) ? [] : [`${place} ${name}: want ${wanted}, got ${values.join(", ") || "nothing"}`]);

// ifJSON answers only requests whose body contains a JSON value: objects in the body may have more members.
const ifJSON = (text) => (stub) => { stub.conditions.push((call) => compareBody(call.body, text, [], true)); };

// host declares how a host answers requests such as "POST /charges/{id}"; "" means all requests. What is declared in
// a test is for that test; what is declared before the first test is for all tests.
function host(name, request, ...rules) {
  const stub = { host: name, request, conditions: [], nth: 0, script: [], repeats: false, last: undefined, given: 0, background: false, answeredAt: 0 };
  for (const rule of rules) rule(stub);
  if (hosts.running && !hosts.servers.has(name)) throw new Error(`no server plays ${name}: the helpers are those of other tests`);
  (hosts.running ? hosts.stubs : hosts.permanent).push(stub);
}

// content returns the content of a file in the folder of the tests.
const content = (name) => readFileSync(new URL(name, import.meta.url));

// played is a test in which servers play the hosts around the service.
const played = (test) => async () => {
  try {
    await test();
  } catch (error) {
    if (hosts.unanswered.length > 0) error.message += `\nthe service got no answer, because no stub matches:\n  ${hosts.unanswered.join("\n  ")}`;
    if (service && service.output) error.message += `\nthe service printed:\n${service.output}`;
    throw error;
  } finally {
    if (hosts.calledAt !== null) await hosts.wait(() => hosts.underTest().length >= hosts.within);
  }
};

// startService starts the service, unless it runs.
async function startService() {
  if (environment.SONDE_BASE_URL) return;
  if (!service.process || service.exited) await restartService();
  service.output = "";
}

// restartService brings the service back to its first state by starting it again.
async function restartService() {
  if (environment.SONDE_BASE_URL) return;
  await hosts.listen();
  for (let tries = 3; ; tries--) {
    await stopService();
    const why = await startAt(service.port || (await freePort()));
    if (!why) return;
    if (!service.exited || service.port || tries === 1) { // otherwise, another process may have taken the port
      const printed = service.output;
      await stopService();
      throw new Error(`the service ${service.command.join(" ")} ${why}; it printed:\n${printed}`);
    }
  }
}

// startAt starts the service on a port. It returns why the service is not ready, or "" if it is ready.
async function startAt(port) {
  baseURL = filled(service.base, port);
  hosts.startProcess();
  const words = service.command.map((word) => filled(word, port));
  const child = spawn(words[0], words.slice(1), {
    cwd: new URL(`${service.folder || "."}/`, import.meta.url), env: serviceEnvironment(port), stdio: ["ignore", "pipe", "pipe"], detached: true,
  });
  Object.assign(service, { process: child, output: "", exited: "" });
  const ended = (how) => { if (service.process === child) service.exited = how; };
  child.on("error", (error) => ended(error.message));
  child.on("exit", (code, signal) => ended(`exit code ${code ?? signal}`));
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => { service.output = (service.output + text).slice(-32768); });
    stream.unref();
  }
  child.unref();
  for (const deadline = performance.now() + service.readyTimeout * 1000; ; await pause(0.02)) {
    const why = await notReady();
    if (service.exited) return `ended before it was ready: ${service.exited}`;
    if (!why) return "";
    if (performance.now() > deadline) return `was not ready within ${service.readyTimeout} s: ${why}`;
  }
}

// notReady returns why the service is not ready, or "" if it is ready.
async function notReady() {
  const { hostname, port, host: address } = new URL(baseURL);
  const isOpen = await new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port), timeout: 1000 }, () => { socket.destroy(); resolve(true); });
    socket.on("error", () => resolve(false));
    socket.on("timeout", () => { socket.destroy(); resolve(false); });
  });
  if (!isOpen) return `nothing listens at ${address}`;
  if (!service.readyPath) return "";
  try {
    const { status } = await fetch(baseURL.replace(/\/+$/, "") + service.readyPath, { redirect: "manual", headers: { Connection: "close" }, signal: AbortSignal.timeout(5000) });
    return (service.readyStatus ? status === service.readyStatus : status < 500) ? "" : `GET ${service.readyPath} answered ${status}`;
  } catch (_) {
    return `GET ${service.readyPath} got no answer`;
  }
}

// filled replaces {port} by a port, and {HOST:PORT} by the address of the server that plays a host.
function filled(text, port) {
  for (const [name, server] of hosts.servers) text = text.replaceAll(`{${name}}`, `127.0.0.1:${server.address().port}`);
  return text.replaceAll("{port}", String(port));
}

function serviceEnvironment(port) {
  const all = { ...environment, PORT: String(port) };
  for (const [name, value] of Object.entries(service.env)) {
    all[name] = filled(value.replace(/\$\{(\w+)\}/g, (_, other) => {
      if (environment[other] === undefined) throw new Error(`set ${other} in the environment, for ${name}`);
      return environment[other];
    }), port);
  }
  return all;
}

// freePort returns a port on which no program listens. It is below the ports that operating systems choose by
// themselves.
async function freePort() {
  for (let tries = 0; tries < 100; tries++) {
    const port = 20000 + Math.floor(Math.random() * 12000), server = createServer();
    const isFree = await new Promise((resolve) => {
      server.on("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
  throw new Error("no port for the service");
}

// runCommand runs a command with the environment of the service.
async function runCommand(...words) {
  if (!service.process) return;
  const port = Number(new URL(baseURL).port), [program, ...rest] = words.map((word) => filled(word, port));
  // The output goes to a file, because a child in the background would keep a pipe open.
  const folder = mkdtempSync(`${tmpdir()}/sonde-command-`), path = `${folder}/output`, output = openSync(path, "w");
  try {
    const child = spawn(program, rest, {
      cwd: new URL(`${service.folder || "."}/`, import.meta.url), env: serviceEnvironment(port), stdio: ["ignore", output, output],
      signal: AbortSignal.timeout(60_000),
    });
    const how = await new Promise((resolve) => {
      child.on("error", (error) => resolve((error.cause || error).message));
      child.on("exit", (code, signal) => resolve(code ?? signal));
    });
    if (how !== 0) throw new Error(`${words.join(" ")} failed with ${how}: ${readFileSync(path, "utf8").slice(-300)}`);
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true });
  }
}

// signalService sends a signal to the service and the processes that it started; 0 sends none. It reports whether any
// of them still existed.
function signalService(signal) {
  try {
    return process.kill(-service.process.pid, signal);
  } catch (_) {
    return false;
  }
}

// stopService stops the service and the processes that it started. It kills those that do not stop in time.
async function stopService() {
  if (!service || !service.process) return;
  for (const [signal, patience] of [[service.stopSignal, service.stopTimeout], ["SIGKILL", 2]]) {
    const deadline = performance.now() + patience * 1000;
    let isAlive = signalService(signal);
    while (isAlive && performance.now() < deadline) {
      await pause(0.01);
      isAlive = signalService(0);
    }
    if (!isAlive) break;
  }
  service.process = null;
}

// beginTest removes the stubs of earlier tests.
async function beginTest() {
  await hosts.listen();
  hosts.forget();
  Object.assign(hosts, { stubs: [], running: true });
  for (const stub of hosts.permanent) if (!stub.background) stub.given = 0;
}

// A matcher says which values of an answer or of an outward call a test accepts.
const matcher = (wanted, fits) => ({ wanted, fits });

// check returns the differences of the value at a place. got is undefined if there is no value.
function check(m, place, got) {
  if (got === undefined) return [`${place}: want ${m.wanted}, got nothing`];
  return m.fits(got) ? [] : [`${place}: want ${m.wanted}, got ${encoded(got).slice(0, 300)}`];
}

const textOf = (value) => (typeof value === "string" ? value : encoded(value));

// equalTo wants a value that equals a JSON value. The order of keys does not matter.
const equalTo = (text) => matcher(text, (got) => same(got, decoded(text)));
const exactly = (text) => matcher(JSON.stringify(text), (got) => got === text);

// sameAs wants the value of an earlier answer, and endsIn a path or a URL whose last segment is that value.
const valueOf = (value) => (value instanceof Value ? value : new Value(value));
const sameAs = (value) => matcher(valueOf(value).text(), (got) => textOf(got) === valueOf(value).text());
const endsIn = (value) => matcher(`…/${valueOf(value).path()}`, (got) => textOf(got).split("?")[0].replace(/\/+$/, "").split("/").at(-1) === valueOf(value).path());
const present = () => matcher("anything", () => true);

function jsonType(value) {
  if (value instanceof Num) return /e-/.test(plain(value.text)) ? "number" : "integer";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

// ofType wants a value of a JSON type. An integer is also a number. spells wants a text that is the JSON of such a
// value, such as 17 in a query for an integer. For string, it accepts any text.
const ofType = (name) => matcher(`of type ${name}`, (got) => jsonType(got) === name || (name === "number" && jsonType(got) === "integer"));
const spells = (name) => matcher(`of type ${name}`, (got) => {
  try {
    return name === "string" || ofType(name).fits(decoded(textOf(got)));
  } catch (_) {
    return false;
  }
});

// fitting wants a text that matches a regular expression as a whole.
const fitting = (pattern) => matcher(`what matches ${pattern}`, (got) => new RegExp(`^(?:${pattern})$`).test(textOf(got)));
const near = (wanted, within) => matcher(`${wanted} ± ${within}`, (got) => textOf(got).trim() !== "" && Math.abs(Number(textOf(got)) - wanted) <= within);

// nearNow wants a time between the call under test and now, with a tolerance in seconds.
const nearNow = (within) => matcher(`now ± ${within} s`, (got) => {
  const at = timeOf(textOf(got)), began = Date.now() - (performance.now() - hosts.calledAt);
  return at >= began - within * 1000 && at <= Date.now() + within * 1000;
});

// timeOf returns the milliseconds since 1970 of a time, NaN if the text is not a time.
function timeOf(text) {
  const found = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)? ?(Z|[+-]\d\d(?::?\d\d)?)?( [A-Z]+)?$/.exec(text);
  if (found) {
    const zone = (found[4] || "Z").replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes) => `${hours}:${minutes || "00"}`);
    return Date.parse(`${found[1]}T${found[2]}${zone}`) + Number(found[3] || 0) * 1000;
  }
  let number = text.trim() === "" ? NaN : Number(text);
  // A time in the form of asctime in C has no zone. Date.parse would use the zone of this machine.
  if (Number.isNaN(number)) return Date.parse(/\d\d:\d\d:\d\d( \d{4})?$/.test(text) ? `${text} UTC` : text);
  while (number > 1e11 && number < Infinity) number /= 1000;
  return number * 1000;
}

// but is an exception: the value at this JSON pointer has a matcher of its own.
const but = (pointer, m) => [pointer, m];

const isObject = (value) => value !== null && typeof value === "object" && !(value instanceof Num);
const own = (value, name) => (Object.prototype.hasOwnProperty.call(value, name) ? value[name] : undefined);

// compare returns the differences between JSON values at a pointer. With contains, objects may have more members.
function compare(at, wanted, got, matchers, contains) {
  if (matchers.has(at)) return check(matchers.get(at), `body ${at}`, got);
  if (!isObject(wanted) || !isObject(got) || Array.isArray(wanted) !== Array.isArray(got)) {
    return same(wanted, got) ? [] : [`body ${at}: want ${encoded(wanted).slice(0, 300)}, got ${encoded(got).slice(0, 300)}`];
  }
  const more = contains && !Array.isArray(wanted);
  return [...new Set([...Object.keys(wanted), ...Object.keys(got)])].flatMap((name) => {
    const place = `${at}/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`, inner = own(wanted, name), value = own(got, name);
    if (value === undefined) return [`body ${place}: want ${matchers.has(place) ? matchers.get(place).wanted : encoded(inner).slice(0, 300)}, got nothing`];
    if (inner !== undefined || matchers.has(place)) return compare(place, inner, value, matchers, contains);
    return more ? [] : [`body ${place}: want nothing, got ${encoded(value).slice(0, 300)}`];
  });
}

function compareBody(body, wanted, exceptions, contains = false) {
  let got;
  try {
    got = decoded(body.toString());
  } catch (_) {
    return [`body: want ${String(wanted).slice(0, 300)}, got ${body.toString().slice(0, 300)}`];
  }
  return compare("", decoded(String(wanted)), got, new Map(exceptions), contains);
}

function compareText(body, wanted) {
  const text = body.toString();
  let value;
  try {
    value = decoded(text);
  } catch (_) {
    // the body is no JSON
  }
  if (body.equals(Buffer.from(wanted)) || text === wanted || (value !== undefined && value === wanted)) return [];
  return [`body: want ${JSON.stringify(String(wanted).slice(0, 300))}, got ${JSON.stringify(text.slice(0, 300))}`];
}

function compareAt(body, pointer, m) {
  const value = inside(body.toString(), pointer);
  return check(m, `body ${pointer}`, value === undefined && pointer === "" ? body.toString() : value);
}

// The assertions of the output oracle compare an answer with the recorded answer.
const differ = (reply, differences) => { if (differences.length > 0) reply.fail(differences.slice(0, 20).join("\n  ")); };
Object.assign(Reply.prototype, {
  wantHeader(name, m) {
    const value = this.headers(/^set-cookie$/i.test(name) ? "Set-Cookie" : name);
    differ(this, check(m, `header ${name}`, value === null || value === "" && /^set-cookie$/i.test(name) ? undefined : asUTF8(value).replaceAll("\n", ", ")));
  },
  wantBody(wanted, ...exceptions) {
    differ(this, compareBody(this.bytes, wanted, exceptions));
  },
  wantText(wanted) {
    differ(this, compareText(this.bytes, wanted));
  },
  wantAt(pointer, m) {
    differ(this, compareAt(this.bytes, pointer, m));
  },
});

// mimics begins a test of a recorded exchange: oo compares the answer, po the parameters of outward calls, co their order and
// number.
const mimics = (...oracles) => { hosts.oracles = oracles; };

// earlierCalls waits for the outward calls that were recorded before the call under test.
async function earlierCalls(n) {
  for (const deadline = performance.now() + 1000; hosts.calls.length < n && performance.now() < deadline; await pause(0.001));
}

// backgroundCalls waits until all background stubs of this test have given their answers, but not longer than some
// seconds.
async function backgroundCalls(seconds) {
  const began = performance.now(), mine = hosts.stubs.filter((stub) => stub.background);
  while (mine.some((s) => s.given < s.script.length || s.answeredAt < began) && performance.now() < began + seconds * 1000) await pause(0.001);
  await pause(0.05); // the service uses the answers a moment later
}

// callUnderTest marks the next call as the call under test. n is the recorded number of its outward calls.
const callUnderTest = (n) => { Object.assign(hosts, { calledAt: performance.now(), within: n }); };

// A parameter compares a part of an outward call with what the test wants.
const inBody = (wanted, ...exceptions) => (call) => compareBody(call.body, wanted, exceptions);
const inText = (wanted) => (call) => compareText(call.body, wanted);
const inPlace = (pointer, m) => (call) => compareAt(call.body, pointer, m);
const joined = (values) => (values.length > 0 ? values.join(", ") : undefined);
const inQuery = (name, m) => (call) => check(m, `query ${name}`, joined(call.query.getAll(name)));
const inHeader = (name, m) => (call) => check(m, `header ${name}`, joined(headerOf(call, name)));
const inPath = (name, m) => (call, operation) => {
  const { pattern, names } = pathPattern(operation.slice(operation.indexOf("/")));
  const value = pattern.exec(call.path)[names.indexOf(name) + 1];
  return check(m, `path ${name}`, names.includes(name) ? decodeURIComponent(value) : undefined);
};

// to is an outward call to an operation of a host, such as "POST /charges/{id}"; "http" means any request. times
// repeats calls. The calls of anyOrder may come in any order.
const to = (name, operation) => [[{ name, operation }]];
const times = (n, steps) => Array.from({ length: n }, () => steps).flat();
const anyOrder = (...all) => [all.flat(2)];
const callFits = (wanted, call) => wanted.name === call.host && (!wanted.operation.includes("/") || operationFits(wanted.operation, call));

// wantAsked fails unless the call under test made at least one outward call to the operation that fits all
// parameters.
async function wantAsked(name, operation, ...params) {
  const key = `${operation} at ${name}`, nth = hosts.asked.filter((one) => one === key).length;
  hosts.asked.push(key);
  const nearest = () => hosts.underTest().filter((call) => callFits({ name, operation }, call))
    .map((call, i) => ({ i, differences: params.flatMap((differs) => differs(call, operation)) }))
    .sort((a, b) => a.differences.length - b.differences.length || (b.i === nth) - (a.i === nth))[0];
  await hosts.wait(() => nearest() && nearest().differences.length === 0);
  const found = nearest();
  if (!found) throw new Error(`${key}: not called; the calls were [${hosts.underTest().map(describe).join(", ")}]`);
  if (found.differences.length > 0) throw new Error(`${key}: ${found.differences.join("\n  ")}`);
}

// wantCalls fails unless the call under test made these outward calls, in this order and no others.
async function wantCalls(...all) {
  const wanted = all.flat();
  await hosts.wait(() => false);
  const calls = withoutSurplus(wanted, hosts.underTest());
  let left = calls;
  const good = wanted.every((step) => {
    const some = left.slice(0, step.length);
    left = left.slice(step.length);
    return paired(step, some);
  });
  if (good && left.length === 0) return;
  const steps = wanted.map((step) => step.map((one) => `${one.operation} at ${one.name}`).join(" and "));
  throw new Error(`want the outward calls [${steps.join(", ")}], got [${calls.map(describe).join(", ")}]`);
}

// withoutSurplus returns the calls that count: without those that may be background calls, unless the test wants
// them.
function withoutSurplus(wanted, calls) {
  const kept = [], left = [...calls];
  for (const step of wanted) {
    for (let missing = step.length; missing > 0 && left.length > 0;) {
      const call = left.shift();
      if (call.mayBeNone && !step.some((one) => callFits(one, call))) continue;
      kept.push(call);
      missing--;
    }
  }
  return [...kept, ...left.filter((call) => !call.mayBeNone)];
}

// paired reports whether each wanted call of a step can be paired with an actual call of its own.
function paired(step, calls) {
  if (step.length === 0) return true;
  return calls.some((call, i) => callFits(step[0], call) && paired(step.slice(1), calls.toSpliced(i, 1)));
}

// wantMatched fails if no stub of the test matched a request of the service to a host.
async function wantMatched() {
  await hosts.wait(() => hosts.underTest().length >= hosts.within);
  if (hosts.unmatched.length > 0) throw new Error(`no stub matches: ${hosts.unmatched.slice(0, 20).join("\n  ")}`);
}

// The service ends with the tests, also if the tests are interrupted.
after(stopService);
process.on("exit", () => { if (service && service.process) signalService("SIGKILL"); });
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => process.exit(1));
