package seqs

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"sonde/analysis"
	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/practice"
	"sonde/ui/tui/screen"
)

// catalog holds all rows, whether they are listed or not.
type catalog struct {
	analyzed  *screen.AnalyzedSpec // nil until a spec is opened
	names     draw.SeqNames
	links     linker
	folder    string // the folder of the run
	made      []*row // rows made by hand or from a recording
	files     fileSeqs
	archive   []*row // the tests that the run keeps
	earlier   []*row // picked tests that the run no longer keeps
	distilled distilledSeqs
	scope     scope           // the part of the API whose rows are listed
	whole     listings        // the seqs of the whole API
	byID      map[string]*row // key: ID; value: row of archive
	found     []model.Fault   // the faults that the run found
	faults    faultIndex      // made by the last call of countFaults, from found

	called *practice.Results // the results of seqs that were called while they were listed
	stored storedCalls
}

// storedCalls says which results storeCalled has stored.
type storedCalls struct{ run, seqs int }

// open sets the analyzed spec. Tests of the run stay. If the document is the same as before, all other rows stay,
// too. If the document has changed, another row stays only if the spec has all of its operations, and if it is one of
// these:
//   - seqs that the user built, without their values
//   - picked seqs that have no test, and picked distilled seqs, without their tests
func (c *catalog) open(analyzed *screen.AnalyzedSpec) {
	same := c.analyzed != nil && analyzed.Spec.Hash != "" && analyzed.Spec.Hash == c.analyzed.Spec.Hash
	c.analyzed, c.names, c.links = analyzed, analyzed.Names, linker{analyzed: analyzed}
	var picked []model.Seq
	if !same {
		picked = c.pickedSeqs()
		c.made = slices.DeleteFunc(c.made, func(r *row) bool {
			return !r.built || slices.ContainsFunc(r.Seq, c.unknown)
		})
		for _, r := range c.made {
			r.clearValues() // the values belong to the old document
		}
		c.distilled.reset()
		c.files.reset()
	}
	c.scope, c.whole = scope{}, listings{
		dc:     distil.Listing{Seqs: analyzed.Seqs, GaveUp: analyzed.GaveUp},
		longer: analyzed.Longer,
	}
	c.list(c.whole)
	c.pickSeqs(picked)
	for _, r := range c.all() {
		r.Groups = len(c.groups(r.Seq))
	}
}

// update sets the tests and faults of the run. A test that is still kept has the same row as before. update
// reports whether the rows of the archive changed. Until a spec is opened, it sets only the faults.
func (c *catalog) update(p screen.RunProgress) (changed bool) {
	c.found = p.Snapshot.Faults
	if c.analyzed == nil {
		return false
	}
	known, old := c.byID, c.archive
	if p.Folder != c.folder { // a new run uses the same IDs for other tests
		known, c.folder = nil, p.Folder
	}
	tests := p.Snapshot.Tests
	c.archive, c.byID = make([]*row, len(tests)), make(map[string]*row, len(tests))
	for i := range tests {
		r := known[tests[i].ID]
		if r == nil {
			r = c.newRow(screen.SeqItem{ID: tests[i].ID, Origin: tests[i].Origin, Seq: tests[i].Seq()})
		}
		r.Test = &tests[i]
		c.archive[i], c.byID[r.ID] = r, r
	}
	for _, r := range old {
		if r.picked && c.byID[r.ID] != r {
			r.earlier = true
			c.earlier = append(c.earlier, r)
		}
	}
	return !slices.Equal(old, c.archive)
}

// newRow returns a row. If item is a distilled seq that was called and completed, the row has the test of these
// calls.
func (c *catalog) newRow(item screen.SeqItem) *row {
	item.Groups = len(c.groups(item.Seq))
	r := &row{SeqItem: item}
	if found := c.resultOf(r); found.Kind == practice.Practical {
		r.storeCalled(found.Called.Test)
	}
	return r
}

// resultOf returns the result of a distilled seq that was called while seqs were listed. For any other row, it
// returns the zero Result.
func (c *catalog) resultOf(r *row) practice.Result {
	if r.Origin != model.OriginDistilled {
		return practice.Result{}
	}
	return c.called.Of(r.Seq)
}

