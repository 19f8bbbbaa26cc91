package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/oracle"
)

// books returns an API with a collection whose list can be filtered, sorted and paged.
func books() model.Plan {
	text, number := &model.Schema{Type: "string"}, &model.Schema{Type: "integer"}
	book := &model.Schema{Name: "Book", Type: "object", Properties: []model.Property{
		{Name: "id", Schema: number},
		{Name: "title", Schema: text},
		{Name: "pages", Schema: number},
		{Name: "genre", Schema: &model.Schema{Type: "string", Enum: []any{"novel", "drama"}}},
		{Name: "lent", Schema: &model.Schema{Type: "boolean"}},
	}}
	zero := 0.0
	list := func(path string, params ...model.Parameter) *model.Operation {
		return &model.Operation{ID: model.OpID("GET " + path), Method: "GET", Path: path, Params: params, Responses: []model.Response{
			{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: &model.Schema{Type: "array", Items: book}}}},
		}}
	}
	query := func(name string, s *model.Schema) model.Parameter {
		return model.Parameter{Name: name, In: model.InQuery, Schema: s}
	}
	sorts := &model.Schema{Type: "string", Enum: []any{"title", "-pages"}}
	skip := query("offset", number)
	skip.Description = "how many books to skip"
	id := model.Parameter{Name: "id", In: model.InPath, Required: true, Schema: number}
	found := []model.Response{{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: book}}}}
	return model.Plan{Spec: &model.Spec{Operations: []*model.Operation{
		list("/books", query("genre", text), query("lent", text), query("sort", sorts), query("limit", number), skip),
		{ID: "POST /books", Method: "POST", Path: "/books", Responses: []model.Response{{Status: "201"}}},
		{ID: "GET /books/{id}", Method: "GET", Path: "/books/{id}", Params: []model.Parameter{id}, Responses: found},
		list("/paged", query("page", &model.Schema{Type: "integer", Min: &zero}), query("size", number)),
		list("/vague", query("offset", number), query("limit", number)),
		list("/preset", query("genre", &model.Schema{Type: "string", Default: "novel"}), query("title", text)),
	}}}
}

const (
	first  = `{"id":1,"title":"a","pages":10,"genre":"novel","lent":false}`
	second = `{"id":2,"title":"b","pages":30,"genre":"novel","lent":false}`
	third  = `{"id":3,"title":"c","pages":20,"genre":"novel","lent":false}`
	lent   = `{"id":4,"title":"d","pages":40,"genre":"novel","lent":true}`
	drama  = `{"id":5,"title":"e","pages":50,"genre":"drama","lent":false}`
)

// listed returns a call that lists elements.
func listed(url string, elements ...string) step {
	path, _, _ := strings.Cut(url, "?")
	return step{op: "GET " + path, user: "ann", url: url, status: 200, answer: "[" + strings.Join(elements, ",") + "]"}
}

type listCase struct {
	name  string
	calls []step
	want  []int
}

func checkLists(t *testing.T, name string, cases []listCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found := findingsOf(t, books(), c.calls...)
			if got := of(name, found); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v: %+v", got, c.want, found)
			}
		})
	}
}

// A filtered list with an additional element is at fault only if the list without the filter is certainly complete.
func TestInconsistentFilter(t *testing.T) {
	all := listed("/books", first, second)
	filtered := func(elements ...string) step { return listed("/books?genre=novel", elements...) }
	twelve := listed("/books", numbered(12)...)
	write := step{op: "POST /books", user: "ann", url: "/books", status: 400}
	checkLists(t, "inconsistent-filter", []listCase{
		{"a part of the list", []step{all, filtered(second), all}, nil},
		{"another element", []step{all, filtered(second, third), all}, []int{2}},
		{"in another order", []step{all, filtered(third), listed("/books", second, first)}, []int{2}},
		{"no list after it", []step{all, all, filtered(third)}, nil},
		{"no list before it", []step{filtered(third), all, all}, nil},
		{"the list changes", []step{all, filtered(third), listed("/books", first)}, nil},
		{"a write in between", []step{all, filtered(third), write, all}, nil},
		{"another user", []step{with(all, func(s *step) { s.user = "bob" }), filtered(third), all}, nil},
		{"a value that no element has", []step{listed("/books", drama), filtered(third), listed("/books", drama)}, nil},
		{"an element in a state that no other has", []step{all, filtered(first, lent), all}, nil},
		{"as many elements as a page may have", []step{twelve, filtered(`{"id":99,"genre":"novel"}`), twelve}, nil},
		{"another filter, too", []step{all, listed("/books?genre=novel&lent=false", third), all}, nil},
		{"refused", []step{all, with(filtered(third), func(s *step) { s.status = 400 }), all}, nil},
		{"elements without ids", []step{
			listed("/books", `{"genre":"novel"}`), filtered(`{"genre":"novel","title":"x"}`), listed("/books", `{"genre":"novel"}`),
		}, nil},
		{"ids twice", []step{listed("/books", first, first), filtered(third), listed("/books", first, first)}, nil},
	})
}

