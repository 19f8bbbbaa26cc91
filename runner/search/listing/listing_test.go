package listing_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/listing"
)

var (
	text   = &model.Schema{Type: "string"}
	number = &model.Schema{Type: "integer"}
	flag   = &model.Schema{Type: "boolean"}
	book   = &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "id", Schema: number},
		{Name: "title", Schema: text},
		{Name: "pageCount", Schema: number},
		{Name: "lent", Schema: flag},
		{Name: "tags", Schema: &model.Schema{Type: "array", Items: text}},
	}}
)

func array(item *model.Schema) *model.Schema { return &model.Schema{Type: "array", Items: item} }

func object(properties ...any) *model.Schema {
	s := &model.Schema{Type: "object"}
	for i := 0; i < len(properties); i += 2 {
		s.Properties = append(s.Properties, model.Property{Name: properties[i].(string), Schema: properties[i+1].(*model.Schema)})
	}
	return s
}

func operation(path string, answer *model.Schema, params ...model.Parameter) *model.Operation {
	return &model.Operation{
		ID: model.OpID("GET " + path), Method: "GET", Path: path, Params: params,
		Responses: []model.Response{{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: answer}}}},
	}
}

func query(name string, s *model.Schema, about ...string) model.Parameter {
	return model.Parameter{Name: name, In: model.InQuery, Schema: s, Description: strings.Join(about, " ")}
}

func TestPlaces(t *testing.T) {
	both := &model.Schema{AllOf: []*model.Schema{object("total", number), object("a/b", array(book))}}
	for name, c := range map[string]struct {
		path   string
		answer *model.Schema
		place  string
		ok     bool
	}{
		"an array":                 {"/books", array(book), "", true},
		"an object with an array":  {"/books", object("items", array(book), "total", number), "/items", true},
		"texts and objects":        {"/books", object("tags", array(text), "books", array(book)), "/books", true},
		"in allOf":                 {"/books", both, "/a~1b", true},
		"two arrays":               {"/books", object("old", array(book), "new", array(book)), "", false},
		"no array":                 {"/books", book.Properties[0].Schema, "", false},
		"alternatives":             {"/books", &model.Schema{OneOf: []*model.Schema{array(book), book}}, "", false},
		"one resource":             {"/books/{id}", array(book), "", false},
		"a selection":              {"/books/latest", array(book), "", false},
		"nothing about the answer": {"/books", nil, "", false},
		"an array of anything":     {"/books", &model.Schema{Type: "array"}, "", false},
	} {
		l, ok := listing.Of(operation(c.path, c.answer), "")
		if ok != c.ok || ok && l.Place != c.place {
			t.Errorf("%s: got %+v, %v", name, l, ok)
		}
	}
}

