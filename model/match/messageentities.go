package match

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/resource"
)

// messageEntities has the entities that the messages of each resource contain, according to the components of the
// messages.
type messageEntities struct {
	// byCollection are the entities in the messages of a collection and of its elements.
	byCollection map[*resource.Resource][]*entity
	// collectionCount is the number of collections whose messages contain an entity.
	collectionCount map[*entity]int
	// byElement has the names of the components in the messages of an element's operations, except POST.
	byElement map[*resource.Resource][]string
}

// messageEntities returns the entities that the messages of operations contain.
func (x *entities) messageEntities(ops []*model.Operation) messageEntities {
	h := messageEntities{
		byCollection:    map[*resource.Resource][]*entity{},
		collectionCount: map[*entity]int{},
		byElement:       map[*resource.Resource][]string{},
	}
	for _, op := range ops {
		r := x.resources[op]
		home := collectionOf(r)
		for _, name := range mainComponents(op) {
			e := x.byComponent[name]
			if e == nil {
				continue
			}
			if !slices.Contains(h.byCollection[home], e) {
				h.byCollection[home] = append(h.byCollection[home], e)
				h.collectionCount[e]++
			}
			if r.Param && op.Method != "POST" {
				h.byElement[r] = append(h.byElement[r], name)
			}
		}
	}
	return h
}

// collectionOf returns the collection of an element, or the resource itself if it is not an element.
func collectionOf(r *resource.Resource) *resource.Resource {
	if r.Param && r.Parent != nil && !r.Parent.Param {
		return r.Parent
	}
	return r
}

// entityOf returns the entity of a resource among the entities in the messages of its collection, nil if there is
// none. The result is the first of these:
//  1. the entity with the collection's name
//  2. the first entity with a similar name: one of the two names ends with the other, or the collection's name
//     abbreviates the entity's name
//  3. the only entity in these messages, if the messages of no other collection contain it and its name does not
//     extend the collection's
func (h messageEntities) entityOf(r *resource.Resource) *entity {
	home := collectionOf(r)
	entityName := EntityName(ResourceName(home.Path))
	var like *entity
	for _, e := range h.byCollection[home] {
		name := e.plain
		if name == entityName {
			return e
		}
		if like == nil && entityName != "" && (strings.HasSuffix(name, entityName) || strings.HasSuffix(entityName, name) ||
			IsAbbreviation(entityName, e.name)) {
			like = e
		}
	}
	if list := h.byCollection[home]; like == nil && len(list) == 1 && h.collectionCount[list[0]] == 1 && !list[0].extendsName(entityName) {
		return list[0]
	}
	return like
}

// mergeViews replaces the entity of a component that only describes a view of another entity: a coupon-quote is a
// view of a coupon. Three conditions must hold:
//   - The messages of an element have the component.
//   - The component's name begins with the name of the element's entity.
//   - No resource has the component's own entity.
func (x *entities) mergeViews(tree *resource.Resource, h messageEntities) {
	for r := range tree.Subtree() {
		e := x.byResource[r]
		for _, name := range h.byElement[r] {
			if c := x.byComponent[name]; e != nil && len(c.resources) == 0 && c.extendsName(e.plain) {
				x.byComponent[name] = e
			}
		}
	}
}

// mainComponents returns the names of the main components of an operation's messages. The components of answers come
// first.
func mainComponents(op *model.Operation) []string {
	var list []string
	add := func(contents []model.Content, mayList bool) {
		for _, c := range contents {
			s := c.Schema
			if mayList {
				s = listedIn(s)
			}
			if name := mainComponent(s, 0); name != "" && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	isElement := strings.HasSuffix(op.Path, "}")
	for _, r := range answers(op.Responses) {
		add(r.Contents, op.Method == "GET" && !isElement)
	}
	if op.Body != nil {
		add(op.Body.Contents, false)
	}
	return list
}

// listedIn returns the schema of the list in s if s is one page of a longer list. A page is an object that has
// exactly one list of objects among its properties, and neither an id nor a name. Other schemas are returned
// unchanged.
func listedIn(s *model.Schema) *model.Schema {
	if s == nil {
		return nil
	}
	var list *model.Schema
	for _, p := range s.Properties {
		name := plainName(p.Name)
		switch {
		case name == "name" || slices.Contains(idWords, name):
			return s
		case p.Schema.Items == nil || p.Schema.Items.Name == "" && len(p.Schema.Items.Properties) == 0:
		case list != nil:
			return s
		default:
			list = p.Schema
		}
	}
	if list == nil {
		return s
	}
	return list
}

// wrapDepth is the maximum number of lists and objects around a main component.
const wrapDepth = 4

// mainComponent returns the name of the component that a message is about, inside of the lists and wrappers around
// it. It returns "" if there is none.
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
		if len(s.Properties) == 1 || slices.Contains(wrappers, plainName(p.Name)) {
			if inner := mainComponent(p.Schema, depth+1); inner != "" {
				return inner
			}
		}
	}
	return s.Name
}