// numbered returns n elements.
func numbered(n int) []string {
	var all []string
	for i := range n {
		all = append(all, strings.Replace(first, `"id":1`, `"id":`+string(rune('1'+i/10))+string(rune('0'+i%10)), 1))
	}
	return all
}

// A sorted list is at fault if its elements are not those of the unsorted list, or if two elements in the same states
// are certainly in the wrong order.
func TestInconsistentSort(t *testing.T) {
	all := listed("/books", second, third, first)
	titles := func(elements ...string) step { return listed("/books?sort=title", elements...) }
	pages := func(elements ...string) step { return listed("/books?sort=-pages", elements...) }
	noPages := strings.Replace(first, `"pages":10`, `"pages":null`, 1)
	gap := listed("/books", second, noPages)
	mixed, few := listed("/books", second, lent), listed("/books", second, third)
	title := func(id, title string) string { return `{"id":` + id + `,"title":"` + title + `"}` }
	texts := func(a, b string) []step {
		list := listed("/books", title("1", a), title("2", b))
		return []step{list, list, listed("/books?sort=-title", title("1", a), title("2", b)), titles(title("1", a), title("2", b))}
	}
	checkLists(t, "inconsistent-sort", []listCase{
		{"sorted by numbers", []step{all, all, pages(second, third, first), all}, nil},
		{"an element is missing", []step{all, all, pages(second, third), all}, []int{2}},
		{"the list was read once", []step{all, pages(second, third), all}, nil},
		{"an element more", []step{all, pages(lent, second, third, first), all}, nil},
		{"an element more, in a known state", []step{few, pages(second, third, first), few}, []int{2}},
		{"numbers in the wrong order", []step{all, all, pages(first, second, third), all}, []int{2}},
		{"a missing number", []step{listed("/books", second, noPages), listed("/books", second, noPages), pages(noPages, second)}, nil},
		{"one without the number is left out", []step{gap, gap, pages(second)}, nil},
		{"states first", []step{mixed, mixed, pages(second, lent)}, nil},
		{"no direction, ascending", []step{all, all, titles(first, second, third)}, nil},
		{"no direction, descending", []step{all, all, titles(third, second, first)}, nil},
		{"no direction, neither", []step{all, all, titles(second, first, third)}, []int{2}},
		{"a value that the spec does not name", []step{all, all, listed("/books?sort=pages", first, second, third)}, nil},
		{"upper and lower case", texts("B", "a"), nil},
		{"numbers in texts", texts("a10", "a2"), nil},
		{"accents", texts("z", "é"), nil},
	})
}

// Pages are at fault only if the list without pages has a fixed order and enough elements for the pages.
func TestInconsistentPages(t *testing.T) {
	all := listed("/books", first, second, third)
	at := func(offset string, elements ...string) step {
		return listed("/books?limit=2&offset="+offset, elements...)
	}
	zero := listed("/paged", first, second, third)
	page := func(n string, elements ...string) step { return listed("/paged?size=2&page="+n, elements...) }
	vague := listed("/vague", first, second, third)
	checkLists(t, "inconsistent-pages", []listCase{
		{"offsets that may be numbers of pages", []step{
			vague, vague, listed("/vague?limit=2&offset=0", first, second), listed("/vague?limit=2&offset=2"),
			listed("/vague?limit=2&offset=4"),
		}, nil},
		{"offsets that are no numbers of pages", []step{
			vague, vague, listed("/vague?limit=1&offset=0", first), listed("/vague?limit=1&offset=1", third),
			listed("/vague?limit=1&offset=2"),
		}, []int{4}},
		{"pages", []step{all, all, at("0", first, second), at("2", third), at("4")}, nil},
		{"a shared element", []step{all, all, at("0", first, second), at("2", second, third)}, []int{3}},
		{"a missing element", []step{all, all, at("0", first, second), at("2"), at("4")}, []int{3, 4}},
		{"the end was not read", []step{all, all, at("0", first, second)}, nil},
		{"the first page was not read", []step{all, all, at("2"), at("4")}, nil},
		{"the list was read once", []step{all, at("0", first, second), at("2", second, third)}, nil},
		{"no order", []step{all, listed("/books", third, second, first), at("0", first, second), at("2", second)}, nil},
		{"behind the end, the last page", []step{all, all, at("2", third), at("4", third)}, nil},
		{"longer pages than asked for", []step{all, all, at("0", first, second, third), at("2", third)}, nil},
		{"no pages at all", []step{all, all, at("0", first, second, third), at("2", first, second, third)}, []int{3}},
		{"shorter pages than asked for", []step{all, all, at("0", first), at("2", third), at("4")}, nil},
		{"sizes that differ", []step{all, all, at("0", first, second), listed("/books?limit=3&offset=2", second, third)}, nil},
		{"pages by number", []step{zero, zero, page("0", first, second), page("1", third), page("2")}, nil},
		{"by number, a shared element", []step{zero, zero, page("0", first, second), page("1", second, third)}, []int{3}},
		{"by number, a missing element", []step{zero, zero, page("0", first, second), page("1"), page("2")}, []int{3, 4}},
		{"by number, not from the first", []step{zero, zero, page("1", third), page("2")}, nil},
	})
}

