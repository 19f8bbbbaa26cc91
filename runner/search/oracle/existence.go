package oracle

import (
	"encoding/json"
	"strings"

	"sonde/model"
)

// maxPaths bounds the paths that the rules remember.
const maxPaths = 20_000

// rememberPaths notes the resources that the service has in its first state. These are the resources in the paths of
// calls that were answered 2xx before any call of the test changed the service.
func (r *Rules) rememberPaths(t model.Test, exchanges []model.Exchange) {
	for i, x := range exchanges {
		op := r.ops[t.Calls[i].Op]
		if op == nil || x.Err != nil {
			continue
		}
		good := x.Reply.Status/100 == 2
		if good && op.Method != "PUT" && op.Method != "DELETE" { // a PUT may create the resource, and a DELETE removes it
			for _, p := range r.resourcePaths(op, x.Request.URL) {
				if len(r.firstPaths) < maxPaths {
					r.firstPaths[p.path] = true
				}
			}
		}
		if good && op.Method != "GET" && op.Method != "HEAD" {
			return
		}
	}
}

// resourcePath is the part of a path up to and including a parameter.
type resourcePath struct {
	name string // name of the parameter
	path string
	// value is the parameter as it was sent, escaped.
	value string
}

// resourcePaths returns the parts of a request's path that end with the parameter of a resource: for
// "/users/7/posts/3" these are "/users/7" and "/users/7/posts/3". It returns nil if the path may not belong to the
// operation.
func (r *Rules) resourcePaths(o *operation, target string) (all []resourcePath) {
	if !o.addressed(target) {
		return nil
	}
	path, _, _ := strings.Cut(target, "?")
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, want := range o.segments {
		name, is := wholeParameter(want)
		if !is || o.isChoice(name) || !r.resourcePlaces[unnamedPath(o.segments[:i+1])] {
			continue
		}
		all = append(all, resourcePath{name: name, value: segments[i], path: "/" + strings.Join(segments[:i+1], "/")})
	}
	return all
}

// isChoice reports whether the values of a path parameter cannot identify a resource, because of the parameter's
// type. An example is an enum.
func (o *operation) isChoice(name string) bool {
	for _, param := range o.Params {
		if param.In == model.InPath && param.Name == name && param.Schema != nil {
			s := param.Schema
			return len(s.Enum) > 0 || s.Const != nil || s.Type == "boolean" || s.Type == "number"
		}
	}
	return false
}

// resourcePlaces returns the paths of resources, such as "/users/{}"; see unnamedPath. A path that ends in a parameter
// is the path of a resource if the spec has a GET or POST of the path without the parameter, or a PUT or DELETE of the
// path. Other parameters, such as those of GET /triangle/{a}/{b}/{c}, are only values.
func resourcePlaces(ops map[model.OpID]*operation) map[string]bool {
	places := map[string]bool{}
	for _, o := range ops {
		path := unnamedPath(o.segments)
		switch o.Method {
		case "GET", "POST":
			places[path+"/{}"] = true
		case "PUT", "DELETE":
			places[path] = true
		}
	}
	return places
}

// unnamedPath joins the segments of a path's template without the names of parameters: "/users/{}".
func unnamedPath(segments []string) string {
	var b strings.Builder
	for _, s := range segments {
		if _, is := wholeParameter(s); is {
			s = "{}"
		}
		b.WriteString("/" + s)
	}
	return b.String()
}

// unknownResource returns the name of a path parameter that names a resource which does not exist, "" if there is
// none. A resource exists in these cases:
//   - An answer of the test has its id, or a link takes the id from an earlier call.
//   - A call of the test on its path was answered 2xx.
//   - The service has the resource in its first state.
//
// After a successful DELETE, a resource does not exist. In a run without a reset, only a DELETE in the same test
// proves this, because any earlier test may have created the resource.
func (r *Rules) unknownResource(t model.Test, exchanges []model.Exchange, call int) string {
	op := r.ops[t.Calls[call].Op]
	if exchanges[call].Reply.Status/100 == 2 || op.Method == "PUT" && op.single {
		return "" // the service knows it, or the call may create it
	}
	for _, p := range r.resourcePaths(op, exchanges[call].Request.URL) {
		exists := r.firstPaths[p.path] || r.keepsState || linked(t, call, p.name)
		for i := range call {
			exists = r.existsAfter(t.Calls[i], exchanges[i], p, exists)
		}
		if !exists {
			return p.name
		}
	}
	return ""
}

// linked reports whether a parameter in the path of a call takes its value from an earlier call.
func linked(t model.Test, call int, name string) bool {
	for _, l := range t.Links {
		if l.To == call && l.In == model.InPath && l.Name == name {
			return true
		}
	}
	return false
}

// existsAfter reports whether a resource exists after a call. before says whether it existed before the call.
func (r *Rules) existsAfter(c model.Call, x model.Exchange, p resourcePath, before bool) bool {
	op := r.ops[c.Op]
	if op == nil || x.Err != nil || x.Reply.Status/100 != 2 {
		return before
	}
	path, _, _ := strings.Cut(x.Request.URL, "?")
	path = strings.TrimSuffix(path, "/")
	switch {
	case path == p.path && op.Method == "DELETE":
		return false
	case path == p.path || strings.HasPrefix(path, p.path+"/"):
		return true
	}
	return before || namesResource(x.Reply, p)
}

// namesResource reports whether an answer has the value of a parameter as an id. The id is at the end of the
// Location, or in a property whose name ends with "id" or is the name of the parameter.
func namesResource(reply model.Reply, p resourcePath) bool {
	value := unescaped(p.value)
	if location := firstValue(reply.Header, "Location"); strings.HasSuffix(strings.TrimSuffix(location, "/"), "/"+p.value) {
		return true
	}
	body, ok := read(reply.Body)
	return ok && hasID(body, p.name, value, 0)
}

// hasID reports whether a JSON value has an id in a property whose name ends with "id" or is the given name.
func hasID(v any, name, id string, nested int) bool {
	if nested > maxMessageDepth {
		return false
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if hasID(item, name, id, nested+1) {
				return true
			}
		}
	case map[string]any:
		for key, inner := range v {
			isKey := strings.HasSuffix(strings.ToLower(key), "id") || strings.EqualFold(key, name)
			if isKey && idText(inner) == id || hasID(inner, name, id, nested+1) {
				return true
			}
		}
	}
	return false
}

// idText returns a text or a number as text, "" for other values.
func idText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}
