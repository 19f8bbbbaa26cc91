package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/filter"
)

// folder is a tag with its operations.
type folder struct {
	name string
	ops  []*model.Operation
}

// node is a row of the tree: a folder, one of its operations, or the heading of those that match the filter by value.
type node struct {
	folder int              // -1 for the heading
	op     *model.Operation // nil for a folder and the heading
	within bool             // it matches the filter by its values or schemas, not by its names
}

// heading reports whether the row is the heading of the operations that match by value.
func (n node) heading() bool { return n.folder < 0 }

// sieve decides which operations are listed, and in which order.
type sieve interface {
	// rank returns how an operation matches.
	rank(*model.Operation) filter.MatchRank
	// relevance returns how near an operation is to what is looked for. Nearer operations come first.
	relevance(*model.Operation) filter.Relevance
}

// tree has the operations of a spec in folders, and the visible rows. grow keeps the rows up to
// date with the filter and the folds.
type tree struct {
	folders []folder
	open    map[int]bool // folders that are unfolded
	sieve   sieve        // nil without a filter
	byValue bool         // the operations that match by value are listed although others match by name
	nodes   []node       // the rows
	named   int          // the number of operations that match by name
	within  folder       // the operations that match by value, below their heading
}

func newTree(spec *model.Spec) tree {
	t := tree{folders: folders(spec), open: map[int]bool{}}
	if len(t.folders) > 0 {
		t.open[0] = true
	}
	t.grow()
	return t
}

// folders groups operations by tag. Operations without a tag are grouped by the first segment of
// their path.
func folders(spec *model.Spec) []folder {
	var all []folder
	index := map[string]int{}
	add := func(name string, op *model.Operation) {
		i, ok := index[name]
		if !ok {
			i = len(all)
			index[name] = i
			all = append(all, folder{name: visible(name)})
		}
		all[i].ops = append(all[i].ops, op)
	}
	skip := common(spec.Operations)
	for _, op := range spec.Operations {
		for _, tag := range op.CaseTags() {
			if tag == "" {
				tag = start(op.Path, skip)
			}
			add(tag, op)
		}
	}
	return all
}

// visible returns a tag, or a name for a tag without visible characters.
func visible(tag string) string {
	if strings.TrimSpace(draw.Clean(tag)) == "" {
		return "(invisible tag)"
	}
	return tag
}

// common returns the number of leading segments that all paths share, such as 2 for /api/v1. It
// does not count the last segment of a path.
func common(ops []*model.Operation) int {
	if len(ops) == 0 {
		return 0
	}
	first := segments(ops[0].Path)
	n := len(first) - 1
	for _, op := range ops {
		s := segments(op.Path)
		n = min(n, len(s)-1)
		for i := range max(0, n) {
			if s[i] != first[i] {
				n = i
				break
			}
		}
	}
	return max(0, n)
}

// start returns the first segment of a path after those that are skipped.
func start(path string, skip int) string {
	s := segments(path)
	if skip >= len(s) || s[skip] == "" {
		return "/"
	}
	return "/" + s[skip]
}

func segments(path string) []string {
	return strings.Split(strings.Trim(path, "/"), "/")
}

// filter shows the operations that a filter lets through; nil for all.
func (t *tree) filter(by sieve) {
	t.sieve, t.byValue = by, false
	t.grow()
}

// filtered reports whether a filter is set. All folders are unfolded then.
func (t *tree) filtered() bool { return t.sieve != nil }

// grow updates the rows. First come the operations that match the filter by their names, the nearest before others, and
// then the heading of those that match by their values.
func (t *tree) grow() {
	named, within := t.sift()
	t.sortByRelevance(named)
	t.nodes, t.named, t.within = t.nodes[:0], len(operationsIn(named)), folder{}
	for _, f := range named {
		t.add(f, false)
	}
	if len(within) == 0 {
		return
	}
	t.within.ops = operationsIn(within)
	t.within.name = t.withinName()
	t.nodes = append(t.nodes, node{folder: -1, within: true})
	if !t.withinUnfolded() {
		return
	}
	for _, f := range within {
		t.add(f, true)
	}
}

// share is the listed operations of a folder.
type share struct {
	folder int
	ops    []*model.Operation
}

