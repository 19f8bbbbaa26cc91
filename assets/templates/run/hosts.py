

class Program:
    """A service that the tests start. In its settings, {port} means its port, and {HOST:PORT} the address of the server
    that plays a host."""

    def __init__(self, base, command, folder, env, port, ready, stop):
        self.base, self.command, self.env, self.port = base, command, env, port
        self.folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), folder)
        self.ready_path, self.ready_status, self.ready_timeout = ready
        self.stop_signal, self.stop_timeout = stop
        self.process, self.output, self.printed = None, None, 0

    def begin(self):
        if os.environ.get("SONDE_BASE_URL"):
            return
        if self.process is None or self.process.poll() is not None:
            self.restart()
        self.printed = os.path.getsize(self.output.name)

    def restart(self):
        for tries_left in (2, 1, 0):
            self.stop()
            port = self.port or free_port()
            why = self.start(port)
            if why is None:
                return
            if self.process.poll() is None or self.port or tries_left == 0:  # otherwise, another process may have taken the port
                text = self.text()
                self.stop()
                raise AssertionError(f"the service {self.command!r} {why}; it printed:\n{text}")

    def start(self, port):
        """Start the service on a port. Returns why the service is not ready, or None if it is ready."""
        global BASE_URL
        BASE_URL = self.filled(self.base, port)
        HOSTS.start_process()
        self.output = self.output or tempfile.NamedTemporaryFile(prefix="sonde-service-")
        self.printed = os.path.getsize(self.output.name)
        self.process = subprocess.Popen(
            [self.filled(word, port) for word in self.command], cwd=self.folder, env=self.environment(port),
            stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.output, start_new_session=True,
        )
        deadline = time.monotonic() + self.ready_timeout
        while True:
            why = self.not_ready()
            if self.process.poll() is not None:
                return f"ended before it was ready, with {self.process.returncode}"
            if why is None:
                return None
            if time.monotonic() > deadline:
                return f"was not ready within {self.ready_timeout} s: {why}"
            time.sleep(0.02)

    def not_ready(self):
        base = urlsplit(BASE_URL)
        try:
            socket.create_connection((base.hostname, base.port), 1).close()
        except OSError:
            return f"nothing listens at {base.netloc}"
        if not self.ready_path:
            return None
        try:
            status = CLIENT.get(BASE_URL.rstrip("/") + self.ready_path, timeout=5, allow_redirects=False, verify=CLIENT.verify).status_code
        except requests.RequestException:
            return f"GET {self.ready_path} got no answer"
        finally:
            CLIENT.cookies.clear()
            CLIENT.close()
        fits = status == self.ready_status if self.ready_status else status < 500
        return None if fits else f"GET {self.ready_path} answered {status}"

    def filled(self, text, port):
        for host, address in HOSTS.addresses().items():
            text = text.replace("{" + host + "}", address)
        return text.replace("{port}", str(port))

    def environment(self, port):
        all = dict(os.environ, PORT=str(port))
        for name, value in self.env.items():
            for other in re.findall(r"\$\{(\w+)\}", value):
                assert other in os.environ, f"set {other} in the environment, for {name}"
            all[name] = self.filled(re.sub(r"\$\{(\w+)\}", lambda found: os.environ[found.group(1)], value), port)
        return all

    def run(self, command):
        port = urlsplit(BASE_URL).port or 0
        with tempfile.TemporaryFile() as output:  # a child in the background would keep a pipe open
            try:
                code = subprocess.run(
                    [self.filled(word, port) for word in command], cwd=self.folder, env=self.environment(port),
                    stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=60,
                ).returncode
            except (OSError, subprocess.TimeoutExpired) as error:
                code = error
            output.seek(0)
            assert code == 0, f"{command!r} failed with {code}: {output.read().decode('utf-8', 'replace')[-300:]}"

    def stop(self):
        """Stop the service and the processes that it started. Kill those that do not stop in time."""
        if self.process is None:
            return
        for name, patience in ((self.stop_signal, self.stop_timeout), ("KILL", 2)):
            deadline = time.monotonic() + patience
            alive = self.send_signal(getattr(signal, "SIG" + name))
            while alive and time.monotonic() < deadline:
                time.sleep(0.01)
                alive = self.send_signal(0)
            if not alive:
                break
        self.process = None

    def send_signal(self, number):
        """Send a signal to the service and the processes that it started; 0 sends none. Reports whether any of them still
        existed."""
        self.process.poll()  # an ended process exists until poll is called
        try:
            os.killpg(self.process.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def text(self):
        """What the service printed during the test, at most 32 KiB."""
        with open(self.output.name, "rb") as file:
            file.seek(max(self.printed, os.path.getsize(self.output.name) - (32 << 10)))
            return file.read().decode("utf-8", "replace")


def startService():
    """Start the service, unless it runs."""
    SERVICE.begin()


def restartService():
    """Bring the service back to its first state by starting it again."""
    if not os.environ.get("SONDE_BASE_URL"):
        SERVICE.restart()


def runCommand(*words):
    """Run a command with the environment of the service."""
    if SERVICE.process is not None:
        SERVICE.run(words)


def beginTest():
    """Remove the stubs of earlier tests."""
    HOSTS.begin()


def free_port():
    """A port on which no program listens. It is below the ports that operating systems choose by themselves."""
    for port in random.sample(range(20000, 32000), 100):
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise AssertionError("no port for the service")


class Call:
    """A request of the service to a host."""

    def __init__(self, at, method, target, headers, body):
        self.host, self.method, self.headers, self.body, self.start = at, method, headers, body, time.monotonic()
        self.path, _, query = target.partition("?")
        self.query = parse_qs(query, keep_blank_values=True)
        self.may_be_none = False  # whether the request may be a background call

    def __str__(self):
        return f"{self.method} {self.path} at {self.host}"

    def header(self, name):
        return [as_utf8(value) for value in self.headers.get_all(name, [])]


def as_utf8(text):
    return text.encode("latin-1").decode("utf-8", "replace")


class Stub:
    """The answers of a host to some requests."""

    def __init__(self, at, request, rules):
        self.host, self.request, self.conditions, self.nth = at, request, [], 0
        self.script, self.repeats, self.last, self.given = [], False, None, 0
        self.background, self.answered_at = False, 0.0
        for rule in rules:
            rule(self)

    def differences(self, call):
        return [difference for differs in self.conditions for difference in differs(call)]

    def matches(self, call, nth):
        return operation_fits(self.request, call) and not self.differences(call) and self.nth in (0, nth)

    def answer(self, n):
        """The answer that follows the first n answers, None if there is none. A script with a single answer repeats this
        answer."""
        if n < len(self.script):
            return self.script[n]
        if self.repeats and self.script:
            return self.script[n % len(self.script)]
        return self.last or (self.script[0] if len(self.script) == 1 else None)


def operation_fits(request, call):
    """Reports whether a call has the method and the path of an operation such as POST /charges/{id}. The method or the path
    may be missing."""
    method, slash, path = request.partition("/")
    return method.strip() in ("", call.method) and (not slash or path_pattern(slash + path)[0].match(call.path) is not None)


def path_pattern(path):
    """A pattern that matches the paths of a template, and the names of the template's parameters."""
    parts = re.split(r"\{([^/]*?)\}", path)
    return re.compile("([^/]+)".join(map(re.escape, parts[::2])) + r"/?\Z"), parts[1::2]


class Hosts:
    """The hosts around the service in the running test."""

    def __init__(self):
        self.lock, self.servers, self.permanent = threading.RLock(), {}, []
        self.open_calls, self.stubs, self.running = 0, [], False
        self.forget()

    def forget(self):
        self.counts, self.unanswered, self.calls, self.unmatched = {}, [], [], []
        self.oracles, self.called_at, self.within, self.deadline, self.asked = None, None, 0, None, []

    def addresses(self):
        """The address of the server that plays each host."""
        for host in SERVERS:
            if host not in self.servers:
                self.servers[host] = listen(host)
        return {host: "%s:%d" % server.server_address[:2] for host, server in self.servers.items()}

    def start_process(self):
        """Prepare for a new process of the service: until the test begins, only the permanent stubs answer."""
        with self.lock:
            self.forget()
            self.stubs, self.running = [], False
            for stub in self.permanent:
                stub.given = 0

    def begin(self):
        self.addresses()
        with self.lock:
            self.forget()
            self.stubs, self.running = [], True
            for stub in self.permanent:
                stub.given = stub.given if stub.background else 0

    def all_of(self, host):
        return [stub for stub in self.stubs + self.permanent if stub.host == host]

    def choose(self, host, fits):
        """The first stub that fits. If a background stub fits, too, it is chosen in two cases: no call to the service is open,
        or the first stub has no answer left."""
        first = None
        for stub in self.all_of(host):
            if not stub.background and first is None and fits(stub):
                first = stub
            elif stub.background and fits(stub):
                own = first is not None and self.open_calls > 0 and first.answer(first.given)
                return first if own else stub
        return first

    def answer(self, call):
        """The next answer to a request, None if there is none."""
        with self.lock:
            nth = self.counts[call.host] = self.counts.get(call.host, 0) + 1
            stub = self.choose(call.host, lambda stub: stub.matches(call, nth))
            call.may_be_none = any(s.background and s.matches(call, s.nth) for s in self.all_of(call.host))
            if stub is None or not stub.background:
                self.calls.append(call)
            if stub is not None:
                stub.given += 1
                answer = stub.answer(stub.given - 1)
                if answer is not None:
                    stub.answered_at = time.monotonic()
                    return answer
            if self.oracles is None:
                self.unanswered.append(str(call))
                return None
            return self.answer_unmatched(call)

    def answer_unmatched(self, call):
        """The answer to a request that no stub matches. In a test with one oracle, it is the answer of the nearest stub for the
        same operation, so that only this oracle can fail."""
        near = [(s, s.differences(call)) for s in self.all_of(call.host) if operation_fits(s.request, call)]
        stub, differences = min(near, key=lambda n: (len(n[1]), n[0].given >= len(n[0].script)), default=(None, []))
        if len(self.oracles) == 1:
            if stub is None:
                self.unanswered.append(str(call))
                return None
            if stub.nth or differences:
                stub.given += 1
            return stub.answer(stub.given - 1) or (stub.script[-1] if stub.script else None)
        if stub is None:
            self.unmatched.append(f"{call}, which was not recorded")
        elif not differences:
            self.unmatched.append(f"{call}, once more than it was recorded")
        self.unmatched += [f"{call}, where the nearest stub differs: {d}" for d in differences]
        return {"status": 501, "fields": ["Content-Type: text/plain"], "body": b"no stub of the test matches\n", "send": send_whole}

    def under_test(self):
        """The outward calls since the beginning of the call under test."""
        with self.lock:
            return [call for call in self.calls if self.called_at is not None and call.start >= self.called_at]

    def wait(self, done):
        """Wait for a condition, at most until a second after the first wait of the test. Once the recorded number of outward
        calls has arrived, wait only a moment for further calls."""
        self.deadline = self.deadline or time.monotonic() + 1
        quiet = None
        while not done():
            now = time.monotonic()
            if now > self.deadline or quiet is not None and now > quiet:
                return
            if quiet is None and len(self.under_test()) >= self.within:
                quiet = now + 0.05
            time.sleep(0.001)


HOSTS = Hosts()


def tracked(send):
    """Count the calls to the service that have no answer yet."""

    def call(*args, **options):
        with HOSTS.lock:
            HOSTS.open_calls += 1
        try:
            return send(*args, **options)
        finally:
            with HOSTS.lock:
                HOSTS.open_calls -= 1

    return call


CLIENT.send = tracked(CLIENT.send)


def listen(host):
    """Start the server that plays a host. If the tests do not start the service, the service calls the address of the host
    itself, so the server must listen there."""
    name, _, port = host.rpartition(":")
    name = name.strip("[]")
    started = SERVICE is not None and not os.environ.get("SONDE_BASE_URL")
    local = name == "localhost" or name == "::1" or name.startswith("127.")
    assert started or local, (
        f"the running service calls {host} itself, where the tests cannot listen: unset SONDE_BASE_URL, and the tests start a service"
    )
    try:
        server = HostServer(("127.0.0.1", 0) if started else (name, int(port)))
    except OSError as error:
        raise AssertionError(f"no server can play {host}: {error}: the running service calls this address") from None
    server.host = host
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class HostServer(http.server.ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self, address):
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, HostHandler)

    def server_bind(self):
        """Binds without HTTPServer's lookup of the address's name, which asks a resolver."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def handle_error(self, request, client_address):
        """Ignore the error: the service may close a connection before the answer."""


class HostHandler(http.server.BaseHTTPRequestHandler):
    """Answers one request of a connection."""

    protocol_version = "HTTP/1.1"

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.respond
        raise AttributeError(name)

    def log_message(self, *args):
        pass

    def respond(self):
        self.close_connection = True
        call = Call(self.server.host, self.command, self.path, self.headers, self.read_body())
        answer = HOSTS.answer(call)
        if answer is None:
            return self.reset()
        return answer["send"](self, answer)

    def read_body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            body += self.rfile.read(size)
            while size == 0 and self.rfile.readline().strip():
                pass  # a trailer
            if size == 0:
                return body
            self.rfile.readline()

    def head(self, answer):
        """Send the header of an answer."""
        fields = [field.partition(":")[::2] for field in answer["fields"]]
        names, body, status = [name.lower() for name, _ in fields], answer["body"], answer["status"]
        if "content-type" not in names and is_json(body):
            fields.append(("Content-Type", "application/json"))
        if status not in (204, 304) and "content-length" not in names and "transfer-encoding" not in names:
            fields.append(("Content-Length", str(len(body))))
        lines = [f"HTTP/1.1 {status} {self.responses.get(status, ('',))[0]}", "Connection: close"]
        lines += [f"{name}: {value.strip()}" for name, value in fields if name.lower() != "connection"]
        self.wfile.write("".join(line + "\r\n" for line in lines + [""]).encode())

    def send(self, body):
        if self.command != "HEAD":
            self.wfile.write(body)
            self.wfile.flush()

    def reset(self):
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


def is_json(body):
    try:
        json.loads(body)
    except ValueError:
        return False
    return True


def send_whole(handler, answer):
    handler.head(answer)
    handler.send(answer["body"])


def send_reset(handler, _):
    handler.reset()


def octets(text):
    """The bytes of a text in base64, for a body that is not UTF-8."""
    return base64.b64decode(text)


def as_bytes(body):
    return body.encode() if isinstance(body, str) else body


# Rules describe the answers of a stub, and the requests that it answers.
def answers(send, status=200, body=b"", fields=()):
    return lambda stub: stub.script.append({"status": status, "fields": fields, "body": as_bytes(body), "send": send})


def replies(status, body, *fields):
    """Answer a request. Each field is like "Content-Type: text/plain"."""
    return answers(send_whole, status, body, fields)


def resets():
    """Reset the connection instead of an answer."""
    return answers(send_reset)


refuses = isUnreachable = timesOut = hasWrongTLS = hasExpiredCertificate = hasUnknownAuthority = resets


def isMute():
    """Send nothing, and reset the connection after 5 seconds."""

    def send(handler, _):
        time.sleep(5)
        handler.reset()

    return answers(send)


def changed(rule, change):
    """A rule that adds the answer of another rule, with a change."""

    def apply(stub):
        rule(stub)
        change(stub.script[-1])

    return apply


def cutAfter(n, rule):
    """Send the first n bytes of an answer, and then end the connection."""

    def send(handler, answer):
        handler.head(answer)
        handler.send(answer["body"][:n])

    return changed(rule, lambda answer: answer.update(send=send))


def stallsAfter(n, rule):
    """Send the first n bytes of an answer and then nothing. End the connection after 5 seconds."""

    def send(handler, answer):
        promised = answer if n < len(answer["body"]) else dict(answer, body=answer["body"] + b" ")
        handler.head(promised)
        handler.send(answer["body"][:n])
        time.sleep(5)

    return changed(rule, lambda answer: answer.update(send=send))


def truncated(rule):
    """Send the first half of an answer as if it were the whole answer."""
    return changed(rule, lambda answer: answer.update(body=answer["body"][: len(answer["body"]) // 2]))


def slowly(wait, rate, rule):
    """Wait some seconds before an answer, and then send rate bytes of the answer each second. If rate is 0, send the answer
    at once."""

    def send(handler, answer):
        body = answer["body"]
        time.sleep(wait)
        handler.head(answer)
        size = 1 + rate // 100 if rate else len(body) or 1
        for start in range(0, len(body), size):
            handler.send(body[start : start + size])
            time.sleep(size / rate if rate and start + size < len(body) else 0)

    return changed(rule, lambda answer: answer.update(send=send))


def again():
    """Repeat the answers of the stub."""
    return lambda stub: setattr(stub, "repeats", True)


def afterwards(rule):
    """The answer to all further requests, when the other answers are used up."""

    def apply(stub):
        rule(stub)
        stub.last = stub.script.pop()

    return apply


def inBackground():
    """Answer requests that no call to the service causes. The answers continue from test to test. No oracle counts these
    requests."""
    return lambda stub: setattr(stub, "background", True)


def ifNth(n):
    """Answer only the nth request to the host, from 1."""
    return lambda stub: setattr(stub, "nth", n)


def ifQuery(name, value):
    """Answer only requests with this parameter in their query."""
    return lambda stub: stub.conditions.append(lambda call: member("query", name, call.query.get(name, []), value))


def ifHeader(name, value):
    """Answer only requests with this header."""
    return lambda stub: stub.conditions.append(lambda call: member("header", name, call.header(name), value))


def member(place, name, values, wanted):
    return [] if wanted in values else [f"{place} {name}: want {wanted!r}, got {', '.join(values) or 'nothing'!r}"]


def ifJSON(text):
    """Answer only requests whose body contains a JSON value: objects in the body may have more members."""
    return lambda stub: stub.conditions.append(lambda call: compare_body(call.body, text, (), contains=True))


def host(name, request, *rules):
    """Declare how a host answers requests such as "POST /charges/{id}"; "" means all requests. What is declared in a test
    is for that test; what is declared before the first test is for all tests."""
    with HOSTS.lock:
        (HOSTS.stubs if HOSTS.running else HOSTS.permanent).append(Stub(name, request, rules))
    assert not HOSTS.running or name in HOSTS.servers, f"no server plays {name}: the helpers are those of other tests"


def content(name):
    """The content of a file in the folder of the tests."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), "rb") as file:
        return file.read()


