package openapi

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// bundle is a clean document: its operations, each with all that it shares
// written in place, and the schemas that these refer to.
type bundle struct {
	*mender
	*dialect
	source  string
	root    *node // as it stands in the file
	head    *node // the document's own members, clean
	ops     []*operation
	used    int // parts that operations lead to; the others are unused
	secured bool
}

// operation is a clean operation with what kin-openapi is not asked about.
type operation struct {
	id      model.OpID
	path    string
	method  string // lower case
	at      *place
	source  *node
	clean   *node
	secured bool
	skipped bool
}

func newBundle(ctx context.Context, l *library, doc *document, d *dialect, o Options) (*bundle, error) {
	m := &mender{
		ctx: ctx, docs: l, rule: d.schema, beside: d.beside,
		parts: map[*node]*part{}, done: map[shared]*node{},
		nodes: o.MaxNodes, depth: o.MaxDepth, mostParts: o.MaxSchemas,
	}
	b := &bundle{mender: m, dialect: d, root: doc.root, source: doc.base}
	top := &place{doc: doc}
	b.head = m.plain(doc.root, headRule, top)
	b.secured, _ = b.security(doc.root.get("security"), top.at("security"))
	b.paths(doc.root.get("paths"), top.at("paths"))
	m.drain()
	b.used = len(m.all)
	b.unused(top)
	for _, n := range l.notes {
		at := &place{doc: n.doc}
		for _, t := range n.tokens {
			at = at.at(t)
		}
		m.problems = append(m.problems, problem{at, n.line, n.text})
	}
	return b, m.err
}

func (b *bundle) paths(paths *node, at *place) {
	if paths == nil || paths.kind == isNull {
		return
	}
	if paths.kind != isObject {
		b.complain(at, paths, "an object of paths belongs here, not %s; left out", paths.what())
		return
	}
	seen := map[model.OpID]bool{}
	for i, path := range paths.keys {
		if !strings.HasPrefix(path, "x-") {
			b.pathItem(path, paths.kids[i], at.at(path), seen)
		}
	}
}

