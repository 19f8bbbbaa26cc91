package match

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// held tells which components' things the messages of each collection hold.
type held struct {
	at    map[*resource.Resource][]*entity
	homes map[*entity]int // at how many places it is
	// elements are the components that a collection's elements are got as.
	elements map[*resource.Resource][]string
}

func (x *entities) held(ops []*model.Operation) held {
	h := held{at: map[*resource.Resource][]*entity{}, homes: map[*entity]int{}, elements: map[*resource.Resource][]string{}}
	for _, op := range ops {
		r := x.at[op]
		home := homeOf(r)
		for _, name := range mainComponents(op) {
			e := x.core[name]
			if e == nil {
				continue
			}
			if !slices.Contains(h.at[home], e) {
				h.at[home] = append(h.at[home], e)
				h.homes[e]++
			}
			if r.Param && op.Method != "POST" {
				h.elements[r] = append(h.elements[r], name)
			}
		}
	}
	return h
}

// homeOf returns the collection of a place with an id, or the place itself.
func homeOf(r *resource.Resource) *resource.Resource {
	if r.Param && r.Parent != nil && !r.Parent.Param {
		return r.Parent
	}
	return r
}

// choose returns the entity of a place: of those that it holds the one that is
// called so, or whose name ends like it, or the only one if it is at home
// nowhere else. It is nil where none is.
func (h held) choose(r *resource.Resource) *entity {
	home := homeOf(r)
	thing := EntityName(ResourceName(home.Path))
	var like *entity
	for _, e := range h.at[home] {
		name := strings.ReplaceAll(e.name, "-", "")
		if name == thing {
			return e
		}
		if like == nil && thing != "" && (strings.HasSuffix(name, thing) || strings.HasSuffix(thing, name)) {
			like = e
		}
	}
	if list := h.at[home]; like == nil && len(list) == 1 && h.homes[list[0]] == 1 && !list[0].after(thing) {
		return list[0]
	}
	return like
}

// views makes a component that an element is got as, and that is called after
// it, one with the thing: a coupon-quote is a coupon.
func (x *entities) views(tree *resource.Resource, h held) {
	for r := range tree.Subtree() {
		e := x.byNode[r]
		for _, name := range h.elements[r] {
			if c := x.core[name]; e != nil && len(c.nodes) == 0 && c.after(strings.ReplaceAll(e.name, "-", "")) {
				x.core[name] = e
			}
		}
	}
}

// mainComponents returns the names of the components that an operation's
// messages are made of, seen through lists and wrappers; of the answers first.
func mainComponents(op *model.Operation) []string {
	var list []string
	see := func(contents []model.Content) {
		for _, c := range contents {
			if name := mainComponent(c.Schema, 0); name != "" && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	for _, r := range answers(op.Responses) {
		see(r.Contents)
	}
	if op.Body != nil {
		see(op.Body.Contents)
	}
	return list
}

// wrapDepth is how many lists and wrappers are seen through.
const wrapDepth = 4

// mainComponent returns the name of the component that a message is about, ""
// where it is about none.
func mainComponent(s *model.Schema, depth int) string {
	switch {
	case s == nil || depth > wrapDepth:
		return ""
	case s.Items != nil:
		return mainComponent(s.Items, depth+1)
	case len(s.AllOf) == 1 && len(s.Properties) == 0:
		return mainComponent(s.AllOf[0], depth+1)
	}
	for _, p := range s.Properties {
		if len(s.Properties) == 1 || slices.Contains(wrappers, plain(p.Name)) {
			if inner := mainComponent(p.Schema, depth+1); inner != "" {
				return inner
			}
		}
	}
	return s.Name
}