def played(test):
    """A test in which servers play the hosts around the service."""

    @functools.wraps(test)
    def run():
        try:
            test()
        except BaseException:
            if HOSTS.unanswered:
                print("the service got no answer, because no stub matches:", *HOSTS.unanswered, sep="\n  ")
            if SERVICE is not None and SERVICE.output is not None:
                print("the service printed:", SERVICE.text(), sep="\n")
            raise
        finally:
            if HOSTS.called_at is not None:
                HOSTS.wait(lambda: len(HOSTS.under_test()) >= HOSTS.within)

    return run


# A matcher says which values of an answer or of an outward call a test accepts.
class Matcher:
    def __init__(self, wanted, fits):
        self.wanted, self.fits = wanted, fits

    def check(self, place, got):
        """The differences of the value at a place."""
        if got is MISSING:
            return [f"{place}: want {self.wanted}, got nothing"]
        return [] if self.fits(got) else [f"{place}: want {self.wanted}, got {encoded(got)[:300]}"]


MISSING = object()  # the value of a member that an object does not have


def text_of(value):
    return value if isinstance(value, str) else encoded(value)


def equalTo(text):
    """A value that equals a JSON value. The order of keys does not matter."""
    wanted = decoded(text)
    return Matcher(text, lambda got: same(got, wanted))


