package search

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/pointer"
	"sonde/model/resource"
	"sonde/runner/search/listing"
)

// listTest builds a test that reads lists of one collection. Its oracles are in oracle/lists.go.
type listTest struct {
	of    *listing.Listing
	test  model.Test
	read  model.Call                  // the call that reads the list
	links func(call int) []model.Link // the links into a call that reads the list
}

// listAfterCreations adds tests that create elements and then read lists of them.
func (f *followUps) listAfterCreations(m keptCall, op *model.Operation) {
	list := f.plan.Spec.Operation(model.OpID("GET " + op.Path))
	if !isCreation(m, op) || list == nil {
		return
	}
	of, ok := f.listing(list)
	if !ok || !needsOnlyPath(list) || !f.isFirst("lists", list.ID) {
		return
	}
	// A list has few reasons to leave out elements with few properties.
	f.readCreated(f.listTestAfter(m, op, of).withCreations(op, m.at, 3, false))
	m = f.longestBody(m, func(other keptCall) bool { return isCreation(other, op) })
	b, _ := f.listTestAfter(m, op, of).withCreations(op, m.at, 3, true)
	f.addListTests(b)
}

// listTestAfter returns a test whose last call is a kept creation by op. Calls that read the list can be added to it.
func (f *followUps) listTestAfter(m keptCall, op *model.Operation, of *listing.Listing) listTest {
	read, links, _ := f.readOf(m.test, m.at, op) // there is such a GET, as it lists the elements
	read.Args = append(read.Args, f.manyElements(of)...)
	return listTest{of: of, test: *testHead(m.test, m.at+1), read: read, links: links}
}

// isCreation reports whether a kept call is a POST of op that has created something.
func isCreation(m keptCall, op *model.Operation) bool {
	c := m.test.Calls[m.at]
	return c.Op == op.ID && op.Method == "POST" && c.Status/100 == 2 && c.Status != 202
}

// manyElements returns the argument that asks for as many elements of a list as possible. It returns no argument if
// the list has no parameter for this, or most likely has all elements without it.
func (f *followUps) manyElements(of *listing.Listing) []model.Arg {
	p := of.Paging
	few := f.archive.judge.resets && p.Default > 0 && f.longest(of)+3 < p.Default
	if p.Size == "" || few {
		return nil
	}
	most := listSizes[0]
	if p.Max > 0 {
		most = min(most, p.Max)
	}
	return []model.Arg{{In: model.InQuery, Name: p.Size, Value: strconv.Itoa(most)}}
}

// listSizes are the numbers of elements that follow-up tests ask a list for. If the service refuses one, the test is
// played with the next: the service may have a maximum that its document does not mention.
var listSizes = []int{1000, 100, 20}

// withFewerElements returns a version of a follow-up test whose lists are asked for fewer elements. ok is false unless
// the service refused the number of elements when the test was played. The parameter done is the played test.
func (f *followUps) withFewerElements(t, done model.Test) (fewer model.Test, ok bool) {
	for _, c := range done.Calls {
		if c.Status != 400 && c.Status != 422 {
			continue
		}
		size := f.sizeArg(c)
		if size < 0 {
			continue
		}
		refused := c.Args[size]
		at := slices.IndexFunc(listSizes, func(n int) bool { return strconv.Itoa(n) == refused.Value })
		if at < 0 || at+1 == len(listSizes) {
			continue
		}
		t.Calls = slices.Clone(t.Calls)
		for i, other := range t.Calls {
			if k := f.sizeArg(other); other.Op == c.Op && k >= 0 && other.Args[k].Value == refused.Value {
				t.Calls[i].Args = slices.Clone(other.Args)
				t.Calls[i].Args[k].Value = strconv.Itoa(listSizes[at+1])
			}
		}
		return t, true
	}
	return t, false
}

