package openapi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// param is a parameter of the clean tree with its place.
type param struct {
	*node
	at *place
}

func (p param) in() string { return p.str("in") }

// key identifies a parameter by its location and name.
func (p param) key() string { return p.in() + " " + p.str("name") }

// params reads a list of parameters. If several have the same location and name, params returns only the first of
// them. This parameter is required if any of them is required.
func (b *bundle) params(list *node, at *place) []param {
	if list == nil || list.kind == isNull {
		return nil
	}
	if list.kind != isList {
		b.add(at, list, "a list of parameters belongs here, not %s; left out", list.what())
		return nil
	}
	var params []param
	known := map[string]int{}
	for i, n := range list.kids {
		p := param{b.mend(n, object(b.param), at.nth(i)), at.nth(i)}
		if p.node == nil {
			continue
		}
		if p.in() == "querystring" {
			p.node = queryOf(p.node)
		}
		first, second := known[p.key()]
		if !second {
			known[p.key()] = len(params)
			params = append(params, p)
			continue
		}
		b.add(p.at, n, "a second parameter %q in the %s; left out", short(p.str("name")), p.in())
		if p.get("required").is("true") {
			params[first].node = params[first].clone()
			params[first].set("required", p.get("required"))
		}
	}
	return params
}

// override returns the parameters of an operation: first the inherited parameters that the operation does not
// replace, then its own.
func override(inherited, own []param) []param {
	mine := make(map[string]bool, len(own))
	for _, p := range own {
		mine[p.key()] = true
	}
	var all []param
	for _, p := range inherited {
		if !mine[p.key()] {
			all = append(all, p)
		}
	}
	return append(all, own...)
}

func cleanList(params []param) *node {
	list := &node{kind: isList}
	for _, p := range params {
		list.kids = append(list.kids, p.node)
	}
	return list
}

// checkParam returns a function that checks whether a parameter has a name and one of the given locations.
func checkParam(places ...string) func(*node) string {
	return func(p *node) string {
		name, in := p.str("name"), p.str("in")
		switch {
		case p.get("name") == nil:
			return "a parameter without a name"
		case in == "":
			return fmt.Sprintf("the parameter %q does not say where it belongs", short(name))
		case !slices.Contains(places, in):
			return fmt.Sprintf("the parameter %q is placed in %q, which is none of %s",
				short(name), short(in), strings.Join(places, ", "))
		default:
			return ""
		}
	}
}

var statusKey = regexp.MustCompile(`^([1-5]([0-9]{2}|XX)|default)$`)

// responses reads the declared responses.
func (b *bundle) responses(list *node, at *place) *node {
	clean := objectNode(0)
	if list == nil || list.kind == isNull {
		return clean
	}
	if list.kind != isObject {
		b.add(at, list, "an object of responses belongs here, not %s; left out", list.what())
		return clean
	}
	for i, key := range list.keys {
		if strings.HasPrefix(key, "x-") {
			continue
		}
		status := strings.Replace(key, "xx", "XX", 1)
		if !statusKey.MatchString(status) {
			b.add(at.at(key), list.kids[i], "%q is no status of a response; left out", short(key))
			continue
		}
		resp := b.mend(list.kids[i], object(b.response), at.at(key))
		if resp == nil && list.kids[i].kind == isNull {
			resp = objectNode(list.kids[i].line) // the status is declared, but without details
		}
		if resp != nil {
			clean.set(status, resp)
		}
	}
	return clean
}