// pathItem reads the operations of one path.
func (b *bundle) pathItem(path string, item *node, at *place, seen map[model.OpID]bool) {
	if ref := item.get("$ref"); ref != nil {
		var ok bool
		if item, at, ok = b.follow(ref, at); !ok {
			return
		}
	}
	if item.kind != isObject {
		if item.kind != isNull {
			b.complain(at, item, "a path must be an object, not %s; left out", item.what())
		}
		return
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	shared := b.params(item.get("parameters"), at.at("parameters"))
	b.strangers(item, at)
	for _, method := range b.methods {
		source := item.get(method)
		if source == nil {
			continue
		}
		op := &operation{id: model.OpID(strings.ToUpper(method) + " " + path), path: path, method: method, at: at.at(method), source: source}
		if seen[op.id] {
			b.complain(op.at, source, "a second %s; left out", op.id)
			continue
		}
		if b.operate(op, shared) {
			seen[op.id] = true
			b.ops = append(b.ops, op)
		}
	}
}

var itemMembers = []string{"$ref", "summary", "description", "servers", "parameters"}

// strangers lists what stands in a path and is no method.
func (b *bundle) strangers(item *node, at *place) {
	for i, key := range item.keys {
		if !strings.HasPrefix(key, "x-") && !slices.Contains(b.methods, key) && !slices.Contains(itemMembers, key) {
			b.complain(at.at(key), item.kids[i], "%q is no method of %s; left out", short(key), b.format)
		}
	}
}

// operate cleans an operation and what it shares with its path.
func (b *bundle) operate(op *operation, inherited []*node) bool {
	if op.source.kind != isObject {
		b.complain(op.at, op.source, "an operation must be an object, not %s; left out", op.source.what())
		return false
	}
	op.clean = b.plain(op.source, b.dialect.operation, op.at)
	own := b.params(op.source.get("parameters"), op.at.at("parameters"))
	params := override(inherited, own)
	if b.two {
		params = b.finish2(op, params)
	}
	op.clean.set("parameters", &node{kind: isList, kids: params})
	op.clean.set("responses", b.responses(op.source.get("responses"), op.at.at("responses")))
	op.secured = b.secured
	if secured, own := b.security(op.source.get("security"), op.at.at("security")); own {
		op.secured = secured
	}
	return b.err == nil
}

// params reads a list of parameters, each name and place once.
func (b *bundle) params(list *node, at *place) []*node {
	if list == nil || list.kind == isNull {
		return nil
	}
	if list.kind != isList {
		b.complain(at, list, "a list of parameters belongs here, not %s; left out", list.what())
		return nil
	}
	var params []*node
	for i, p := range list.kids {
		clean := b.mend(p, object(b.param), at.nth(i))
		if clean == nil {
			continue
		}
		if slices.ContainsFunc(params, func(q *node) bool { return sameParam(q, clean) }) {
			b.complain(at.nth(i), p, "a second parameter %q in the %s; left out", short(clean.str("name")), clean.str("in"))
			continue
		}
		params = append(params, clean)
	}
	return params
}

func sameParam(p, q *node) bool { return p.str("name") == q.str("name") && p.str("in") == q.str("in") }

// override returns the path's parameters that the operation does not have, and
// the operation's own.
func override(inherited, own []*node) []*node {
	var all []*node
	for _, p := range inherited {
		if !slices.ContainsFunc(own, func(q *node) bool { return sameParam(p, q) }) {
			all = append(all, p)
		}
	}
	return append(all, own...)
}

// checkParam returns a check that a parameter has a name and one of the places.
func checkParam(places ...string) func(*node) string {
	return func(p *node) string {
		switch {
		case p.get("name") == nil:
			return "a parameter without a name"
		case p.get("in") == nil:
			return fmt.Sprintf("the parameter %q says not where it belongs", short(p.str("name")))
		case !slices.Contains(places, p.str("in")):
			return fmt.Sprintf("the parameter %q stands in %q, which is none of %s",
				short(p.str("name")), short(p.str("in")), strings.Join(places, ", "))
		default:
			return ""
		}
	}
}

var statusKey = regexp.MustCompile(`^([1-5]([0-9]{2}|XX)|default)$`)

// responses reads the declared answers.
func (b *bundle) responses(list *node, at *place) *node {
	clean := objectNode(0)
	if list == nil || list.kind == isNull {
		return clean
	}
	if list.kind != isObject {
		b.complain(at, list, "an object of responses belongs here, not %s; left out", list.what())
		return clean
	}
	for i, key := range list.keys {
		if strings.HasPrefix(key, "x-") {
			continue
		}
		status := strings.Replace(key, "xx", "XX", 1)
		if !statusKey.MatchString(status) {
			b.complain(at.at(key), list.kids[i], "%q is no status of a response; left out", short(key))
			continue
		}
		resp := b.mend(list.kids[i], object(b.dialect.response), at.at(key))
		if resp == nil && list.kids[i].kind == isNull {
			resp = objectNode(list.kids[i].line)
		}
		if resp != nil {
			clean.set(status, resp)
		}
	}
	return clean
}

// security tells whether credentials are asked for, and whether the document
// speaks of it here at all. An empty alternative lets everybody in.
func (b *bundle) security(list *node, at *place) (secured, own bool) {
	if list == nil || list.kind == isNull {
		return false, false
	}
	if list.kind != isList {
		b.complain(at, list, "a list of security requirements belongs here, not %s; left out", list.what())
		return false, false
	}
	for _, alternative := range list.kids {
		if alternative.kind == isObject && len(alternative.keys) == 0 {
			return false, true
		}
	}
	return len(list.kids) > 0, true
}

// unused mends what no operation leads to, for the problems in it.
func (b *bundle) unused(top *place) {
	from, at := b.root, top
	sections := map[string]*rule{"definitions": b.schema, "parameters": b.param, "responses": b.response}
	if !b.two {
		from, at = b.root.get("components"), top.at("components")
		sections = map[string]*rule{
			"schemas": b.schema, "parameters": b.param, "responses": b.response,
			"requestBodies": body3, "headers": header3,
		}
	}
	if from == nil || from.kind != isObject {
		return
	}
	for i, section := range from.keys {
		if r := sections[section]; r != nil {
			b.section(from.kids[i], r, at.at(section))
		}
	}
	b.drain()
}

func (b *bundle) section(n *node, r *rule, at *place) {
	if n.kind != isObject {
		if n.kind != isNull {
			b.complain(at, n, "an object of named %ss belongs here, not %s; left out", r.name, n.what())
		}
		return
	}
	for i, name := range n.keys {
		_, mended := b.done[shared{n.kids[i], r}]
		if b.parts[n.kids[i]] == nil && !mended {
			b.mend(n.kids[i], object(r), at.at(name))
		}
	}
}
