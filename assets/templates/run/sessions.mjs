// users open the sessions of users: they return what requests carry then. sessions are those that
// are open, and known the users who were made.
const users = new Map(), sessions = new Map(), known = new Set();

// resets is what is known of them: whether they end sessions, no request of a user came since, and
// the test shares no session.
const resets = { end: false, fresh: false, apart: false };

// user sends a request as a user, whose session is for all tests, and renewed once where it is
// refused.
const user = (name, renews = true) => async (r) => {
  const old = sessions.has(name);
  if (!old) sessions.set(name, await users.get(name)());
  for (const option of sessions.get(name)) option(r);
  r.answered = (status) => answered(name, status, renews && old);
};

// refusedUser sends a request as a user who is meant to be refused.
const refusedUser = (name) => user(name, false);

// answered reports whether a session was refused, and the request is to be sent in a new one.
function answered(name, status, renews) {
  const refused = status === 401 && renews;
  if (refused) {
    sessions.delete(name);
    resets.end = resets.end || resets.fresh;
  }
  resets.fresh = false;
  return refused;
}

// apart has a test share no session with others.
function apart() {
  sessions.clear();
  resets.apart = true;
}

// begin begins a test, whose service was reset or not.
function begin(reset) {
  if (resets.end || resets.apart) sessions.clear();
  Object.assign(resets, { fresh: reset, apart: false });
}

// made fails unless a user was made, or is there already.
function made(name, reply) {
  const there = reply.status === 409 || (known.has(name) && reply.status >= 400 && reply.status <= 499);
  if ((reply.status < 200 || reply.status > 299) && !there) reply.fail(`the user ${name} is not made: answered ${reply.status} with body ${reply.came()}`);
  known.add(name);
}

// query adds to the query; the text begins with ? or &.
const query = (text) => (r) => { r.target += (r.target.includes("?") ? "&" : "?") + text.slice(1); };
const cookie = (text) => (r) => { r.headers.Cookie = [r.headers.Cookie, text].filter(Boolean).join("; "); };
