"""A driver for Sonde: it has shop.py, and tells which of its lines a test reaches."""
import importlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import shop

server = None        # the service, while it runs
best, test = {}, {}  # how near each target came in any test before, and in this one


def trace(frame, event, _):
    if frame.f_code.co_filename == shop.__file__:
        if event == "line":
            test[f"shop.py:{frame.f_lineno}"] = 1
        return trace


def lines(code):
    found = {line for _, _, line in code.co_lines() if line}
    return found.union(*(lines(c) for c in code.co_consts if hasattr(c, "co_lines")))


def target(line):
    return {"id": f"shop.py:{line}", "kind": "statement", "package": "shop", "file": "shop.py", "line": line}


with open(shop.__file__) as source:
    targets = [target(n) for n in sorted(lines(compile(source.read(), shop.__file__, "exec")))]


def start(_):
    global server
    stop(_)
    best.clear(), test.clear()
    sys.settrace(trace)
    importlib.reload(shop)
    server = shop.serve()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return {"url": f"http://127.0.0.1:{server.server_port}"}


def stop(_):
    global server
    if server:
        server.shutdown(), server.server_close()
    server = None


def begin(_):
    best.update(test)  # a line is reached or not; else the greater h of both
    test.clear()


def results(asked):
    return {"targets": [{"id": i, "h": h} for i, h in list(test.items()) if h > best.get(i, 0) or i in asked["ids"]]}


does = {
    "GET /controller": lambda _: {"protocol": 1, "name": "shop, Python", "running": server is not None},
    "POST /controller/start": start, "POST /controller/stop": stop, "POST /controller/reset": lambda _: shop.reset(),
    "POST /controller/begin": begin, "POST /controller/results": results,
    "GET /controller/targets": lambda _: {"targets": targets},
    "POST /controller/targets": lambda asked: {"targets": [t for t in targets if t["id"] in asked["ids"]]},
}


class Driver(BaseHTTPRequestHandler):
    protocol_version, wbufsize = "HTTP/1.1", -1  # one connection, one packet an answer

    def do_GET(self):
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
        do = does.get(f"{self.command} {self.path}")
        body = json.dumps(do(asked) or {} if do else {"error": "there is no such thing"}).encode()
        self.send_response(200 if do else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


threading.settrace(trace)  # in the threads that begin from here on
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Driver).serve_forever()
