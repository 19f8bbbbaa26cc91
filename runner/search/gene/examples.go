package gene

import "math/rand/v2"

// SetExamples sets genes in a tree to examples of their schemas, or to the default, and makes these genes present. It
// changes only genes whose schema has an example or a default, and no locked gene. It reports whether it set any
// gene.
//
// n chooses the example: genes with the same number of examples get those at the same index, which often belong
// together.
func SetExamples(r *rand.Rand, g Gene, n int) bool {
	switch g := g.(type) {
	case *Disruptive:
		if g.probability <= 0 {
			return false
		}
	case *Optional:
		if g.present {
			break
		}
		g.turn(r)
		g.present = SetExamples(r, g.inner[0], n)
		return g.present
	case *seeded:
		if g.inner[0].SetValue(g.values[n%len(g.values)]) {
			return true
		}
	}
	set := false
	if c, ok := g.(composite); ok {
		for _, inner := range c.inside() {
			set = SetExamples(r, inner, n) || set
		}
	}
	return set
}
