// Package pool keeps values from answers, so that later calls can use them: the id of a product in an
// answer can be sent wherever an operation takes the id of a product. Package match decides which names
// mean the same value. Credentials are not kept. A value that one call of a test passes to another does
// not come from a pool; see model.Link.
package pool

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/answer"
	"sonde/model/match"
	"sonde/model/pointer"
)

// Bounds of what is kept and read.
const (
	maxValues = 16  // values of one kind; a further value replaces the oldest
	maxItems  = 4   // items of a list
	longest   = 256 // bytes of a text or a number
)

// Pool holds the values of one run. Two values are of the same kind if their names mean the same according to package
// match, such as productId and the id of a product. A Pool must be used by one goroutine at a time.
type Pool struct {
	ops     map[model.OpID]*model.Operation
	urls    *answer.URLs
	inputs  map[model.OpID][]Input
	outputs map[model.OpID][]output
	values  []shelf // index: kind of the values
}

// Input is a parameter of an operation, or a field of its JSON body. Inputs with the same kind take the same values;
// kind is an index of Pool.values.
type Input struct {
	In   model.Location
	Name string // name of the parameter
	// Path is the place of the value in a JSON body.
	Path []string
	kind int
}

// output is a place in the answers of an operation whose value is added to the values of a kind.
type output struct {
	path  []string
	kind  int
	inURL bool // the value is a part of the URL at path
	isKey bool // the value is the key of a member of an object; the last token of path is "*"
}

// shelf holds the values of one kind. isDeclared is true if the spec declares the value in some answer. next is the
// index of the oldest value once the shelf is full.
type shelf struct {
	isDeclared bool
	values     []any
	next       int
}

// New returns an empty pool for an API. m decides which names mean the same value. The pool has a kind for each value
// that some operation takes, even if no answer in the spec declares it: a URL in an answer may have the value.
func New(spec *model.Spec, m *match.Matcher) *Pool {
	kinds := map[string]int{}
	for _, op := range spec.Operations {
		for _, u := range m.UsesOf(op) {
			if _, has := kinds[u.ID]; !has && !u.Out {
				kinds[u.ID] = len(kinds)
			}
		}
	}
	p := &Pool{
		ops: map[model.OpID]*model.Operation{}, urls: answer.NewURLs(spec),
		inputs: map[model.OpID][]Input{}, outputs: map[model.OpID][]output{}, values: make([]shelf, len(kinds)),
	}
	for _, op := range spec.Operations {
		p.ops[op.ID] = op
		for _, u := range m.UsesOf(op) {
			if kind, ok := kinds[u.ID]; ok && (u.Kind == match.KindCursor || !IsSecretName(u.Name)) {
				p.add(op, u, kind)
			}
		}
	}
	return p
}

func (p *Pool) add(op *model.Operation, u match.ValueUse, kind int) {
	switch {
	case !u.Out:
		p.inputs[op.ID] = append(p.inputs[op.ID], Input{In: u.In, Name: u.Name, Path: pointer.Tokens(u.Pointer), kind: kind})
	case u.In == model.InResponse && u.Pointer != "":
		p.values[kind].isDeclared = true
		p.outputs[op.ID] = append(p.outputs[op.ID], output{pointer.Tokens(u.Pointer), kind, u.InURL, u.IsKey})
	}
}

// IsSecretName reports whether values with this name are credentials. A pool does not keep credentials.
func IsSecretName(name string) bool {
	lower := strings.ToLower(name)
	return match.IsCredentialName(name) || slices.ContainsFunc([]string{
		"password", "passwd", "passphrase", "secret", "credential", "session", "cookie", "otp",
	}, func(word string) bool {
		return strings.Contains(lower, word)
	})
}

// Observe keeps the values in an operation's successful answer. Other answers are ignored.
func (p *Pool) Observe(op model.OpID, reply model.Reply) {
	if reply.Status/100 != 2 {
		return
	}
	p.keepURLValues(p.urls.InHeaders(reply.Header))
	outputs := p.outputs[op]
	if len(outputs) == 0 {
		return
	}
	body, ok := answer.Read(p.ops[op], reply)
	if !ok {
		return
	}
	for _, o := range outputs {
		p.collect(o, body.Value, o.path)
	}
}

// collect keeps the value at a path of v. The path token 0 leads to the first few items of a list.
func (p *Pool) collect(o output, v any, path []string) {
	switch in := v.(type) {
	case []any:
		if len(path) > 0 && path[0] == "0" {
			for _, item := range in[:min(len(in), maxItems)] {
				p.collect(o, item, path[1:])
			}
		}
	case map[string]any:
		if o.isKey && len(path) == 1 {
			for _, key := range slices.Sorted(maps.Keys(in))[:min(len(in), maxItems)] {
				p.values[o.kind].keep(key)
			}
		} else if len(path) > 0 {
			p.collect(o, in[path[0]], path[1:])
		}
	case string, json.Number, bool:
		if text, isText := v.(string); len(path) == 0 && o.inURL && isText {
			p.keepURLValues(p.urls.InText(text))
		} else if len(path) == 0 {
			p.values[o.kind].keep(v)
		}
	}
}

// keepURLValues keeps the values that URLs in an answer have for parameters of operations.
func (p *Pool) keepURLValues(all []answer.URLValue) {
	for _, v := range all {
		for _, in := range p.inputs[v.Op.ID] {
			if in.In == v.In && in.Name == v.Name && len(in.Path) == 0 {
				p.values[in.kind].keep(v.Value)
			}
		}
	}
}

// keep adds a value to a shelf, unless the value is empty, too long or known.
func (s *shelf) keep(v any) {
	text, isText := v.(string)
	number, _ := v.(json.Number)
	switch {
	case isText && text == "", len(text) > longest, len(number) > longest, slices.Contains(s.values, v):
	case len(s.values) < maxValues:
		s.values = append(s.values, v)
	default:
		s.values[s.next] = v
		s.next = (s.next + 1) % maxValues
	}
}

// Inputs returns the inputs of an operation for which the pool has values.
func (p *Pool) Inputs(op model.OpID) []Input {
	var some []Input
	for _, in := range p.inputs[op] {
		if len(p.values[in.kind].values) > 0 {
			some = append(some, in)
		}
	}
	return some
}

// IsUndeclared reports whether no answer in the spec declares the value of an input. Such a value occurs only in URLs
// of answers, as a cursor does in the link to the next page.
func (p *Pool) IsUndeclared(in Input) bool { return !p.values[in.kind].isDeclared }

// Newest returns the values for an input that Inputs returned, the newest first, as encoding/json decodes them with
// UseNumber.
func (p *Pool) Newest(in Input) []any {
	s := p.values[in.kind]
	newest := slices.Concat(s.values[s.next:], s.values[:s.next])
	slices.Reverse(newest)
	return newest
}

// Draw returns a random value for an input that Inputs returned, as encoding/json decodes it with
// UseNumber.
func (p *Pool) Draw(r *rand.Rand, in Input) any {
	values := p.values[in.kind].values
	return values[r.IntN(len(values))]
}