def exactly(text):
    return Matcher(repr(text), lambda got: got == text)


def sameAs(value):
    """The value of an earlier answer."""
    text = value.text() if isinstance(value, Value) else value
    return Matcher(repr(text), lambda got: text_of(got) == text)


def endsIn(value):
    """A path or a URL whose last segment is the value of an earlier answer."""
    last = value.path() if isinstance(value, Value) else Value(value).path()
    return Matcher(f"…/{last}", lambda got: text_of(got).split("?")[0].rstrip("/").rpartition("/")[2] == last)


def present():
    return Matcher("anything", lambda got: True)


def json_type(value):
    if isinstance(value, Decimal):
        return "integer" if value == value.to_integral_value() else "number"
    return {type(None): "null", bool: "boolean", str: "string", list: "array"}.get(type(value), "object")


def ofType(name):
    """A value of a JSON type. An integer is also a number."""
    return Matcher(f"of type {name}", lambda got: json_type(got) == name or name == "number" and json_type(got) == "integer")


def spells(name):
    """A text that is the JSON of a value of a type, such as 17 in a query for an integer. For string, any text."""

    def fits(got):
        try:
            return name == "string" or ofType(name).fits(decoded(text_of(got)))
        except ValueError:
            return False

    return Matcher(f"of type {name}", fits)


