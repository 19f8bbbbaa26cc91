package depend

import (
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// Role is what an operation does to a resource.
type Role int

// The roles. RoleAction is the role of an operation that has none of the other roles, such as POST /orders/{id}/pay.
const (
	RoleCreate Role = iota
	RoleRead
	RoleUpdate
	RoleDelete
	RoleAction
)

// String returns the role as a verb.
func (r Role) String() string { return [...]string{"create", "read", "update", "delete", "act"}[r] }

// rolesOf returns the roles of an operation according to its method and its resource. A PUT has two roles, create and
// update, if no other operation is more likely to create the resource.
func rolesOf(r *resource.Resource, op *model.Operation) []Role {
	switch {
	case op.Method == "DELETE":
		return []Role{RoleDelete}
	case op.Method == "POST" && r.Param:
		return []Role{postToElement(r, op)}
	case op.Method == "POST" && r.Method && !makes(r):
		return []Role{RoleAction}
	case op.Method == "POST" && (makes(r) || !verb(r) && !question(r, op)):
		return []Role{RoleCreate}
	case model.IsSafeMethod(op.Method):
		return []Role{RoleRead}
	case op.Method == "POST", !writes(op.Method), verb(r):
		return []Role{RoleAction}
	case op.Method == "PUT" && r.Param && made(r, op):
		return []Role{RoleCreate, RoleUpdate}
	}
	return []Role{RoleUpdate}
}

func writes(method string) bool { return method == "POST" || method == "PUT" || method == "PATCH" }

// postToElement returns the role of a POST whose path ends in a parameter. It is the first of these that applies:
//  1. If there are elements below the path, the POST creates such elements.
//  2. If another operation creates the element, the POST updates the element, as in old APIs.
//  3. If the element has no other operation, the POST is an action.
//  4. Otherwise the POST creates the element.
func postToElement(r *resource.Resource, op *model.Operation) Role {
	switch {
	case hasElement(r):
		return RoleCreate
	case !made(r, op):
		return RoleUpdate
	case len(r.Operations) == 1:
		return RoleAction
	}
	return RoleCreate
}

// makes reports whether the segment of a resource is a word for creation, such as "register" in "/users/register". A
// custom method with such a word, such as ":batchCreate", counts, too.
func makes(r *resource.Resource) bool {
	if r.Method {
		return match.NamesCreation(r.Segment)
	}
	return r.Segment != "" && match.ResourceName(r.Path) != resource.Element(r.Segment)
}

// verb reports whether a resource without a parameter seems to be named after an action. Such a resource has a single
// operation, has no elements with ids below it, and its name is not a plural.
func verb(r *resource.Resource) bool {
	if r.Param || len(r.Operations) > 1 || hasElement(r) {
		return false
	}
	name := strings.ToLower(resource.Element(r.Segment))
	return match.Singular(name) == name
}

// question reports whether a POST on the path of a GET seems to be a query. The answer of such a POST is a list, its
// body is not a list, and there are no elements below the path that it could create.
func question(r *resource.Resource, op *model.Operation) bool {
	return r.Operation("GET") != nil && !hasElement(r) && listed(answerOf(op)) && !listed(bodyOf(op))
}

// listed reports whether a schema is an array.
func listed(s *model.Schema) bool { return s != nil && s.Type == "array" }

// answerOf returns the schema of the first successful response with a body, nil if there is none.
func answerOf(op *model.Operation) *model.Schema {
	for _, a := range op.Responses {
		if a.Success() && len(a.Contents) > 0 {
			return a.Contents[0].Schema
		}
	}
	return nil
}

func bodyOf(op *model.Operation) *model.Schema {
	if op.Body == nil || len(op.Body.Contents) == 0 {
		return nil
	}
	return op.Body.Contents[0].Schema
}

func hasElement(r *resource.Resource) bool {
	for _, c := range r.Children {
		if c.Param {
			return true
		}
	}
	return false
}