// sift returns the operations that match the filter by their names, and those that match by their values. Without a
// filter, all are among the first.
func (t *tree) sift() (named, within []share) {
	add := func(to []share, folder int, ops []*model.Operation) []share {
		if len(ops) == 0 {
			return to
		}
		return append(to, share{folder: folder, ops: ops})
	}
	for i, f := range t.folders {
		if !t.filtered() {
			named = add(named, i, f.ops)
			continue
		}
		var byName, byContent []*model.Operation
		for _, op := range f.ops {
			switch t.sieve.rank(op) {
			case filter.NameMatch:
				byName = append(byName, op)
			case filter.ContentMatch:
				byContent = append(byContent, op)
			}
		}
		named = add(named, i, byName)
		within = add(within, i, byContent)
	}
	return named, within
}

// sortByRelevance sorts operations in their folders, and the folders by their first operations. What is equally near
// stays in its order.
func (t *tree) sortByRelevance(all []share) {
	if !t.filtered() {
		return
	}
	relevance := map[*model.Operation]filter.Relevance{}
	nearer := func(a, b *model.Operation) int { return cmp.Compare(relevance[b], relevance[a]) }
	for _, f := range all {
		for _, op := range f.ops {
			relevance[op] = t.sieve.relevance(op)
		}
		slices.SortStableFunc(f.ops, nearer)
	}
	slices.SortStableFunc(all, func(a, b share) int { return nearer(a.ops[0], b.ops[0]) })
}

// operationsIn returns the operations of folders, each once.
func operationsIn(all []share) []*model.Operation {
	var out []*model.Operation
	seen := map[*model.Operation]bool{}
	for _, f := range all {
		for _, op := range f.ops {
			if !seen[op] {
				seen[op] = true
				out = append(out, op)
			}
		}
	}
	return out
}

// add adds the row of a folder and, if it is unfolded, those of the listed operations in it.
func (t *tree) add(f share, within bool) {
	t.nodes = append(t.nodes, node{folder: f.folder, within: within})
	if !t.unfolded(f.folder) {
		return
	}
	for _, op := range f.ops {
		t.nodes = append(t.nodes, node{folder: f.folder, op: op, within: within})
	}
}

// withinName returns the text of the heading of the operations that match by value.
func (t *tree) withinName() string {
	if t.named == 0 {
		return fmt.Sprintf("%d by value", len(t.within.ops))
	}
	return fmt.Sprintf("%d more by value", len(t.within.ops))
}

// withinUnfolded reports whether the operations that match by value are listed below their heading. If there are no
// others, they always are.
func (t *tree) withinUnfolded() bool { return t.byValue || t.named == 0 }

// unfolded reports whether the operations of a folder are visible. While a filter is set, those of all folders are.
func (t *tree) unfolded(folder int) bool { return t.open[folder] || t.filtered() }

// foldWithin folds or unfolds the operations that match the filter by value.
func (t *tree) foldWithin(folded bool) {
	t.byValue = !folded
	t.grow()
}

// fold folds or unfolds a folder.
func (t *tree) fold(folder int, open bool) {
	t.open[folder] = open
	t.grow()
}

// foldAll unfolds all folders, or folds all if they are unfolded.
func (t *tree) foldAll() {
	all := true
	for i := range t.folders {
		all = all && t.open[i]
	}
	for i := range t.folders {
		t.open[i] = !all
	}
	t.grow()
}

// row returns the row of an operation, -1 if the filter hides it. If several folders have the
// operation, it returns the row nearest to from. If no row has the operation, it unfolds a folder, or the
// operations that match by value.
func (t *tree) row(op model.OpID, from int) int {
	best := t.find(op, from)
	switch {
	case best >= 0:
		return best
	case t.filtered():
		if slices.ContainsFunc(t.within.ops, func(o *model.Operation) bool { return o.ID == op }) {
			t.foldWithin(false)
		}
		return t.find(op, from)
	}
	for i, f := range t.folders {
		for _, o := range f.ops {
			if o.ID == op {
				t.fold(i, true)
				return t.find(op, from)
			}
		}
	}
	return -1
}

// find returns the row of an operation that is nearest to from, -1 if no row has the operation.
func (t *tree) find(op model.OpID, from int) int {
	best := -1
	for i, n := range t.nodes {
		if n.op != nil && n.op.ID == op && (best < 0 || abs(i-from) < abs(best-from)) {
			best = i
		}
	}
	return best
}

// parent returns the row of a row's folder.
func (t *tree) parent(row int) int {
	for row > 0 && t.nodes[row].op != nil {
		row--
	}
	return row
}

func abs(n int) int { return max(n, -n) }
