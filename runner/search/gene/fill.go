package gene

import "math/rand/v2"

// FillOptional makes absent optional parts present, and gives parts that are null a value. Some genes mutate their
// parts themselves, such as a list of unique elements. FillOptional does not change the parts of such a gene.
func FillOptional(r *rand.Rand, g Gene) {
	switch g := g.(type) {
	case *Optional:
		if !g.present {
			g.turn(r)
		}
	case *Nullable:
		g.null = false
	}
	if c, ok := g.(composite); ok {
		for _, inner := range c.inside() {
			FillOptional(r, inner)
		}
	}
}
