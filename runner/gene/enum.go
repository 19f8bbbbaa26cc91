package gene

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Boolean is true or false.
type Boolean struct{ v bool }

// Sample draws one of the two.
func (g *Boolean) Sample(r *rand.Rand) { g.v = r.IntN(2) == 0 }

// Mutate flips the value.
func (g *Boolean) Mutate(*rand.Rand, Pace) bool {
	g.v = !g.v
	return true
}

// Clone returns a copy.
func (g *Boolean) Clone() Gene {
	c := *g
	return &c
}

// Set takes a bool.
func (g *Boolean) Set(v any) bool {
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

// Enum is one value of a fixed set. A constant is a set of one.
type Enum struct {
	values []literalValue // distinct, at least one; shared by all clones
	at     int
}

// literalValue is a value as JSON and as text.
type literalValue struct{ json, text string }

// newEnum returns the gene of the values that JSON can write, or nil of none.
func newEnum(values []any) *Enum {
	g := &Enum{}
	for _, v := range values {
		json, err := compact(v)
		if err != nil || g.index(json) >= 0 {
			continue
		}
		text, isString := v.(string)
		if !isString {
			text = json
		}
		text = strings.ToValidUTF8(text, "\uFFFD")
		g.values = append(g.values, literalValue{json, text})
	}
	if len(g.values) == 0 {
		return nil
	}
	return g
}

// index returns the place of a value in the set, or -1.
func (g *Enum) index(json string) int {
	return slices.IndexFunc(g.values, func(v literalValue) bool { return v.json == json })
}

// Sample draws one of the values.
func (g *Enum) Sample(r *rand.Rand) { g.at = r.IntN(len(g.values)) }

// Mutate changes to another value.
func (g *Enum) Mutate(r *rand.Rand, _ Pace) bool {
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

// Set takes one of the values.
func (g *Enum) Set(v any) bool {
	json, err := compact(v)
	if err != nil {
		return false
	}
	i := g.index(json)
	if i >= 0 {
		g.at = i
	}
	return i >= 0
}

// AppendJSON appends the value.
func (g *Enum) AppendJSON(dst []byte) []byte { return append(dst, g.values[g.at].json...) }

func (g *Enum) appendText(dst []byte) []byte { return append(dst, g.values[g.at].text...) }
