const environment = process.env;
const basic = (text) => header("Authorization", `Basic ${Buffer.from(text).toString("base64")}`);
const data = (text) => body(Buffer.from(text, "base64"));

// watch.began is called when a call begins, and watch.ended when the call has ended.
const watch = { began() {}, ended() {} };

// send sends a request, whose path must be escaped. Redirects are not followed.
async function send(method, path, ...options) {
  // Each request has a connection of its own: a service may close a connection after an answer without notice.
  const request = { method, target: path, answered: () => false, headers: { Connection: "close" }, redirect: "manual", signal: AbortSignal.timeout(30_000) };
  for (const option of options) await option(request);
  const call = `${method} ${path}`;
  let answer, bytes;
  try {
    watch.began();
    answer = await fetch(target(request.target), request);
    bytes = Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    throw new Error(`${call} got no answer: ${error.cause || error}: is the service there? SONDE_BASE_URL says where`);
  } finally {
    watch.ended();
  }
  if (request.answered(answer.status)) return send(method, path, ...options);
  // A header with several values is one text, but cookies contain commas.
  const headers = (name) => (name === "Set-Cookie" ? answer.headers.getSetCookie().join("\n") : answer.headers.get(name));
  return Object.assign(new Reply(call, answer.status, headers, new TextDecoder().decode(bytes)), { bytes });
}
