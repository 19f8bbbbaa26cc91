package match

import (
	"slices"
	"strings"

	"sonde/model/resource"
)

// minAbbreviation is the minimum number of letters of an abbreviation: "app" may abbreviate an application. A shorter
// abbreviation, such as the "v" of "vid", is ambiguous.
const minAbbreviation = 3

// entityAbbreviated returns the entity to which an abbreviated name refers, and the name of the entity's key. An
// abbreviated name, such as "appid" or "orgId", is an abbreviation of the entity's name followed by an id word; see
// abbreviationIn. The entity must not be within, and it must have paths of its elements and a scalar key.
// entityAbbreviated returns nil if no entity or several entities fit. parts are the words of the name. The other
// parameters are those of [nameReader.entityNamed].
func (n nameReader) entityAbbreviated(u *ValueUse, near *resource.Resource, within *entity, parts []string) (*entity, string) {
	prefix := abbreviationIn(parts)
	if len(prefix) < minAbbreviation || basicTypeOf(u) != scalar {
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

// IsAbbreviation reports whether a plain name abbreviates the name of an entity: "repo" abbreviates "repository". A
// plain name is a name as [EntityName] returns it. Only entity names of one word are abbreviated.
func IsAbbreviation(entityName, entity string) bool {
	return len(entityName) >= minAbbreviation && len(entityName) < len(entity) && strings.HasPrefix(entity, entityName) &&
		!strings.Contains(entity, "-")
}

// abbreviationIn returns the part of a name before the id word at its end: "org" for the words "org", "id" and for
// the word "orgid". The id word is a strict one or, in a name of one word, "key". It returns "" if the name has no
// such word, or if the part before it has several words.
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

// withPrefix returns the entity whose name is in oneWordNames and begins with prefix. It returns nil if there is no
// such entity or more than one.
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

// listOneWordNames returns the sorted names of all entities that path parameters identify and whose name is one word.
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
