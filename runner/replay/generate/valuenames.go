package generate

import (
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/match"
)

// valueNames has the names that the spec gives to the values of operations.
type valueNames struct {
	uses       map[model.OpID][]match.ValueUse
	identities map[string]bool // IDs of values that identify a resource
}

// newValueNames reads the names from a spec.
func newValueNames(spec *model.Spec) valueNames {
	m := match.New(spec.Operations, match.DefaultMode, spec.Corrections...)
	n := valueNames{map[model.OpID][]match.ValueUse{}, map[string]bool{}}
	for _, op := range spec.Operations {
		n.uses[op.ID] = m.UsesOf(op)
		for _, u := range m.UsesOf(op) {
			if u.IsReference || u.In == model.InPath || strings.HasSuffix(u.ID, ".id") {
				n.identities[u.ID] = true
			}
		}
	}
	return n
}

// anyItem returns a JSON pointer with 0 in place of each token that is a number, as in the pointers that
// match.ValueUse has.
func anyItem(at string) string {
	parts := strings.Split(at, "/")
	for i, part := range parts {
		if _, err := strconv.Atoi(part); err == nil {
			parts[i] = "0"
		}
	}
	return strings.Join(parts, "/")
}

// setNames sets names and isID of the leaves of an operation's request, or of its answer if out is
// set.
func (n valueNames) setNames(op model.OpID, out bool, leaves []leaf) {
	for i := range leaves {
		l := &leaves[i]
		l.names, l.isID = []string{plain(l.lastName())}, idName.MatchString(l.lastName())
		for _, u := range n.uses[op] {
			if u.Out == out && !u.IsPart() && n.matches(u, *l) {
				l.names = append(l.names, plain(u.ID))
				l.isID = l.isID || n.identities[u.ID]
				break
			}
		}
	}
}

// matches reports whether a value that the spec describes is at the location of a leaf.
func (n valueNames) matches(u match.ValueUse, l leaf) bool {
	switch l.in {
	case model.InBody:
		return (u.In == model.InBody || u.In == model.InResponse) && u.Pointer == anyItem(l.name) && u.Pointer != ""
	case model.InHeader:
		return u.In == l.in && strings.EqualFold(u.Name, l.name)
	}
	return u.In == l.in && u.Name == l.name
}

// nameOutwardLeaves sets names and isID of the leaves of a message to another host, for which there is no spec. A
// segment of a path is named after the segment before it: in /users/7, the 7 has the name "userid".
func nameOutwardLeaves(leaves []leaf) {
	for i := range leaves {
		l := &leaves[i]
		l.names, l.isID = []string{plain(l.lastName())}, idName.MatchString(l.lastName())
		if l.in == model.InPath {
			l.isID = true
			l.names = nil
			if at, _ := strconv.Atoi(l.name); at > 0 {
				l.names = []string{plain(match.Singular(strings.ToLower(leaves[i-1].text()))) + "id"}
			}
		}
	}
}
