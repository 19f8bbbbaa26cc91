package explore

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// treePane is the tree of the operations, with a filter and a cursor.
type treePane struct {
	analyzed *screen.AnalyzedSpec // nil before a spec is opened
	run      model.Snapshot
	ops      tree // operations that match the filter, in folders
	rows     widget.List
	find     finder.FilterLine
	changed  func(model.OpID) []string // the changes of an operation since the older version, as values of the fact changedFact
	removed  *filter.Index             // index of the operations that were removed since the older version, nil for none
	webhooks *filter.Index             // index of the webhooks, nil for none
}

// changedFact is the name of the filter's fact for changes since the older version.
const changedFact = "changed"

// open shows the operations of a new spec.
func (p *treePane) open(analyzed *screen.AnalyzedSpec) {
	p.analyzed, p.ops, p.removed, p.webhooks = analyzed, newTree(analyzed.Spec), nil, nil
	if sent := webhooksOf(analyzed.Spec); len(sent) > 0 {
		p.webhooks = filter.NewIndex(&model.Spec{Operations: sent})
	}
	p.find.SetIndex(analyzed.Index)
	p.sift()
	p.rows = widget.List{}
	p.update()
}

// progress updates the snapshot of the run, because a filter may depend on it.
func (p *treePane) progress(run model.Snapshot) {
	p.run = run
	if p.find.MentionsFact("status") {
		p.sift()
	}
}

// update updates the list after a change of the tree.
func (p *treePane) update() { p.rows.Fit(len(p.ops.nodes), p.rows.Height) }

// head returns the number of lines above the rows in a pane: the filter and its problems.
func (p *treePane) head(r draw.Rect) int { return 1 + len(p.find.ProblemLines(r.W-2)) }

// fit adapts the list to the size of a pane.
func (p *treePane) fit(r draw.Rect) {
	p.rows.Fit(len(p.ops.nodes), max(0, r.H-2-p.head(r)))
	p.showHeadings()
}

// showHeadings scrolls so that the folders and headings just above the cursor are visible, if there is
// room.
func (p *treePane) showHeadings() {
	top := p.rows.At
	for top > 0 && p.ops.nodes[top-1].op == nil {
		top--
	}
	if p.rows.At-top < p.rows.Height {
		p.rows.Top = min(p.rows.Top, top)
	}
}

// node returns the row under the cursor, nil if the tree is empty.
func (p *treePane) node() *node {
	if p.rows.At >= len(p.ops.nodes) {
		return nil
	}
	n := p.ops.nodes[p.rows.At] // a copy, because the tree reuses its rows
	return &n
}

// folder returns the folder under the cursor, or the folder of the operation under the cursor. The heading
// of a section counts as a folder.
func (p *treePane) folder() (folder, bool) {
	switch n := p.node(); {
	case n == nil:
		return folder{}, false
	case n.heading():
		return p.ops.section(*n).listed, true
	default:
		return p.ops.folders[n.folder], true
	}
}

// has reports whether an operation matches the filter. It unfolds the operation's folder.
func (p *treePane) has(op model.OpID) bool { return p.ops.row(op, p.rows.At) >= 0 }

// goTo moves the cursor to an operation, if it matches the filter.
func (p *treePane) goTo(op model.OpID) {
	if row := p.ops.row(op, p.rows.At); row >= 0 {
		p.update()
		p.rows.Go(row)
	}
}

// sieve returns the filter as a sieve for the tree, or nil if there is no filter.
func (p *treePane) sieve() sieve {
	if p.find.IsEmpty() {
		return nil
	}
	s := typedSieve{find: p.find.Filter, index: p.analyzed.Index, run: p.run, changed: p.changed}
	if p.removed != nil {
		s.removed = &typedSieve{find: filter.Parse(p.find.Text(), p.removed, changedFact), index: p.removed, changed: p.changed}
		s.gone = p.ops.gone
	}
	if p.webhooks != nil {
		s.webhooks = &typedSieve{find: filter.Parse(p.find.Text(), p.webhooks, changedFact), index: p.webhooks, changed: p.changed}
		s.sent = webhookSet(p.analyzed.Spec)
	}
	return s
}

// typedSieve is the filter that the user typed.
type typedSieve struct {
	find    *filter.Filter
	index   *filter.Index
	run     model.Snapshot
	changed func(model.OpID) []string
	removed *typedSieve               // the filter for the removed operations, nil if there are none
	gone    map[*model.Operation]bool // the removed operations

	webhooks *typedSieve               // the filter for the webhooks, nil if there are none
	sent     map[*model.Operation]bool // the webhooks
}

// other returns the filter for an operation that is not one of the spec: a removed operation or a webhook. It returns nil
// for other operations.
func (s typedSieve) other(op *model.Operation) *typedSieve {
	switch {
	case s.gone[op]:
		return s.removed
	case s.sent[op]:
		return s.webhooks
	default:
		return nil
	}
}

func (s typedSieve) rank(op *model.Operation) filter.MatchRank {
	if other := s.other(op); other != nil {
		return other.rank(op)
	}
	row := filter.Row{Operations: []model.OpID{op.ID}, Statuses: s.index.StatusesOf(op.ID, s.run), WithDescriptions: true}
	if changed := s.changed; s.find.MentionsFact(changedFact) {
		row.FactValues = func(name string) []string {
			if name != changedFact {
				return nil
			}
			return changed(op.ID)
		}
	}
	return s.find.Match(row)
}

