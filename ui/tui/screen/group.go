package screen

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/draw"
)

// maxResources is the maximum number of resources in the name of a group.
const maxResources = 4

// GroupName names a value-sharing group after the first resources of its operations. If the operations have no
// resources, the name is "/".
func GroupName(g model.ValueGroup) string {
	var words []string
	for _, op := range g.Operations {
		_, path, _ := strings.Cut(string(op), " ")
		w := draw.Clean(match.ResourceName(path))
		if w == "" || slices.Contains(words, w) {
			continue
		}
		if len(words) == maxResources {
			words = append(words, "…")
			break
		}
		words = append(words, w)
	}
	if len(words) == 0 {
		return "/"
	}
	return strings.Join(words, " · ")
}

// GroupNames returns the names of groups, in the order of groups. If several groups would have the same name, they
// get longer names; see nameForms.
func GroupNames(groups []model.ValueGroup) []string {
	names, same := make([]string, len(groups)), map[string][]int{}
	for i, g := range groups {
		names[i] = GroupName(g)
		same[names[i]] = append(same[names[i]], i)
	}
	for name, of := range same {
		if len(of) > 1 {
			tellApart(name, of, groups, names)
		}
	}
	return names
}

// tellApart sets the names of groups that would have the same name. Each group gets the first form that no other of
// these groups has. If there is no such form, the name is the group's first operation.
func tellApart(name string, same []int, groups []model.ValueGroup, names []string) {
	left := same
	for _, form := range nameForms {
		times := map[string]int{}
		for _, i := range same {
			times[form(name, groups[i])]++
		}
		var next []int
		for _, i := range left {
			names[i] = form(name, groups[i])
			if times[names[i]] > 1 {
				next = append(next, i)
			}
		}
		left = next
	}
	for _, i := range left {
		names[i] = draw.Clean(string(groups[i].Operations[0]))
	}
}

// nameForms are the forms of a name that several groups have, in the order in which they are tried.
var nameForms = []func(name string, g model.ValueGroup) string{
	func(name string, g model.ValueGroup) string { return methods(g) + " " + name },
	func(_ string, g model.ValueGroup) string { return resourcePath(g.Operations[0]) },
	func(_ string, g model.ValueGroup) string { return methods(g) + " " + resourcePath(g.Operations[0]) },
}

// methods returns the methods of a group, in their order.
func methods(g model.ValueGroup) string {
	var all []string
	for _, op := range g.Operations {
		if method, _, _ := strings.Cut(string(op), " "); !slices.Contains(all, method) {
			all = append(all, method)
		}
	}
	return draw.Clean(strings.Join(all, ", "))
}

// resourcePath returns the path of an operation from its resource to the end, such as "/items/{id}" for
// "/carts/{cart}/items/{id}".
func resourcePath(op model.OpID) string {
	_, path, _ := strings.Cut(string(op), " ")
	if at := strings.LastIndex(path, "/"+match.ResourceName(path)); at >= 0 {
		path = path[at:]
	}
	return draw.Clean(path)
}