def fitting(pattern):
    """A text that matches a regular expression as a whole."""
    return Matcher(f"what matches {pattern}", lambda got: re.fullmatch(pattern, text_of(got)))


def near(wanted, within):
    def fits(got):
        try:
            return abs(float(text_of(got)) - wanted) <= within
        except ValueError:
            return False

    return Matcher(f"{wanted} ± {within}", fits)


def nearNow(within):
    """A time between the call under test and now, with a tolerance in seconds."""

    def fits(got):
        at = time_of(text_of(got))
        began = time.time() - (time.monotonic() - HOSTS.called_at)
        return at is not None and began - within <= at <= time.time() + within

    return Matcher(f"now ± {within} s", fits)


TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)? ?(Z|[+-]\d\d(?::?\d\d)?)?( [A-Z]+)?")


def time_of(text):
    """The seconds since 1970 of a time, None if the text is not a time."""
    found = TIME.fullmatch(text)
    try:
        if found:
            zone = (found[4] or "Z").replace("Z", "+0000").replace(":", "")
            at = datetime.strptime(f"{found[1]} {found[2]} {zone.ljust(5, '0')}", "%Y-%m-%d %H:%M:%S %z")
            return at.timestamp() + float(found[3] or 0)
        number = float(text)
        while 1e11 < number < float("inf"):
            number /= 1000
        return number
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    return (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).timestamp()


