const environment = __ENV;
const basic = (text) => header("Authorization", `Basic ${encoding.b64encode(text)}`);
const data = (text) => body(encoding.b64decode(text));

// send sends a request, whose path must be escaped. Redirects are not followed.
function send(method, path, ...options) {
  const request = { target: path, answered: () => false, headers: { Accept: "*/*" }, body: null };
  for (const option of options) option(request);
  const answer = http.request(method, target(request.target), request.body, { headers: request.headers, redirects: 0, timeout: "30s", tags: { name: path.split("?")[0] } });
  const call = `${method} ${path}`;
  if (answer.error_code !== 0 && answer.status === 0) throw new Error(`${call} got no answer: ${answer.error}: is the service there? SONDE_BASE_URL says where`);
  http.cookieJar().clear(target(request.target));
  if (request.answered(answer.status)) return send(method, path, ...options);
  const names = Object.keys(answer.headers);
  const cookies = () => Object.values(answer.cookies).map(([cookie]) => `${cookie.name}=${cookie.value}`).join("\n");
  return new Reply(call, answer.status, (name) => name === "Set-Cookie" ? cookies() : answer.headers[names.find((n) => n.toLowerCase() === name.toLowerCase())], answer.body || "");
}
