package match

import (
	"slices"
	"strings"
)

// roleWords are words in a component's name that are not part of the name of the entity it describes:
// "CreateProductRequest" describes a product.
var roleWords = []string{
	"dto", "request", "response", "input", "output", "create", "created", "update", "updated", "new", "get", "post", "put", "patch",
	"add", "edit", "model", "entity", "payload", "body", "details", "detail", "summary", "full", "base", "view", "form", "data", "info",
	"result", "req", "res", "resp", "vo", "bean", "object", "schema", "representation", "resource", "register", "save", "in", "out",
	"command", "cmd", "to", "params", "json", "api", "single", "public", "simple", "read", "write",
	"upsert", "retrieve", "fetch", "array", "batch",
	"start", "stop", "delete", "deleted", "describe", "minimal", "short", "compact", "nullable", "partial",
}

// viewWords are the last words in the name of a component that describes a view of an entity, if there is an entity of
// the name without them.
var viewWords = []string{"profile", "identifier", "relationship", "linkage", "attributes", "ref", "reference", "record", "entry"}

// componentWords returns the words of a component's name without its package: "com.shop.CartItem" gives
// "cart", "item".
func componentWords(component string) []string {
	if i := strings.LastIndexAny(component, ".$/"); i >= 0 && i+1 < len(component) {
		component = component[i+1:]
	}
	return words(component)
}

// minPrefixed is the least number of components whose names begin with the same word that makes this word a prefix.
const minPrefixed = 5

// prefixOf returns the first word of at least a third of all components' names, such as "objs" of objs_user and objs_team. It
// returns "" if there is none, or if it is the name of a component or a known name, which may be what the components are about.
func prefixOf(components [][]string, known map[string]bool) string {
	counts := map[string]int{}
	for _, parts := range components {
		switch {
		case len(parts) == 1:
			counts[parts[0]] -= len(components)
		case len(parts) > 1:
			counts[parts[0]]++
		}
	}
	for word, n := range counts {
		if n >= minPrefixed && 3*n >= len(components) && !known[Singular(word)] && !known[word] {
			return word
		}
	}
	return ""
}

// coreWords returns the words of the entity that a component describes, in the singular. It drops role words
// from both ends of the words of the component's name until the rest is a known name.
func coreWords(component string, parts []string, known map[string]bool) []string {
	if len(parts) == 0 {
		return []string{component}
	}
	if last := len(parts) - 1; last > 0 && slices.Contains(viewWords, parts[last]) {
		if view := coreWords(component, parts[:last], known); known[strings.Join(view, "")] {
			return view
		}
	}
	bare := singularLast(parts)
	for !known[strings.Join(bare, "")] {
		next := dropRole(bare)
		if next == nil {
			break
		}
		bare = singularLast(next)
	}
	return bare
}

// dropRole drops one role word from the end or the beginning. It returns nil if there is none or if no word
// would be left.
func dropRole(parts []string) []string {
	last := len(parts) - 1
	switch {
	case last < 1:
		return nil
	case slices.Contains(roleWords, parts[last]):
		return parts[:last]
	case slices.Contains(roleWords, parts[0]):
		return parts[1:]
	}
	return nil
}

// singularLast returns a copy of the words with the last one in the singular.
func singularLast(parts []string) []string {
	out := slices.Clone(parts)
	out[len(out)-1] = Singular(out[len(out)-1])
	return out
}

// verbWords are words before an entity's name in a path that name an action.
var verbWords = []string{
	"list", "get", "create", "add", "new", "update", "set", "delete", "remove", "find", "search", "fetch", "query", "describe", "start",
	"stop", "batch", "send", "cancel", "poll", "generate", "regenerate",
}

// entityWords returns the words for one element of a resource: "shopping-carts" gives "shopping", "cart".
func entityWords(name string) []string {
	parts := words(name)
	switch {
	case len(parts) == 0:
		return []string{name}
	case len(parts) > 1 && slices.Contains(verbWords, parts[0]):
		parts = parts[1:]
	}
	return singularLast(parts)
}