func TestParameters(t *testing.T) {
	def := func(s model.Schema, v any) *model.Schema { s.Default = v; return &s }
	least := func(n float64) *model.Schema { return &model.Schema{Type: "integer", Min: &n} }
	enum := func(all ...any) *model.Schema { return &model.Schema{Type: "string", Enum: all} }
	for name, c := range map[string]struct {
		params  []model.Parameter
		filters []listing.Filter
		sorts   string
		paging  listing.Paging
		preset  bool
	}{
		"filters": {
			params: []model.Parameter{
				query("title", text), query("page_count", number), query("lent", array(text)),
				query("author", text), query("tags", text), query("id", flag),
			},
			filters: []listing.Filter{{"title", "title"}, {"page_count", "pageCount"}, {"lent", "lent"}},
		},
		"a filter with a default": {params: []model.Parameter{query("title", def(*text, "x"))}, preset: true},
		"a filter with a default text": {
			params: []model.Parameter{query("lent", flag, "By default only those that are not lent.")}, preset: true,
		},
		"sorts": {
			params: []model.Parameter{query("sort", enum("title", "-title", "+pageCount", "page_count:desc", "titleAsc", "relevance"))},
			sorts:  "title 0, title -1, pageCount 1, pageCount -1, title 1",
		},
		"a sort and its direction": {
			params: []model.Parameter{query("sort_by", enum("title")), query("order", enum("asc", "desc"))},
			sorts:  "title 1, title -1, title 0",
		},
		"a sort without named values": {params: []model.Parameter{query("sort", text)}},
		"pages by offset": {
			params: []model.Parameter{query("limit", def(*least(1), 20.0)), query("skip", number)},
			paging: listing.Paging{Size: "limit", Min: 1, Default: 20, From: "skip"},
		},
		"an offset that may be a page": {
			params: []model.Parameter{query("limit", number), query("offset", number)},
			paging: listing.Paging{Size: "limit", From: "offset", Vague: true},
		},
		"pages by number, from 1": {
			params: []model.Parameter{query("per_page", number), query("page", least(1))},
			paging: listing.Paging{Size: "per_page", From: "page", ByPage: true, First: 1},
		},
		"from 0": {
			params: []model.Parameter{query("size", number), query("page", number, "Zero-based index of the page.")},
			paging: listing.Paging{Size: "size", From: "page", ByPage: true},
		},
		"from an unknown number": {
			params: []model.Parameter{query("size", number), query("page", number)},
			paging: listing.Paging{Size: "size", From: "page", ByPage: true, First: -1},
		},
		"an offset in pages": {
			params: []model.Parameter{query("limit", number), query("offset", number, "The page.")}, paging: listing.Paging{Size: "limit"},
		},
		"a time and a price": {
			params: []model.Parameter{query("from", number), query("max", number), query("version", text)},
		},
		"a size that is a property": {
			params:  []model.Parameter{query("pageCount", number), query("page", number)},
			filters: []listing.Filter{{"pageCount", "pageCount"}},
		},
		"pages without size": {params: []model.Parameter{query("page", number)}},
		"a cursor is no page": {
			params: []model.Parameter{query("limit", number), query("cursor", number)}, paging: listing.Paging{Size: "limit"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, ok := listing.Of(operation("/books", array(book), c.params...), "bookId")
			if !ok {
				t.Fatal("it is no list")
			}
			var sorts []string
			for _, s := range l.Sorts {
				sorts = append(sorts, fmt.Sprint(s.Property, " ", int(s.Direction)))
			}
			if got := strings.Join(sorts, ", "); got != c.sorts {
				t.Errorf("sorts: got %s, want %s", got, c.sorts)
			}
			if !slices.Equal(l.Filters, c.filters) || l.Paging != c.paging || l.Preset != c.preset {
				t.Errorf("got %v, %+v, %v; want %v, %+v, %v", l.Filters, l.Paging, l.Preset, c.filters, c.paging, c.preset)
			}
		})
	}
}

// A query is recognized only if it has exactly one valid value for each parameter of the filter, sort or page. The
// functions return the other parameters, such as x.
func TestQueries(t *testing.T) {
	sorts := &model.Schema{Type: "string", Enum: []any{"title", "-title"}}
	l, _ := listing.Of(operation(
		"/books", array(book), query("title", text), query("sort", sorts), query("limit", number), query("skip", number),
	), "")
	parse := func(s string) url.Values { q, _ := url.ParseQuery(s); return q }
	rest := parse("x=1")
	f, value, left, ok := l.FilterIn(parse("x=1&title=a"))
	if !ok || f.Property != "title" || value != "a" || !reflect.DeepEqual(left, rest) {
		t.Errorf("got %v, %q, %v, %v", f, value, left, ok)
	}
	if s, left, ok := l.SortIn(parse("x=1&sort=-title")); !ok || s.Direction != listing.Descending || !reflect.DeepEqual(left, rest) {
		t.Errorf("got %v, %v, %v", s, left, ok)
	}
	if from, size, left, ok := l.PageIn(parse("x=1&skip=4&limit=2")); !ok || from != 4 || size != 2 || !reflect.DeepEqual(left, rest) {
		t.Errorf("got %d, %d, %v, %v", from, size, left, ok)
	}
	for _, q := range []string{
		"x=1", "title=a&title=b", "sort=pages", "sort=title&order=desc", "sort=title&sort=-title",
		"skip=1", "skip=a&limit=1", "skip=1&limit=0",
	} {
		_, _, _, filters := l.FilterIn(parse(q))
		_, _, sorted := l.SortIn(parse(q))
		_, _, _, paged := l.PageIn(parse(q))
		if filters || sorted || paged {
			t.Errorf("%s: got %v, %v, %v, want none", q, filters, sorted, paged)
		}
	}
	if !l.IsWhole(nil) || !l.IsWhole(parse("limit=9")) || l.IsWhole(parse("skip=9")) || l.IsWhole(parse("limit=9&title=a")) {
		t.Error("a list is whole if the query has no more than the number of elements")
	}
}