// sizeArg returns the index of the argument that says how many elements a call asks a list for, -1 if there is none.
func (f *followUps) sizeArg(c model.Call) int {
	op := f.plan.Spec.Operation(c.Op)
	if op == nil {
		return -1
	}
	of, ok := f.listing(op)
	if !ok || of.Paging.Size == "" {
		return -1
	}
	return slices.IndexFunc(c.Args, func(a model.Arg) bool { return a.In == model.InQuery && a.Name == of.Paging.Size })
}

// withCreations adds calls to a test that has one creation, its last call, with index i. Each added call creates
// another element in the same way, so that the test has n creations. made has the indexes of all of them. If numbers
// is true, the elements also differ in the numbers by which lists can be sorted.
func (b listTest) withCreations(op *model.Operation, i, n int, numbers bool) (more listTest, made []int) {
	var varied []string
	for _, s := range b.of.Sorts {
		if numbers {
			varied = append(varied, s.Property)
		}
	}
	made = []int{i}
	b.test.Calls = slices.Clone(b.test.Calls)
	for k := 1; k < n; k++ {
		at := len(b.test.Calls)
		b.test.Calls = append(b.test.Calls, variedCall(op, b.test.Calls[i], varied, k))
		b.test.Links = slices.Concat(b.test.Links, movedLinks(b.test, i, at))
		made = append(made, at)
	}
	return b, made
}

// listExisting adds tests that read the lists of a collection with the same path values as a kept test. It does so
// only if no POST of the same path creates elements, because listAfterCreations handles the other collections.
func (f *followUps) listExisting(m keptCall, op *model.Operation) {
	of, ok := f.listing(op)
	if !ok || m.test.Calls[m.at].Status != 200 || !needsOnlyPath(op) || !f.isFirst("lists", op.ID) {
		return
	}
	t := m.test
	read := model.Call{Op: op.ID, User: t.Calls[m.at].User, Args: append(pathArgs(t.Calls[m.at]), f.manyElements(of)...)}
	f.addListTests(listTest{of: of, test: *testHead(t, m.at), read: read, links: func(call int) []model.Link {
		return pathLinks(t, m.at, call, read.Args, "")
	}})
}

func (f *followUps) listing(op *model.Operation) (*listing.Listing, bool) {
	return listing.Of(op, f.elements[op])
}

// elementNames returns, for each operation on a collection, the name of the path parameter that identifies an
// element.
func elementNames(ops []*model.Operation) map[*model.Operation]string {
	names := map[*model.Operation]string{}
	for r := range resource.NewTree(ops).Subtree() {
		for _, op := range r.Operations {
			names[op] = r.Element()
		}
	}
	return names
}

// addListTests adds the tests that filter, sort and page a list.
func (f *followUps) addListTests(b listTest) {
	f.filterList(b)
	f.sortList(b)
	f.pageList(b)
}

// add adds a call that reads the list with additional arguments, and returns the index of the call.
func (b *listTest) add(args ...model.Arg) int {
	at := len(b.test.Calls)
	c := b.read
	c.Args = slices.Concat(c.Args, args)
	b.test.Links = slices.Concat(b.test.Links, b.links(at))
	b.test.Calls = append(slices.Clip(b.test.Calls), c)
	return at
}

// readCreated adds a test that reads created elements and then reads the list twice. made has the indexes of the
// creations.
func (f *followUps) readCreated(b listTest, made []int) {
	get := f.elementRead(b.of.Op)
	if get == nil || b.of.Preset {
		return
	}
	name, ok := lastParam(get.Path)
	if !ok {
		return
	}
	for _, from := range made {
		at := len(b.test.Calls)
		c := model.Call{Op: get.ID, User: b.read.User, Args: append(pathArgs(b.read), model.Arg{In: model.InPath, Name: name, Value: "-"})}
		links := append(b.links(at), model.Link{From: from, To: at, In: model.InPath, Name: name, Optional: true})
		b.test.Calls = append(slices.Clip(b.test.Calls), c)
		b.test.Links = slices.Concat(b.test.Links, links)
	}
	b.add()
	b.add()
	f.add(b.test)
}