// storeCalled stores the tests of the distilled seqs that were called and completed since the last call of storeCalled.
// changed reports whether there are new results. picked reports whether a picked row has got another test.
func (c *catalog) storeCalled() (changed, picked bool) {
	now, all := storedCalls{run: c.called.Run(), seqs: len(c.called.Called())}, c.called.Called()
	if c.stored == now {
		return false, false
	}
	if c.stored.run == now.run {
		all = all[c.stored.seqs:]
	}
	c.stored = now
	for _, called := range all {
		if r := c.distilled.known[seqKey(called.Test.Seq())]; r != nil && called.Completed {
			r.storeCalled(called.Test)
			picked = picked || r.picked
		}
	}
	return true, picked
}

// callScope returns the scope of the list in the form in which a listing that calls seqs needs it.
func (c *catalog) callScope() practice.Scope {
	analyzed, in := c.analyzed, c.scope
	if in.whole() {
		return practice.Scope{Mode: analyzed.Matcher.Mode, Analysis: func() *analysis.Analysis { return analyzed.Analysis }}
	}
	s := practice.Scope{Name: in.title(math.MaxInt), Mode: analyzed.Matcher.Mode}
	if op, one := in.single(); one {
		s.With, s.Analysis = op, func() *analysis.Analysis { return analyzed.Analysis }
		return s
	}
	s.Analysis = func() *analysis.Analysis { return in.part(analyzed) }
	return s
}

// add adds a test that was made by hand or from a recording, and returns its row. If a row has an earlier test of the
// same recorded exchange, the new test replaces the earlier test in that row.
func (c *catalog) add(t model.Test) *row {
	r := c.rowOfExchange(t)
	if r == nil {
		r = &row{}
		c.made = append(c.made, r)
		t.ID = c.newID(t.Origin)
	} else {
		t.ID = r.ID
	}
	r.SeqItem = c.newRow(screen.SeqItem{ID: t.ID, Origin: t.Origin, Seq: t.Seq(), Test: &t}).SeqItem
	return r
}

// rowOfExchange returns the row with a test of the same recorded exchange as t, nil if there
// is none.
func (c *catalog) rowOfExchange(t model.Test) *row {
	for _, r := range c.made {
		if t.Mock != nil && r.Test != nil && r.Test.Mock != nil && r.Test.Mock.Exchange == t.Mock.Exchange {
			return r
		}
	}
	return nil
}

// rowOf returns the row of a test with the same calls as t. If there is none, it adds a row for t.
func (c *catalog) rowOf(t model.Test) *row {
	for _, r := range c.all() {
		if r.Test != nil && reflect.DeepEqual(r.Test.Calls, t.Calls) {
			return r
		}
	}
	r := c.newRow(screen.SeqItem{Origin: t.Origin, Seq: t.Seq(), Test: &t})
	c.made = append(c.made, r)
	t.ID = c.newID(t.Origin)
	r.ID = t.ID
	return r
}

// build adds a row for a seq that the user builds. t is nil or a test of this seq. If t is not nil, the row gets the
// values of t.
func (c *catalog) build(seq model.Seq, t *model.Test) *row {
	r := &row{}
	c.made = append(c.made, r)
	item := screen.SeqItem{ID: c.newID(model.OriginManual), Origin: model.OriginManual, Seq: slices.Clone(seq), Stubs: stubsOf(t)}
	*r = *c.newRow(item)
	r.built, r.steps, r.baseline = true, stepsOf(seq, t), t
	return r
}

// newID returns an ID for the last row of made, such as "h1" for a seq that was made by hand, or "r1" for a test of a
// recording.
func (c *catalog) newID(o model.Origin) string {
	letter := "h"
	if o == model.OriginRecorded {
		letter = "r"
	}
	return fmt.Sprintf("%s%d", letter, len(c.made))
}

