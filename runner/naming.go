package runner

import (
	"regexp"
	"strconv"

	"sonde/model"
	"sonde/model/pointer"
)

// naming says which inputs of operations name something in the service. The rest, such
// as amounts, may have any value.
type naming struct {
	fed   map[input]bool
	named map[string]bool // what idName says of names
}

// input is a place in the requests of an operation; name is as in a link.
type input struct {
	op   model.OpID
	in   model.Place
	name string
}

// newNaming returns the naming of a plan: an input into which a template carries a value
// of an earlier call names what that call made.
func newNaming(p model.Plan) naming {
	n := naming{fed: map[input]bool{}, named: map[string]bool{}}
	for _, t := range p.Templates {
		for _, l := range t.Links {
			n.fed[input{op: t.Steps[l.To].Op, in: l.In, name: l.Name}] = true
		}
	}
	return n
}

// idName finds the names of numbers that name something.
var idName = regexp.MustCompile(`(?i:(^|_|-)(id|ids|key|number|no|code|ref|sku)$)|[a-z](Id|ID|Ids|Key|Number|No|Code|Ref|Sku|SKU)$`)

// identifies reports whether an input names something; an item of a list is called as
// the list is.
func (n naming) identifies(op model.OpID, in model.Place, name string) bool {
	if n.fed[input{op: op, in: in, name: name}] {
		return true
	}
	for in == model.InBody && isIndex(pointer.Last(name)) {
		name = pointer.Parent(name)
	}
	if in == model.InBody {
		name = pointer.Last(name)
	}
	is, known := n.named[name]
	if !known {
		is = idName.MatchString(name)
	}
	if !known && n.named != nil && len(n.named) < mostNames {
		n.named[name] = is
	}
	return is
}

// mostNames bounds the names whose meaning is remembered; answers may have any number.
const mostNames = 1 << 16

func isIndex(token string) bool {
	_, err := strconv.Atoi(token)
	return err == nil
}
