package graph

import (
	"fmt"
	"maps"
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// folding tells which circles and which groups of operations are one box each. It
// is never changed: whoever folds makes another one.
type folding struct{ circles, groups set }

type set map[int]bool

// toggled is the set with k in it if it was not, and the other way round.
func (s set) toggled(k int) set {
	out := maps.Clone(s)
	if out == nil {
		out = set{}
	}
	out[k] = !s[k]
	if !out[k] {
		delete(out, k)
	}
	return out
}

// unless is all of what there is, or nothing where some of it is in the set
// already.
func (s set) unless(all map[model.OpID]int) set {
	if len(s) > 0 {
		return nil
	}
	out := set{}
	for _, k := range all {
		out[k] = true
	}
	return out
}

// of is the folding of a view, nothing folded where it has none.
func (f *folding) of() folding {
	if f == nil {
		return folding{}
	}
	return *f
}

// circles tells in which circle an operation is: those that all feed each other,
// directly or through others. Most are in none.
func (n *net) circles() map[model.OpID]int {
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

// fold makes one node of the nodes of each circle and group that is folded; what
// passes between them is not shown, and no loss.
func (p *picture) fold(n *net) {
	folded := p.folded.of()
	into := map[string]int{} // what is folded → its node
	lead := map[model.OpID]model.OpID{}
	var nodes []node
	for _, nd := range p.nodes {
		name := folded.name(nd.lead(), p.circles, n.GroupOf)
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
		nodes[i].entitle()
	}
	p.nodes = nodes
	p.lead(lead)
}

// name is that of the box into which an operation is folded, "" for none.
func (f folding) name(op model.OpID, circles, groups map[model.OpID]int) string {
	if group, ok := groups[op]; ok && f.groups[group] {
		return fmt.Sprintf("group %d", group+1)
	}
	if circle, ok := circles[op]; ok && f.circles[circle] {
		return fmt.Sprintf("circle %d", circle+1)
	}
	return ""
}

// operationsIn counts those in all boxes.
func (p *picture) operationsIn() (n int) {
	for _, nd := range p.nodes {
		n += len(nd.ops)
	}
	return n
}

// entitle names a node that several were folded into; one alone is as it was.
func (nd *node) entitle() {
	switch {
	case nd.name == "":
	case len(nd.ops) == 1:
		nd.name = ""
	default:
		nd.name += ": " + words.Plural(len(nd.ops), "operation")
		nd.fact = ansi.Truncate(nd.members(), factText, "…")
	}
}

// lead has the flows lead from and to other operations, those into which theirs
// are folded.
func (p *picture) lead(to map[model.OpID]model.OpID) {
	flows := slices.Clone(p.flows)
	for i, f := range flows {
		flows[i].from, flows[i].to = to[f.from], to[f.to]
		flows[i].ids, flows[i].rest = slices.Clone(f.ids), slices.Clone(f.rest)
	}
	flows = slices.DeleteFunc(flows, func(f flow) bool { return f.from == f.to })
	p.flows = merge(flows)
}

// circle and group are those of the node under the cursor. What is folded with its
// group shows no circle.
func (s *Screen) circle() (int, bool) {
	k, ok := s.picture.circles[s.op()]
	group, grouped := s.study.GroupOf[s.op()]
	return k, ok && !s.things && !(grouped && s.folded.of().groups[group])
}

func (s *Screen) group() (int, bool) {
	k, ok := s.study.GroupOf[s.op()]
	return k, ok && !s.things && len(s.study.Groups[k].Operations) > 1
}

func (s *Screen) inCircle() bool {
	_, ok := s.circle()
	return ok
}

func (s *Screen) inGroup() bool {
	_, ok := s.group()
	return ok
}

func (s *Screen) inFoldedCircle() bool {
	k, _ := s.circle()
	return s.folded.of().circles[k]
}

func (s *Screen) inFoldedGroup() bool {
	k, _ := s.group()
	return s.folded.of().groups[k]
}

// foldGroup folds or unfolds the group of the operation under the cursor.
func (s *Screen) foldGroup() tea.Cmd {
	group, _ := s.group()
	return s.refold(func(f *folding) { f.groups = f.groups.toggled(group) })
}

// foldGroups folds all groups, or unfolds them where some are folded.
func (s *Screen) foldGroups() tea.Cmd {
	return s.refold(func(f *folding) { f.groups = f.groups.unless(s.study.GroupOf) })
}

// foldCircle folds or unfolds the circle of the operation under the cursor.
func (s *Screen) foldCircle() tea.Cmd {
	circle, _ := s.circle()
	return s.refold(func(f *folding) { f.circles = f.circles.toggled(circle) })
}

// foldCircles folds all circles, or unfolds them where some are folded.
func (s *Screen) foldCircles() tea.Cmd {
	return s.refold(func(f *folding) { f.circles = f.circles.unless(s.picture.circles) })
}

// refold shows the view with another folding.
func (s *Screen) refold(how func(*folding)) tea.Cmd {
	return s.change(func(v *view) {
		next := v.folded.of()
		how(&next)
		v.folded = &next
	})
}

// members names the operations of a node.
func (nd node) members() string {
	text := ""
	for i, op := range nd.ops {
		if i > 0 {
			text += ", "
		}
		text += draw.OperationLine(string(op), nameText).Text()
	}
	return text
}