func (s typedSieve) relevance(op *model.Operation) filter.Relevance {
	if other := s.other(op); other != nil {
		return other.relevance(op)
	}
	return s.find.Relevance(op.ID)
}

// sift applies the filter. The cursor stays on its operation if the operation still matches.
func (p *treePane) sift() {
	at := p.node()
	p.ops.filter(p.sieve())
	p.update()
	if at != nil && at.op != nil {
		p.rows.Go(p.ops.row(at.op.ID, p.rows.At))
		p.update()
	}
}

// narrow applies the filter, and moves the cursor to the first operation.
func (p *treePane) narrow() {
	p.ops.filter(p.sieve())
	p.update()
	p.rows.Go(slices.IndexFunc(p.ops.nodes, func(n node) bool { return n.op != nil }))
}

// clearFilter shows all operations again.
func (p *treePane) clearFilter() {
	p.find.SetText("")
	p.sift()
}

// typeFilter handles a key while the filter has the focus. moved reports whether the cursor moved to the
// first matching operation.
func (p *treePane) typeFilter(k tea.KeyMsg) (cmd tea.Cmd, moved bool) {
	before := p.find.Text()
	cmd = p.find.HandleKey(k)
	switch now := p.find.Text(); {
	case now == "" && before != "":
		p.sift()
	case now != before:
		p.narrow()
		return cmd, true
	}
	return cmd, false
}

// foldAll folds or unfolds all folders. The cursor stays in its folder.
func (p *treePane) foldAll() {
	at := p.node()
	if at == nil {
		return
	}
	p.ops.foldAll()
	p.update()
	for i, n := range p.ops.nodes {
		if n.folder == at.folder && (n.op == nil || n.op == at.op) {
			p.rows.Go(i)
		}
	}
}

// foldable reports whether the row under the cursor is an operation, or an unfolded folder or section.
func (p *treePane) foldable() bool {
	n := p.node()
	return n != nil && (n.op != nil || p.unfolded(n))
}

// current returns the row under the cursor. It returns nil if the keys for folding have no effect, because
// the tree is empty or a filter unfolds all folders.
func (p *treePane) current() *node {
	n := p.node()
	if n == nil || n.op == nil && p.ops.filtered() && !n.heading() {
		return nil
	}
	return n
}

// setFold folds or unfolds a folder or a section.
func (p *treePane) setFold(n *node, open bool) {
	if n.heading() {
		p.ops.foldSection(p.ops.section(*n), open)
	} else {
		p.ops.fold(n.folder, open)
	}
	p.update()
}

// unfolded reports whether the rows below a folder or heading are listed.
func (p *treePane) unfolded(n *node) bool {
	if n.heading() {
		return p.ops.section(*n).isUnfolded()
	}
	return p.ops.unfolded(n.folder)
}

// fold folds the folder under the cursor. If an operation is under the cursor, fold moves the cursor to the folder of
// the operation. moved reports whether the cursor was moved.
func (p *treePane) fold() (moved bool) {
	switch n := p.current(); {
	case n == nil:
		return false
	case n.op == nil:
		p.setFold(n, false)
		return false
	}
	p.rows.Go(p.ops.parent(p.rows.At))
	return true
}

// toggle folds or unfolds the folder under the cursor. If an operation is under the cursor, toggle moves the cursor
// to the folder of the operation. moved reports whether the cursor was moved.
func (p *treePane) toggle() (moved bool) {
	if n := p.current(); n != nil && n.op == nil {
		p.setFold(n, !p.unfolded(n))
		return false
	}
	return p.fold()
}

// enter unfolds the folder under the cursor. If the folder is already unfolded, enter moves the cursor to the next
// row. moved reports whether the cursor was moved.
func (p *treePane) enter() (moved bool) {
	n := p.current()
	if n == nil || n.op != nil {
		return false
	}
	if p.unfolded(n) {
		p.rows.Go(p.rows.At + 1)
		return true
	}
	p.setFold(n, true)
	return false
}

// click moves the cursor to the row in line y of a pane. It reports whether the line has a row.
func (p *treePane) click(r draw.Rect, y int) bool { return p.rows.Click(y - 1 - p.head(r)) }

// targets returns the visible rows in a pane.
func (p *treePane) targets(r draw.Rect) []screen.PointAt {
	if r.Empty() {
		return nil
	}
	var all []screen.PointAt
	from, to := p.rows.Visible()
	for i := range to - from {
		all = append(all, screen.PointAt{X: r.X + 1, Y: r.Y + 1 + p.head(r) + i})
	}
	return all
}

// count describes how many operations match the filter by name and in other ways. Removed operations are counted
// separately.
func (p *treePane) count() string {
	text := fmt.Sprintf("%d of %d", p.ops.named, len(p.analyzed.Spec.Operations))
	if n := p.ops.namedGone; n > 0 {
		text += fmt.Sprintf(", %d removed", n)
	}
	for _, s := range p.ops.sections {
		if n := len(s.listed.ops); n > 0 {
			text += fmt.Sprintf(", %d %s", n, s.by)
		}
	}
	return text
}

// absence returns the reason why the tree is empty. If the filter is the reason, the text also says how to clear it.
func (p *treePane) absence() string {
	if p.ops.filtered() {
		return "nothing fits; esc clears"
	}
	return "this spec has no operations"
}
