package match

import (
	"slices"
	"strings"

	"sonde/model/resource"
)

// shortest is how many letters of a thing's name mean it: "app" an application,
// while "vid" and "v" may mean anything.
const shortest = 3

// short returns the thing that a name means by the beginning of the thing's,
// followed only by a word that says which: "appid" or "orgId", where
// one thing alone that is told apart in the paths is called so.
func (q *qualifier) short(u *ValueUse, near *resource.Resource, within *entity, parts []string) (*entity, string) {
	begin := beginning(parts)
	if len(begin) < shortest || kindOf(*u) != scalar {
		return nil, ""
	}
	e := q.find(begin, near)
	if e == nil {
		e = q.begun(begin)
	}
	if e == nil || e == within || !e.element || !e.keyed() || !e.attrs[e.key()].kind.fits(scalar) {
		return nil, ""
	}
	return e, e.keyName()
}

// beginning returns what comes before the word that says which, in a name of one more word, or
// "".
func beginning(parts []string) string {
	if len(parts) == 2 && slices.Contains(handles, parts[1]) {
		return parts[0]
	}
	if len(parts) != 1 {
		return ""
	}
	for _, word := range []string{"uuid", "guid", "id"} {
		if begin, ok := strings.CutSuffix(parts[0], word); ok {
			return begin
		}
	}
	return ""
}

// begun returns the one thing that is told apart in the paths and whose name, of
// one word, begins so, or nil.
func (x *entities) begun(begin string) *entity {
	i, _ := slices.BinarySearch(x.elements, begin)
	if i == len(x.elements) || !strings.HasPrefix(x.elements[i], begin) {
		return nil
	}
	if i+1 < len(x.elements) && strings.HasPrefix(x.elements[i+1], begin) {
		return nil
	}
	return x.all[x.elements[i]]
}

// oneWord lists the things that are told apart in the paths and called by one
// word, in order.
func (x *entities) oneWord() []string {
	var names []string
	for name, e := range x.all {
		if e.element && e.name == name {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
