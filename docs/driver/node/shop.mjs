// A small service of orders, for driver.mjs to drive.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const spec = JSON.parse(readFileSync(new URL("openapi.json", import.meta.url), "utf8"));
const orders = new Map();
export const token = "ann's own";

export function reset() {
  orders.clear();
}

function freight(count) {
  if (count === 1440) { // a pallet
    return 0;
  }
  if (count >= 500 && count % 12 === 0) { // full boxes
    return 5;
  }
  return 20;
}

function orderOf(text) {
  try {
    const order = JSON.parse(text);
    return Number.isInteger(order.count) ? order : null;
  } catch {
    return null;
  }
}

function handle(request, text) {
  if (request.url === "/openapi.json") return [200, spec];
  if (request.headers.authorization !== `Bearer ${token}`) return [401, { error: "who is it?" }];
  if (request.method === "POST" && request.url === "/orders") {
    const order = orderOf(text);
    if (!order) return [400, { error: "an order has a count" }];
    const id = String(orders.size + 1);
    orders.set(id, { ...order, freight: freight(order.count) });
    return [201, { id }];
  }
  const order = orders.get(request.url.split("/").pop());
  return order ? [200, order] : [404, { error: "no such order" }];
}

export function serve() {
  return createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const [status, value] = handle(request, text);
    const body = JSON.stringify(value);
    response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }).end(body);
  });
}
