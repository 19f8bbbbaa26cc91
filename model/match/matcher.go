package match

import (
	"fmt"

	"sonde/model"
	"sonde/model/resource"
)

// Matching is how values of different operations are recognized as the same.
type Matching string

// The matchings.
const (
	// MatchByName compares their names, as the distiller paper does.
	MatchByName Matching = "name"
	// MatchQualified identifies a value by the kind of thing of which it is an attribute, and
	// by the attribute.
	MatchQualified Matching = "qualified"
)

// ParseMatching returns the matching called name.
func ParseMatching(name string) (Matching, error) {
	switch m := Matching(name); m {
	case MatchByName, MatchQualified:
		return m, nil
	default:
		return "", fmt.Errorf("%q is not a matching of values; use %s or %s", name, MatchByName, MatchQualified)
	}
}

// Mode is how the values of an API are read and matched.
type Mode struct {
	Values Reading
	Match  Matching
}

// The common modes.
var (
	// PaperMode is that of the distiller paper.
	PaperMode = Mode{PaperReading, MatchByName}
	// DefaultMode finds the most values that are the same.
	DefaultMode = Mode{DeepReading, MatchQualified}
)

// Matcher has the values of an API. It is read-only and safe for concurrent use.
type Matcher struct {
	Mode Mode
	// Tree is the root of the resources that the paths form.
	Tree *resource.Resource

	at     map[*model.Operation]*resource.Resource
	uses   map[*model.Operation][]ValueUse
	things *entities // nil if values are matched by name
}

// New returns a Matcher for an API's operations.
func New(ops []*model.Operation, w Mode) *Matcher {
	m := &Matcher{
		Mode: w,
		Tree: resource.NewTree(ops),
		at:   map[*model.Operation]*resource.Resource{},
		uses: map[*model.Operation][]ValueUse{},
	}
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

// ResourceOf returns the resource of an operation's path.
func (m *Matcher) ResourceOf(op *model.Operation) *resource.Resource { return m.at[op] }

// EntityResources returns the resources of the entity of which a qualified value is an
// attribute, in the order of the tree; nil if it has none.
func (m *Matcher) EntityResources(u ValueUse) []*resource.Resource {
	if u.thing == nil {
		return nil
	}
	return u.thing.nodes
}

// SameEntity returns the resources with the same entity as a resource, including itself, in the
// order of the tree; nil if it has no entity.
func (m *Matcher) SameEntity(r *resource.Resource) []*resource.Resource {
	if m.things == nil || m.things.byNode[r] == nil {
		return nil
	}
	return m.things.byNode[r].nodes
}

// UsesOf returns the values of an operation: those that it takes, in the order of its parameters
// and its body, followed by those that it emits.
func (m *Matcher) UsesOf(op *model.Operation) []ValueUse { return m.uses[op] }
