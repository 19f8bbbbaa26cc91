package gene

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
)

// Choice is one of several genes: the alternatives of oneOf or anyOf.
type Choice struct {
	protos []Gene  // the alternatives, at least one
	at     int     // index of the chosen alternative
	inner  [1]Gene // the gene of the chosen alternative
	// alone checks that a value is valid for one alternative only. It is nil if that is not checked.
	alone *exclusive
}

// newChoice returns an unsampled choice, with the first alternative.
func newChoice(protos []Gene) *Choice {
	return &Choice{protos: protos, inner: [1]Gene{protos[0].Clone()}}
}

// switchOver is the probability that a mutation chooses another alternative instead of changing the gene of the
// chosen one.
const switchOver = 0.1

// Sample draws an alternative and its value.
func (g *Choice) Sample(r *rand.Rand) { g.take(r, r.IntN(len(g.protos))) }

// take chooses an alternative and draws its value.
func (g *Choice) take(r *rand.Rand, at int) {
	g.at = at
	g.inner[0] = g.protos[at].Clone()
	if g.alone == nil || g.alone.draw(g.inner[0], r) == 0 {
		g.inner[0].Sample(r)
	}
}

// MutateValue chooses another alternative.
func (g *Choice) MutateValue(r *rand.Rand, _ Pace) bool {
	n := len(g.protos)
	if n < 2 {
		return false
	}
	before := string(JSON(g))
	g.take(r, (g.at+1+r.IntN(n-1))%n)
	return string(JSON(g)) != before
}

// Clone returns a deep copy.
func (g *Choice) Clone() Gene {
	return &Choice{protos: g.protos, at: g.at, inner: [1]Gene{g.inner[0].Clone()}, alone: g.alone}
}

// SetValue accepts a value that one of the alternatives accepts. It tries the chosen alternative first, and prefers
// an alternative that represents the value exactly.
func (g *Choice) SetValue(v any) bool {
	var first Gene
	place := 0
	for i := range g.protos {
		at := (g.at + i) % len(g.protos)
		inner := g.protos[at].Clone()
		if !inner.SetValue(v) {
			continue
		}
		if same := is(inner, v); same || first == nil {
			first, place = inner, at
			if same {
				break
			}
		}
	}
	if first == nil {
		return false
	}
	g.at, g.inner[0] = place, first
	return true
}

// is reports whether the value of a gene equals v, compared as JSON.
func is(g Gene, v any) bool {
	var has, want any
	text, err := json.Marshal(v)
	return err == nil && json.Unmarshal(text, &want) == nil && json.Unmarshal(JSON(g), &has) == nil && reflect.DeepEqual(has, want)
}

// AppendJSON appends the chosen alternative.
func (g *Choice) AppendJSON(dst []byte) []byte { return g.inner[0].AppendJSON(dst) }

func (g *Choice) inside() []Gene { return g.inner[:] }

func (g *Choice) pick(r *rand.Rand) Gene {
	if len(g.protos) > 1 && chance(r, switchOver) {
		return g
	}
	return g.inner[0]
}

func (g *Choice) unwrap() Gene { return g.inner[0] }
