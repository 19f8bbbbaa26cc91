package match

import (
	"slices"
	"strings"
)

// roleWords are words in a component's name that state the role of the component. They are not part of the name of
// the entity that the component describes: "CreateProductRequest" describes a product.
var roleWords = []string{
	"dto", "request", "response", "input", "output", "create", "created", "update", "updated", "new", "get", "post", "put", "patch",
	"add", "edit", "model", "entity", "payload", "body", "details", "detail", "summary", "full", "base", "view", "form", "data", "info",
	"result", "req", "res", "resp", "vo", "bean", "object", "schema", "representation", "resource", "register", "save", "in", "out",
	"command", "cmd", "to", "params", "json", "api", "single", "public", "simple", "read", "write",
	"upsert", "retrieve", "fetch", "array", "batch",
	"start", "stop", "delete", "deleted", "describe", "minimal", "short", "compact", "nullable", "partial",
}

// viewWords end the name of a component that describes a view of an entity: a "UserProfile" describes a user if the API
// has users.
var viewWords = []string{"profile", "identifier", "relationship", "linkage", "attributes", "ref", "reference", "record", "entry"}

// componentWords returns the words of a component's name without its package: "com.shop.CartItem" gives
// "cart", "item".
func componentWords(component string) []string {
	if i := strings.LastIndexAny(component, ".$/"); i >= 0 && i+1 < len(component) {
		component = component[i+1:]
	}
	return words(component)
}

// minPrefixed is the minimum number of components whose names must begin with a word, so that the word counts as a
// prefix.
const minPrefixed = 5

// prefixOf returns a word that most likely is only a prefix of component names, such as "objs" of objs_user and
// objs_team. components has the words of each name. The prefix is the most frequent first word that meets these
// conditions:
//   - At least minPrefixed names, and at least a third of all names, begin with the word.
//   - The word is neither the whole name of a component nor a known name. Otherwise it may be the name of an entity.
//
// If several words are equally frequent, prefixOf returns the alphabetically first. It returns "" if there is no such
// word.
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
	prefix := ""
	for word, n := range counts {
		frequent := n >= minPrefixed && 3*n >= len(components)
		better := n > counts[prefix] || n == counts[prefix] && word < prefix
		if frequent && better && !known[Singular(word)] && !known[word] {
			prefix = word
		}
	}
	return prefix
}

// coreWords returns the words of the name of the entity that a component describes, with the last word in the
// singular. parts are the words of the component's name.
//
// coreWords drops role words from both ends. It stops when the rest is a known name or has no role word at its ends.
// If the last word is one of viewWords, coreWords first tries the words before it, and returns the result if that is
// a known name.
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

// dropRole returns the words without a role word: the last word if that is a role word, otherwise the first. It
// returns nil if neither is a role word, or if there is only one word.
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

// verbWords are verbs that a path segment may have before an entity's name, such as "list" in /list-users.
var verbWords = []string{
	"list", "get", "create", "add", "new", "update", "set", "delete", "remove", "find", "search", "fetch", "query", "describe", "start",
	"stop", "batch", "send", "cancel", "poll", "generate", "regenerate",
}

// entityWords returns the words for one element of a resource, without a verb at the beginning: "shopping-carts" and
// "list-shopping-carts" give "shopping", "cart".
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
