// A help desk: projects have tickets, tickets have comments and watchers.
//
// The service conforms to openapi.yaml, except for three planted bugs, which
// README.md lists. Run it with: node service.js --port 8000
'use strict';

const {randomUUID} = require('node:crypto');
const path = require('node:path');
const express = require('express');

const passwords = {alice: 'tea-pot', bob: 'coffee-mug'};
const tokens = new Map(); // names of users by token; a reset keeps the tokens
const states = ['open', 'waiting', 'closed'];
let projects, tickets;

function clear() {
  projects = new Map();
  tickets = new Map();
}

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// check throws an error with status 400 unless a body is an object with only these
// members, and the test of each member returns true. A name with a final ? is optional.
function check(body, members) {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw new Refusal(400, 'the body must be an object');
  const known = Object.keys(members).map((name) => name.replace('?', ''));
  for (const name of Object.keys(body)) {
    if (!known.includes(name)) throw new Refusal(400, `unknown member ${name}`);
  }
  for (const [key, test] of Object.entries(members)) {
    const name = key.replace('?', '');
    if (!Object.hasOwn(body, name)) {
      if (!key.endsWith('?')) throw new Refusal(400, `${name} is missing`);
    } else if (!test(body[name])) {
      throw new Refusal(400, `${name} is not as it should be`);
    }
  }
}

const text = (min, max) => (v) => typeof v === 'string' && [...v].length >= min && [...v].length <= max;
const whole = (min, max) => (v) => Number.isInteger(v) && v >= min && v <= max;
const oneOf = (all) => (v) => all.includes(v);
const user = oneOf(Object.keys(passwords));

function find(things, id, what) {
  const thing = things.get(id);
  if (!thing) throw new Refusal(404, `there is no ${what} ${id}`);
  return thing;
}

const app = express();
app.disable('x-powered-by');
app.use(express.json());

app.get('/openapi.yaml', (req, res) => res.sendFile(path.join(__dirname, 'openapi.yaml')));

app.post('/__reset', (req, res) => {
  clear();
  res.status(204).end();
});

app.post('/login', (req, res) => {
  check(req.body, {user: text(1, 40), password: text(1, 40)});
  if (!Object.hasOwn(passwords, req.body.user) || passwords[req.body.user] !== req.body.password) throw new Refusal(403, 'wrong user or password');
  const token = randomUUID();
  tokens.set(token, req.body.user);
  res.json({refreshToken: randomUUID(), sessionToken: token});
});

app.use((req, res, next) => {
  req.user = tokens.get(req.get('X-Session-Token'));
  if (!req.user) throw new Refusal(401, 'log in first');
  next();
});

app.post('/projects', (req, res) => {
  check(req.body, {name: text(1, 60), limit: whole(1, 20)});
  const project = {id: randomUUID(), name: req.body.name, limit: req.body.limit, owner: req.user};
  projects.set(project.id, project);
  res.status(201).location(`/projects/${project.id}`).json(project);
});

app.get('/projects', (req, res) => res.json([...projects.values()].filter((p) => p.owner === req.user)));

app.get('/projects/:project', (req, res) => {
  const project = find(projects, req.params.project, 'project');
  // Planted bug 1: the code does not check that the user owns the project.
  res.json(project);
});

app.delete('/projects/:project', (req, res) => {
  const project = find(projects, req.params.project, 'project');
  if (project.owner !== req.user) throw new Refusal(403, 'this is not your project');
  if ([...tickets.values()].some((t) => t.project === project.id)) throw new Refusal(409, 'the project has tickets');
  projects.delete(project.id);
  res.status(204).end();
});

app.post('/projects/:project/tickets', (req, res) => {
  const project = find(projects, req.params.project, 'project');
  if (project.owner !== req.user) throw new Refusal(403, 'this is not your project');
  check(req.body, {subject: text(1, 100), 'priority?': whole(1, 5)});
  if ([...tickets.values()].filter((t) => t.project === project.id).length >= project.limit) throw new Refusal(409, 'the project is full');
  const ticket = {
    id: randomUUID(), project: project.id, subject: req.body.subject, priority: req.body.priority ?? 3, state: 'open', assignee: null, comments: [],
  };
  tickets.set(ticket.id, ticket);
  res.status(201).location(`/tickets/${ticket.id}`).json(shown(ticket));
});

function shown({comments, ...ticket}) {
  return {...ticket, comments: comments.length};
}

function ownTicket(req) {
  const ticket = find(tickets, req.params.ticket, 'ticket');
  if (projects.get(ticket.project).owner !== req.user) throw new Refusal(403, 'this is not your ticket');
  return ticket;
}

app.get('/tickets/:ticket', (req, res) => res.json(shown(ownTicket(req))));

app.patch('/tickets/:ticket', (req, res) => {
  const ticket = ownTicket(req);
  check(req.body, {'state?': oneOf(states), 'priority?': whole(1, 5), 'assignee?': user});
  // Planted bug 2: tickets have no history. Opening a closed ticket again, which
  // extends the history, throws an error.
  if (ticket.state === 'closed' && req.body.state === 'open') ticket.history.push('opened again');
  Object.assign(ticket, req.body);
  res.json(shown(ticket));
});

app.delete('/tickets/:ticket', (req, res) => {
  tickets.delete(ownTicket(req).id);
  res.status(204).end();
});

app.post('/tickets/:ticket/comments', (req, res) => {
  const ticket = ownTicket(req);
  check(req.body, {text: text(1, 400)});
  // Planted bug 3: for the eleventh comment, and for a comment on a closed ticket,
  // the connection is closed without an answer.
  if (ticket.state === 'closed' || ticket.comments.length >= 10) return req.socket.destroy();
  const comment = {id: ticket.comments.length + 1, author: req.user, text: req.body.text};
  ticket.comments.push(comment);
  res.status(201).json(comment);
});

app.get('/tickets/:ticket/comments', (req, res) => res.json(ownTicket(req).comments));

app.use((req) => {
  throw new Refusal(404, 'there is no such place');
});

app.use((err, req, res, next) => {
  res.status(err.status ?? 500).json({error: err.status ? err.message : 'internal error: ' + err.message});
});

clear();
const at = process.argv.indexOf('--port');
const server = app.listen(at < 0 ? 8000 : Number(process.argv[at + 1]), '127.0.0.1');
server.keepAliveTimeout = 20; // ms: short, as behind many load balancers
