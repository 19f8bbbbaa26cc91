package openapi

import (
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"sonde/model"
)

// newCallbackRule returns the rule for callbacks. A callback is an object that has a path item for each runtime
// expression. Only the bodies of the requests in these path items are read; they follow the rule body.
func newCallbackRule(body *rule) *rule {
	request := &rule{name: "operation", fields: map[string]field{"requestBody": object(body)}}
	item := &rule{name: "path", refs: true, fields: map[string]field{}}
	for _, method := range methods32 {
		item.fields[method] = object(request)
	}
	each := object(item)
	return &rule{name: "callback", refs: true, rest: &each}
}

// callback3 converts a clean callback to the type of kin-openapi.
func callback3(n *node) *openapi3.CallbackRef {
	all := openapi3.NewCallbackWithCapacity(len(n.keys))
	for i, expression := range n.keys {
		item := &openapi3.PathItem{}
		for j, method := range n.kids[i].keys {
			item.SetOperation(strings.ToUpper(method), operation3(n.kids[i].kids[j]))
		}
		all.Set(expression, item)
	}
	return &openapi3.CallbackRef{Value: all}
}

// callbacks converts the callbacks of an operation, in the order of the document. There is one callback for each method
// of each expression.
func (c *converter) callbacks(op *operation, from openapi3.Callbacks) []model.Callback {
	var all []model.Callback
	named := op.clean.get("callbacks")
	for i, name := range named.names() {
		for j, to := range named.kids[i].keys {
			item := from[name].Value.Value(to)
			all = append(all, c.callbackRequests(model.Callback{Name: name, To: to}, named.kids[i].kids[j], item)...)
		}
	}
	return all
}

// callbackRequests converts the requests for one expression, in the order of methods that model.Spec demands. Each
// result is a copy of call with the method and the body of a request.
func (c *converter) callbackRequests(call model.Callback, clean *node, item *openapi3.PathItem) []model.Callback {
	var all []model.Callback
	for _, method := range methods32 {
		if request := clean.get(method); request != nil {
			call.Method = strings.ToUpper(method)
			call.Body = c.body3(request.get("requestBody"), item.GetOperation(call.Method).RequestBody)
			all = append(all, call)
		}
	}
	return all
}
