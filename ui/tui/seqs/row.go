package seqs

import (
	"path/filepath"
	"reflect"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/ui/tui/filter"
	"sonde/ui/tui/screen"
)

// row is a seq or a test in the list, or a heading. Rows are compared by address, because tests of
// different runs may have the same ID.
type row struct {
	screen.SeqItem
	picked   bool
	earlier  bool        // the run no longer keeps the test; the row stays because it is picked
	replayed *model.Test // the test with the answers of the last replay, nil before the first
	faults   int         // the number of the run's faults that the test shows
	kept     bool        // the test is or was in the archive
	only     int         // the number of targets that no other test of the archive covers

	// Fields of a row that the user builds.
	built    bool
	steps    []step
	plain    *model.Test // the test with the simplest values, nil until builder.outline has made it
	baseline *model.Test // the test with which the answers of a replay are compared, nil if there is none

	file *savedSeq      // nil for a row that is not in a .http file
	from screen.SavedAs // where a row that the user builds was copied from

	heading string // the text of a heading, "" for a seq
	below   int    // the number of rows below a heading, 0 for a seq
}

// isHeading reports whether the row is a heading.
func (r *row) isHeading() bool { return r.below > 0 }

// origin returns the word for the origin of a row.
func (r *row) origin() string {
	switch {
	case r.file != nil:
		return fileOriginName
	case r.earlier:
		return "earlier"
	case r.Origin == model.OriginSearched:
		return "search"
	}
	return string(r.Origin)
}

// leftOutSign marks a row whose test is left out of exports.
const leftOutSign = "!"

// leftOut returns the reason why the row's test is left out of exports, "" if it is included.
func (r *row) leftOut() string {
	if r.Test == nil {
		return ""
	}
	return r.Test.EarlierState
}

// clearValues removes the values and answers of a row that the user builds.
func (r *row) clearValues() {
	r.steps, r.plain, r.baseline = stepsOf(r.Seq, nil), nil, nil
	r.replayed, r.Test, r.Draft = nil, nil, nil
}

// playable returns the test to play for a row, nil if there is none.
func (r *row) playable() *model.Test {
	t := r.Test
	switch {
	case r.file != nil:
		t = r.Draft
	case r.built:
		t = r.draft()
	default:
		return t
	}
	if t == nil {
		return nil
	}
	own := *t
	own.Stubs = r.Stubs
	return &own
}

// compared returns the test with which the answers of a replay are compared. It returns nil if there are no earlier
// answers, or if the user has changed the operations since then.
func (r *row) compared() *model.Test {
	switch {
	case r.file != nil:
		return r.baseline
	case !r.built:
		return r.Test
	case r.baseline != nil && slices.Equal(r.baseline.Seq(), r.Seq):
		return r.baseline
	}
	return nil
}

// hasCalls reports whether the row, which the user builds, still consists of these calls.
func (r *row) hasCalls(calls []model.Call) bool {
	now := r.draft()
	return now != nil && reflect.DeepEqual(now.Calls, calls)
}

// storeReplay stores the result of a replay. It returns a message that says if the answers are the same as
// before.
func (r *row) storeReplay(t *model.Test) string {
	r.replayed = t
	before := r.compared()
	switch {
	case before == nil:
		r.baseline = t
		return r.ID + " was played"
	case sameAnswers(*before, *t):
		return r.ID + " was played: same answers as before"
	}
	return r.ID + " was played: the answers differ"
}

// storeCalled stores the test of a distilled seq that was called and completed.
func (r *row) storeCalled(t model.Test) {
	t.ID = r.ID
	r.Test, r.replayed = &t, nil
}

// draft returns a copy of the test plain with the values of the row's steps. It returns nil if plain is nil.
func (r *row) draft() *model.Test {
	if r.plain == nil {
		return nil
	}
	t := *r.plain
	t.ID, t.Calls, t.Links = r.ID, slices.Clone(t.Calls), nil
	for i, st := range r.steps {
		if st.call != nil {
			t.Calls[i] = *st.call
		}
	}
	for _, l := range r.plain.Links {
		if !slices.Contains(r.steps[l.To].typed, valuePlace(l.In, l.Name)) {
			t.Links = append(t.Links, l)
		}
	}
	return &t
}

// changedDraft returns the draft, nil if there is none or it has only the values of plain.
func (r *row) changedDraft() *model.Test {
	if !slices.ContainsFunc(r.steps, func(st step) bool { return st.call != nil }) {
		return nil
	}
	return r.draft()
}

// filterRow returns the row in the form that a filter needs. outcome returns the word for the result of the row's
// seq, such as "failed", if the seq was called while seqs were listed.
func (r *row) filterRow(outcome func() string) filter.Row {
	hosts := r.hosts()
	words := append(slices.Clip(hosts), r.origin())
	if r.file != nil {
		words = append(words, r.file.name, filepath.Base(r.file.path))
	}
	fact := func(name string) []string {
		switch name {
		case "host":
			return hosts
		case "length":
			return []string{strconv.Itoa(len(r.Seq))}
		case "faults":
			return []string{strconv.Itoa(r.faults)}
		case "outcome":
			if r.Origin != model.OriginDistilled {
				return nil
			}
			return []string{outcome()}
		}
		return words[len(hosts) : len(hosts)+1] // the value of the fact "origin"
	}
	return filter.Row{Operations: r.Seq, Statuses: r.statuses(), Words: words, FactValues: fact}
}

// hosts returns the hosts for which the row has stubs.
func (r *row) hosts() []string {
	var all []string
	for _, stub := range slices.Concat(r.Stubs, stubsOf(r.Test)) {
		all = append(all, stub.Host)
	}
	return all
}

// statuses returns the statuses of the answers, one for each call.
func (r *row) statuses() []string {
	var all []string
	if r.Test != nil {
		for _, c := range r.Test.Calls {
			all = append(all, strconv.Itoa(c.Status))
		}
	}
	return all
}

// highestStatus returns the highest status of an answer, 0 if there was no answer.
func (r *row) highestStatus() (status int) {
	if r.Test == nil {
		return 0
	}
	for _, c := range r.Test.Calls {
		status = max(status, c.Status)
	}
	return status
}

// birth returns the number of calls that the search had made when it found the row's test.
func (r *row) birth() (calls int, known bool) {
	if r.Test.Lineage == nil {
		return 0, false
	}
	return r.Test.Lineage.Call, true
}

// stubsOf returns the stubs of a test, nil if t is nil.
func stubsOf(t *model.Test) []model.Stub {
	if t == nil {
		return nil
	}
	return t.Stubs
}