def but(pointer, matcher):
    """An exception: the value at this JSON pointer has a matcher of its own."""
    return pointer, matcher


def compare(at, wanted, got, matchers, contains):
    """The differences between JSON values at a pointer. With contains, objects may have more members."""
    if at in matchers:
        return matchers[at].check(f"body {at}", got)
    if isinstance(wanted, dict) and isinstance(got, dict):
        pairs = [(name, wanted.get(name, MISSING), got.get(name, MISSING)) for name in {**wanted, **got}]
    elif isinstance(wanted, list) and isinstance(got, list):
        pairs = list(zip_longest(range(max(len(wanted), len(got))), wanted, got, fillvalue=MISSING))
    else:
        return [] if same(wanted, got) else [f"body {at}: want {encoded(wanted)[:300]}, got {encoded(got)[:300]}"]
    differences, more = [], contains and isinstance(wanted, dict)
    for name, inner, value in pairs:
        place = f"{at}/{str(name).replace('~', '~0').replace('/', '~1')}"
        if value is MISSING:
            differences += [f"body {place}: want {matchers[place].wanted if place in matchers else encoded(inner)[:300]}, got nothing"]
        elif inner is not MISSING or place in matchers:
            differences += compare(place, inner, value, matchers, contains)
        elif not more:
            differences.append(f"body {place}: want nothing, got {encoded(value)[:300]}")
    return differences


