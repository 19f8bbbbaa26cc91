package graph

import (
	"fmt"
	"maps"
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// folding says what is folded in a picture. cycles and groups are the cycles and groups that are each drawn as one
// box. opened has the clusters of a large API that are unfolded. A folding is immutable: a change creates a new
// folding.
type folding struct {
	cycles, groups set[int]    // the numbers of the folded cycles and groups
	opened         set[string] // the names of the unfolded clusters
}

type set[K comparable] map[K]bool

// toggled returns a copy of the set. If the set has k, the copy does not have it. If the set does not have k, the
// copy has it.
func (s set[K]) toggled(k K) set[K] {
	out := maps.Clone(s)
	if out == nil {
		out = set[K]{}
	}
	out[k] = !s[k]
	if !out[k] {
		delete(out, k)
	}
	return out
}

// allOrNone returns the empty set if s has a member, and otherwise the set of all values of a map.
func (s set[K]) allOrNone(all map[model.OpID]K) set[K] {
	if len(s) > 0 {
		return nil
	}
	out := set[K]{}
	for _, k := range all {
		out[k] = true
	}
	return out
}

// value returns the folding. For a nil folding, nothing is folded.
func (f *folding) value() folding {
	if f == nil {
		return folding{}
	}
	return *f
}

// cycles returns the number of the cycle of each operation that is in a cycle. A cycle is a
// strongly connected component with several operations.
func (n *flowGraph) cycles() map[model.OpID]int {
	in := map[model.OpID]int{}
	for k, ops := range n.Graph.Components() {
		for _, op := range ops {
			if len(ops) > 1 {
				in[op] = k
			}
		}
	}
	return in
}

// fold merges the nodes of each folded cycle or group into one node. It drops the flows inside such a node,
// and does not count them as hidden.
func (p *picture) fold(n *flowGraph) {
	folded := p.folded.value()
	into := map[string]int{} // key: name of a group or cycle; value: its node
	lead := map[model.OpID]model.OpID{}
	var nodes []node
	for _, nd := range p.nodes {
		name := folded.name(nd.lead(), p.cycles, n.GroupOf)
		at, known := into[name]
		if !known || name == "" {
			at = len(nodes)
			into[name] = at
			nodes = append(nodes, node{name: name, fact: nd.fact})
		}
		nodes[at].ops = append(nodes[at].ops, nd.ops...)
		lead[nd.lead()] = nodes[at].lead()
	}
	for i := range nodes {
		nodes[i].setName(p.names)
	}
	p.nodes = nodes
	p.redirect(lead)
}

// name returns the name of the box into which an operation is folded, "" for none.
func (f folding) name(op model.OpID, cycles, groups map[model.OpID]int) string {
	if group, ok := groups[op]; ok && f.groups[group] {
		return fmt.Sprintf("group %d", group+1)
	}
	if cycle, ok := cycles[op]; ok && f.cycles[cycle] {
		return fmt.Sprintf("cycle %d", cycle+1)
	}
	return ""
}

// operationsIn returns the number of operations in all boxes.
func (p *picture) operationsIn() (n int) {
	for _, nd := range p.nodes {
		n += len(nd.ops)
	}
	return n
}

// setName names a node of several folded operations. A node of one operation has no name.
func (nd *node) setName(names draw.SeqNames) {
	switch {
	case nd.name == "":
	case len(nd.ops) == 1:
		nd.name = ""
	default:
		nd.name += ": " + words.Plural(len(nd.ops), "operation")
		nd.fact = nd.membersText(names)
	}
}

// redirect replaces the ends of flows: each operation is replaced by the lead operation of its box, which identifies
// the box.
func (p *picture) redirect(to map[model.OpID]model.OpID) {
	flows := slices.Clone(p.flows)
	for i, f := range flows {
		flows[i].from, flows[i].to = to[f.from], to[f.to]
		flows[i].ids, flows[i].rest = slices.Clone(f.ids), slices.Clone(f.rest)
	}
	flows = slices.DeleteFunc(flows, func(f flow) bool { return f.from == f.to })
	p.flows = merge(flows)
}

// foldable has the group and the cycle of an operation that can be folded or unfolded.
type foldable struct {
	group, cycle             int
	inGroup, inCycle         bool
	groupFolded, cycleFolded bool
}

// at returns what can be folded or unfolded at an operation. A group of one operation cannot be folded. A cycle
// inside a folded group cannot be folded, either.
func (f folding) at(op model.OpID, analyzed *screen.AnalyzedSpec, cycles map[model.OpID]int) foldable {
	var out foldable
	out.group, out.inGroup = analyzed.GroupOf[op]
	out.cycle, out.inCycle = cycles[op]
	out.groupFolded, out.cycleFolded = f.groups[out.group], f.cycles[out.cycle]
	out.inCycle = out.inCycle && !(out.inGroup && out.groupFolded)
	out.inGroup = out.inGroup && len(analyzed.Groups[out.group].Operations) > 1
	return out
}

// membersText lists as many operations of a node as fit into a box. The name of an operation needs at least three
// cells.
func (nd node) membersText(names draw.SeqNames) string {
	nd.ops = nd.ops[:min(len(nd.ops), factText/3)]
	return ansi.Truncate(nd.members(names), factText, "…")
}

// members lists the operations of a node.
func (nd node) members(names draw.SeqNames) string {
	text := ""
	for i, op := range nd.ops {
		if i > 0 {
			text += ", "
		}
		text += names.Operation(op, nameText).Text()
	}
	return text
}
