package graph

import (
	"slices"
	"strings"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// resources adds a node for each resource of the API. If the view has a centre, it adds only the resource of the
// centre and the resources around it. A flow leads from each resource to the resources that can only be created after
// it.
func (p *picture) resources(n *flowGraph) {
	inv := n.Analysis.Inventory()
	var all []node
	for _, e := range inv.Entities {
		all = append(all, resource(e))
	}
	var flows []flow
	for i, e := range inv.Entities {
		for _, need := range e.Needs {
			if need.Entity != i {
				flows = append(flows, flow{
					from:     all[need.Entity].lead(),
					to:       all[i].lead(),
					ids:      need.Values,
					idSource: true,
				})
			}
		}
	}
	p.nodes, p.flows = all, merge(flows)
	if !p.whole {
		p.around()
	}
	p.untangle()
}

// resource returns the node of a resource.
func resource(e *depend.ResourceEntity) node {
	n := node{name: draw.Clean(e.Path)}
	var roles []string
	for role, ops := range e.Operations {
		if len(ops) > 0 {
			roles = append(roles, depend.Role(role).String())
		}
		n.ops = union(n.ops, ops)
	}
	n.fact = strings.Join(roles, ", ") + " · " + words.Plural(len(n.ops), "operation")
	return n
}

// around removes the nodes that are farther from the centre than the view's hops. If too many nodes remain, it also
// removes the farthest of these nodes. Only the nodes of this second step count as omitted.
func (p *picture) around() {
	reached, room := []model.OpID{p.middle()}, maxNear(p.hops)
	for from, hops := 0, p.hops; hops > 0 && from < len(reached); hops-- {
		next := reached[from:]
		from = len(reached)
		for _, op := range next {
			for _, f := range p.flows {
				if l, ok := f.seenFrom(op); ok {
					reached = union(reached, []model.OpID{l.op})
				}
			}
		}
	}
	kept := reached[:min(room, len(reached))]
	p.omitted = len(reached) - len(kept)
	has := func(op model.OpID) bool { return slices.Contains(kept, op) }
	p.nodes = slices.DeleteFunc(p.nodes, func(n node) bool { return !has(n.lead()) })
	p.flows = slices.DeleteFunc(p.flows, func(f flow) bool { return !has(f.from) || !has(f.to) })
}
