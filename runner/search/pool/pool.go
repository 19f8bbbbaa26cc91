// Package pool keeps values that the service told in earlier answers, so that
// later calls can take them: what an answer calls the id of a product may go
// wherever a product's id is asked for. What is the same value says the
// matcher that the analysis uses. It holds no credentials.
package pool

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
)

// The most that is kept and read.
const (
	mostValues = 16  // of one kind; the oldest goes
	mostItems  = 4   // of a list
	longest    = 256 // bytes of a text or a number
)

// Pool is the values of one run. It is for one goroutine.
type Pool struct {
	inputs  map[model.OpID][]Input
	outputs map[model.OpID][]output
	values  []shelf // by kind
}

// Input is a place in a call where values of a kind belong.
type Input struct {
	In   model.Location
	Name string // the parameter's
	// Path is where the value stands in the body.
	Path []string
	kind int
}

// output is a place in the answers of an operation.
type output struct {
	path []string
	kind int
}

// shelf is the values of one kind, the oldest at next once it is full.
type shelf struct {
	values []any
	next   int
}

// New returns an empty pool for an API. Its kinds are the values that some
// operation tells and some takes.
func New(spec *model.Spec) *Pool {
	m := match.New(spec.Operations, match.DefaultMode)
	t := m.Table(spec.Operations)
	kinds := map[string]int{}
	for i, both := range t.Exchanged() {
		if both {
			kinds[t.Names[i]] = len(kinds)
		}
	}
	p := &Pool{inputs: map[model.OpID][]Input{}, outputs: map[model.OpID][]output{}, values: make([]shelf, len(kinds))}
	for _, op := range spec.Operations {
		for _, u := range m.Uses(op) {
			if kind, ok := kinds[u.ID]; ok && !secret(u.Name) {
				p.add(op, u, kind)
			}
		}
	}
	return p
}

func (p *Pool) add(op *model.Operation, u match.Use, kind int) {
	switch {
	case !u.Out:
		p.inputs[op.ID] = append(p.inputs[op.ID], Input{In: u.In, Name: u.Name, Path: tokens(u.Pointer), kind: kind})
	case u.In == model.InResponse && u.Pointer != "":
		p.outputs[op.ID] = append(p.outputs[op.ID], output{tokens(u.Pointer), kind})
	}
}

func tokens(at string) []string {
	if at == "" {
		return nil
	}
	parts := strings.Split(at[1:], "/")
	for i, part := range parts {
		parts[i] = pointer.Unescape(part)
	}
	return parts
}

// secret reports whether a value of that name lets somebody in.
func secret(name string) bool {
	lower := strings.ToLower(name)
	return match.IsCredentialName(name) || slices.ContainsFunc([]string{
		"password", "passwd", "passphrase", "secret", "credential", "session", "cookie", "otp",
	}, func(word string) bool {
		return strings.Contains(lower, word)
	})
}

// Observe takes the values out of an operation's answer that says that all is well.
func (p *Pool) Observe(op model.OpID, reply model.Reply) {
	outputs := p.outputs[op]
	if len(outputs) == 0 || reply.Status/100 != 2 || len(reply.Body) == 0 {
		return
	}
	d := json.NewDecoder(bytes.NewReader(reply.Body))
	d.UseNumber()
	var body any
	if d.Decode(&body) != nil {
		return
	}
	for _, o := range outputs {
		p.collect(o.kind, body, o.path)
	}
}

// collect keeps what stands at a path, of a list the first few items.
func (p *Pool) collect(kind int, v any, path []string) {
	switch in := v.(type) {
	case []any:
		if len(path) > 0 && path[0] == "0" {
			for _, item := range in[:min(len(in), mostItems)] {
				p.collect(kind, item, path[1:])
			}
		}
	case map[string]any:
		if len(path) > 0 {
			p.collect(kind, in[path[0]], path[1:])
		}
	case string, json.Number, bool:
		if len(path) == 0 {
			p.values[kind].keep(v)
		}
	}
}

func (s *shelf) keep(v any) {
	text, isText := v.(string)
	number, _ := v.(json.Number)
	switch {
	case isText && text == "", len(text) > longest, len(number) > longest, slices.Contains(s.values, v):
	case len(s.values) < mostValues:
		s.values = append(s.values, v)
	default:
		s.values[s.next] = v
		s.next = (s.next + 1) % mostValues
	}
}

// Inputs returns the places of an operation for which there are values now.
func (p *Pool) Inputs(op model.OpID) []Input {
	var some []Input
	for _, in := range p.inputs[op] {
		if len(p.values[in.kind].values) > 0 {
			some = append(some, in)
		}
	}
	return some
}

// Draw returns one of the values for a place that Inputs returned, as
// encoding/json decodes it with numbers as they are written.
func (p *Pool) Draw(r *rand.Rand, in Input) any {
	values := p.values[in.kind].values
	return values[r.IntN(len(values))]
}
