package match

import (
	"slices"
	"strings"

	"sonde/model/resource"
)

// minAbbreviation is the least number of letters of an abbreviation: "app" means an application, but "vid"
// and "v" are ambiguous.
const minAbbreviation = 3

// entityAbbreviated returns the entity whose abbreviated name begins the name of a use, before a strict id
// word, and the entity's key: "appid" or "orgId". It returns nil if several entities that path parameters
// identify begin so.
func (n nameReader) entityAbbreviated(u *ValueUse, near *resource.Resource, within *entity, parts []string) (*entity, string) {
	prefix := abbreviationIn(parts)
	if len(prefix) < minAbbreviation || basicTypeOf(*u) != scalar {
		return nil, ""
	}
	e := n.find(prefix, near)
	if e == nil {
		e = n.withPrefix(prefix)
	}
	if e == nil || e == within || !e.elementPath || !e.hasKey() || !e.attrs[e.key()].basicType.fits(scalar) {
		return nil, ""
	}
	return e, e.keyName()
}

// isAbbreviation reports whether a plain name is the beginning of an entity's name of one word, such as "repo" for a
// repository.
func isAbbreviation(entityName string, e *entity) bool {
	return len(entityName) >= minAbbreviation && len(entityName) < len(e.name) && strings.HasPrefix(e.name, entityName) &&
		!strings.Contains(e.name, "-")
}

// abbreviationIn returns the part of a name before a strict id word or, in a name of one word, "key". It returns "" if
// the name has more parts or no such word.
func abbreviationIn(parts []string) string {
	if len(parts) == 2 && slices.Contains(strictIDWords, parts[1]) {
		return parts[0]
	}
	if len(parts) != 1 {
		return ""
	}
	for _, word := range []string{"uuid", "guid", "id", "key"} {
		if begin, ok := strings.CutSuffix(parts[0], word); ok {
			return begin
		}
	}
	return ""
}

// withPrefix returns the only entity of oneWordNames whose name begins with prefix, or nil.
func (x *entities) withPrefix(prefix string) *entity {
	i, _ := slices.BinarySearch(x.oneWordNames, prefix)
	if i == len(x.oneWordNames) || !strings.HasPrefix(x.oneWordNames[i], prefix) {
		return nil
	}
	if i+1 < len(x.oneWordNames) && strings.HasPrefix(x.oneWordNames[i+1], prefix) {
		return nil
	}
	return x.byName[x.oneWordNames[i]]
}

// listOneWordNames returns the names of entities that path parameters identify, if they are one word, in
// order.
func (x *entities) listOneWordNames() []string {
	var names []string
	for name, e := range x.byName {
		if e.elementPath && e.name == name {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