func TestElements(t *testing.T) {
	l, _ := listing.Of(operation("/books", object("items", array(book))), "bookId")
	for body, want := range map[string]string{
		`{"items":[{"id":1},{"id":2}]}`:                   "1 2 /id true",
		`{"items":[{"bookId":"a","id":1}]}`:               "a /bookId true",
		`{"items":[]}`:                                    " true",
		`{"items":null}`:                                  " true",
		`{"items":["a","b"]}`:                             "a b  true",
		`{"items":[{"id":1},{"id":1}]}`:                   "false",
		`{"items":[{"id":1},{}]}`:                         "false",
		`{"items":[{"lent":true}]}`:                       "false",
		`{"items":[{"id":"` + model.MaskedSecret + `"}]}`: "false",
		`{"items":{"id":1}}`:                              "false",
		`{"other":[]}`:                                    "false",
		`[`:                                               "false",
	} {
		e, ok := l.Read(model.Reply{Status: 200, Body: []byte(body)})
		got := fmt.Sprint(strings.Join(e.IDs, " "), " ", e.IDPointer, " ", ok)
		if !ok {
			got = "false"
		}
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
	}
	if _, ok := l.Read(model.Reply{Status: 206, Body: []byte(`{"items":[]}`)}); ok {
		t.Error("a partial list is read")
	}
	if _, ok := l.Read(model.Reply{Status: 200, Truncated: true, Body: []byte(`{"items":[]}`)}); ok {
		t.Error("a truncated list is read")
	}
}

func TestIsComplete(t *testing.T) {
	plain, _ := listing.Of(operation("/books", array(book)), "")
	paged, _ := listing.Of(operation("/books", array(book), query("limit", &model.Schema{Type: "integer", Default: 20.0})), "")
	header := func(name, value string) map[string][]string { return map[string][]string{name: {value}} }
	for name, c := range map[string]struct {
		of     *listing.Listing
		query  string
		header map[string][]string
		body   string
		n      int
		want   bool
	}{
		"few":                     {of: plain, n: 3, want: true},
		"none":                    {of: plain, want: true},
		"a usual size of a page":  {of: plain, n: 10},
		"many":                    {of: plain, n: 137, want: true},
		"many, a size of a page":  {of: plain, n: 200},
		"fewer than the default":  {of: paged, n: 10, want: true},
		"the default":             {of: paged, n: 20},
		"fewer than asked for":    {of: paged, query: "limit=500", n: 33, want: true},
		"the largest size, maybe": {of: paged, query: "limit=500", n: 100},
		"as many as asked for":    {of: paged, query: "limit=3", n: 3},
		"the total":               {of: plain, body: `{"total":10}`, n: 10, want: true},
		"a larger total":          {of: plain, body: `{"meta":{"totalCount":11}}`, n: 3},
		"the total in a header":   {of: plain, header: header("X-Total-Count", "4"), n: 3},
		"a range in a header":     {of: plain, header: header("Content-Range", "items 0-2/3"), n: 3, want: true},
		"a link to the next page": {of: plain, header: header("Link", `</b?p=2>; rel="next"`), n: 3},
		"a cursor":                {of: plain, body: `{"next_cursor":"x"}`, n: 3},
		"no further cursor":       {of: plain, body: `{"next_cursor":null,"has_more":false}`, n: 3, want: true},
		"more in an inner object": {of: plain, body: `{"page":{"hasNext":true}}`, n: 3},
	} {
		q, _ := url.ParseQuery(c.query)
		if got := c.of.IsComplete(q, model.Reply{Status: 200, Header: c.header, Body: []byte(c.body)}, c.n); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestCompare(t *testing.T) {
	n := func(s string) any { return json.Number(s) }
	for _, c := range []struct {
		a, b any
		want int
		ok   bool
	}{
		{n("2"), n("10"), -1, true},
		{n("1.5"), n("1.5"), 0, true},
		{n("1"), "1", 0, false},
		{nil, n("1"), 0, false},
		{"abc", "abd", -1, true},
		{"ab", "abc", -1, true},
		{"Ab", "ac", -1, true},
		{"a", "B", 0, false},
		{"a10", "a2", 0, false},
		{"a1", "ab", -1, true},
		{"x y", "xy", 0, false},
		{"é", "z", 0, false},
		{"same é", "same é", 0, true},
		{"2020-01-02", "2021-01-01", -1, true},
		{"2020-01-02T10:00:00Z", "2020-01-02T09:00:00Z", 1, true},
		{"2020-01-02T10:00:00Z", "2020-01-02T09:00:00+05:00", 0, false},
	} {
		if got, ok := listing.Compare(c.a, c.b); got != c.want || ok != c.ok {
			t.Errorf("%v and %v: got %d, %v", c.a, c.b, got, ok)
		}
		if got, ok := listing.Compare(c.b, c.a); got != -c.want || ok != c.ok {
			t.Errorf("%v and %v: got %d, %v", c.b, c.a, got, ok)
		}
	}
}
