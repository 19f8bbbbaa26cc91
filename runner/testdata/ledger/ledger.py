"""A service that keeps accounts in a database of SQLite, for tests: ledger.py PORT DATABASE."""

import json
import re
import sqlite3
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SCHEMA = """
CREATE TABLE IF NOT EXISTS account (id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT UNIQUE NOT NULL);
CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL REFERENCES account, amount INTEGER NOT NULL);
"""
ACCOUNTS = """
SELECT account.id, owner, coalesce(sum(amount), 0) FROM account LEFT JOIN entry ON account = account.id
GROUP BY account.id ORDER BY account.id
"""

lock = threading.Lock()
database = sqlite3.connect(sys.argv[2], check_same_thread=False)
database.execute("PRAGMA journal_mode=WAL")
database.executescript(SCHEMA)


def accounts():
    """All accounts with their balances."""
    return [{"id": number, "owner": owner, "balance": balance} for number, owner, balance in database.execute(ACCOUNTS)]


def answer(method, path, body):
    """The status and the document with which a request is answered."""
    if path == "/accounts" and method == "GET":
        return 200, accounts()
    if path == "/accounts":
        if not isinstance(body.get("owner"), str):
            return 400, {"error": "owner is missing"}
        try:
            made = database.execute("INSERT INTO account (owner) VALUES (?)", [body["owner"]])
        except sqlite3.IntegrityError:
            return 409, {"error": "the owner has an account"}
        return 201, {"id": made.lastrowid, "owner": body["owner"], "balance": 0}
    found = re.fullmatch(r"/accounts/(\d+)(/entries)?", path)
    account = found and next((a for a in accounts() if a["id"] == int(found[1])), None)
    if account is None:
        return 404, {"error": "there is no such account"}
    if not found[2]:
        return 200, account
    amount = body.get("amount")
    if not isinstance(amount, int):
        return 400, {"error": "amount is missing"}
    if account["balance"] + amount < 0:
        return 409, {"error": "the balance is too low"}
    database.execute("INSERT INTO entry (account, amount) VALUES (?, ?)", [account["id"], amount])
    return 201, {"balance": account["balance"] + amount}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with lock, database:
            status, document = answer(self.command, self.path, json.loads(text or "{}"))
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    def server_bind(self):
        self.socket.bind(self.server_address)  # HTTPServer looks up the name of the address
        self.server_name, self.server_port = self.socket.getsockname()


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
