// users has, by the name of a user, the function that opens a session and returns the credentials of the session.
// sessions has the credentials of the open sessions, and known the users who were created.
const users = new Map(), sessions = new Map(), known = new Set();

// resets is the state of resets: end says whether a reset ends sessions, fresh whether no user has sent a request
// since the last reset, and apart whether the test shares no session with other tests.
const resets = { end: false, fresh: false, apart: false };

// user sends a request as a user. All tests share the session of the user. If the service refuses the
// session, user renews it once.
const user = (name, renews = true) => (r) => {
  const old = sessions.has(name);
  if (!old) sessions.set(name, users.get(name)());
  for (const option of sessions.get(name)) option(r);
  r.answered = (status) => answered(name, status, renews && old);
};

// refusedUser sends a request as a user whom the service should refuse.
const refusedUser = (name) => user(name, false);

// answered reports whether the service refused a session, so that the request must be sent again in a new session.
function answered(name, status, renews) {
  const refused = status === 401 && renews;
  if (refused) {
    sessions.delete(name);
    resets.end = resets.end || resets.fresh;
  }
  resets.fresh = false;
  return refused;
}

// apart gives a test its own sessions.
function apart() {
  sessions.clear();
  resets.apart = true;
}

// begin begins a test. Its argument says whether the service has been reset.
function begin(reset) {
  if (resets.end || resets.apart) sessions.clear();
  Object.assign(resets, { fresh: reset, apart: false });
}

// made fails unless a user was created or exists already.
function made(name, reply) {
  const there = reply.status === 409 || (known.has(name) && reply.status >= 400 && reply.status <= 499);
  if ((reply.status < 200 || reply.status > 299) && !there) reply.fail(`the user ${name} is not made: answered ${reply.status} with body ${reply.excerpt()}`);
  known.add(name);
}

// query adds to the query; the text begins with ? or &.
const query = (text) => (r) => { r.target += (r.target.includes("?") ? "&" : "?") + text.slice(1); };
const cookie = (text) => (r) => { r.headers.Cookie = [r.headers.Cookie, text].filter(Boolean).join("; "); };
