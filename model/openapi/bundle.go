package openapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// bundle is a clean document (see mender): its operations, and the schemas to which the operations refer. Each
// operation has copies of all other shared objects that it uses.
type bundle struct {
	*mender
	base            string // the URL or path of the document
	root            *node  // the root as written in the file
	head            *node  // the document's own members in the clean tree
	ops             []*operation
	webhooks        []*operation                 // their paths are the names of the webhooks
	linkTargets     map[*node]model.ResponseLink // by the node of the link in the clean tree; a ResponseLink here has no name
	usedParts       int                          // number of parts that operations use; these are the first elements of mender.all
	defaultSecurity securityNeeds                // the security of operations that declare none
}

// operation is an operation of the document: its node in the file, its clean copy, and its security, which is
// converted without kin-openapi.
type operation struct {
	id       model.OpID
	path     string
	method   string // upper case
	at       *place
	source   *node
	clean    *node
	security securityNeeds
}

// newBundle makes the clean copy of a document. It returns an error if the document exceeds a limit or if the context
// is done.
func newBundle(m *mender, doc *document) (*bundle, error) {
	b := &bundle{mender: m, base: doc.base, root: doc.root}
	top := &place{doc: doc}
	b.head = m.plain(doc.root, m.document, top)
	b.defaultSecurity, _ = b.security(doc.root.get("security"), top.at("security"))
	b.paths(doc.root.get("paths"), top.at("paths"))
	b.readWebhooks(doc.root.get("webhooks"), top.at("webhooks"))
	b.listTagMembers(top)
	m.drain()
	b.usedParts = len(m.all)
	b.mendUnused(top)
	b.followLinks()
	for _, n := range m.docs.notes {
		at := &place{doc: n.doc}
		for _, t := range n.tokens {
			at = at.at(t)
		}
		m.add(at, &node{line: n.line}, "%s", n.text)
	}
	return b, m.err
}

// mendUnused cleans the shared objects that no operation uses. It drops the copies; its purpose is to list the
// problems of these objects.
func (b *bundle) mendUnused(top *place) {
	from, at := b.root, top
	if !b.isV2 {
		from, at = b.root.get("components"), top.at("components")
	}
	if from == nil || from.kind != isObject {
		return
	}
	for i, section := range from.keys {
		if r := b.shared[section]; r != nil {
			b.mendSection(from.kids[i], r, at.at(section))
		}
	}
	b.drain()
}

func (b *bundle) mendSection(n *node, r *rule, at *place) {
	if n.kind == isNull {
		return
	}
	if n.kind != isObject {
		b.add(at, n, "an object of named %ss belongs here, not %s; left out", r.name, n.what())
		return
	}
	for i, name := range n.keys {
		_, mended := b.done[shared{n.kids[i], r}]
		if b.parts[n.kids[i]] == nil && !mended {
			b.mend(n.kids[i], object(r), at.at(name))
		}
	}
}

// paths reads every path.
func (b *bundle) paths(paths *node, at *place) {
	if paths == nil || paths.kind == isNull {
		return
	}
	if paths.kind != isObject {
		b.add(at, paths, "an object of paths belongs here, not %s; left out", paths.what())
		return
	}
	seen := map[model.OpID]bool{}
	for i, path := range paths.keys {
		if !strings.HasPrefix(path, "x-") {
			for _, op := range b.pathItem(paths.kids[i], at.at(path), func(m method) *operation { return newOperation(path, m) }) {
				if seen[op.id] {
					b.add(op.at, op.source, "a second %q; left out", op.id)
					continue
				}
				seen[op.id] = true
				b.ops = append(b.ops, op)
			}
		}
	}
}

// pathItem reads the operations of a path item, in the order of methods that model.Spec demands. create returns the
// operation for a method, which pathItem cleans.
func (b *bundle) pathItem(item *node, at *place, create func(method) *operation) []*operation {
	defer b.setInShared(item.get("$ref") != nil)()
	item, at = b.itemAt(item, at)
	if item == nil || item.kind == isNull {
		return nil
	}
	if item.kind != isObject {
		b.add(at, item, "a path must be an object, not %s; left out", item.what())
		return nil
	}
	b.listUnknownMembers(item, at)
	inherited := b.inherited(item.get("parameters"), at.at("parameters"))
	var all []*operation
	for _, m := range b.methodsOf(item, at) {
		if op := create(m); b.cleanOperation(op, inherited) {
			all = append(all, op)
		}
	}
	return all
}

// method is a method of a path item, with its operation in the document.
type method struct {
	name   string
	source *node
	at     *place
}

