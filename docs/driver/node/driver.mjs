// A driver for Sonde: it has shop.mjs, and reports which of its lines a test runs, and how near it comes to its branches.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { register } from "node:module";
import { changed, test } from "./probe.mjs";

register("./probe.mjs", import.meta.url);

const file = "shop.mjs";
const { targets } = changed(readFileSync(new URL(file, import.meta.url), "utf8"), file);

const best = new Map(); // how near each target came in any test before
let shop, server = null, starts = 0; // the service, while it runs

async function start() {
  await stop();
  best.clear(), test.clear();
  shop = await import(`./${file}?${++starts}`); // each start has a module of its own
  server = shop.serve();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}` };
}

async function stop() {
  const old = server;
  server = null;
  if (old) await new Promise((done) => (old.close(done), old.closeAllConnections()));
}

function begin() {
  for (const [id, h] of test) best.set(id, Math.max(h, best.get(id) ?? 0));
  test.clear();
}

function results({ ids }) {
  const asked = new Set(ids);
  return { targets: [...test].filter(([id, h]) => h > (best.get(id) ?? 0) || asked.has(id)).map(([id, h]) => ({ id, h })) };
}

const does = {
  "GET /controller": () => ({
    protocol: 1, name: "shop, Node", running: server !== null, spec: "/openapi.json", auth: [{ name: "ann", bearer: "ann's own" }],
  }),
  "POST /controller/start": start, "POST /controller/stop": stop, "POST /controller/reset": () => shop.reset(),
  "POST /controller/begin": begin, "POST /controller/results": results,
  "GET /controller/targets": () => ({ targets }),
  "POST /controller/targets": ({ ids }) => ({ targets: targets.filter((t) => ids.includes(t.id)) }),
};

createServer(async (request, response) => {
  let asked = "";
  for await (const chunk of request) asked += chunk;
  const act = does[`${request.method} ${request.url}`];
  let status = act ? 200 : 404, answer = { error: "there is no such thing" };
  try {
    if (act) answer = (await act(JSON.parse(asked || "{}"))) ?? {};
  } catch (error) {
    status = 500, answer = { error: String(error) };
  }
  const body = JSON.stringify(answer);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }).end(body);
}).listen(Number(process.argv[2]), "127.0.0.1");
