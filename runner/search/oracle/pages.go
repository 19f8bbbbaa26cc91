package oracle

import (
	"fmt"
	"reflect"
	"slices"
)

// page is a list that is a page of another one.
type page struct {
	*list
	from, size int
}

// examinePages compares the last list, if it is a page, with the pages before it. The whole list must have been read
// at least twice before, and always in the same order: without an order, pages may have any elements.
func (r *listReads) examinePages(last *list) {
	from, size, rest, ok := r.of.PageIn(last.query)
	if !ok || from < 0 {
		return
	}
	all, ok := r.before(last.call, rest)
	if !ok {
		return
	}
	reads := 0
	for l, ok := r.before(all.call, rest); ok; l, ok = r.before(l.call, rest) {
		if !slices.Equal(l.IDs, all.IDs) || l.IDPointer != all.IDPointer {
			return
		}
		reads++
	}
	if reads == 0 {
		return
	}
	here := page{last, from, size}
	var earlier []page
	for _, k := range r.calls {
		l, ok := r.list(k)
		if !ok || k <= all.call || k == last.call {
			continue
		}
		at, elements, other, ok := r.of.PageIn(l.query)
		if ok && elements == size && reflect.DeepEqual(other, rest) {
			earlier = append(earlier, page{l, at, elements})
		}
	}
	for _, p := range earlier {
		r.examineOverlap(p, here, all)
	}
	r.examineUnion(append(earlier, here), all)
}

// examineOverlap checks that a page has no element of an earlier page. The list without pages must be long enough for
// the later page to have elements, because some services return the last page again after the end.
func (r *listReads) examineOverlap(before, here page, all *list) {
	start := here.from
	if r.of.Paging.ByPage {
		start = here.from * here.size // or one page less
	}
	apart := here.from - before.from
	if !r.of.Paging.ByPage {
		apart /= here.size
	}
	if apart < 1 || start >= len(all.All) || !all.Matches(here.Elements) || !all.Matches(before.Elements) {
		return
	}
	// The service may have a minimum size of pages. Pages are then longer than the difference between their offsets.
	if !r.of.Paging.ByPage && len(before.All) > before.size && !(slices.Equal(before.IDs, here.IDs) && slices.Equal(here.IDs, all.IDs)) {
		return
	}
	ids := r.place(here.list, "*")
	for k, id := range before.IDs {
		if _, ok := r.source(before.list, k); !ok {
			continue
		}
		at := here.Index(id)
		if at < 0 {
			continue
		}
		r.e.add(Finding{
			Oracle:    inconsistentPages,
			Call:      here.call,
			Signature: "overlap",
			Expected:  fmt.Sprintf("%q has none %q of call %d, which is another page", ids, ids, before.call+1),
			Actual:    "both pages have " + brief(here.All[at]),
		})
		return
	}
}

// examineUnion checks that each element of a list is on one of its pages. The pages must be all pages of the list:
// they begin with the first page and leave out none, and the last one is empty. Each page must be as long as
// requested, except for the last page that has elements.
func (r *listReads) examineUnion(pages []page, all *list) {
	p := r.of.Paging
	last := pages[len(pages)-1]
	if len(last.All) > 0 {
		return
	}
	listed := map[string]bool{}
	ended := false
	for k, one := range pages {
		start, known := p.Start(one.from, one.size)
		if !known || start != k*one.size || !all.Matches(one.Elements) || len(one.All) > one.size || ended && len(one.All) > 0 {
			return
		}
		ended = len(one.All) < one.size
		for _, id := range one.IDs {
			listed[id] = true
		}
	}
	if len(listed) == 0 || p.Vague && areNumbered(pages, all) {
		return
	}
	for k, id := range all.IDs {
		source, ok := r.source(all, k)
		if !ok || listed[id] || k/last.size >= len(pages) {
			continue
		}
		r.e.add(Finding{
			Oracle:    inconsistentPages,
			Call:      last.call,
			Signature: "missing",
			Expected: fmt.Sprintf(
				"on call %d, %q has %s, as this list without pages does (call %d)",
				pages[k/last.size].call+1, r.place(all, "*"), source, all.call+1,
			),
			Actual: "no page has " + brief(all.All[k]),
		})
		return
	}
}

// areNumbered reports whether the pages are right if their start is read as the number of a page, counted from 0.
func areNumbered(pages []page, all *list) bool {
	return !slices.ContainsFunc(pages, func(p page) bool {
		from := min(p.from*p.size, len(all.IDs))
		return !slices.Equal(p.IDs, all.IDs[from:min(from+p.size, len(all.IDs))])
	})
}
