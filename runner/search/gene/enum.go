package gene

import (
	"math/rand/v2"
	"strings"
)

// Boolean is true or false.
type Boolean struct{ v bool }

// Sample draws one of the two.
func (g *Boolean) Sample(r *rand.Rand) { g.v = r.IntN(2) == 0 }

// MutateValue flips the value.
func (g *Boolean) MutateValue(*rand.Rand, Pace) bool {
	g.v = !g.v
	return true
}

// Clone returns a copy.
func (g *Boolean) Clone() Gene {
	c := *g
	return &c
}

// SetValue accepts a bool.
func (g *Boolean) SetValue(v any) bool {
	b, ok := v.(bool)
	if ok {
		g.v = b
	}
	return ok
}

// AppendJSON appends true or false.
func (g *Boolean) AppendJSON(dst []byte) []byte {
	if g.v {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

// Enum is one value of a fixed set. A constant is a set of one value.
type Enum struct {
	*literals // shared by all clones
	at        int
}

// literals are the distinct values of an Enum, at least one. There may be thousands.
type literals struct {
	values []literalValue
	places map[string]int // JSON of a value → its index in values
}

// literalValue is a value as JSON and as text.
type literalValue struct{ json, text string }

// newEnum returns the gene of those values that JSON can represent, nil if there are none.
func newEnum(values []any) *Enum {
	all := &literals{places: make(map[string]int, len(values))}
	for _, v := range values {
		all.add(v)
	}
	if len(all.values) == 0 {
		return nil
	}
	return &Enum{literals: all}
}

// add adds a value if it is new and JSON can represent it.
func (l *literals) add(v any) {
	json, err := compact(v)
	if _, known := l.places[json]; known || err != nil {
		return
	}
	text, isString := v.(string)
	if !isString {
		text = json
	}
	l.places[json] = len(l.values)
	l.values = append(l.values, literalValue{json, strings.ToValidUTF8(text, "\uFFFD")})
}

// Sample draws one of the values.
func (g *Enum) Sample(r *rand.Rand) { g.at = r.IntN(len(g.values)) }

// MutateValue draws another value.
func (g *Enum) MutateValue(r *rand.Rand, _ Pace) bool {
	n := len(g.values)
	if n < 2 {
		return false
	}
	g.at = (g.at + 1 + r.IntN(n-1)) % n
	return true
}

// Clone returns a copy.
func (g *Enum) Clone() Gene {
	c := *g
	return &c
}

// SetValue accepts one of the values.
func (g *Enum) SetValue(v any) bool {
	json, err := compact(v)
	if err != nil {
		return false
	}
	i, known := g.places[json]
	if known {
		g.at = i
	}
	return known
}

// AppendJSON appends the value.
func (g *Enum) AppendJSON(dst []byte) []byte { return append(dst, g.values[g.at].json...) }

func (g *Enum) appendText(dst []byte) []byte { return append(dst, g.values[g.at].text...) }
