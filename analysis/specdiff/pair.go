package specdiff

import (
	"regexp"

	"sonde/model"
)

// pair is the same operation in both versions.
type pair struct {
	older, newer *model.Operation
	// status is StatusChanged if the method and the path are the same, even if nothing changed.
	status Status
	// renamed maps the old name of each renamed path parameter to its new name.
	renamed map[string]string
}

// pairing has the pairs of operations of two versions, in the order of the new version.
type pairing struct {
	all   []pair
	ofNew map[model.OpID]int        // index into all
	toNew map[model.OpID]model.OpID // old identity → new identity
}

var pathParam = regexp.MustCompile(`\{[^{}]*\}`)

// pairOperations pairs the operations of two versions in three steps:
//  1. operations with the same method and path
//  2. operations whose paths differ only in the names of parameters
//  3. operations with the same method and operationId
func pairOperations(older, newer []*model.Operation) *pairing {
	found := map[*model.Operation]pair{} // key: operation of the new version
	used := map[*model.Operation]bool{}  // operations of the old version that are already in a pair
	for _, step := range []struct {
		status Status
		key    func(*model.Operation) string
	}{
		{StatusChanged, func(op *model.Operation) string { return string(op.ID) }},
		{StatusRenamed, func(op *model.Operation) string { return op.Method + " " + pathParam.ReplaceAllString(op.Path, "{}") }},
		{StatusMoved, func(op *model.Operation) string {
			if op.Name == "" {
				return ""
			}
			return op.Method + " " + op.Name
		}},
	} {
		rest := map[string][]*model.Operation{}
		for _, op := range older {
			if key := step.key(op); key != "" && !used[op] {
				rest[key] = append(rest[key], op)
			}
		}
		for _, op := range newer {
			key := step.key(op)
			if _, ok := found[op]; ok || len(rest[key]) == 0 {
				continue
			}
			before := rest[key][0]
			rest[key] = rest[key][1:]
			used[before] = true
			found[op] = pair{older: before, newer: op, status: step.status, renamed: renamedParams(before.Path, op.Path)}
		}
	}
	p := &pairing{ofNew: map[model.OpID]int{}, toNew: map[model.OpID]model.OpID{}}
	for _, op := range newer {
		if one, ok := found[op]; ok {
			p.ofNew[op.ID] = len(p.all)
			p.toNew[one.older.ID] = op.ID
			p.all = append(p.all, one)
		}
	}
	return p
}

// renamedParams returns the path parameters that have different names at the same position of two paths. It maps the
// name in the first path to the name in the second. It returns nil if there are none, or if the paths have different
// numbers of parameters.
func renamedParams(before, after string) map[string]string {
	a, b := pathParam.FindAllString(before, -1), pathParam.FindAllString(after, -1)
	if len(a) != len(b) {
		return nil
	}
	var names map[string]string
	for i := range a {
		if a[i] != b[i] {
			if names == nil {
				names = map[string]string{}
			}
			names[a[i][1:len(a[i])-1]] = b[i][1 : len(b[i])-1]
		}
	}
	return names
}

// newName returns the name of an input in the new version. name is the name in the old version.
func (p pair) newName(in model.Location, name string) string {
	if to, ok := p.renamed[name]; ok && in == model.InPath {
		return to
	}
	return name
}