// A list must have a created element if it has another one like it. If it has no created element, it is at fault only
// if nothing in the elements explains this.
func TestCreatedNotListed(t *testing.T) {
	create := func(id string) step {
		return step{op: "POST /books", user: "ann", url: "/books", status: 201, answer: `{"id":` + id + `}`}
	}
	get := func(id string, creator int, element string) step {
		return step{op: "GET /books/{id}", user: "ann", url: "/books/" + id, status: 200, creator: creator, answer: element}
	}
	story := func(a, b string, lists ...step) []step {
		return append([]step{create("1"), create("2"), get("1", 0, a), get("2", 1, b)}, lists...)
	}
	three := func(lists ...step) []step {
		return append([]step{
			create("1"), create("2"), create("3"),
			get("1", 0, `{"id":1,"title":"x"}`), get("2", 1, `{"id":2,"title":"y"}`), get("3", 2, `{"id":3,"title":"z"}`),
		}, lists...)
	}
	bare := func(id, more string) string { return `{"id":` + id + `,"title":"x"` + more + `}` }
	one, two := bare("1", ""), bare("2", "")
	list := func(elements ...string) step { return listed("/books", elements...) }
	twice := func(s step) []step { return []step{s, s} }
	later := story(one, two, twice(list())...)
	later[0].status = 202
	checkLists(t, "created-not-listed", []listCase{
		{"both", story(one, two, twice(list(one, two))...), nil},
		{"only the first", story(one, two, twice(list(one))...), []int{5}},
		{"only the last", story(one, two, twice(list(two))...), nil},
		{"all but the first", three(twice(list(two, bare("3", "")))...), []int{7}},
		{"all but the last", three(twice(list(one, two))...), []int{7}},
		{"neither", story(one, two, twice(list())...), []int{5}},
		{"neither, but others", story(one, two, twice(list(third))...), []int{5}},
		{"read once", story(one, two, list(one)), nil},
		{"then it comes", story(one, two, list(one), list(one, two)), nil},
		{"the listed one is in another state", story(bare("1", `,"lent":true`), bare("2", `,"lent":false`), twice(list(one))...), nil},
		{"the listed one has another number", story(bare("1", `,"pages":7`), bare("2", `,"pages":0`), twice(list(one))...), nil},
		{"neither, in a state", story(bare("1", `,"genre":"drama"`), bare("2", `,"genre":"drama"`), twice(list(third))...), nil},
		{"neither, with a zero", story(bare("1", `,"pages":0`), bare("2", `,"pages":0`), twice(list(third))...), nil},
		{"neither, with a date", story(bare("1", `,"day":"2020-01-02"`), bare("2", `,"day":"2020-01-02"`), twice(list(third))...), nil},
		{"made later", later, nil},
		{"marked as deleted", story(one, bare("2", `,"deletedBy":"ann"`), twice(list(one))...), nil},
		{"as many elements as a page may have", story(bare("1", ""), two, twice(list(numbered(12)...))...), nil},
		{"a filter", story(one, two, twice(listed("/books?genre=novel", one))...), nil},
		{"it cannot be read", append([]step{create("1"), create("2"), get("1", 0, one)}, twice(list(one))...), nil},
	})
}

// Without a reset, elements that the test did not create prove nothing.
func TestListsWithoutReset(t *testing.T) {
	rules, err := oracle.NewRules(books())
	if err != nil {
		t.Fatal(err)
	}
	rules.KeepState()
	create := step{op: "POST /books", user: "ann", url: "/books", status: 201, answer: third}
	for _, c := range []struct {
		name string
		made []step
		want int
	}{
		{"created by the test", []step{create}, 1},
		{"created before", nil, 0},
	} {
		var test model.Test
		var exchanges []model.Exchange
		all := listed("/books", first, second)
		calls := slices.Concat(c.made, []step{all, listed("/books?genre=novel", third), all})
		for _, s := range calls {
			test.Calls = append(test.Calls, model.Call{Op: model.OpID(s.op), User: s.user, Status: s.status})
			exchanges = append(exchanges, s.exchange())
		}
		if got := of("inconsistent-filter", rules.Findings(test, exchanges)); len(got) != c.want {
			t.Errorf("%s: got %v, want %d", c.name, got, c.want)
		}
	}
}