// elementRead returns the GET of an element of a collection. It returns nil if there is no such GET, or if the GET
// requires inputs outside its path.
func (f *followUps) elementRead(list *model.Operation) *model.Operation {
	at := slices.IndexFunc(f.plan.Spec.Operations, func(op *model.Operation) bool {
		return op.Method == "GET" && isItemOf(list.Path, op.Path) && needsOnlyPath(op)
	})
	if at < 0 {
		return nil
	}
	return f.plan.Spec.Operations[at]
}

// maxFilters and maxSorts bound the filters, and the ways to sort, that are tried for one list.
const (
	maxFilters = 3
	maxSorts   = 2
)

// filterList adds a test that reads a list with filters. The value of each filter is the one that the first created
// element has. If that element has no such value, a link takes the value from the first element of the list.
func (f *followUps) filterList(b listTest) {
	if len(b.of.Filters) == 0 {
		return
	}
	values := b.sentValues()
	f.deleteSecond(&b)
	all := b.add()
	for _, filter := range b.of.Filters[:min(len(b.of.Filters), maxFilters)] {
		value, sent := values[filter.Property]
		at := b.add(model.Arg{In: model.InQuery, Name: filter.Param, Value: cmp.Or(value, "1")})
		if !sent {
			b.test.Links = append(b.test.Links, model.Link{
				From: all, To: at, Pointer: b.of.Place + "/0/" + pointer.Escape(filter.Property), In: model.InQuery,
				Name: filter.Param, Optional: true,
			})
		}
	}
	b.add()
	f.add(b.test)
}

// sentValues returns the scalar members of the body of the first call that creates an element, as texts. It leaves out
// members that are null or empty, and those whose values come from links.
func (b listTest) sentValues() map[string]string {
	values := map[string]string{}
	at := slices.IndexFunc(b.test.Calls, func(c model.Call) bool { return string(c.Op) == "POST "+b.of.Op.Path && c.Status/100 == 2 })
	if at < 0 || b.test.Calls[at].Body == nil {
		return values
	}
	body, _ := decoded(b.test.Calls[at].Body.Data).(map[string]any)
	for name, v := range body {
		linked := slices.ContainsFunc(b.test.Links, func(l model.Link) bool {
			return l.To == at && l.In == model.InBody && l.Name == "/"+pointer.Escape(name)
		})
		switch v.(type) {
		case string, json.Number, bool:
			if text := fmt.Sprint(v); text != "" && !linked {
				values[name] = text
			}
		}
	}
	return values
}

// deleteSecond adds a call that deletes the second element that the test created, because a filter might still find a
// deleted element. It does nothing if elements cannot be deleted, or if the test creates fewer than three.
func (f *followUps) deleteSecond(b *listTest) {
	var made []int
	for i, c := range b.test.Calls {
		if string(c.Op) == "POST "+b.of.Op.Path {
			made = append(made, i)
		}
	}
	at := slices.IndexFunc(f.plan.Spec.Operations, func(op *model.Operation) bool {
		return op.Method == "DELETE" && isItemOf(b.of.Op.Path, op.Path) && needsOnlyPath(op)
	})
	if len(made) < 3 || at < 0 {
		return
	}
	b.test = appendDelete(b.test, made[1], f.plan.Spec.Operations[at])
	for k := range b.test.Links { // another creation may fail
		if l := &b.test.Links[k]; l.From == made[1] {
			l.Optional = true
		}
	}
}

