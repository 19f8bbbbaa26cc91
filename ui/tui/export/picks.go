package export

import (
	"cmp"
	"reflect"
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
)

// picks has the picked seqs and tests, with their values and the names that the user gave them.
type picks struct {
	items  []screen.SeqItem
	list   widget.List
	values values
	names  map[string]string // key: ID of an item; value: name of its test
}

func newPicks() picks { return picks{values: newValues(), names: map[string]string{}} }

// set replaces the items. The cursor stays on its item. set drops the failures of items that the user has
// changed.
func (p *picks) set(items []screen.SeqItem) {
	at := 0
	if p.list.At < len(p.items) {
		old := p.items[p.list.At]
		same := func(i screen.SeqItem) bool { return i.ID == old.ID && slices.Equal(i.Seq, old.Seq) }
		at = max(0, slices.IndexFunc(items, same))
	}
	for _, old := range p.items {
		changed := func(i screen.SeqItem) bool {
			return i.ID == old.ID && !(slices.Equal(i.Seq, old.Seq) && reflect.DeepEqual(i.Draft, old.Draft))
		}
		if slices.ContainsFunc(items, changed) { // the user has changed the seq or its values
			delete(p.values.failed, old.ID)
		}
	}
	p.items, p.list.At = items, at
}

// clear drops values and names, because a new spec has other seqs.
func (p *picks) clear() {
	p.values.clear()
	clear(p.names)
}

// tests returns the tests of all items that have values, with the index of each test's item. It leaves out
// tests that depend on earlier state.
func (p *picks) tests() (tests []model.Test, items []int) {
	for i, item := range p.items {
		if t := p.values.test(item); t != nil && t.EarlierState == "" {
			named := *t
			named.Name = cmp.Or(p.names[item.ID], item.Name)
			tests, items = append(tests, named), append(items, i)
		}
	}
	return tests, items
}

// leftOut returns the number of tests that depend on state of other tests, or that were not replayed.
func (p *picks) leftOut() int {
	n := 0
	for _, item := range p.items {
		if t := p.values.test(item); t != nil && t.EarlierState != "" {
			n++
		}
	}
	return n
}

// toRun returns the items that have to be run: seqs without values, and tests that were not played with the
// user's stubs.
func (p *picks) toRun() []screen.SeqItem {
	var out []screen.SeqItem
	for _, i := range p.items {
		if (i.Test == nil || len(i.Stubs) > 0) && p.values.found(i) == nil {
			out = append(out, i)
		}
	}
	return out
}

// untried reports whether there is an item that has to be run and has not failed yet.
func (p *picks) untried() bool {
	return slices.ContainsFunc(p.toRun(), func(i screen.SeqItem) bool { return p.values.failed[i.ID] == nil })
}

// lacksValues reports whether a picked seq has no values yet. Such a seq is not a test yet.
func (p *picks) lacksValues() bool {
	return slices.ContainsFunc(p.toRun(), func(i screen.SeqItem) bool { return i.Test == nil })
}

// failure returns the reason why the item under the cursor has no values. If that item has not failed, it returns the
// reason for the first item that has failed, or "" if there is none.
func (p *picks) failure() string {
	items := slices.Clone(p.items)
	if p.list.At < len(items) {
		items = slices.Insert(items, 0, items[p.list.At])
	}
	for _, i := range items {
		if err := p.values.failed[i.ID]; err != nil && p.values.test(i) == nil {
			return draw.Clean(i.ID + ": " + err.Error())
		}
	}
	return ""
}
