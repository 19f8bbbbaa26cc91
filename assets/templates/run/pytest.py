
import base64
import json
import os
import re
from datetime import datetime, timezone
from decimal import Decimal
from email.utils import parsedate_to_datetime
from urllib.parse import quote, unquote, urlsplit

import requests

# CLIENT sends all requests.
CLIENT = requests.Session()
CLIENT.trust_env = False


class Value:
    """A part of an answer, or an environment variable, for a later call."""

    def __init__(self, value):
        self.value = value

    def text(self):
        return self.value if isinstance(self.value, str) else encoded(self.value)

    def json(self):
        return encoded(self.value)

    def number(self):
        """The value as JSON. If the text of the value is a number, the JSON is a number."""
        try:
            number = decoded(self.text())
        except ValueError:
            return self.json()
        return self.text() if isinstance(number, Decimal) else self.json()

    def query(self):
        return quote(self.text(), safe="")

    form = query

    def path(self):
        text = self.text()
        return text.replace(".", "%2E") if not text.strip(".") else quote(text, safe="")


class Reply:
    """An answer of the service."""

    def __init__(self, call, answer):
        self.call, self.answer = call, answer

    def fail(self, what):
        raise AssertionError(f"{self.call}: {what}")

    def excerpt(self):
        return repr(self.answer.text[:300])

    def want(self, status):
        if self.answer.status_code != status:
            self.fail(f"want status {status}, got {self.answer.status_code} with body {self.excerpt()}")

    def succeeds(self):
        if not 200 <= self.answer.status_code <= 299:
            self.fail(f"want a status of success, got {self.answer.status_code} with body {self.excerpt()}")

    def statusIn(self, *wanted):
        """Fails unless one of wanted fits the status. Each is a number, or a range such as "100-499"."""
        ranges = [list(map(int, one.split("-"))) for one in wanted]
        if not any(r[0] <= self.answer.status_code <= r[-1] for r in ranges):
            self.fail(f"want status {' or '.join(wanted)}, got {self.answer.status_code} with body {self.excerpt()}")

    def expect(self, expectation):
        what, holds = expectation
        if not holds(self):
            self.fail(f"want {what}, but the body is {self.excerpt()}")

    def broken(self, expectation):
        """Fails if an expectation holds. It did not hold when the test was written, because of a fault of the service."""
        what, holds = expectation
        if holds(self):
            self.fail(f"{what} holds now, the fault is mended: write expect instead of broken")

    def at(self, pointer):
        """The value at a JSON pointer of the body."""
        try:
            value = decoded(self.answer.content.decode("utf-8", "replace"))
            for token in pointer.split("/")[1:]:
                token = token.replace("~1", "/").replace("~0", "~")
                value = value[int(token) if isinstance(value, list) and token.isdigit() else token]
            return value
        except (ValueError, LookupError, TypeError):
            self.fail(f"want a value at {pointer!r}, but the body is {self.excerpt()}")

    def present(self, pointer):
        self.at(pointer)

    def holds(self, pointer, want):
        """Fails unless the body has this JSON value at a JSON pointer."""
        got = self.at(pointer)
        if not same(got, decoded(want)):
            self.fail(f"want {want} at {pointer!r}, got {encoded(got)}")

    def field(self, pointer):
        return Value(self.at(pointer))

    def ending(self, header):
        """The last path segment of the URL in a header."""
        path = urlsplit(self.answer.headers.get(header, "").strip()).path.rstrip("/")
        if not path:
            self.fail(f"want an id at the end of the header {header}")
        return Value(unquote(path[path.rindex("/") + 1 :] if "/" in path else path))

    def part(self, pattern):
        """The text that the group of a pattern matches in the body."""
        return Value(self.matched(self.answer.content.decode("utf-8", "replace"), pattern))

    def partOf(self, place, pattern):
        """The text that the group of a pattern matches in a URL. The URL is in the header place or, if place begins with a
        slash, at this JSON pointer."""
        url = Value(self.at(place)).text() if place.startswith("/") else self.answer.headers.get(place, "")
        return Value(unquote(self.matched(url, pattern)))

    def matched(self, text, pattern):
        found = re.search(pattern, text)
        if not found:
            self.fail(f"want a part that matches {pattern}, but the text is {text[:300]!r}")
        return found.group(1)

    def headed(self, header):
        """The value of a header."""
        value = self.answer.headers.get(header, "").strip()
        if not value:
            self.fail(f"want the header {header}, but there is none")
        return Value(value)

    def whole(self):
        """The whole body: a JSON value, such as a string, or else a text."""
        text = self.answer.content.decode("utf-8", "replace").strip()
        try:
            return Value(decoded(text))
        except ValueError:
            return Value(text)

    def cookies(self):
        """The cookies that the answer sets, in the form of the header Cookie."""
        pairs = [text.split(";")[0].strip() for text in self.answer.raw.headers.getlist("Set-Cookie") if not is_deleted(text)]
        pairs = [pair for pair in pairs if pair.partition("=")[2]]
        if not pairs:
            self.fail("want cookies, but the answer sets none")
        return Value("; ".join(pairs))


def is_deleted(cookie):
    """Whether a header Set-Cookie deletes its cookie: by Max-Age, or else by Expires."""
    age = re.search(r";\s*max-age=(-?\d+)", cookie, re.IGNORECASE)
    if age:
        return int(age[1]) <= 0
    date = re.search(r";\s*expires=([^;]*)", cookie, re.IGNORECASE)
    try:
        return date is not None and parsedate_to_datetime(date[1]) <= datetime.now(timezone.utc)
    except (TypeError, ValueError):  # the date is not valid
        return False


def decoded(text):
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def encoded(value):
    """JSON that keeps the spelling of numbers."""
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(k) + ":" + encoded(v) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(encoded, value)) + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value)


def same(a, b):
    """Reports whether two values are equal as JSON: true is not 1."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def secret(name, otherwise=""):
    """An environment variable."""
    text = os.environ.get(name, "").strip() or otherwise
    assert text, f"no secret to send: set {name} in the environment, as the top of this file says"
    return Value(text)


def header(name, value):
    return lambda request: request.headers.__setitem__(name, value)


def basic(user_and_password):
    return header("Authorization", "Basic " + base64.b64encode(user_and_password.encode()).decode())


def body(text):
    return lambda request: setattr(request, "body", text.encode())


def data(text):
    """A body in base64, for bytes that are not UTF-8."""
    return lambda request: setattr(request, "body", base64.b64decode(text))


def send(method, path, *options):
    """Send a request, whose path must be escaped. Redirects are not followed."""
    base = (os.environ.get("SONDE_BASE_URL") or BASE_URL).rstrip("/")
    assert base, "no service to call: set SONDE_BASE_URL to where it is, such as http://127.0.0.1:8080"
    request = CLIENT.prepare_request(requests.Request(method, base))
    request.target, request.answered = path, lambda status: False
    for option in options:
        option(request)
    if request.body is not None:
        request.headers["Content-Length"] = str(len(request.body))
    request.url = base + request.target if path.startswith("/") else request.target  # requests would change its escapes
    try:
        answer = CLIENT.send(request, allow_redirects=False, timeout=30, verify=CLIENT.verify)
    except requests.RequestException as error:
        raise AssertionError(f"{method} {path} got no answer: {error}: is the service there? SONDE_BASE_URL says where") from None
    CLIENT.cookies.clear()
    CLIENT.close()  # ends the connection, which the service may close after an answer without notice
    if request.answered(answer.status_code):
        return send(method, path, *options)
    return Reply(f"{method} {path}", answer)