def compare_body(body, wanted, exceptions, contains=False):
    wanted = wanted.decode() if isinstance(wanted, bytes) else wanted
    try:
        got = decoded(body.decode("utf-8", "replace"))
    except ValueError:
        return [f"body: want {wanted[:300]}, got {body[:300]!r}"]
    return compare("", decoded(wanted), got, dict(exceptions), contains)


def compare_text(body, wanted):
    text = body.decode("utf-8", "replace")
    try:
        if body == as_bytes(wanted) or text == wanted or decoded(text) == wanted:
            return []
    except ValueError:
        pass
    return [f"body: want {wanted[:300]!r}, got {body[:300]!r}"]


def compare_at(body, pointer, matcher):
    text = body.decode("utf-8", "replace")
    try:
        value = decoded(text)
        for token in pointer.split("/")[1:]:
            token = token.replace("~1", "/").replace("~0", "~")
            value = value[int(token) if isinstance(value, list) and token.isdigit() else token]
    except (ValueError, LookupError, TypeError):
        value = text if pointer == "" else MISSING
    return matcher.check(f"body {pointer}", value)


# The assertions of the output oracle compare an answer with the recorded answer.
def differ(reply, differences):
    if differences:
        reply.fail("\n  ".join(differences[:20]))


def want_header(reply, name, matcher):
    value = reply.answer.headers.get(name)
    differ(reply, matcher.check(f"header {name}", MISSING if value is None else as_utf8(value)))


