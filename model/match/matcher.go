package match

import (
	"fmt"

	"sonde/model"
	"sonde/model/resource"
)

// Matching is a way to tell which values are the same.
type Matching string

// The matchings.
const (
	// ByName takes values for the same if their names are, as the distiller
	// paper does.
	ByName Matching = "name"
	// Qualified gives every value an identity of what thing it is an attribute
	// of.
	Qualified Matching = "qualified"
)

// ParseMatching returns the matching called name.
func ParseMatching(name string) (Matching, error) {
	switch m := Matching(name); m {
	case ByName, Qualified:
		return m, nil
	default:
		return "", fmt.Errorf("%q is no way to match values; give %s or %s", name, ByName, Qualified)
	}
}

// Way is how the values of an API are read and told apart.
type Way struct {
	Values Reading
	Match  Matching
}

// The ways that are used most.
var (
	// AsPaper is the distiller paper's.
	AsPaper = Way{Paper, ByName}
	// Usual tells what belongs together the best.
	Usual = Way{Deep, Qualified}
)

// Matcher knows the values of an API. It is read-only and may be shared.
type Matcher struct {
	Way  Way
	uses map[*model.Operation][]Use
}

// New reads the values of an API's operations in one way.
func New(ops []*model.Operation, w Way) *Matcher {
	m := &Matcher{w, make(map[*model.Operation][]Use, len(ops))}
	at := resource.At(ops)
	for _, op := range ops {
		m.uses[op] = read(op, w.Values, at[op].Element())
	}
	if w.Match == Qualified {
		qualify(ops, m.uses)
	}
	return m
}

// Uses returns the values of an operation: those that it takes, in the order of
// its parameters and its body, and then those that it emits.
func (m *Matcher) Uses(op *model.Operation) []Use { return m.uses[op] }