// sortList adds a test that reads a list twice. Then the test reads the list in turn sorted and not sorted, by at
// most maxSorts properties. sortList prefers ways to sort whose direction is known, and takes only one for each
// property.
func (f *followUps) sortList(b listTest) {
	var chosen []listing.Sort
	for _, known := range []bool{true, false} {
		for _, s := range b.of.Sorts {
			other := !slices.ContainsFunc(chosen, func(c listing.Sort) bool { return c.Property == s.Property })
			if other && len(chosen) < maxSorts && (s.Direction != listing.Unknown) == known {
				chosen = append(chosen, s)
			}
		}
	}
	if len(chosen) == 0 {
		return
	}
	b.add()
	b.add()
	for _, s := range chosen {
		b.add(s.Args...)
		b.add()
	}
	f.add(b.test)
}

// pages is the number of pages of a list that a test reads. If the list is as long as expected, the first two pages
// have all elements. The other pages show where the list ends.
const pages = 4

// pageList adds a test that reads a list three times and then its pages. A short list without an order has the same
// order in two reads too often.
func (f *followUps) pageList(b listTest) {
	p := b.of.Paging
	if !p.Pages() {
		return
	}
	size := max(2, p.Min, (f.longest(b.of)+4)/2)
	if p.Max > 0 {
		size = min(size, p.Max)
	}
	b.read.Args = slices.DeleteFunc(slices.Clone(b.read.Args), func(a model.Arg) bool { return a.Name == p.Size && a.In == model.InQuery })
	for range 3 {
		b.add()
	}
	for k := range pages {
		from := k * size
		if p.ByPage {
			from = k + max(p.First, 0)
			if p.First < 0 {
				from = k + 1
			}
		}
		b.add(
			model.Arg{In: model.InQuery, Name: p.From, Value: strconv.Itoa(from)},
			model.Arg{In: model.InQuery, Name: p.Size, Value: strconv.Itoa(size)},
		)
	}
	f.add(b.test)
}

// longest returns the length of the longest list of a collection in the answers to the kept tests.
func (f *followUps) longest(of *listing.Listing) int {
	most := 0
	for kept := range f.archive.tests() {
		for i, c := range kept.test.Calls {
			if c.Op != of.Op.ID || i >= len(kept.exchanges) {
				continue
			}
			if e, ok := of.Read(kept.exchanges[i].Reply); ok {
				most = max(most, len(e.All))
			}
		}
	}
	return most
}

// variedCall returns a call that creates another element. Its body differs in texts that the spec does not restrict,
// and in the named numbers.
func variedCall(op *model.Operation, c model.Call, numbers []string, n int) model.Call {
	if c.Body == nil || op.Body == nil || len(op.Body.Contents) == 0 || !strings.Contains(c.Body.Media, "json") {
		return c
	}
	body, isObject := decoded(c.Body.Data).(map[string]any)
	s := op.Body.Contents[0].Schema
	if !isObject || s == nil {
		return c
	}
	body = maps.Clone(body)
	for name, v := range body {
		if p := s.PropertySchema(name); p != nil {
			body[name] = variedValue(name, v, p, numbers, n)
		}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return c
	}
	payload := *c.Body
	payload.Data = string(data)
	c.Body = &payload
	return c
}

func variedValue(name string, v any, s *model.Schema, numbers []string, n int) any {
	switch v := v.(type) {
	case string:
		free := s.Type == "string" && len(s.Enum) == 0 && s.Const == nil && s.Format == "" && s.Pattern == ""
		if !free || match.EndsInIDWord(name) && name != "name" || v == "" {
			return v
		}
		if s.MaxLength != nil && len([]rune(v))+1 > *s.MaxLength {
			v = string([]rune(v)[:max(0, *s.MaxLength-1)])
		}
		return v + string(rune('a'+n))
	case json.Number:
		whole, err := strconv.Atoi(v.String())
		if !slices.Contains(numbers, name) || err != nil || len(s.Enum) > 0 || s.MultipleOf != nil {
			return v
		}
		if next := whole + n; s.Max == nil || float64(next) < *s.Max {
			return next
		}
		if next := whole - n; s.Min == nil || float64(next) > *s.Min {
			return next
		}
	}
	return v
}