def want_body(reply, wanted, *exceptions):
    """Fails unless the body equals this JSON, apart from the exceptions."""
    differ(reply, compare_body(reply.answer.content, wanted, exceptions))


def want_text(reply, wanted):
    differ(reply, compare_text(reply.answer.content, wanted))


def want_at(reply, pointer, matcher):
    differ(reply, compare_at(reply.answer.content, pointer, matcher))


Reply.wantHeader, Reply.wantBody, Reply.wantText, Reply.wantAt = want_header, want_body, want_text, want_at


def mimics(*oracles):
    """Begin a test of a recorded exchange: oo compares the answer, po the parameters of outward calls, co their order and number."""
    HOSTS.oracles = oracles


def earlierCalls(n):
    """Wait for the outward calls that were recorded before the call under test."""
    deadline = time.monotonic() + 1
    while len(HOSTS.calls) < n and time.monotonic() < deadline:
        time.sleep(0.001)


def backgroundCalls(seconds):
    """Wait until all background stubs of this test have given their answers, but not longer than some seconds."""
    began = time.monotonic()
    mine = [stub for stub in HOSTS.stubs if stub.background]
    while any(s.given < len(s.script) or s.answered_at < began for s in mine) and time.monotonic() < began + seconds:
        time.sleep(0.001)
    time.sleep(0.05)  # the service uses the answers a moment later


def callUnderTest(n):
    """Mark the next call as the call under test. n is the recorded number of its outward calls."""
    HOSTS.called_at, HOSTS.within = time.monotonic(), n


