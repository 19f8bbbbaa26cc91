package match

import (
	"slices"
	"strings"

	"sonde/model"
)

// kin finds components that show one thing in several ways: "job-metadata" and
// "historical-meeting" are called after a job and a meeting, and most of what
// they hold a job and a meeting hold, too.
type kin struct {
	parts map[string][]string        // the words of each component
	attrs map[string]map[string]bool // by the words together, what it holds
}

func newKin(ops []*model.Operation, uses map[*model.Operation][]ValueUse, known map[string]bool) kin {
	k := kin{map[string][]string{}, map[string]map[string]bool{}}
	for _, op := range ops {
		for _, u := range uses[op] {
			if u.owner == "" {
				continue
			}
			if k.parts[u.owner] == nil {
				k.parts[u.owner] = core(u.owner, known)
			}
			key := strings.Join(k.parts[u.owner], "")
			if k.attrs[key] == nil {
				k.attrs[key] = map[string]bool{}
			}
			k.attrs[key][plain(u.Name)] = true
		}
	}
	return k
}

// thing returns the words for the thing that a component describes: of those in
// its name that another component is called by and is like it, the most.
func (k kin) thing(component string) []string {
	parts := k.parts[component]
	for n := len(parts) - 1; n > 0; n-- {
		for _, some := range [][]string{singularLast(parts[:n]), parts[len(parts)-n:]} {
			if k.alike(strings.Join(parts, ""), strings.Join(some, "")) {
				return some
			}
		}
	}
	return parts
}

// alike reports whether at least half of what the smaller of two holds both hold,
// at least two attributes, one of which says something.
func (k kin) alike(a, b string) bool {
	shared, telling := 0, false
	for name := range k.attrs[a] {
		if k.attrs[b][name] {
			shared++
			telling = telling || !slices.Contains(vague, name)
		}
	}
	return telling && shared > 1 && 2*shared >= min(len(k.attrs[a]), len(k.attrs[b]))
}
