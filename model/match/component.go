package match

import (
	"slices"
	"strings"
)

// roles are words in a component's name that are not part of the name of what it describes:
// "CreateProductRequest" describes a product.
var roles = []string{
	"dto", "request", "response", "input", "output", "create", "created", "update", "updated", "new", "get", "post", "put", "patch",
	"add", "edit", "model", "entity", "payload", "body", "details", "detail", "summary", "full", "base", "view", "form", "data", "info",
	"result", "req", "res", "resp", "vo", "bean", "object", "schema", "representation", "resource", "register", "save", "in", "out",
	"command", "cmd", "to", "params", "json", "api", "single", "public", "simple", "read", "write",
	"upsert", "retrieve", "fetch", "array", "batch",
	"start", "stop", "delete", "describe",
}

// lowered are the words of a component's name, without the package that it may
// carry: "com.shop.CartItem" gives "cart", "item".
func lowered(component string) []string {
	if i := strings.LastIndexAny(component, ".$/"); i >= 0 && i+1 < len(component) {
		component = component[i+1:]
	}
	return words(component)
}

// core returns the words for what a component describes, in the singular. Roles are dropped from
// both ends until the rest is the name of something that the API has.
func core(component string, known map[string]bool) []string {
	parts := lowered(component)
	if len(parts) == 0 {
		return []string{component}
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

// dropRole drops one role from the end or the beginning. It returns nil if there is none or if
// nothing would be left.
func dropRole(parts []string) []string {
	last := len(parts) - 1
	switch {
	case last < 1:
		return nil
	case slices.Contains(roles, parts[last]):
		return parts[:last]
	case slices.Contains(roles, parts[0]):
		return parts[1:]
	}
	return nil
}

func singularLast(parts []string) []string {
	out := slices.Clone(parts)
	out[len(out)-1] = Singular(out[len(out)-1])
	return out
}

// verbs are words before a thing's name that say what is done to it.
var verbs = []string{
	"list", "get", "create", "add", "new", "update", "set", "delete", "remove", "find", "search", "fetch", "query", "describe", "start",
	"stop", "batch", "send", "cancel", "poll", "generate", "regenerate",
}

// thingWords are the words for one element of a resource: "shopping-carts"
// gives "shopping", "cart".
func thingWords(name string) []string {
	parts := words(name)
	switch {
	case len(parts) == 0:
		return []string{name}
	case len(parts) > 1 && slices.Contains(verbs, parts[0]):
		parts = parts[1:]
	}
	return singularLast(parts)
}