# A parameter compares a part of an outward call with what the test wants.
def inBody(wanted, *exceptions):
    return lambda call, _: compare_body(call.body, wanted, exceptions)


def inText(wanted):
    return lambda call, _: compare_text(call.body, wanted)


def inPlace(pointer, matcher):
    return lambda call, _: compare_at(call.body, pointer, matcher)


def inQuery(name, matcher):
    return lambda call, _: matcher.check(f"query {name}", ", ".join(call.query[name]) if name in call.query else MISSING)


def inHeader(name, matcher):
    return lambda call, _: matcher.check(f"header {name}", ", ".join(call.header(name)) if call.header(name) else MISSING)


def inPath(name, matcher):
    def differences(call, operation):
        pattern, names = path_pattern("/" + operation.partition("/")[2])
        values = dict(zip(names, map(unquote, pattern.match(call.path).groups())))
        return matcher.check(f"path {name}", values.get(name, MISSING))

    return differences


def to(name, operation):
    """An outward call to an operation of a host, such as "POST /charges/{id}"; "http" means any request."""
    return [[(name, operation)]]


def times(n, steps):
    return steps * n


def anyOrder(*all):
    """Outward calls that may come in any order."""
    return [[one for steps in all for step in steps for one in step]]


def call_fits(wanted, call):
    return wanted[0] == call.host and ("/" not in wanted[1] or operation_fits(wanted[1], call))


def wantAsked(name, operation, *params):
    """Fails unless the call under test made at least one outward call to the operation that fits all parameters."""
    nth = HOSTS.asked.count((name, operation))
    HOSTS.asked.append((name, operation))

    def nearest():
        calls = [call for call in HOSTS.under_test() if call_fits((name, operation), call)]
        all = [([d for param in params for d in param(call, operation)], call) for call in calls]
        return min(((len(found), i != nth, i, found) for i, (found, _) in enumerate(all)), default=None)

    HOSTS.wait(lambda: nearest() is not None and nearest()[0] == 0)
    found = nearest()
    if found is None:
        raise AssertionError(f"{operation} at {name}: not called; the calls were {list(map(str, HOSTS.under_test()))}")
    if found[3]:
        raise AssertionError(f"{operation} at {name}: " + "\n  ".join(found[3]))


def wantCalls(*all):
    """Fails unless the call under test made these outward calls, in this order and no others."""
    wanted = [step for steps in all for step in steps]
    HOSTS.wait(lambda: False)
    calls = without_surplus(wanted, HOSTS.under_test())
    left, good = calls, True
    for step in wanted:
        good = good and paired(step, left[: len(step)])
        left = left[len(step) :]
    if not good or left:
        want = [" and ".join(f"{operation} at {name}" for name, operation in step) for step in wanted]
        raise AssertionError(f"want the outward calls {want}, got {list(map(str, calls))}")


def without_surplus(wanted, calls):
    """The calls that count: without those that may be background calls, unless the test wants them."""
    kept, calls = [], list(calls)
    for step in wanted:
        missing = len(step)
        while missing > 0 and calls:
            call = calls.pop(0)
            if not call.may_be_none or any(call_fits(one, call) for one in step):
                kept.append(call)
                missing -= 1
    return kept + [call for call in calls if not call.may_be_none]


def paired(step, calls):
    """Reports whether each wanted call of a step can be paired with an actual call of its own."""
    if not step:
        return True
    return any(call_fits(step[0], call) and paired(step[1:], calls[:i] + calls[i + 1 :]) for i, call in enumerate(calls))


def wantMatched():
    """Fails if no stub of the test matched a request of the service to a host."""
    HOSTS.wait(lambda: len(HOSTS.under_test()) >= HOSTS.within)
    if HOSTS.unmatched:
        raise AssertionError("no stub matches: " + "\n  ".join(HOSTS.unmatched[:20]))
