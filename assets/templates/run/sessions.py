
# USERS open the sessions of users: they return what requests carry then. SESSIONS are those that
# are open, and MADE the users who were made.
USERS, SESSIONS, MADE = {}, {}, set()


class Resets:
    """What is known of resets: whether they end sessions, and no request of a user came since."""

    end, fresh, apart = False, False, False


def user(name, renews=True):
    """Send a request as a user, whose session is for all tests, and renewed once where it is refused."""

    def carry(request):
        old = name in SESSIONS
        if not old:
            SESSIONS[name] = USERS[name]()
        for option in SESSIONS[name]:
            option(request)
        request.answered = lambda status: answered(name, status, renews and old)

    return carry


def refusedUser(name):
    """Send a request as a user who is meant to be refused."""
    return user(name, renews=False)


def answered(name, status, renews):
    """Reports whether a session was refused, and the request is to be sent in a new one."""
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
    """Begin a test, whose service was reset or not."""
    if Resets.end or Resets.apart:
        SESSIONS.clear()
    Resets.fresh, Resets.apart = reset, False


def made(name, reply):
    """Fails unless a user was made, or is there already."""
    status = reply.answer.status_code
    if not (200 <= status <= 299 or status == 409 or name in MADE and 400 <= status <= 499):
        reply.fail(f"the user {name} is not made: answered {status} with body {reply.came()}")
    MADE.add(name)


def query(text):
    """Add to the query; the text begins with ? or &."""
    return lambda request: setattr(request, "target", request.target + ("&" if "?" in request.target else "?") + text[1:])


def cookie(text):
    return lambda request: request.headers.__setitem__("Cookie", "; ".join(filter(None, [request.headers.get("Cookie"), text])))
