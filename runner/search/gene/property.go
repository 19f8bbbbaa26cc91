package gene

import "math/rand/v2"

// EachProperty calls f with the name and the gene of each property of the objects in a tree. It includes absent
// properties, but not the properties inside them.
func EachProperty(g Gene, f func(name string, property Gene)) {
	if o, ok := g.(*Object); ok {
		for i, name := range o.names {
			f(name, o.genes[i])
		}
	}
	for _, part := range parts(g) {
		EachProperty(*part, f)
	}
}

// EachMember calls f with the name and the gene of each property of an object, including absent properties.
func EachMember(g Gene, f func(name string, property Gene)) {
	if o, ok := core(g).(*Object); ok {
		for i, name := range o.names {
			f(name, o.genes[i])
		}
	}
}

// SetPresent makes an optional gene present or absent. If present is true, it also makes a nullable gene not null. It
// changes no other gene.
func SetPresent(r *rand.Rand, g Gene, present bool) {
	switch g := g.(type) {
	case *Optional:
		if g.present != present {
			g.turn(r)
		}
		if g.present {
			SetPresent(r, g.inner[0], present)
		}
	case *Nullable:
		if present {
			g.null = false
		}
	}
}
