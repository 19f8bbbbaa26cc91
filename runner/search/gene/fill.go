package gene

import "math/rand/v2"

// FillOptional makes all absent optional parts present, and gives all parts that are null a value.
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
