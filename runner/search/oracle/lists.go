package oracle

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/match"
	"sonde/runner/search/listing"
)

// The files lists.go, sortedlists.go, pages.go and createdelements.go have the oracles that compare the lists of one
// collection. These oracles are metamorphic relations, which hold whatever the service stores. A list is compared
// only with lists that the same user read earlier, without a write in between.

// IsRelation reports whether an oracle compares lists. A finding of such an oracle is no fault until it recurs some
// time after the last write, because lists of a healthy service may be late.
func IsRelation(name string) bool {
	return slices.Contains([]string{inconsistentFilter, inconsistentSort, inconsistentPages, createdUnlisted}, name)
}

// list is the answer to one call of an operation that lists elements.
type list struct {
	call  int
	query url.Values
	listing.Elements
}

// listReads has the calls of one operation that lists elements. The last of them is the call that is examined.
type listReads struct {
	e     *examination
	of    *listing.Listing
	first int // the index of the first call after the last write
	calls []int
	// created has, for each element that the test created in the collection, the place of its id in an answer.
	created map[string]string
}

// examineLists compares the list in the answer to a GET with earlier lists of the same path.
func (e *examination) examineLists(i int) {
	of := e.op(i).listing
	if of == nil {
		return
	}
	r := &listReads{e: e, of: of, first: e.firstRead(i)}
	for k := r.first; k <= i; k++ {
		if e.test.Calls[k].Op == e.test.Calls[i].Op && e.ok(k) && e.path(k) == e.path(i) && !mayBeCached(e.exchanges[k].Reply) {
			r.calls = append(r.calls, k)
		}
	}
	if len(r.calls) < 2 || r.calls[len(r.calls)-1] != i { // most calls of a search
		return
	}
	r.created = r.creations(i)
	if len(of.Filters) == 0 && len(of.Sorts) == 0 && !of.Paging.Pages() && len(r.created) == 0 {
		return
	}
	last, ok := r.list(i)
	if !ok {
		return
	}
	r.examineFilters(last)
	r.examineSorted(last)
	r.examineAddedBySorting(last)
	r.examinePages(last)
	r.examineCreated(last)
}

// firstRead returns the smallest index from which on all calls before call i only read, got an answer, and are by the
// user of call i. It returns i if there is no such call.
func (e *examination) firstRead(i int) int {
	k := i
	for k > 0 && e.op(k-1) != nil && !writes(e.op(k-1)) && e.exchanges[k-1].Err == nil && e.test.Calls[k-1].User == e.test.Calls[i].User {
		k--
	}
	return k
}

// query returns the query of a call, empty if it cannot be read.
func (r *listReads) query(call int) url.Values {
	_, text, _ := strings.Cut(r.e.exchanges[call].Request.URL, "?")
	query, err := url.ParseQuery(text)
	if err != nil {
		return url.Values{}
	}
	return query
}

// list returns the list in the answer to a call.
func (r *listReads) list(call int) (*list, bool) {
	l, known := r.e.lists[call]
	if !known {
		_, text, _ := strings.Cut(r.e.exchanges[call].Request.URL, "?")
		query, err := url.ParseQuery(text)
		elements, ok := r.of.Read(r.e.exchanges[call].Reply)
		if err == nil && ok {
			l = &list{call: call, query: query, Elements: elements}
		}
		if r.e.lists == nil {
			r.e.lists = map[int]*list{}
		}
		r.e.lists[call] = l
	}
	return l, l != nil
}

// creations returns, for the id of each element that the test created, the place of the id in an answer, such as
// "Location" of call 2.
func (r *listReads) creations(i int) map[string]string {
	made := map[string]string{}
	for k := range r.first {
		op, reply := r.e.op(k), r.e.exchanges[k].Reply
		if op == nil || op.Method != "POST" || !r.e.ok(k) || r.e.path(k) != r.e.path(i) {
			continue
		}
		if id, ok := match.LastSegment(firstValue(reply.Header, "Location")); ok {
			made[id] = fmt.Sprintf("%q of call %d", "Location", k+1)
		}
		body, _ := read(reply.Body)
		if id, at, ok := r.of.IDOf(body); ok {
			made[id] = fmt.Sprintf("%q of call %d", at, k+1)
		}
	}
	return made
}

// source describes the place of an element's id in an answer: in the answer to the creation of the element, or in a
// list. ok is false if the element proves nothing. This is so in a run without a reset if another test created the
// element.
func (r *listReads) source(l *list, index int) (text string, ok bool) {
	if text, ok = r.created[l.IDs[index]]; ok {
		return text, true
	}
	return fmt.Sprintf("%q of call %d", r.place(l, strconv.Itoa(index)), l.call+1), !r.e.rules.keepsState
}

// before returns the last list before a call that was read with the given query.
func (r *listReads) before(call int, query url.Values) (*list, bool) {
	for _, k := range slices.Backward(r.calls) {
		if k >= call {
			continue
		}
		if l, ok := r.list(k); ok && reflect.DeepEqual(l.query, query) {
			return l, true
		}
	}
	return nil, false
}

