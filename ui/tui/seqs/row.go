package seqs

import (
	"slices"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
)

// row is an item of the list. Rows are told apart by their address: another
// run may use the same IDs again.
type row struct {
	screen.SeqItem
	picked bool
	// earlier tells that the run no longer keeps the test; it is still here
	// because it is picked.
	earlier bool
	again   *model.Test // as it was answered when it was played once more, nil before
	faults  int         // of the run that it shows
	kept    bool        // it is or was of the archive
	only    int         // targets that no other test of the archive covers

	built  bool        // by the person, who may change it; what is below is of such a row
	steps  []step      // its calls
	plain  *model.Test // with the plainest values, nil until that is made
	before *model.Test // as it was recorded or answered first, nil where it never was

	heading string // of the rows below it, "" for a seq
	below   int    // how many those are
}

// Location returns the name of the row under the cursor.
func (s *Screen) Location() (model.OpID, []string) {
	if s.list.At >= len(s.shown) {
		return "", nil
	}
	return "", []string{s.shown[s.list.At].ID}
}

// origin is the word for where a row comes from.
func (r *row) origin() string {
	switch {
	case r.earlier:
		return "earlier"
	case r.Origin == model.OriginSearched:
		return "search"
	}
	return string(r.Origin)
}

// leftOutSign marks a row that exports leave out.
const leftOutSign = "!"

// leftOut says why exports leave the row's test out: what it depends on, "" if they don't.
func (r *row) leftOut() string {
	if r.Test == nil {
		return ""
	}
	return r.Test.EarlierState
}

// store is all rows: those made by hand or of a recording, the tests of the run as it has them, those that were
// picked before it dropped them, and the distilled seqs.
type store struct {
	study     *screen.AnalyzedSpec
	names     draw.SeqNames
	folder    string // of the run
	made      []*row // by hand, or of what was recorded
	archive   []*row
	earlier   []*row
	distilled listing
	byID      map[string]*row                // of the archive
	faults    faults                         // of the run
	resources map[model.OpID]string          // that operations are about, as far as anybody asked
	connect   func(model.Seq) model.Template // links the calls of a seq; nil until it is made
}

// open takes a spec that was read, maybe again, or in another way. The tests of
// the run stay; the picks among the distilled seqs stay as far as the document
// still has their operations.
func (s *store) open(study *screen.AnalyzedSpec) {
	same := s.study != nil && study.Spec.Hash != "" && study.Spec.Hash == s.study.Spec.Hash
	s.study, s.names, s.connect, s.resources = study, study.Names, nil, map[model.OpID]string{}
	var picked []model.Seq
	if !same {
		picked = s.pickedSeqs()
		s.made = slices.DeleteFunc(s.made, func(r *row) bool { return !r.built || slices.ContainsFunc(r.Seq, s.unknown) })
		s.unfill()
		s.distilled.begin()
	}
	s.distilled.dc, s.distilled.sc = distil.Listing{Seqs: study.Seqs, GaveUp: study.GaveUp}, nil
	s.distilled.longer = study.Longer
	s.distilled.list(s.row)
	s.pick(picked)
	for _, r := range s.all() {
		r.Groups = len(s.groups(r.Seq))
	}
}

// unfill takes the values of another document from what was built.
func (s *store) unfill() {
	for _, r := range s.made {
		r.steps, r.plain, r.before, r.again, r.Test, r.Draft = stepsOf(r.Seq, nil), nil, nil, nil, nil, nil
	}
}

func (s *store) row(item screen.SeqItem) *row {
	item.Groups = len(s.groups(item.Seq))
	return &row{SeqItem: item}
}

// groups returns the value-sharing groups that a seq touches, ascending.
func (s *store) groups(seq model.Seq) []int {
	var all []int
	for _, op := range seq {
		if g, ok := s.study.GroupOf[op]; ok && !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	slices.Sort(all)
	return all
}

// take brings the archive up to date. Rows of tests that stay are the same
// rows. It reports whether there are other rows than before.
func (s *store) take(p screen.RunProgress) (others bool) {
	if s.study == nil {
		return false
	}
	known, old := s.byID, s.archive
	if p.Folder != s.folder { // another run: its tests are others, whatever their IDs
		known, s.folder = nil, p.Folder
	}
	tests := p.Snapshot.Tests
	s.archive, s.byID = make([]*row, len(tests)), make(map[string]*row, len(tests))
	for i := range tests {
		r := known[tests[i].ID]
		if r == nil {
			r = s.row(screen.SeqItem{ID: tests[i].ID, Origin: tests[i].Origin, Seq: tests[i].Seq()})
		}
		r.Test = &tests[i]
		s.archive[i], s.byID[r.ID] = r, r
	}
	for _, r := range old {
		if r.picked && s.byID[r.ID] != r {
			r.earlier = true
			s.earlier = append(s.earlier, r)
		}
	}
	return !slices.Equal(old, s.archive)
}

// all returns the rows in the order of the list.
func (s *store) all() []*row {
	return slices.Concat(s.made, s.archive, s.earlier, s.distilled.stray, s.distilled.rows)
}

func (s *store) len() int {
	return len(s.made) + len(s.archive) + len(s.earlier) + len(s.distilled.stray) + len(s.distilled.rows)
}

// picks returns the rows that are picked, in the order of the list.
func (s *store) picks() []*row {
	var out []*row
	for _, r := range s.all() {
		if r.picked {
			out = append(out, r)
		}
	}
	return out
}
