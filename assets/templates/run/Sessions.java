    // USERS has, by the name of a user, the function that opens a session and returns the credentials of the session.
    // SESSIONS has the credentials of the open sessions, and MADE the users who were created.
    static final Map<String, Supplier<List<Consumer<Request>>>> USERS = new HashMap<>();
    static final Map<String, List<Consumer<Request>>> SESSIONS = new HashMap<>();
    static final Set<String> MADE = new HashSet<>();

    // The state of resets: resetsEnd says whether a reset ends sessions, fresh whether no user has sent a request
    // since the last reset, and isApart whether the test shares no session with other tests.
    static boolean resetsEnd;
    static boolean fresh;
    static boolean isApart;

    // user sends a request as a user. All tests share the session of the user. If the service refuses
    // the session, user renews it once.
    static Consumer<Request> user(String name) {
        return user(name, true);
    }

    // refusedUser sends a request as a user whom the service should refuse.
    static Consumer<Request> refusedUser(String name) {
        return user(name, false);
    }

    static Consumer<Request> user(String name, boolean renews) {
        return request -> {
            boolean old = SESSIONS.containsKey(name);
            if (!old) {
                SESSIONS.put(name, USERS.get(name).get());
            }
            SESSIONS.get(name).forEach(option -> option.accept(request));
            request.refused = reply -> answered(name, reply, renews && old);
        };
    }

    // answered reports whether the service refused a session, so that the request must be sent again in a new
    // session.
    static boolean answered(String name, Reply reply, boolean renews) {
        boolean refused = reply.answer.statusCode() == 401 && renews;
        if (refused) {
            SESSIONS.remove(name);
            resetsEnd = resetsEnd || fresh;
        }
        fresh = false;
        return refused;
    }

    // apart gives a test its own sessions.
    static void apart() {
        SESSIONS.clear();
        isApart = true;
    }

    // begin begins a test. Its argument says whether the service has been reset.
    static void begin(boolean reset) {
        if (resetsEnd || isApart) {
            SESSIONS.clear();
        }
        fresh = reset;
        isApart = false;
    }

    // made fails unless a user was created or exists already.
    static void made(String name, Reply reply) {
        int status = reply.answer.statusCode();
        boolean there = status == 409 || MADE.contains(name) && status / 100 == 4;
        assertTrue(status / 100 == 2 || there, reply.call + ": the user " + name + " is not made: answered " + status + " with body " + reply.excerpt());
        MADE.add(name);
    }

    // query adds to the query; the text begins with ? or &.
    static Consumer<Request> query(String text) {
        return r -> r.query += (r.query.isEmpty() ? "" : "&") + text.substring(1);
    }

    static Consumer<Request> cookie(String text) {
        return r -> r.headers.merge("Cookie", text, (old, own) -> old + "; " + own);
    }
