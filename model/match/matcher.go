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
	// MatchByName takes values for the same if their names are, as the distiller
	// paper does.
	MatchByName Matching = "name"
	// MatchQualified gives every value an identity of what thing it is an attribute
	// of.
	MatchQualified Matching = "qualified"
)

// ParseMatching returns the matching called name.
func ParseMatching(name string) (Matching, error) {
	switch m := Matching(name); m {
	case MatchByName, MatchQualified:
		return m, nil
	default:
		return "", fmt.Errorf("%q is no way to match values; give %s or %s", name, MatchByName, MatchQualified)
	}
}

// Mode is how the values of an API are read and told apart.
type Mode struct {
	Values Reading
	Match  Matching
}

// The ways that are used most.
var (
	// PaperMode is the distiller paper's.
	PaperMode = Mode{PaperReading, MatchByName}
	// DefaultMode tells what belongs together the best.
	DefaultMode = Mode{DeepReading, MatchQualified}
)

// Matcher knows the values of an API. It is read-only and may be shared.
type Matcher struct {
	Mode Mode
	// Tree is the root of the places that the paths form.
	Tree *resource.Resource

	at     map[*model.Operation]*resource.Resource
	uses   map[*model.Operation][]ValueUse
	things *entities // nil where values are matched by name
}

// New reads the values of an API's operations in one way.
func New(ops []*model.Operation, w Mode) *Matcher {
	m := &Matcher{Mode: w, Tree: resource.NewTree(ops), at: map[*model.Operation]*resource.Resource{}, uses: map[*model.Operation][]ValueUse{}}
	for r := range m.Tree.Subtree() {
		for _, op := range r.Operations {
			m.at[op] = r
		}
	}
	for _, op := range ops {
		m.uses[op] = read(op, w.Values, m.at[op].Element(), shareOf(len(ops)))
	}
	if w.Match == MatchQualified {
		m.things = qualify(ops, m)
	}
	return m
}

// ResourceOf returns the place in the paths where an operation stands.
func (m *Matcher) ResourceOf(op *model.Operation) *resource.Resource { return m.at[op] }

// EntityResources returns the places of the thing that a qualified value is an attribute
// of, in the order of the tree; none where it has none.
func (m *Matcher) EntityResources(u ValueUse) []*resource.Resource {
	if u.thing == nil {
		return nil
	}
	return u.thing.nodes
}

// SameEntity returns the places of the things that a place holds, itself among them,
// in the order of the tree.
func (m *Matcher) SameEntity(r *resource.Resource) []*resource.Resource {
	if m.things == nil || m.things.byNode[r] == nil {
		return nil
	}
	return m.things.byNode[r].nodes
}

// UsesOf returns the values of an operation: those that it takes, in the order of
// its parameters and its body, and then those that it emits.
func (m *Matcher) UsesOf(op *model.Operation) []ValueUse { return m.uses[op] }