// groups returns the indexes of the value-sharing groups that a seq touches, ascending.
func (c *catalog) groups(seq model.Seq) []int {
	var all []int
	for _, op := range seq {
		if g, ok := c.analyzed.GroupOf[op]; ok && !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	slices.Sort(all)
	return all
}

// unknown reports whether the spec lacks an operation.
func (c *catalog) unknown(op model.OpID) bool {
	_, known := c.analyzed.GroupOf[op]
	return !known
}

// all returns the rows in the order of the list.
func (c *catalog) all() []*row {
	return slices.Concat(c.made, c.files.rows, c.archive, c.earlier, c.distilled.stray, c.distilled.rows)
}

// empty reports whether the scope is the whole API and there are no rows.
func (c *catalog) empty() bool { return c.scope.whole() && c.len() == 0 }

// len returns the number of rows in the scope.
func (c *catalog) len() int {
	if c.scope.whole() {
		return len(c.made) + len(c.files.rows) + len(c.archive) + len(c.earlier) + len(c.distilled.stray) + len(c.distilled.rows)
	}
	n := 0
	for _, rows := range [][]*row{c.made, c.files.rows, c.archive, c.earlier, c.distilled.stray, c.distilled.rows} {
		for _, r := range rows {
			if c.scope.has(r.Seq) {
				n++
			}
		}
	}
	return n
}

// list sets the distilled seqs of the scope.
func (c *catalog) list(l listings) {
	c.distilled.listings = l
	c.distilled.list(c.newRow)
}

// listing reports whether the scope is a part of the API whose distilled seqs are still being computed.
func (c *catalog) listing() bool { return !c.scope.whole() && c.distilled.meter == nil }

// leaveScope changes the scope to the whole API.
func (c *catalog) leaveScope() {
	c.scope = scope{}
	c.list(c.whole)
}

// operations returns the operations in the scope.
func (c *catalog) operations() []model.OpID {
	var ops []model.OpID
	for _, op := range c.analyzed.Spec.Operations {
		if c.scope.has(model.Seq{op.ID}) {
			ops = append(ops, op.ID)
		}
	}
	return ops
}

// more reports whether the scope has more distilled seqs by the current rule than the limit of a listing.
func (c *catalog) more() bool { return c.distilled.listing().GaveUp }

// picks returns the picked rows in the order of the list.
func (c *catalog) picks() []*row {
	var out []*row
	for _, r := range c.all() {
		if r.picked {
			out = append(out, r)
		}
	}
	return out
}

// pickedSeqs returns the seqs of the picked rows that are distilled, that the user built, or that have no test.
func (c *catalog) pickedSeqs() (seqs []model.Seq) {
	for _, r := range c.picks() {
		if r.file == nil && (r.Test == nil || r.built || r.Origin == model.OriginDistilled) {
			seqs = append(seqs, r.Seq)
		}
	}
	return seqs
}

// pickSeqs picks a row for each seq. If the user built a row with the seq, pickSeqs picks that row, otherwise the
// distilled row, even if the current rule does not list it. pickSeqs skips empty seqs, and seqs with operations that
// are not in the spec.
func (c *catalog) pickSeqs(seqs []model.Seq) {
	for _, seq := range seqs {
		if len(seq) == 0 || slices.ContainsFunc(seq, c.unknown) {
			continue
		}
		built := func(r *row) bool { return r.built && slices.Equal(r.Seq, seq) }
		if i := slices.IndexFunc(c.made, built); i >= 0 {
			c.made[i].picked = true
			continue
		}
		r := c.distilled.row(seq, c.newRow)
		r.picked = true
		if l := &c.distilled; !slices.Contains(l.rows, r) && !slices.Contains(l.stray, r) {
			l.stray = append(l.stray, r)
		}
	}
}

// countFaults counts, for each row of archive and made, the faults that the row shows. For each row of archive, it
// also counts the targets that no other row covers. It reports whether a count changed.
func (c *catalog) countFaults() (changed bool) {
	c.faults = newFaultIndex(c.found)
	covering := newTargetCounts(c.archive)
	for _, r := range c.archive {
		shown, only := c.faults.shownBy(r.Test), covering.only(r.Test)
		changed = changed || shown != r.faults || only != r.only
		r.faults, r.only, r.kept = shown, only, true
	}
	made := c.countFaultsOfMade()
	return made || changed
}

// countFaultsOfMade counts the faults that the rows of made and of files show. It reports whether a count
// changed.
func (c *catalog) countFaultsOfMade() (changed bool) {
	for _, r := range slices.Concat(c.made, c.files.rows) {
		n := c.faults.shownBy(r.Test)
		changed = changed || n != r.faults
		r.faults = n
	}
	return changed
}
