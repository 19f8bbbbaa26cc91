
# USERS has, by the name of a user, the function that opens a session and returns the credentials of the session. SESSIONS
# has the credentials of the open sessions, and MADE the users who were created.
USERS, SESSIONS, MADE = {}, {}, set()


class Resets:
    """The state of resets: end says whether a reset ends sessions, fresh whether no user has sent a request since the last
    reset, and apart whether the test shares no session with other tests."""

    end, fresh, apart = False, False, False


def user(name, renews=True):
    """Send a request as a user. All tests share the session of the user. If the service refuses the session, it is renewed
    once."""

    def carry(request):
        old = name in SESSIONS
        if not old:
            SESSIONS[name] = USERS[name]()
        for option in SESSIONS[name]:
            option(request)
        request.answered = lambda status: answered(name, status, renews and old)

    return carry


def refusedUser(name):
    """Send a request as a user whom the service should refuse."""
    return user(name, renews=False)


def answered(name, status, renews):
    """Reports whether the service refused a session, so that the request must be sent again in a new session."""
    refused = status == 401 and renews
    if refused:
        SESSIONS.pop(name, None)
        Resets.end = Resets.end or Resets.fresh
    Resets.fresh = False
    return refused


def apart():
    """Share no session with other tests."""
    SESSIONS.clear()
    Resets.apart = True


def begin(reset):
    """Begin a test. The argument says whether the service has been reset."""
    if Resets.end or Resets.apart:
        SESSIONS.clear()
    Resets.fresh, Resets.apart = reset, False


def made(name, reply):
    """Fails unless a user was created, or exists already."""
    status = reply.answer.status_code
    if not (200 <= status <= 299 or status == 409 or name in MADE and 400 <= status <= 499):
        reply.fail(f"the user {name} is not made: answered {status} with body {reply.excerpt()}")
    MADE.add(name)


def query(text):
    """Add to the query; the text begins with ? or &."""
    return lambda request: setattr(request, "target", request.target + ("&" if "?" in request.target else "?") + text[1:])


def cookie(text):
    return lambda request: request.headers.__setitem__("Cookie", "; ".join(filter(None, [request.headers.get("Cookie"), text])))