// methodsOf returns the methods of a path item, in the order that model.Spec demands.
func (b *bundle) methodsOf(item *node, at *place) []method {
	var all []method
	for _, name := range b.methods {
		if source := item.get(name); source != nil {
			all = append(all, method{name, source, at.at(name)})
		}
	}
	others := item.get(otherMethods)
	if others == nil || others.kind == isNull || !b.anyMethod {
		return all
	}
	at = at.at(otherMethods)
	if others.kind != isObject {
		b.add(at, others, "an object of named operations belongs here, not %s; left out", others.what())
		return all
	}
	for i, name := range others.keys {
		switch source := others.kids[i]; {
		case strings.HasPrefix(name, "x-"):
		case slices.Contains(b.methods, strings.ToLower(name)):
			b.add(at.at(name), source, "%q belongs in the path itself, as %q; left out", short(name), strings.ToLower(name))
		case !model.IsMethod(name):
			b.add(at.at(name), source, "%q is no method that Sonde can call (A-Z, 0-9, -, _, but not CONNECT); left out", short(name))
		default:
			all = append(all, method{name, source, at.at(name)})
		}
	}
	return all
}

// otherMethods is the member of a path item that has the operations with other methods.
const otherMethods = "additionalOperations"

// inherited reads the parameters that a path declares for all its operations.
func (b *bundle) inherited(list *node, at *place) []param {
	defer b.setInShared(true)()
	return b.params(list, at)
}

// itemAt returns the path item and its place. If the item has a $ref, it returns the path item to which the $ref
// refers, or nil if the reference is broken.
func (b *bundle) itemAt(item *node, at *place) (*node, *place) {
	ref := item.get("$ref")
	if ref == nil {
		return item, at
	}
	for i, key := range item.keys {
		if key != "$ref" && !strings.HasPrefix(key, "x-") {
			b.add(at.at(key), item.kids[i], "%s beside a $ref; left out", b.itemMember(key))
		}
	}
	item, at, _ = b.follow(ref, at, nil)
	return item, at
}

// itemMember returns a description of a path item's member, for the text of a problem.
func (b *bundle) itemMember(key string) string {
	if slices.Contains(b.methods, key) {
		return "an operation"
	}
	return strconv.Quote(short(key))
}

func newOperation(path string, m method) *operation {
	id := operationID(path, m.name)
	name, path, _ := strings.Cut(string(id), " ")
	return &operation{id: id, path: path, method: name, at: m.at, source: m.source}
}

// line returns the line of the operation in the spec, or 0 if the operation is in another document.
func (op *operation) line() int {
	if !op.at.doc.main {
		return 0
	}
	return int(op.source.line)
}

// operationID returns the ID of an operation. A missing slash at the start of the path is
// added.
func operationID(path, method string) model.OpID {
	return model.OpID(strings.ToUpper(method) + " /" + strings.TrimPrefix(path, "/"))
}

// itemMembers are the members that a path item may have besides its methods.
var itemMembers = []string{"$ref", "summary", "description", "servers", "parameters"}

// isItemMember reports whether a path item may have a member.
func (b *bundle) isItemMember(key string) bool {
	return slices.Contains(b.methods, key) || slices.Contains(itemMembers, key) || b.anyMethod && key == otherMethods
}

// listUnknownMembers lists the unknown members of a path item as problems.
func (b *bundle) listUnknownMembers(item *node, at *place) {
	for i, key := range item.keys {
		if !strings.HasPrefix(key, "x-") && !b.isItemMember(key) {
			b.add(at.at(key), item.kids[i], "%q is no method of %s; left out", short(key), b.format)
		}
	}
}

// cleanOperation makes the clean copy of an operation, including the parameters of its path and the defaults of the
// document. It reports whether the operation can be used.
func (b *bundle) cleanOperation(op *operation, inherited []param) bool {
	if op.source.kind != isObject {
		b.add(op.at, op.source, "an operation must be an object, not %s; left out", op.source.what())
		return false
	}
	op.clean = b.plain(op.source, b.dialect.operation, op.at)
	params := override(inherited, b.params(op.source.get("parameters"), op.at.at("parameters")))
	if b.isV2 {
		params = b.normalize2(op, params)
	}
	op.clean.set("parameters", cleanList(params))
	op.clean.set("responses", b.responses(op.source.get("responses"), op.at.at("responses")))
	op.security = b.defaultSecurity
	if own, declared := b.security(op.source.get("security"), op.at.at("security")); declared {
		op.security = own
	}
	b.addWeight(op.clean)
	return b.err == nil
}

// addWeight adds the number of values in n to m.weight. A long text counts as several values. If there are too many
// values, addWeight sets m.err. Without this limit, a small document could become very large, because each operation
// has its own copies of shared objects.
func (m *mender) addWeight(n *node) {
	const perNode = 64 // bytes
	if m.err != nil {
		return
	}
	m.weight += 1 + len(n.text)/perNode
	for i, kid := range n.kids {
		if n.kind == isObject {
			m.weight += len(n.keys[i]) / perNode
		}
		if m.weight > m.docs.maxWeight() {
			m.err = &limitError{fmt.Sprintf("line %d: it is too large with all shared parts expanded", n.line)}
			return
		}
		m.addWeight(kid)
	}
}
