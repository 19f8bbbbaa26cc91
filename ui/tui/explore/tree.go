package explore

import (
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

// node is a row of the tree: a folder, or one of its operations.
type node struct {
	folder int
	op     *model.Operation // nil for the folder itself
	within bool             // it matches the filter by its values or schemas, not by its names
}

// tree has the operations of a spec in folders, and the visible rows. grow keeps the rows up to
// date with the filter and the folds.
type tree struct {
	folders []folder
	open    map[int]bool // folders that are unfolded
	fits    func(*model.Operation) filter.MatchRank
	nodes   []node // the rows
	// The number of operations that match the filter by their names, and by their values.
	named, within int
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

// filter shows the operations that fit. If fits is nil, it shows all.
func (t *tree) filter(fits func(*model.Operation) filter.MatchRank) {
	t.fits = fits
	t.grow()
}

// filtered reports whether a filter is set. All folders are unfolded then.
func (t *tree) filtered() bool { return t.fits != nil }

// grow updates the rows: first the operations that fit the filter by their names, then
// those that fit by their values.
func (t *tree) grow() {
	t.nodes, t.within = t.nodes[:0], 0
	t.named = t.layer(filter.NameMatch)
	if t.filtered() {
		t.within = t.layer(filter.ContentMatch)
	}
}

// layer adds the rows of the operations of one rank, and returns the number of
// operations.
func (t *tree) layer(rank filter.MatchRank) int {
	seen := map[model.OpID]bool{}
	for i, f := range t.folders {
		head := node{folder: i, within: rank == filter.ContentMatch}
		rows := []node{head}
		for _, op := range f.ops {
			if t.fits == nil || t.fits(op) == rank {
				seen[op.ID] = true
				rows = append(rows, node{folder: i, op: op, within: head.within})
			}
		}
		switch {
		case len(rows) == 1: // nothing in it fits
		case t.unfolded(i):
			t.nodes = append(t.nodes, rows...)
		default:
			t.nodes = append(t.nodes, head)
		}
	}
	return len(seen)
}

// unfolded reports whether the operations of a folder are visible.
func (t *tree) unfolded(folder int) bool { return t.open[folder] || t.filtered() }

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
// operation, it returns the row nearest to from. If no row has the operation, it unfolds a folder.
func (t *tree) row(op model.OpID, from int) int {
	best := t.find(op, from)
	if best >= 0 {
		return best
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