// isWhole reports whether a list certainly has all elements.
func (r *listReads) isWhole(l *list) bool {
	return r.of.IsComplete(l.query, r.e.exchanges[l.call].Reply, len(l.All))
}

// place returns the JSON pointer of the id of an element in the answers; index is the index of the element, or "*".
func (r *listReads) place(l *list, index string) string {
	return r.of.Place + "/" + index + l.IDPointer
}

// examineFilters checks that the last list has all elements of the filtered lists before it. The last list must have
// no filter, and must also have been read before the filtered list, with the same elements. The filter must have a
// value that an element of the list has. Otherwise a default of the filter may leave elements out of the list.
func (r *listReads) examineFilters(last *list) {
	for _, k := range r.calls {
		if k == last.call {
			continue
		}
		f, value, rest, ok := r.of.FilterIn(r.query(k))
		if !ok || !reflect.DeepEqual(rest, last.query) {
			continue
		}
		filtered, ok := r.list(k)
		if !ok {
			continue
		}
		all, ok := r.before(k, last.query)
		if !ok || !sameElements(all, last) || !r.isWhole(last) || !all.Matches(filtered.Elements) ||
			!hasElementWith(all, f.Property, value) {
			continue
		}
		if x := r.additional(filtered, all); x >= 0 {
			ids := r.place(filtered, "*")
			r.e.add(Finding{
				Oracle:    inconsistentFilter,
				Call:      last.call,
				Signature: "filter " + f.Param,
				Expected:  fmt.Sprintf("%q has all %q of call %d, which is this list filtered by %s", ids, ids, k+1, f.Param),
				Actual:    "a list without " + brief(filtered.All[x]),
			})
		}
	}
}

// additional returns the index of the first element of l that is not in the other list, -1 if there is none. It ignores
// an element with a state that no element of the other list has, because the service may leave out elements in this
// state.
func (r *listReads) additional(l, all *list) int {
	for k, id := range l.IDs {
		if _, ok := r.source(l, k); ok && all.Index(id) < 0 && r.hasKnownStates(l.All[k], all) {
			return k
		}
	}
	return -1
}

// sameElements reports whether two lists have the same elements, in any order.
func sameElements(a, b *list) bool {
	return a.IDPointer == b.IDPointer && slices.Equal(slices.Sorted(slices.Values(a.IDs)), slices.Sorted(slices.Values(b.IDs)))
}

// hasElementWith reports whether the given property of an element of a list has the given value, as text.
func hasElementWith(l *list, property, value string) bool {
	return slices.ContainsFunc(l.All, func(element any) bool {
		object, _ := element.(map[string]any)
		v, has := object[property]
		return has && v != nil && fmt.Sprint(v) == value
	})
}

// stateNames matches the names of properties by which services leave elements out of lists.
var stateNames = regexp.MustCompile(`(?i)stat(e|us)|visib|public|private|activ|archiv|delet|publish|draft|hidden|approv|enabled|` +
	`open|clos|type|kind|role|level|owner|scope|user(_?id)?$|tenant|stage|phase|categor|expir`)

// isState reports whether a property of the elements may be a state: a boolean, null, a value of an enum, or one
// whose name says so.
func (r *listReads) isState(name string, v any) bool {
	switch v.(type) {
	case nil, bool:
		return true
	case map[string]any, []any:
		return false
	}
	s := r.of.PropertySchema(name)
	return len(s.Enum) > 0 || s.Const != nil || stateNames.MatchString(name) && !volatileName(name)
}

// hasKnownStates reports whether, for each state of an element, an element of the list l has the same state.
func (r *listReads) hasKnownStates(element any, l *list) bool {
	object, _ := element.(map[string]any)
	for name, v := range object {
		known := func(other any) bool {
			o, _ := other.(map[string]any)
			w, has := o[name]
			return has && reflect.DeepEqual(v, w)
		}
		if r.isState(name, v) && !slices.ContainsFunc(l.All, known) {
			return false
		}
	}
	return true
}

// sameStates reports whether two elements have the same states.
func (r *listReads) sameStates(a, b any) bool {
	return r.hasKnownStates(a, &list{Elements: listing.Elements{All: []any{b}}}) &&
		r.hasKnownStates(b, &list{Elements: listing.Elements{All: []any{a}}})
}

// mayBeCached reports whether, according to its headers, an answer was or may be stored in a cache. Such an answer
// may be older than the answers of the service itself.
func mayBeCached(r model.Reply) bool {
	control := strings.Join(r.Header["Cache-Control"], ",")
	if age, err := strconv.Atoi(firstValue(r.Header, "Age")); err == nil && age > 0 || storedFor.MatchString(control) {
		return true
	}
	if strings.HasPrefix(strings.ToUpper(firstValue(r.Header, "X-Cache")), "HIT") {
		return true
	}
	expires, err := time.Parse(time.RFC1123, firstValue(r.Header, "Expires"))
	date, err2 := time.Parse(time.RFC1123, firstValue(r.Header, "Date"))
	return err == nil && err2 == nil && expires.After(date)
}

// storedFor matches a Cache-Control that allows an answer to be stored.
var storedFor = regexp.MustCompile(`(?i)\b(max-age|s-maxage|stale-while-revalidate)=0*[1-9]`)
