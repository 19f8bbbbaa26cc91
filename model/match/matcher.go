package match

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"sonde/model"
	"sonde/model/resource"
)

// Matching is a way to recognize values of different operations as the same.
type Matching string

// The matchings.
const (
	// MatchByName compares the names of values, as the distiller paper does.
	MatchByName Matching = "name"
	// MatchQualified compares the entities and the attributes of values.
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

// Mode selects how the values of an API are read and matched.
type Mode struct {
	Values Reading
	Match  Matching
}

// The common modes.
var (
	// PaperMode is the mode that the distiller paper describes.
	PaperMode = Mode{PaperReading, MatchByName}
	// DefaultMode is the mode that recognizes the most values as the same. Sonde uses it unless the user chooses
	// another mode.
	DefaultMode = Mode{DeepReading, MatchQualified}
)

// Matcher holds the values of an API's operations after matching: values that are the same have the same ID.
// It is read-only and safe for concurrent use.
type Matcher struct {
	Mode Mode
	// Tree is the root of the resources that the paths form.
	Tree *resource.Resource

	resources map[*model.Operation]*resource.Resource
	uses      map[*model.Operation][]ValueUse
	entities  *entities // nil if values are matched by name
	corrected map[usePlace][]AppliedCorrection
	unfitting []model.ValueCorrection
}

// New reads the values of an API's operations and matches them in the mode w. Corrections change the result of
// qualified matching. They have no effect on matching by name.
func New(ops []*model.Operation, w Mode, corrections ...model.ValueCorrection) *Matcher {
	m := &Matcher{
		Mode:      w,
		Tree:      resource.NewTree(ops),
		resources: map[*model.Operation]*resource.Resource{},
		uses:      map[*model.Operation][]ValueUse{},
		corrected: map[usePlace][]AppliedCorrection{},
	}
	for r := range m.Tree.Subtree() {
		for _, op := range r.Operations {
			m.resources[op] = r
		}
	}
	m.readAll(ops)
	if w.Match == MatchQualified {
		m.entities = qualify(ops, m)
		m.correct(ops, corrections)
	}
	return m
}

// readAll reads the values of all operations, on all processors.
func (m *Matcher) readAll(ops []*model.Operation) {
	var next atomic.Int64
	var readers sync.WaitGroup
	uses := make([][]ValueUse, len(ops))
	for range runtime.GOMAXPROCS(0) {
		readers.Go(func() {
			r := newReader(m.Mode.Values, usesPerOperation(len(ops)))
			for i := next.Add(1) - 1; int(i) < len(ops); i = next.Add(1) - 1 {
				uses[i] = r.read(ops[i], m.resources[ops[i]].Element())
			}
		})
	}
	readers.Wait()
	for i, op := range ops {
		m.uses[op] = uses[i]
	}
}

// ResourceOf returns the resource of an operation's path.
func (m *Matcher) ResourceOf(op *model.Operation) *resource.Resource { return m.resources[op] }

// EntityResources returns the resources of the entity to which a qualified value belongs, in the order of the tree.
// It returns nil if the value has no entity, or if the entity has no resources.
func (m *Matcher) EntityResources(u *ValueUse) []*resource.Resource {
	if u.attr == nil {
		return nil
	}
	return u.attr.entity.resources
}

// SameEntity returns the resources that have the same entity as r, including r, in the order of the tree. It
// returns nil if r has no entity.
func (m *Matcher) SameEntity(r *resource.Resource) []*resource.Resource {
	if m.entities == nil || m.entities.byResource[r] == nil {
		return nil
	}
	return m.entities.byResource[r].resources
}

// UsesOf returns the uses of values by an operation. First come the values that the operation takes, in the order of
// its parameters and its body, then the values that it emits.
func (m *Matcher) UsesOf(op *model.Operation) []ValueUse { return m.uses[op] }

// Entity returns the name of the entity of a qualified value, such as "cart-item", or "" if it has none.
func (u *ValueUse) Entity() string {
	if u.attr == nil {
		return ""
	}
	return u.attr.entity.name
}
