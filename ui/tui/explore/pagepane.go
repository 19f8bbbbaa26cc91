package explore

import (
	"slices"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// pagePane is the page of an operation or a folder, with a cursor on one of its rows.
type pagePane struct {
	focused bool       // the page has the focus, not the tree
	op      model.OpID // "" for a folder, a removed operation or a webhook
	// question is what the page shows about the operation: its description, the paths to it, or its impact.
	question question
	// attributes reports whether the page also lists operations that share only an attribute.
	attributes bool

	facts facts           // facts about the operation
	folds map[string]bool // folds that are not in their initial state
	rows  []row
	stops widget.List // the cursor
}

// pageSubject is the subject of a page: an operation with the observations of a run, a removed operation, a webhook, or
// a folder.
type pageSubject struct {
	analyzed *screen.AnalyzedSpec
	op       *model.Operation // nil for other subjects
	removed  *model.Operation // nil for other subjects
	webhook  *model.Operation // nil for other subjects
	folder   *folder          // nil if the tree has no rows
	absence  string           // the reason why the tree has no rows
	observed observation
	changes  *changes
}

// write writes the rows.
func (p *pagePane) write(width int, is pageSubject) {
	b := &pageWriter{width: width, folds: p.folds, names: is.analyzed.Names}
	switch {
	case is.op != nil && p.question.view == viewPaths:
		pathsPage(is.op.ID, &p.question, is.analyzed, b)
	case is.op != nil && p.question.view == viewImpact:
		impactPage(is.op.ID, &p.question, b)
	case is.op != nil:
		operationPage(is.op, p.facts, is.observed, is.changes, b)
	case is.removed != nil:
		removedPage(is.removed, is.changes, b)
	case is.webhook != nil:
		webhookPage(is.webhook, b)
	case is.folder != nil && is.folder.webhooks:
		webhooksPage(*is.folder, b)
	case is.folder != nil:
		folderPage(*is.folder, is.changes, b)
	default:
		b.write(draw.TextLine(" "+is.absence, theme.Dim)...)
	}
	p.rows = b.rows
}

// findFacts computes the facts of the operation.
func (p *pagePane) findFacts(analyzed *screen.AnalyzedSpec, ops map[model.OpID]*model.Operation) {
	if o := ops[p.op]; o != nil {
		p.facts = factsOf(analyzed, o, ops, p.attributes)
	}
}

// toggleAttributes switches the list of operations that share only an attribute on or off.
func (p *pagePane) toggleAttributes(analyzed *screen.AnalyzedSpec, ops map[model.OpID]*model.Operation) {
	p.attributes = !p.attributes
	p.findFacts(analyzed, ops)
}

// reset prepares the pane for a new page.
func (p *pagePane) reset() {
	p.folds = map[string]bool{}
	p.stops = widget.List{Height: p.stops.Height}
}

// fit adapts the page to the size of a pane. A page with the focus may have a foot.
func (p *pagePane) fit(r draw.Rect, reading bool) {
	// The height of the foot depends on the row under the cursor, so the cursor must first be on an existing
	// row.
	p.stops.Rows = len(p.rows)
	p.stops.At = max(0, min(p.stops.At, len(p.rows)-1))
	p.stops.Fit(len(p.rows), max(0, r.H-2-len(p.foot(r, reading))))
}

// foot returns the lines of the foot.
func (p *pagePane) foot(r draw.Rect, reading bool) []draw.Line {
	var about draw.Line
	if current := p.current(); current != nil {
		about = current.about
	}
	return foot(about, r, reading)
}

// current returns the row under the cursor, nil if the page is empty.
func (p *pagePane) current() *row {
	if p.stops.At >= len(p.rows) {
		return nil
	}
	return &p.rows[p.stops.At]
}

// currentValue returns the value under the cursor. It returns nil if there is no value under the cursor, or if the
// value cannot be corrected.
func (p *pagePane) currentValue() *flow {
	r := p.current()
	if !p.focused || r == nil || r.value == nil || r.value.use.Kind == "" {
		return nil
	}
	return r.value
}

// way returns the path under the cursor. If the cursor is on no path, it returns the first path. It returns false if
// no path is shown.
func (p *pagePane) way() (depend.Path, bool) {
	if p.question.view != viewPaths || p.question.answer == nil || len(p.question.answer.paths) == 0 {
		return depend.Path{}, false
	}
	i := 0
	if r := p.current(); r != nil && r.way > 0 && p.focused {
		i = r.way - 1
	}
	return p.question.answer.paths[i], true
}

// followHelp returns the help of keyFollow for the row under the cursor.
func (p *pagePane) followHelp() string {
	switch r := p.current(); {
	case r != nil && r.fold != "":
		return "unfold, fold"
	case r != nil && r.to != "":
		return "go to it"
	case r != nil && r.observed:
		return "in the search"
	case r != nil && r.declared != nil:
		return "its values"
	case r != nil && r.value != nil && !r.value.shared():
		return "what it is"
	}
	return "next link"
}

// goToDeclared moves the cursor to the first row of the value that a part of a message has. It reports whether there
// is such a row.
func (p *pagePane) goToDeclared(d *declaration) bool {
	i := slices.IndexFunc(p.rows, func(r row) bool {
		return r.value != nil && r.value.use.Out == d.out && (r.value.use.Name == d.name || r.value.header == d.name)
	})
	if i >= 0 {
		p.stops.Go(i)
		p.scroll(-1)
	}
	return i >= 0
}

// nextStop moves the cursor to the next stop below, however far. It reports whether there is one.
func (p *pagePane) nextStop() bool {
	from := p.stops.At + 1
	if from >= len(p.rows) {
		return false
	}
	i := slices.IndexFunc(p.rows[from:], row.stop)
	if i >= 0 {
		p.stops.Go(from + i)
		p.scroll(1)
	}
	return i >= 0
}

// onStep reports whether the cursor is on a step of a path.
func (p *pagePane) onStep() bool {
	r := p.current()
	return p.focused && r != nil && r.to != "" && r.fold != ""
}

// move handles a key that moves the cursor. Up and down move to the next stop if it is near. A stop is a row with a
// link, a fold or a text for the foot. If no stop is near, they move by a line, so that the text before the next stop
// becomes visible.
func (p *pagePane) move(k tea.KeyMsg) {
	switch {
	case key.Matches(k, widget.Down):
		p.step(1)
	case key.Matches(k, widget.Up):
		p.step(-1)
	default:
		p.stops.Key(k)
	}
}

// enter moves the cursor to the first stop, if the cursor is still on the first row. The stop must be visible without
// scrolling, or at most maxSkipped rows below the first row.
func (p *pagePane) enter() {
	first := slices.IndexFunc(p.rows, row.stop)
	if p.stops.At == 0 && first > 0 && first < max(p.stops.Height, maxSkipped+1) {
		p.stops.Go(first)
		p.scroll(1)
	}
}

// maxSkipped is the maximum number of rows that a step skips.
const maxSkipped = 6

// step moves the cursor to the next stop below (1) or above (-1), or by one row.
func (p *pagePane) step(by int) {
	at := p.stopNear(p.stops.At, by)
	if at < 0 {
		at = p.stops.At + by
	}
	p.stops.Go(at)
	p.scroll(by)
}

// stopNear returns the nearest stop below or above a row. It returns -1 if there is no stop at most maxSkipped rows
// away.
func (p *pagePane) stopNear(row, by int) int {
	for n := 1; n <= maxSkipped; n++ {
		if at := row + n*by; at >= 0 && at < len(p.rows) && p.rows[at].stop() {
			return at
		}
	}
	return -1
}

// scroll keeps a line above and below the cursor visible. It shows the head of the page when the cursor has
// moved up to the first stop.
func (p *pagePane) scroll(by int) {
	last := len(p.rows) - 1
	first := p.stops.At
	if by < 0 && !p.stopBefore(first) {
		first = 0
	}
	from, to := max(0, first-1), min(last, p.stops.At+1)
	p.stops.Top = draw.ScrollOffset(p.stops.Top, from, to, p.stops.Height, len(p.rows))
	p.stops.Go(p.stops.At)
}

func (p *pagePane) stopBefore(row int) bool {
	for _, r := range p.rows[:row] {
		if r.stop() {
			return true
		}
	}
	return false
}

// goToValue moves the cursor to the first row of a value, whose identity may have changed. It reports
// whether there is such a row.
func (p *pagePane) goToValue(value *flow) bool {
	i := slices.IndexFunc(p.rows, func(r row) bool { return r.value != nil && r.value.samePlace(value) })
	if i >= 0 {
		p.stops.Go(i)
	}
	return i >= 0
}

// targets returns the cells of the visible stops. A stop is a row with a link, a fold or a text for the foot.
func (p *pagePane) targets(r draw.Rect) []screen.PointAt {
	if r.Empty() {
		return nil
	}
	var all []screen.PointAt
	from, to := p.stops.Visible()
	for i := from; i < to; i++ {
		if p.rows[i].stop() {
			all = append(all, screen.PointAt{X: r.X + 1, Y: r.Y + 1 + i - from})
		}
	}
	return all
}
