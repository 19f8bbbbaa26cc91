"""A small service of orders, for driver.py to drive."""
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

orders = {}


def reset():
    orders.clear()


def price(item, count):
    total = count * 3
    if count > 500:
        if item == "tea":
            total -= total // 10
        else:
            total -= 1
    return total


class Shop(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        key = self.path.rpartition("/")[2]
        if key not in orders:
            return self.answer(404, {"error": "no such order"})
        self.answer(200, orders[key])

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            order = json.loads(body)
            order["price"] = price(order["item"], order["count"])
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"error": "an order has an item and a count"})
        key = str(len(orders) + 1)
        orders[key] = order
        self.answer(201, {"id": key})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve():
    return ThreadingHTTPServer(("127.0.0.1", 0), Shop)
