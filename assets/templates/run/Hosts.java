    // Program is a service that the tests start. In its settings, {port} means its port, and {HOST:PORT} the address
    // of the server that plays a host. To stop the service, the tests send stopSignal; they kill it after
    // stopSeconds.
    static class Program {
        final String base;
        final List<String> command;
        final File folder;
        final Map<String, String> env;
        final int port;
        final String readyPath;
        final int readyStatus;
        final double readySeconds;
        final String stopSignal;
        final double stopSeconds;
        Process process;
        File output;
        long printed;

        Program(String base, List<String> command, String folder, Map<String, String> env, int port, String readyPath, int readyStatus,
                double readySeconds, String stopSignal, double stopSeconds) {
            this.base = base;
            this.command = command;
            this.folder = new File(folder.isEmpty() ? "." : folder);
            this.env = env;
            this.port = port;
            this.readyPath = readyPath;
            this.readyStatus = readyStatus;
            this.readySeconds = readySeconds;
            this.stopSignal = stopSignal;
            this.stopSeconds = stopSeconds;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> signal(processes(), "KILL")));
        }

        boolean runs() {
            return process != null && process.isAlive();
        }

        void restart() throws IOException {
            for (int tries = 3;; tries--) {
                stop();
                String why = start(port == 0 ? freePort() : port);
                if (why.isEmpty()) {
                    return;
                }
                if (runs() || port != 0 || tries == 1) { // otherwise, another process may have taken the port
                    String text = text();
                    stop();
                    fail("the service " + command + " " + why + "; it printed:\n" + text);
                }
            }
        }

        // start starts the service on a port. It returns why the service is not ready, or "" if it is ready.
        String start(int port) throws IOException {
            openServers();
            BASE_URL = filled(base, port);
            startProcess();
            if (output == null) {
                output = File.createTempFile("sonde-service-", ".txt");
                output.deleteOnExit();
            }
            printed = output.length();
            process = builder(command, port).redirectOutput(ProcessBuilder.Redirect.appendTo(output)).start();
            for (long deadline = later(readySeconds);; pause(0.02)) {
                String why = notReady();
                if (!process.isAlive()) {
                    return "ended before it was ready, with exit code " + process.exitValue();
                }
                if (why.isEmpty()) {
                    return "";
                }
                if (System.nanoTime() > deadline) {
                    return "was not ready within " + readySeconds + " s: " + why;
                }
            }
        }

        // builder returns a process with the environment of the service.
        ProcessBuilder builder(List<String> words, int port) {
            List<String> all = new ArrayList<>();
            words.forEach(word -> all.add(filled(word, port)));
            ProcessBuilder builder = new ProcessBuilder(all).directory(folder).redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
            builder.environment().put("PORT", String.valueOf(port));
            env.forEach((name, value) -> builder.environment().put(name, filled(Pattern.compile("\\$\\{(\\w+)\\}").matcher(value).replaceAll(found -> {
                String other = System.getenv(found.group(1));
                assertTrue(other != null, "set " + found.group(1) + " in the environment, for " + name);
                return Matcher.quoteReplacement(other);
            }), port)));
            return builder;
        }

        String notReady() {
            URI at = URI.create(BASE_URL);
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(at.getHost(), at.getPort()), 1000);
            } catch (IOException e) {
                return "nothing listens at " + at.getAuthority();
            }
            if (readyPath.isEmpty()) {
                return "";
            }
            try {
                int status = new Request().assured().get(URI.create(BASE_URL.replaceAll("/+$", "") + readyPath)).statusCode();
                boolean fits = readyStatus == 0 ? status < 500 : status == readyStatus;
                return fits ? "" : "GET " + readyPath + " answered " + status;
            } catch (RuntimeException e) {
                return "GET " + readyPath + " got no answer";
            }
        }

        String filled(String text, int port) {
            for (Map.Entry<String, HttpServer> server : OPEN.entrySet()) {
                text = text.replace("{" + server.getKey() + "}", "127.0.0.1:" + server.getValue().getAddress().getPort());
            }
            return text.replace("{port}", String.valueOf(port));
        }

        // run runs a command with the environment of the service.
        void run(List<String> words) throws IOException {
            File printed = File.createTempFile("sonde-command-", ".txt");
            try {
                Process done = builder(words, URI.create(BASE_URL).getPort()).redirectOutput(printed).start();
                boolean ended = done.waitFor(60, TimeUnit.SECONDS);
                if (!ended || done.exitValue() != 0) {
                    done.destroyForcibly();
                    fail(words + " failed: " + Files.readString(printed.toPath()));
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                printed.delete();
            }
        }

        // processes returns the process of the service, and the processes that it started. Once the service has
        // ended, the processes that it started cannot be found any more.
        List<ProcessHandle> processes() {
            Process started = process;
            return started == null ? List.of() : Stream.concat(started.descendants(), Stream.of(started.toHandle())).collect(Collectors.toList());
        }

        // signal sends a signal to processes.
        static void signal(List<ProcessHandle> all, String name) {
            for (ProcessHandle one : all) {
                if (name.equals("KILL")) {
                    one.destroyForcibly();
                } else if (name.equals("TERM")) {
                    one.destroy();
                } else {
                    try {
                        new ProcessBuilder("kill", "-" + name, String.valueOf(one.pid())).start().waitFor();
                    } catch (IOException | InterruptedException e) {
                        one.destroy();
                    }
                }
            }
        }

        // awaitEnd waits until processes have ended, but not longer than some seconds. A process without a command
        // has ended, too: it only exists until its parent notices the end.
        static void awaitEnd(List<ProcessHandle> all, double seconds) {
            for (long end = later(seconds); System.nanoTime() < end; pause(0.01)) {
                if (all.stream().noneMatch(one -> one.isAlive() && one.info().command().isPresent())) {
                    return;
                }
            }
        }

        // stop stops the service and the processes that it started. It kills those that do not stop in time.
        void stop() {
            List<ProcessHandle> all = processes();
            signal(all, stopSignal);
            awaitEnd(all, stopSeconds);
            signal(all, "KILL");
            awaitEnd(all, 2);
            process = null;
        }

        // text returns what the service printed during the test, at most 32 KiB.
        String text() throws IOException {
            byte[] all = Files.readAllBytes(output.toPath());
            int start = (int) Math.max(printed, all.length - (32 << 10));
            return new String(all, start, Math.max(0, all.length - start), StandardCharsets.UTF_8);
        }
    }

    static long later(double seconds) {
        return System.nanoTime() + (long) (seconds * 1e9);
    }

    static void pause(double seconds) {
        try {
            Thread.sleep((long) (seconds * 1000));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // freePort returns a port on which no program listens. It is below the ports that operating systems choose by
    // themselves.
    static int freePort() {
        for (int tries = 0; tries < 100; tries++) {
            int port = ThreadLocalRandom.current().nextInt(20000, 32000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                continue;
            }
        }
        return fail("no port for the service");
    }

    static boolean isStarted() {
        return SERVICE != null && System.getenv().getOrDefault("SONDE_BASE_URL", "").isEmpty();
    }

    // startService starts the service, unless it runs.
    static void startService() throws IOException {
        if (isStarted() && !SERVICE.runs()) {
            SERVICE.restart();
        }
        if (isStarted()) {
            SERVICE.printed = SERVICE.output.length();
        }
    }

    // restartService brings the service back to its first state by starting it again.
    static void restartService() throws IOException {
        if (isStarted()) {
            SERVICE.restart();
        }
    }

    // runCommand runs a command with the environment of the service.
    static void runCommand(String... words) throws IOException {
        if (isStarted()) {
            SERVICE.run(List.of(words));
        }
    }

    @AfterAll
    static void stopService() {
        if (SERVICE != null) {
            SERVICE.stop();
        }
    }

    // shown prints what helps to understand why a test failed, and waits for outward calls that would disturb the next test.
    @RegisterExtension
    final AfterTestExecutionCallback shown = context -> {
        if (context.getExecutionException().isPresent()) {
            List<String> silent;
            synchronized (LOCK) {
                silent = List.copyOf(unanswered);
            }
            if (!silent.isEmpty()) {
                System.err.println("the service got no answer, because no stub matches:\n  " + String.join("\n  ", silent));
            }
            if (SERVICE != null && SERVICE.output != null) {
                System.err.println("the service printed:\n" + SERVICE.text());
            }
        }
        if (calledAt != 0) {
            await(() -> underTest().size() >= within);
        }
    };

    // HostCall is a request of the service to a host.
    static class HostCall {
        String host;
        String method;
        String path;
        String query;
        Headers headers;
        byte[] body;
        long start = System.nanoTime();
        boolean mayBeNone; // whether the request may be a background call

        @Override
        public String toString() {
            return method + " " + path + " at " + host;
        }

        List<String> header(String name) {
            return asUTF8(headers.getOrDefault(name, List.of()));
        }

        List<String> query(String name) {
            List<String> all = new ArrayList<>();
            for (String pair : query == null ? new String[0] : query.split("&")) {
                String[] parts = pair.split("=", 2);
                if (URLDecoder.decode(parts[0], StandardCharsets.UTF_8).equals(name)) {
                    all.add(parts.length == 1 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
                }
            }
            return all;
        }
    }

    // asUTF8 returns the values of a header, which libraries read as ISO 8859-1.
    static List<String> asUTF8(List<String> values) {
        return values.stream().map(v -> new String(v.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)).collect(Collectors.toList());
    }

    // Stub has the answers of a host to some requests.
    static class Stub {
        String host;
        String request;
        final List<Function<HostCall, List<String>>> conditions = new ArrayList<>();
        int nth;
        final List<Answer> script = new ArrayList<>();
        boolean repeats;
        Answer last;
        int given;
        boolean background;
        long answeredAt;

        List<String> differences(HostCall call) {
            List<String> all = new ArrayList<>();
            conditions.forEach(differs -> all.addAll(differs.apply(call)));
            return all;
        }

        boolean matches(HostCall call, int nth) {
            return operationFits(request, call) && differences(call).isEmpty() && (this.nth == 0 || this.nth == nth);
        }

        // answer returns the answer that follows the first n answers, null if there is none. A script with a single
        // answer repeats this answer.
        Answer answer(int n) {
            if (n < script.size()) {
                return script.get(n);
            }
            if (repeats && !script.isEmpty()) {
                return script.get(n % script.size());
            }
            return last != null ? last : script.size() == 1 ? script.get(0) : null;
        }
    }

    // Answer is an answer of a host.
    static class Answer {
        int status;
        String[] fields = {};
        byte[] body;
        Sender sender = SondeHelpers::sendWhole;
    }

    // Sender sends an answer.
    interface Sender {
        void send(HttpExchange exchange, Answer answer) throws IOException;
    }

    // The hosts around the service in the running test. LOCK guards them.
    static final Object LOCK = new Object();
    static final Map<String, HttpServer> OPEN = new ConcurrentHashMap<>();
    static final List<Stub> PERMANENT = new ArrayList<>();
    static List<Stub> stubs = new ArrayList<>();
    static boolean running;
    static int openCalls;
    static Map<String, Integer> counts = new HashMap<>();
    static List<String> unanswered = new ArrayList<>();
    static List<HostCall> calls = new ArrayList<>();
    static List<String> unmatched = new ArrayList<>();
    static List<String> asked = new ArrayList<>();
    static String[] oracles;
    static long calledAt;
    static long calledAtMillis;
    static int within;
    static long deadline;

    static {
        RestAssured.filters((request, response, context) -> {
            synchronized (LOCK) {
                openCalls++;
            }
            try {
                return context.next(request, response);
            } finally {
                synchronized (LOCK) {
                    openCalls--;
                }
            }
        });
    }

    // openServers starts the servers that play the hosts.
    static void openServers() {
        for (String name : SERVERS) {
            OPEN.computeIfAbsent(name, SondeHelpers::listen);
        }
    }

    // listen starts the server that plays a host. If the tests do not start the service, the service calls the
    // address of the host itself, so the server must listen there.
    static HttpServer listen(String name) {
        int colon = name.lastIndexOf(':');
        String at = name.substring(0, colon).replaceAll("[\\[\\]]", "");
        assertTrue(isStarted() || at.equals("localhost") || at.equals("::1") || at.startsWith("127."), "the running service calls " + name
                + " itself, where the tests cannot listen: unset SONDE_BASE_URL, and the tests start a service");
        InetSocketAddress address = isStarted() ? new InetSocketAddress("127.0.0.1", 0)
                : new InetSocketAddress(at, Integer.parseInt(name.substring(colon + 1)));
        try {
            HttpServer server = HttpServer.create(address, 0);
            server.setExecutor(Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task);
                thread.setDaemon(true);
                return thread;
            }));
            server.createContext("/", exchange -> respond(name, exchange));
            server.start();
            return server;
        } catch (IOException e) {
            return fail("no server can play " + name + ": " + e.getMessage());
        }
    }

    // respond answers a request of the service. If there is no answer, it closes the connection.
    static void respond(String name, HttpExchange exchange) throws IOException {
        HostCall call = new HostCall();
        call.host = name;
        call.method = exchange.getRequestMethod();
        call.path = exchange.getRequestURI().getRawPath();
        call.query = exchange.getRequestURI().getRawQuery();
        call.headers = exchange.getRequestHeaders();
        call.body = exchange.getRequestBody().readAllBytes();
        try {
            Answer answer;
            synchronized (LOCK) {
                answer = answerTo(call);
            }
            if (answer != null) {
                answer.sender.send(exchange, answer);
            }
        } finally {
            exchange.close();
        }
    }

    static void forget() {
        counts = new HashMap<>();
        unanswered = new ArrayList<>();
        calls = new ArrayList<>();
        unmatched = new ArrayList<>();
        asked = new ArrayList<>();
        stubs = new ArrayList<>();
        oracles = null;
        calledAt = 0;
        within = 0;
        deadline = 0;
    }

    // startProcess prepares for a new process of the service: until the test begins, only the permanent stubs answer.
    static void startProcess() {
        synchronized (LOCK) {
            forget();
            running = false;
            PERMANENT.forEach(stub -> stub.given = 0);
        }
    }

    // beginTest removes the stubs of earlier tests.
    static void beginTest() {
        openServers();
        synchronized (LOCK) {
            forget();
            running = true;
            PERMANENT.stream().filter(stub -> !stub.background).forEach(stub -> stub.given = 0);
        }
    }

    static List<Stub> stubsOf(String name) {
        return Stream.concat(stubs.stream(), PERMANENT.stream()).filter(stub -> stub.host.equals(name)).collect(Collectors.toList());
    }

    // choose returns the first stub that fits. If a background stub fits, too, it is chosen in two cases: no call to
    // the service is open, or the first stub has no answer left.
    static Stub choose(String name, Predicate<Stub> fits) {
        Stub first = null;
        for (Stub stub : stubsOf(name)) {
            if (stub.background && fits.test(stub)) {
                return first != null && openCalls > 0 && first.answer(first.given) != null ? first : stub;
            }
            if (!stub.background && first == null && fits.test(stub)) {
                first = stub;
            }
        }
        return first;
    }

    // answerTo returns the next answer to a request, null if there is none.
    static Answer answerTo(HostCall call) {
        int nth = counts.merge(call.host, 1, Integer::sum);
        Stub stub = choose(call.host, s -> s.matches(call, nth));
        call.mayBeNone = stubsOf(call.host).stream().anyMatch(s -> s.background && s.matches(call, s.nth));
        if (stub == null || !stub.background) {
            calls.add(call);
        }
        Answer answer = stub == null ? null : stub.answer(stub.given++);
        if (answer != null) {
            stub.answeredAt = System.nanoTime();
            return answer;
        }
        if (oracles != null) {
            return answerUnmatched(call);
        }
        unanswered.add(call.toString());
        return null;
    }

    // answerUnmatched answers a request that no stub matches. In a test with one oracle, it gives the answer of the
    // nearest stub for the same operation, so that only this oracle can fail.
    static Answer answerUnmatched(HostCall call) {
        Stub stub = stubsOf(call.host).stream().filter(s -> operationFits(s.request, call))
                .min(Comparator.comparing((Stub s) -> s.differences(call).size()).thenComparing(s -> s.given >= s.script.size())).orElse(null);
        List<String> differences = stub == null ? List.of() : stub.differences(call);
        if (oracles.length == 1) {
            if (stub == null) {
                unanswered.add(call.toString());
                return null;
            }
            if (stub.nth != 0 || !differences.isEmpty()) {
                stub.given++;
            }
            Answer answer = stub.answer(stub.given - 1);
            return answer != null || stub.script.isEmpty() ? answer : stub.script.get(stub.script.size() - 1);
        }
        if (stub == null) {
            unmatched.add(call + ", which was not recorded");
        } else if (differences.isEmpty()) {
            unmatched.add(call + ", once more than it was recorded");
        }
        differences.forEach(d -> unmatched.add(call + ", where the nearest stub differs: " + d));
        Answer none = new Answer();
        none.status = 501;
        none.fields = new String[] {"Content-Type: text/plain"};
        none.body = "no stub of the test matches\n".getBytes(StandardCharsets.UTF_8);
        return none;
    }

    // underTest returns the outward calls since the beginning of the call under test.
    static List<HostCall> underTest() {
        synchronized (LOCK) {
            return calls.stream().filter(call -> calledAt != 0 && call.start >= calledAt).collect(Collectors.toList());
        }
    }

    // await waits for a condition, at most until a second after the first await of the test. Once the recorded number
    // of outward calls has arrived, it waits only a moment for further calls.
    static void await(BooleanSupplier done) {
        deadline = deadline == 0 ? later(1) : deadline;
        long quiet = 0;
        for (; !done.getAsBoolean(); pause(0.001)) {
            long now = System.nanoTime();
            if (now > deadline || quiet != 0 && now > quiet) {
                return;
            }
            if (quiet == 0 && underTest().size() >= within) {
                quiet = later(0.05);
            }
        }
    }

    // operationFits reports whether a call has the method and the path of an operation such as POST /charges/{id}.
    // The method or the path may be missing.
    static boolean operationFits(String request, HostCall call) {
        int slash = request.indexOf('/');
        String method = (slash < 0 ? request : request.substring(0, slash)).strip();
        return (method.isEmpty() || method.equals(call.method)) && (slash < 0 || pathPattern(request.substring(slash), null).matcher(call.path).matches());
    }

    // pathPattern returns a pattern that matches the paths of a template. If names is not null, it adds the names of
    // the template's parameters to names.
    static Pattern pathPattern(String path, List<String> names) {
        StringBuilder pattern = new StringBuilder();
        Matcher parameter = Pattern.compile("\\{([^/]*?)\\}").matcher(path);
        int end = 0;
        while (parameter.find()) {
            pattern.append(Pattern.quote(path.substring(end, parameter.start()))).append("([^/]+)");
            end = parameter.end();
            if (names != null) {
                names.add(parameter.group(1));
            }
        }
        return Pattern.compile(pattern + Pattern.quote(path.substring(end)) + "/?");
    }

    // sendHeader sends the header of an answer. length is the length of the body.
    static void sendHeader(HttpExchange exchange, Answer answer, int length) throws IOException {
        Headers header = exchange.getResponseHeaders();
        boolean headOnly = exchange.getRequestMethod().equals("HEAD");
        if (headOnly && length > 0) { // the server sets the length of other answers
            header.set("Content-Length", String.valueOf(length));
        }
        for (String field : answer.fields) {
            String[] parts = field.split(":", 2);
            if (parts[0].equalsIgnoreCase("Content-Length") && headOnly) {
                header.set(parts[0], parts[1].strip());
            } else if (!parts[0].equalsIgnoreCase("Connection") && !parts[0].equalsIgnoreCase("Content-Length")) {
                header.add(parts[0], new String(parts[1].strip().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
            }
        }
        if (!header.containsKey("Content-Type") && !decoded(utf8(answer.body)).isMissingNode()) {
            header.set("Content-Type", "application/json");
        }
        header.set("Connection", "close");
        boolean empty = length == 0 || answer.status == 204 || answer.status == 304 || headOnly;
        exchange.sendResponseHeaders(answer.status, empty ? -1 : length);
    }

    // sendBody sends a part of a body, unless the answer has none.
    static void sendBody(HttpExchange exchange, byte[] body, int start, int end) throws IOException {
        if (end > start && !exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseBody().write(body, start, end - start);
            exchange.getResponseBody().flush();
        }
    }

    static void sendWhole(HttpExchange exchange, Answer answer) throws IOException {
        sendHeader(exchange, answer, answer.body.length);
        sendBody(exchange, answer.body, 0, answer.body.length);
    }

    static String utf8(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }

    // octets returns the bytes of a text in base64, for a body that is not UTF-8.
    static byte[] octets(String base64) {
        return Base64.getDecoder().decode(base64);
    }

    // content returns the content of a file in the folder of the tests.
    static byte[] content(String name) {
        try {
            return Files.readAllBytes(Path.of(name));
        } catch (IOException e) {
            return fail("the file " + name + " cannot be read: run the tests in its folder");
        }
    }

    // replies answers a request. Each field is like "Content-Type: text/plain".
    static Consumer<Stub> replies(int status, byte[] body, String... fields) {
        return stub -> {
            Answer answer = new Answer();
            answer.status = status;
            answer.body = body;
            answer.fields = fields;
            stub.script.add(answer);
        };
    }

    static Consumer<Stub> replies(int status, String body, String... fields) {
        return replies(status, body.getBytes(StandardCharsets.UTF_8), fields);
    }

    // changed is a rule that adds the answer of another rule, with a change.
    static Consumer<Stub> changed(Consumer<Stub> rule, Consumer<Answer> change) {
        return rule.andThen(stub -> change.accept(stub.script.get(stub.script.size() - 1)));
    }

    // cutAfter sends the first n bytes of an answer, and then ends the connection.
    static Consumer<Stub> cutAfter(int n, Consumer<Stub> rule) {
        return changed(rule, a -> a.sender = (exchange, answer) -> {
            sendHeader(exchange, answer, answer.body.length);
            sendBody(exchange, answer.body, 0, Math.min(n, answer.body.length));
        });
    }

    // stallsAfter sends the first n bytes of an answer and then nothing. It ends the connection after 5 seconds.
    static Consumer<Stub> stallsAfter(int n, Consumer<Stub> rule) {
        return changed(rule, a -> a.sender = (exchange, answer) -> {
            sendHeader(exchange, answer, answer.body.length + (n < answer.body.length ? 0 : 1));
            sendBody(exchange, answer.body, 0, Math.min(n, answer.body.length));
            pause(5);
        });
    }

    // truncated sends the first half of an answer as if it were the whole answer.
    static Consumer<Stub> truncated(Consumer<Stub> rule) {
        return changed(rule, answer -> answer.body = Arrays.copyOf(answer.body, answer.body.length / 2));
    }

    // slowly waits some seconds before an answer, and then sends rate bytes of the answer each second. If rate is 0,
    // it sends the answer at once.
    static Consumer<Stub> slowly(double wait, int rate, Consumer<Stub> rule) {
        return changed(rule, a -> a.sender = (exchange, answer) -> {
            pause(wait);
            sendHeader(exchange, answer, answer.body.length);
            int size = rate == 0 ? Math.max(1, answer.body.length) : 1 + rate / 100;
            for (int start = 0; start < answer.body.length; start += size) {
                sendBody(exchange, answer.body, start, Math.min(start + size, answer.body.length));
                pause(rate > 0 && start + size < answer.body.length ? (double) size / rate : 0);
            }
        });
    }

    // again repeats the answers of the stub.
    static Consumer<Stub> again() {
        return stub -> stub.repeats = true;
    }

    // afterwards is the answer to all further requests, when the other answers are used up.
    static Consumer<Stub> afterwards(Consumer<Stub> rule) {
        return rule.andThen(stub -> stub.last = stub.script.remove(stub.script.size() - 1));
    }

    // inBackground answers requests that no call to the service causes. The answers continue from test to test. No
    // oracle counts these requests.
    static Consumer<Stub> inBackground() {
        return stub -> stub.background = true;
    }

    // ifNth answers only the nth request to the host, from 1.
    static Consumer<Stub> ifNth(int n) {
        return stub -> stub.nth = n;
    }

    // ifQuery answers only requests with this parameter in their query.
    static Consumer<Stub> ifQuery(String name, String value) {
        return stub -> stub.conditions.add(call -> member("query " + name, call.query(name), value));
    }

    // ifHeader answers only requests with this header.
    static Consumer<Stub> ifHeader(String name, String value) {
        return stub -> stub.conditions.add(call -> member("header " + name, call.header(name), value));
    }

    static List<String> member(String place, List<String> values, String wanted) {
        return values.contains(wanted) ? List.of() : List.of(place + ": want " + wanted + ", got " + String.join(", ", values));
    }

    // ifJSON answers only requests whose body contains a JSON value: objects in the body may have more members.
    static Consumer<Stub> ifJSON(String text) {
        return stub -> stub.conditions.add(call -> compareBody(call.body, text, Map.of(), true));
    }

    static Consumer<Stub> ifJSON(byte[] text) {
        return ifJSON(utf8(text));
    }

    // host declares how a host answers requests such as "POST /charges/{id}"; "" means all requests. What is declared
    // in a test is for that test; what is declared before the first test is for all tests.
    @SafeVarargs
    static void host(String name, String request, Consumer<Stub>... rules) {
        Stub stub = new Stub();
        stub.host = name;
        stub.request = request;
        for (Consumer<Stub> rule : rules) {
            rule.accept(stub);
        }
        assertTrue(!running || OPEN.containsKey(name), "no server plays " + name + ": the helpers are those of other tests");
        synchronized (LOCK) {
            (running ? stubs : PERMANENT).add(stub);
        }
    }

    // Fit says which values of an answer or of an outward call a test accepts.
    static class Fit {
        final String wanted;
        final Predicate<JsonNode> fits;

        Fit(String wanted, Predicate<JsonNode> fits) {
            this.wanted = wanted;
            this.fits = fits;
        }

        // check returns the differences of the value at a place, which may be missing.
        List<String> check(String place, JsonNode got) {
            if (got.isMissingNode()) {
                return List.of(place + ": want " + wanted + ", got nothing");
            }
            return fits.test(got) ? List.of() : List.of(place + ": want " + wanted + ", got " + shortened(got.toString()));
        }

        List<String> check(String place, List<String> values) {
            return check(place, values.isEmpty() ? MissingNode.getInstance() : TextNode.valueOf(String.join(", ", values)));
        }
    }

    static String shortened(String text) {
        return text.length() > 300 ? text.substring(0, 300) : text;
    }

    static String textOf(JsonNode value) {
        return value.isTextual() ? value.textValue() : value.toString();
    }

    // equalTo wants a value that equals a JSON value. The order of keys does not matter.
    static Fit equalTo(String text) {
        return new Fit(text, got -> decoded(text).equals(SAME, got));
    }

    static Fit exactly(String text) {
        return new Fit("\"" + text + "\"", got -> got.isTextual() && got.textValue().equals(text));
    }

    // sameAs wants the value of an earlier answer.
    static Fit sameAs(Value value) {
        return sameAs(value.text());
    }

    static Fit sameAs(String text) {
        return new Fit(text, got -> textOf(got).equals(text));
    }

    // endsIn wants a path or a URL whose last segment is the value of an earlier answer.
    static Fit endsIn(Value value) {
        return new Fit(".../" + value.path(), got -> {
            String path = textOf(got).split("\\?", 2)[0].replaceAll("/+$", "");
            return path.substring(path.lastIndexOf('/') + 1).equals(value.path());
        });
    }

    static Fit endsIn(String text) {
        return endsIn(new Value(TextNode.valueOf(text)));
    }

    static Fit present() {
        return new Fit("anything", got -> true);
    }

    // ofType wants a value of a JSON type. An integer is also a number.
    static Fit ofType(String name) {
        return new Fit("of type " + name, got -> typeOf(got).equals(name) || name.equals("number") && got.isNumber());
    }

    // spells wants a text that is the JSON of a value of a type, such as 17 in a query for an integer. For string, it
    // accepts any text.
    static Fit spells(String name) {
        return new Fit("of type " + name, got -> {
            JsonNode value = decoded(textOf(got));
            return name.equals("string") || !value.isMissingNode() && ofType(name).fits.test(value);
        });
    }

    // fitting wants a text that matches a regular expression as a whole.
    static Fit fitting(String pattern) {
        return new Fit("what matches " + pattern, got -> Pattern.compile(pattern).matcher(textOf(got)).matches());
    }

    static Fit near(double wanted, double within) {
        return new Fit(wanted + " +- " + within, got -> {
            try {
                return Math.abs(Double.parseDouble(textOf(got)) - wanted) <= within;
            } catch (NumberFormatException e) {
                return false;
            }
        });
    }

    // nearNow wants a time between the call under test and now, with a tolerance in seconds.
    static Fit nearNow(double within) {
        return new Fit("now +- " + within + " s", got -> {
            double at = timeOf(textOf(got));
            return at >= calledAtMillis / 1000.0 - within && at <= System.currentTimeMillis() / 1000.0 + within;
        });
    }

    static final Pattern TIME = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d)(\\.\\d+)? ?(Z|[+-]\\d\\d(?::?\\d\\d)?)?( [A-Z]+)?");

    // DATES are the layouts of times in words: RFC 1123, RFC 850 and ANSI C.
    static final List<DateTimeFormatter> DATES = Stream.of("EEE, d MMM yyyy HH:mm:ss", "EEEE, dd-MMM-yy HH:mm:ss", "EEE MMM d HH:mm:ss yyyy")
            .map(layout -> DateTimeFormatter.ofPattern(layout, Locale.ENGLISH)).collect(Collectors.toList());

    // timeInWords returns the seconds since 1970 of a time in words, NaN if the text is not such a time. A zone
    // without an offset counts as UTC.
    static double timeInWords(String text) {
        try {
            return OffsetDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond();
        } catch (DateTimeException e) {
            String local = text.replaceAll(" [A-Z]{3,5}\\b", "").replaceAll(" +", " ");
            for (DateTimeFormatter layout : DATES) {
                try {
                    return LocalDateTime.parse(local, layout).toEpochSecond(ZoneOffset.UTC);
                } catch (DateTimeException other) {
                    continue;
                }
            }
            return Double.NaN;
        }
    }

    // timeOf returns the seconds since 1970 of a time, NaN if the text is not a time.
    static double timeOf(String text) {
        Matcher found = TIME.matcher(text);
        try {
            if (found.matches()) {
                String zone = found.group(4) == null ? "Z" : found.group(4);
                double fraction = found.group(3) == null ? 0 : Double.parseDouble("0" + found.group(3));
                return OffsetDateTime.of(LocalDateTime.parse(found.group(1) + "T" + found.group(2)), ZoneOffset.of(zone)).toEpochSecond() + fraction;
            }
            double number = Double.parseDouble(text);
            while (number > 1e11 && !Double.isInfinite(number)) {
                number /= 1000;
            }
            return number;
        } catch (DateTimeException | NumberFormatException e) {
            return timeInWords(text);
        }
    }

    // but is an exception: the value at this JSON pointer has a Fit of its own.
    static Map.Entry<String, Fit> but(String pointer, Fit fit) {
        return Map.entry(pointer, fit);
    }

    // compare returns the differences between JSON values at a pointer. With contains, objects may have more members.
    static List<String> compare(String at, JsonNode wanted, JsonNode got, Map<String, Fit> fits, boolean contains) {
        if (fits.containsKey(at)) {
            return fits.get(at).check("body " + at, got);
        }
        Set<String> names = new LinkedHashSet<>();
        boolean objects = wanted.isObject() && got.isObject();
        if (objects) {
            wanted.fieldNames().forEachRemaining(names::add);
            got.fieldNames().forEachRemaining(names::add);
        } else if (wanted.isArray() && got.isArray()) {
            for (int i = 0; i < Math.max(wanted.size(), got.size()); i++) {
                names.add(String.valueOf(i));
            }
        } else if (wanted.equals(SAME, got)) {
            return List.of();
        } else {
            return List.of("body " + at + ": want " + shortened(wanted.toString()) + ", got " + shortened(got.toString()));
        }
        List<String> all = new ArrayList<>();
        for (String name : names) {
            String place = at + "/" + name.replace("~", "~0").replace("/", "~1");
            JsonNode inner = objects ? wanted.path(name) : wanted.path(Integer.parseInt(name));
            JsonNode value = objects ? got.path(name) : got.path(Integer.parseInt(name));
            if (value.isMissingNode()) {
                all.add("body " + place + ": want " + (fits.containsKey(place) ? fits.get(place).wanted : shortened(inner.toString())) + ", got nothing");
            } else if (!inner.isMissingNode() || fits.containsKey(place)) {
                all.addAll(compare(place, inner, value, fits, contains));
            } else if (!contains || !objects) {
                all.add("body " + place + ": want nothing, got " + shortened(value.toString()));
            }
        }
        return all;
    }

    static Map<String, Fit> byPointer(Map.Entry<String, Fit>[] exceptions) {
        Map<String, Fit> all = new HashMap<>();
        for (Map.Entry<String, Fit> one : exceptions) {
            all.put(one.getKey(), one.getValue());
        }
        return all;
    }

    static List<String> compareBody(byte[] body, String wanted, Map<String, Fit> exceptions, boolean contains) {
        JsonNode got = decoded(utf8(body));
        if (got.isMissingNode()) {
            return List.of("body: want " + shortened(wanted) + ", got " + shortened(utf8(body)));
        }
        return compare("", decoded(wanted), got, exceptions, contains);
    }

    static List<String> compareText(byte[] body, byte[] wanted) {
        String text = utf8(body);
        JsonNode value = decoded(text);
        if (Arrays.equals(body, wanted) || text.equals(utf8(wanted)) || value.isTextual() && value.textValue().equals(utf8(wanted))) {
            return List.of();
        }
        return List.of("body: want \"" + shortened(utf8(wanted)) + "\", got \"" + shortened(text) + "\"");
    }

    static List<String> compareAt(byte[] body, String pointer, Fit fit) {
        JsonNode value = decoded(utf8(body));
        return fit.check("body " + pointer, value.isMissingNode() && pointer.isEmpty() ? TextNode.valueOf(utf8(body)) : value.at(pointer));
    }

    // RecordedReply has the assertions of the output oracle, which compare an answer with the recorded answer.
    abstract static class RecordedReply {
        abstract Response answer();

        abstract String call();

        void differ(List<String> differences) {
            if (!differences.isEmpty()) {
                fail(call() + ": " + String.join("\n  ", differences));
            }
        }

        void wantHeader(String name, Fit fit) {
            differ(fit.check("header " + name, asUTF8(answer().headers().getValues(name))));
        }

        @SafeVarargs
        @SuppressWarnings("varargs")
        final void wantBody(String wanted, Map.Entry<String, Fit>... exceptions) {
            wantBody(wanted, byPointer(exceptions));
        }

        void wantBody(String wanted, Map<String, Fit> exceptions) {
            differ(compareBody(answer().asByteArray(), wanted, exceptions, false));
        }

        @SafeVarargs
        @SuppressWarnings("varargs")
        final void wantBody(byte[] wanted, Map.Entry<String, Fit>... exceptions) {
            wantBody(utf8(wanted), byPointer(exceptions));
        }

        void wantText(String wanted) {
            wantText(wanted.getBytes(StandardCharsets.UTF_8));
        }

        void wantText(byte[] wanted) {
            differ(compareText(answer().asByteArray(), wanted));
        }

        void wantAt(String pointer, Fit fit) {
            differ(compareAt(answer().asByteArray(), pointer, fit));
        }
    }

    // mimics begins a test of a recorded exchange: oo compares the answer, po the parameters of outward calls, co their order
    // and number.
    static void mimics(String... all) {
        synchronized (LOCK) {
            oracles = all;
        }
    }

    // earlierCalls waits for the outward calls that were recorded before the call under test.
    static void earlierCalls(int n) {
        for (long end = later(1); System.nanoTime() < end; pause(0.001)) {
            synchronized (LOCK) {
                if (calls.size() >= n) {
                    return;
                }
            }
        }
    }

    // backgroundCalls waits until all background stubs of this test have given their answers, but not longer than
    // some seconds.
    static void backgroundCalls(double seconds) {
        long began = System.nanoTime();
        for (long end = later(seconds); System.nanoTime() < end; pause(0.001)) {
            synchronized (LOCK) {
                if (stubs.stream().noneMatch(s -> s.background && (s.given < s.script.size() || s.answeredAt < began))) {
                    break;
                }
            }
        }
        pause(0.05); // the service uses the answers a moment later
    }

    // callUnderTest marks the next call as the call under test. n is the recorded number of its outward calls.
    static void callUnderTest(int n) {
        calledAt = System.nanoTime();
        calledAtMillis = System.currentTimeMillis();
        within = n;
    }

    // Param compares a part of an outward call with what the test wants.
    interface Param {
        List<String> differences(HostCall call, String operation);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    static Param inBody(String wanted, Map.Entry<String, Fit>... exceptions) {
        return inBody(wanted, byPointer(exceptions));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    static Param inBody(byte[] wanted, Map.Entry<String, Fit>... exceptions) {
        return inBody(utf8(wanted), byPointer(exceptions));
    }

    static Param inBody(String wanted, Map<String, Fit> exceptions) {
        return (call, operation) -> compareBody(call.body, wanted, exceptions, false);
    }

    static Param inText(String wanted) {
        return inText(wanted.getBytes(StandardCharsets.UTF_8));
    }

    static Param inText(byte[] wanted) {
        return (call, operation) -> compareText(call.body, wanted);
    }

    static Param inPlace(String pointer, Fit fit) {
        return (call, operation) -> compareAt(call.body, pointer, fit);
    }

    static Param inQuery(String name, Fit fit) {
        return (call, operation) -> fit.check("query " + name, call.query(name));
    }

    static Param inHeader(String name, Fit fit) {
        return (call, operation) -> fit.check("header " + name, call.header(name));
    }

    static Param inPath(String name, Fit fit) {
        return (call, operation) -> {
            List<String> names = new ArrayList<>();
            Matcher found = pathPattern(operation.substring(operation.indexOf('/')), names).matcher(call.path);
            if (!found.matches() || !names.contains(name)) {
                return fit.check("path " + name, List.of());
            }
            String value = found.group(names.indexOf(name) + 1).replace("+", "%2B");
            return fit.check("path " + name, List.of(URLDecoder.decode(value, StandardCharsets.UTF_8)));
        };
    }

    // to is an outward call to an operation of a host, such as "POST /charges/{id}"; "http" means any request.
    static List<List<String[]>> to(String name, String operation) {
        return List.of(List.<String[]>of(new String[] {name, operation}));
    }

    // times repeats outward calls.
    static List<List<String[]>> times(int n, List<List<String[]>> steps) {
        return Collections.nCopies(n, steps).stream().flatMap(List::stream).collect(Collectors.toList());
    }

    // anyOrder are outward calls that may come in any order.
    @SafeVarargs
    static List<List<String[]>> anyOrder(List<List<String[]>>... all) {
        List<String[]> one = new ArrayList<>();
        for (List<List<String[]>> steps : all) {
            steps.forEach(one::addAll);
        }
        return List.of(one);
    }

    static boolean callFits(String[] wanted, HostCall call) {
        return wanted[0].equals(call.host) && (!wanted[1].contains("/") || operationFits(wanted[1], call));
    }

    // wantAsked fails unless the call under test made at least one outward call to the operation that fits all
    // parameters.
    static void wantAsked(String name, String operation, Param... params) {
        String key = operation + " at " + name;
        int nth = Collections.frequency(asked, key);
        asked.add(key);
        List<List<String>> nearest = new ArrayList<>();
        await(() -> {
            nearest.clear();
            List<String> best = null;
            int i = 0;
            for (HostCall call : underTest()) {
                if (!callFits(new String[] {name, operation}, call)) {
                    continue;
                }
                List<String> differences = new ArrayList<>();
                for (Param param : params) {
                    differences.addAll(param.differences(call, operation));
                }
                if (best == null || differences.size() < best.size() || differences.size() == best.size() && i == nth) {
                    best = differences;
                }
                i++;
            }
            if (best != null) {
                nearest.add(best);
            }
            return best != null && best.isEmpty();
        });
        assertTrue(!nearest.isEmpty(), key + ": not called; the calls were " + underTest());
        assertTrue(nearest.get(0).isEmpty(), key + ": " + String.join("\n  ", nearest.get(0)));
    }

    // wantCalls fails unless the call under test made these outward calls, in this order and no others.
    @SafeVarargs
    static void wantCalls(List<List<String[]>>... all) {
        List<List<String[]>> wanted = new ArrayList<>();
        for (List<List<String[]>> steps : all) {
            wanted.addAll(steps);
        }
        await(() -> false);
        List<HostCall> made = withoutSurplus(wanted, underTest());
        List<HostCall> left = made;
        boolean good = true;
        for (List<String[]> step : wanted) {
            int n = Math.min(step.size(), left.size());
            good = good && paired(step, left.subList(0, n));
            left = left.subList(n, left.size());
        }
        if (!good || !left.isEmpty()) {
            List<String> steps = new ArrayList<>();
            wanted.forEach(step -> steps.add(step.stream().map(one -> one[1] + " at " + one[0]).collect(Collectors.joining(" and "))));
            fail("want the outward calls " + steps + ", got " + made);
        }
    }

    // withoutSurplus returns the calls that count: without those that may be background calls, unless the test wants
    // them.
    static List<HostCall> withoutSurplus(List<List<String[]>> wanted, List<HostCall> all) {
        List<HostCall> kept = new ArrayList<>();
        ArrayDeque<HostCall> left = new ArrayDeque<>(all);
        for (List<String[]> step : wanted) {
            for (int missing = step.size(); missing > 0 && !left.isEmpty();) {
                HostCall call = left.removeFirst();
                if (!call.mayBeNone || step.stream().anyMatch(one -> callFits(one, call))) {
                    kept.add(call);
                    missing--;
                }
            }
        }
        left.stream().filter(call -> !call.mayBeNone).forEach(kept::add);
        return kept;
    }

    // paired reports whether each wanted call of a step can be paired with an actual call of its own.
    static boolean paired(List<String[]> step, List<HostCall> some) {
        if (step.isEmpty()) {
            return true;
        }
        for (HostCall call : some) {
            List<HostCall> others = some.stream().filter(other -> other != call).collect(Collectors.toList());
            if (callFits(step.get(0), call) && paired(step.subList(1, step.size()), others)) {
                return true;
            }
        }
        return false;
    }

    // wantMatched fails if no stub of the test matched a request of the service to a host.
    static void wantMatched() {
        await(() -> underTest().size() >= within);
        synchronized (LOCK) {
            assertTrue(unmatched.isEmpty(), "no stub matches: " + String.join("\n  ", unmatched));
        }
    }
