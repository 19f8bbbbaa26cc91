package gene

import (
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// Draft returns a copy of a gene with a value from which a user starts to write a request. The gene is present. The
// value differs from the simplest one:
//
//   - A part whose schema has examples has the first of them, or the default if there are no examples. Optional parts
//     with an example or a default are present.
//   - Without these, a text has the format that its name indicates, or it is a word. It is empty only if the schema
//     allows no other text. A number is 1 instead of 0, and a list has an element, if the schema allows that.
//   - An object that would be empty has all of its properties.
func Draft(g Gene) Gene {
	c := Simplest(g)
	if o, ok := c.(*Optional); ok && !o.present {
		o.inner[0], o.present = fresh(o.proto), true
	}
	SetExamples(rand.New(rand.NewPCG(1, 2)), c, 0)
	return drafted(c)
}

// drafted returns a gene with the values of a draft in those of its parts that have no example.
func drafted(g Gene) Gene {
	switch g := g.(type) {
	case *Integer:
		return &Integer{g.span, oneIfZero(g)}
	case *Long:
		return &Long{Integer{g.span, oneIfZero(&g.Integer)}}
	case *Double:
		return &Double{g.interval, fitIfZero(g)}
	case *Float:
		return &Float{Double{g.interval, fitIfZero(&g.Double)}}
	case *String:
		return &String{g.shape, g.drafted()}
	case *Enum:
		return &Enum{g.literals, g.firstNotEmpty()}
	case *seeded:
		return g.drafted()
	}
	return draftedParts(enlarged(g.Clone()))
}

// draftedParts gives the parts of a gene the values of a draft, except for values that the gene does not allow.
func draftedParts(g Gene) Gene {
	for _, part := range parts(g) {
		old := *part
		*part = drafted(old)
		if !allowed(g) {
			*part = old
		}
	}
	return g
}

// enlarged adds an element to an empty list, and all properties to an empty object, if the gene allows that.
func enlarged(g Gene) Gene {
	switch g := g.(type) {
	case *Array:
		if len(g.elems) == 0 && g.max > 0 && g.proto != nil {
			return &Array{g.list, []Gene{fresh(g.proto)}}
		}
	case *Object:
		if full := g.full(); len(g.fields()) == 0 && allowed(full) {
			return full
		}
	}
	return g
}

// full returns a copy of an object in which all named properties are present.
func (g *Object) full() *Object {
	c := g.Clone().(*Object)
	for i := range g.names {
		if o, ok := c.genes[i].(*Optional); ok && !o.present {
			o.inner[0], o.present = fresh(o.proto), true
		}
	}
	return c
}

// drafted returns the gene with an example or the default if it has one that is not an empty text.
func (g *seeded) drafted() Gene {
	for _, v := range g.values {
		if c := g.Clone(); v != "" && c.SetValue(v) {
			return c
		}
	}
	return &seeded{[1]Gene{drafted(g.inner[0])}, g.seeds}
}

func oneIfZero(g *Integer) int64 {
	if g.at == 0 && g.lo <= 1 && g.hi >= 1 {
		return 1
	}
	return g.at
}

func fitIfZero(g *Double) float64 {
	if one := g.fit(1); g.v == 0 && g.allows(one) {
		return one
	}
	return g.v
}

// firstNotEmpty returns the index of the first value that is not an empty text, or the current index if there is none.
func (g *Enum) firstNotEmpty() int {
	for i := range g.values {
		if at := (g.at + i) % len(g.values); g.values[at].text != "" && g.values[at].json != "null" {
			return at
		}
	}
	return g.at
}

// word is the text of a draft without a format, if the schema allows it.
const word = "example"

// drafted returns a text of the pattern, of the format or of the format that the name indicates. If there is none, it
// returns a word of an allowed length.
func (g *String) drafted() string {
	var texts []string
	if g.make != nil {
		r := rand.New(rand.NewPCG(1, 2))
		texts = append(texts, g.drawn())
		for range draws {
			texts = append(texts, g.make(r)) // the plainest text of a pattern may be empty
		}
	}
	for _, text := range append(texts, g.word()) {
		if text != "" && g.fits(text) {
			return text
		}
	}
	return g.v
}

// word returns the word of a draft, with an allowed length.
func (g *String) word() string {
	n := min(max(utf8.RuneCountInString(word), g.min), max(g.max, 0))
	return strings.Repeat(word, n/len(word)+1)[:n]
}
