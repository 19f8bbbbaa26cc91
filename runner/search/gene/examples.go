package gene

import "math/rand/v2"

// SetExamples sets each gene in a tree whose schema has examples or a default to one of them, and makes it present. n chooses
// among several: genes with the same number of examples get the ones at the same index, which often belong together. It
// changes no other gene and no locked one, and reports whether it set any.
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
