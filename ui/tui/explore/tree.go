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

// folder has the operations of a tag, or operations without a tag whose paths begin with the same segment.
type folder struct {
	name string
	ops  []*model.Operation
	// removed are the operations that only an older version of the spec has in the folder. rows are all operations of
	// the folder. A removed operation is at its old place in rows. rows is nil without a comparison.
	removed, rows []*model.Operation
	// webhooks reports whether the operations are webhooks, which the service sends.
	webhooks bool
}

// listed returns the operations of the folder, including removed ones, in the order of the rows.
func (f folder) listed() []*model.Operation {
	if f.rows == nil {
		return f.ops
	}
	return f.rows
}

// node is a row of the tree: a folder, an operation in it, or the heading of a section.
type node struct {
	folder int              // -1 for a heading
	op     *model.Operation // nil for a folder and a heading
	// rank is how the operations of the row's section match the filter. It is filter.NameMatch without a filter.
	rank filter.MatchRank
	// removed reports whether only an older version of the spec has the operation.
	removed bool
	webhook bool // op is a webhook
}

// heading reports whether the row is the heading of a section.
func (n node) heading() bool { return n.folder < 0 }

// section has the operations that do not match the filter by name, but match it in another way. The operations are
// below a heading.
type section struct {
	rank     filter.MatchRank
	by       string // how the operations match, for the heading
	listed   folder // its name is the heading
	unfolded bool   // the user has unfolded the section
	fixed    bool   // no operation matches by name, so that the section is always unfolded
}

// isUnfolded reports whether the operations of the section are listed below its heading.
func (s *section) isUnfolded() bool { return s.unfolded || s.fixed }

// newSections returns the empty sections, the best matches first.
func newSections() []section {
	return []section{
		{rank: filter.ContentMatch, by: "by value"},
		{rank: filter.DescriptionMatch, by: "by description"},
	}
}

// sieve selects and orders the listed operations.
type sieve interface {
	// rank returns the rank of the match between an operation and the filter.
	rank(*model.Operation) filter.MatchRank
	// relevance returns how relevant an operation is. The most relevant operations come first.
	relevance(*model.Operation) filter.Relevance
}

// tree has the operations of a spec in folders, and the visible rows. grow updates the rows after a change
// of the filter or the folds.
type tree struct {
	folders   []folder
	gone      map[*model.Operation]bool // removed operations of the folders, nil without a comparison
	open      map[int]bool              // unfolded folders
	sieve     sieve                     // nil without a filter
	nodes     []node                    // the rows
	named     int                       // number of operations that match by name
	namedGone int                       // number of removed operations that match by name
	sections  []section                 // operations that match in another way
}

func newTree(spec *model.Spec) tree {
	t := tree{folders: folders(spec), open: map[int]bool{}, sections: newSections()}
	if len(spec.Webhooks) > 0 {
		t.folders = append(t.folders, folder{name: webhookFolder, ops: webhooksOf(spec), webhooks: true})
	}
	if len(t.folders) > 0 {
		t.open[0] = true
	}
	t.grow()
	return t
}

// folders groups operations by tag. Operations without a tag are grouped by a segment of their path: the first one
// after the segments that all paths share.
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

// common returns the number of leading segments that all paths share, such as 2 for /api/v1. The last
// segment of a path does not count.
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

// start returns the segment of a path after the first skip segments.
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

// filter lists only the operations that match a filter. If the filter is nil, it lists all operations.
func (t *tree) filter(by sieve) {
	t.sieve, t.sections = by, newSections()
	t.grow()
}

// filtered reports whether a filter is set. A filter unfolds all folders.
func (t *tree) filtered() bool { return t.sieve != nil }

// grow updates the rows. Operations that match the filter by name come first, ordered by relevance. The sections of
// the other matches follow.
func (t *tree) grow() {
	found := t.sift()
	named := found[filter.NameMatch]
	t.sortByRelevance(named)
	t.nodes, t.named, t.namedGone = t.nodes[:0], 0, 0
	t.count(named)
	for _, f := range named {
		t.add(f, filter.NameMatch)
	}
	for i := range t.sections {
		t.sections[i].fixed = len(named) == 0
		t.addSection(&t.sections[i], found[t.sections[i].rank])
	}
}

// count counts the operations that match by name, and the removed ones. Webhooks are neither.
func (t *tree) count(named []share) {
	named = slices.DeleteFunc(slices.Clone(named), func(s share) bool { return t.folders[s.folder].webhooks })
	for _, op := range operationsIn(named) {
		if t.gone[op] {
			t.namedGone++
		} else {
			t.named++
		}
	}
}

