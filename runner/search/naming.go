package search

import (
	"regexp"
	"strconv"

	"sonde/model"
	"sonde/model/pointer"
)

// naming decides which inputs of operations identify something in the service, such as an id. Other inputs, such as
// amounts, do not.
type naming struct {
	fed   map[input]bool  // inputs that a template links to an earlier call
	named map[string]bool // name → whether idNamePattern matches it; a cache
}

// input is an input of an operation; name is as in a link.
type input struct {
	op   model.OpID
	in   model.Location
	name string
}

// newNaming returns the naming of a plan. If a template links an input to an earlier call, the input identifies the
// resource that this call created.
func newNaming(p model.Plan) naming {
	n := naming{fed: map[input]bool{}, named: map[string]bool{}}
	for _, t := range p.Templates {
		for _, l := range t.Links {
			n.fed[input{op: t.Steps[l.To].Op, in: l.In, name: l.Name}] = true
		}
	}
	return n
}

// idNamePattern matches the names of numbers that identify something.
var idNamePattern = regexp.MustCompile(`(?i:(^|_|-)(id|ids|key|number|no|code|ref|sku)$)|[a-z](Id|ID|Ids|Key|Number|No|Code|Ref|Sku|SKU)$`)

// identifies reports whether an input identifies something. An item of a list has the name of the list.
func (n naming) identifies(op model.OpID, in model.Location, name string) bool {
	if n.fed[input{op: op, in: in, name: name}] {
		return true
	}
	for in == model.InBody && isIndex(pointer.LastToken(name)) {
		name = pointer.Parent(name)
	}
	if in == model.InBody {
		name = pointer.LastToken(name)
	}
	is, known := n.named[name]
	if !known {
		is = idNamePattern.MatchString(name)
	}
	if !known && n.named != nil && len(n.named) < maxNames {
		n.named[name] = is
	}
	return is
}

// maxNames bounds the cache, because answers may contain any number of names.
const maxNames = 1 << 16

func isIndex(token string) bool {
	_, err := strconv.Atoi(token)
	return err == nil
}