// addSection adds the rows of a section. A section without operations has no rows.
func (t *tree) addSection(s *section, found []share) {
	s.listed = folder{ops: operationsIn(found)}
	if len(found) == 0 {
		return
	}
	s.listed.name = fmt.Sprintf("%d more %s", len(s.listed.ops), s.by)
	if len(t.nodes) == 0 {
		s.listed.name = fmt.Sprintf("%d %s", len(s.listed.ops), s.by)
	}
	t.nodes = append(t.nodes, node{folder: -1, rank: s.rank})
	if !s.isUnfolded() {
		return
	}
	for _, f := range found {
		t.add(f, s.rank)
	}
}

// share is the part of a folder's operations that is listed.
type share struct {
	folder int
	ops    []*model.Operation
}

// sift returns the operations that match the filter, by the rank of the match. Without a filter, all
// operations match by name.
func (t *tree) sift() map[filter.MatchRank][]share {
	found := map[filter.MatchRank][]share{}
	for i, f := range t.folders {
		if !t.filtered() {
			if ops := f.listed(); len(ops) > 0 {
				found[filter.NameMatch] = append(found[filter.NameMatch], share{folder: i, ops: ops})
			}
			continue
		}
		byRank := map[filter.MatchRank][]*model.Operation{}
		for _, op := range f.listed() {
			if rank := t.sieve.rank(op); rank != filter.NoMatch {
				byRank[rank] = append(byRank[rank], op)
			}
		}
		for rank, ops := range byRank {
			found[rank] = append(found[rank], share{folder: i, ops: ops})
		}
	}
	return found
}

// sortByRelevance sorts operations within their folders, and the folders by their first operations. The
// sort is stable.
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

// operationsIn returns the operations of folders, without duplicates.
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

// add adds the row of a folder and, if it is unfolded, rows for its listed operations.
func (t *tree) add(f share, rank filter.MatchRank) {
	t.nodes = append(t.nodes, node{folder: f.folder, rank: rank})
	if !t.unfolded(f.folder) {
		return
	}
	for _, op := range f.ops {
		t.nodes = append(t.nodes, node{
			folder: f.folder, op: op, rank: rank, removed: t.gone[op], webhook: t.folders[f.folder].webhooks,
		})
	}
}

// section returns the section that contains a row, nil if the row is in no section.
func (t *tree) section(n node) *section {
	i := slices.IndexFunc(t.sections, func(s section) bool { return s.rank == n.rank })
	if i < 0 {
		return nil
	}
	return &t.sections[i]
}

// unfolded reports whether the operations of a folder are listed. A filter unfolds all folders.
func (t *tree) unfolded(folder int) bool { return t.open[folder] || t.filtered() }

// foldSection folds or unfolds a section.
func (t *tree) foldSection(s *section, open bool) {
	s.unfolded = open
	t.grow()
}

// restore unfolds the sections that are unfolded in an earlier copy of the sections, and folds the others.
func (t *tree) restore(before []section) {
	for i := range t.sections {
		t.sections[i].unfolded = before[i].unfolded
	}
	t.grow()
}

// fold folds or unfolds a folder.
func (t *tree) fold(folder int, open bool) {
	t.open[folder] = open
	t.grow()
}

// foldAll unfolds all folders. If all folders are already unfolded, it folds all of them.
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

// row returns the row of an operation. If several folders have the operation, it returns the row that is nearest to the
// row from. If the folder or section of the operation is folded, row unfolds it first. It returns -1 if the filter
// hides the operation, or if the tree does not have it.
func (t *tree) row(op model.OpID, from int) int {
	best := t.find(op, from)
	switch {
	case best >= 0:
		return best
	case t.filtered():
		for i := range t.sections {
			if slices.ContainsFunc(t.sections[i].listed.ops, func(o *model.Operation) bool { return o.ID == op }) {
				t.foldSection(&t.sections[i], true)
			}
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

// find returns the row of an operation, or -1 if the operation has no row. If it has several rows, find returns the one
// that is nearest to the row from.
func (t *tree) find(op model.OpID, from int) int {
	best := -1
	for i, n := range t.nodes {
		if n.op != nil && n.op.ID == op && (best < 0 || abs(i-from) < abs(best-from)) {
			best = i
		}
	}
	return best
}

// parent returns the row of the folder that contains an operation. It returns other rows unchanged.
func (t *tree) parent(row int) int {
	for row > 0 && t.nodes[row].op != nil {
		row--
	}
	return row
}

func abs(n int) int { return max(n, -n) }
