package listing

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
)

// Filter is a query parameter that has the name of a property of the elements.
type Filter struct{ Param, Property string }

// Direction is the direction of a sorted list.
type Direction int

// The directions. Unknown means that the spec does not say which of the two it is.
const (
	Unknown    Direction = 0
	Ascending  Direction = 1
	Descending Direction = -1
)

// Sort is a way to sort a list, with values that the spec names.
type Sort struct {
	Args      []model.Arg // arguments of the query that ask for this sort
	Property  string
	Direction Direction
}

// Paging has the parameters that select a page. It is empty if no parameter is known to set the size of a page.
type Paging struct {
	Size string // the parameter with the number of elements of a page
	// Min and Max are the bounds of Size. Default is the number of elements of a page if a request does not set Size.
	// Each is 0 if it is not known.
	Min, Max, Default int

	From string // the parameter that says where the page begins
	// ByPage reports whether From is the number of a page, and not the number of elements before the page.
	ByPage bool
	// First is the number of the first page, -1 if it is not known. It is 0 unless ByPage is set.
	First int
	// Vague reports whether From may be the number of a page although ByPage is not set: some services call the
	// number of a page an offset.
	Vague bool
}

// Pages reports whether requests can select a page.
func (p Paging) Pages() bool { return p.Size != "" && p.From != "" }

// Start returns the index of the first element of a page in the whole list, and false if it is not known.
func (p Paging) Start(from, size int) (int, bool) {
	switch {
	case !p.ByPage:
		return from, from >= 0
	case p.First < 0:
		return 0, false
	}
	return (from - p.First) * size, from >= p.First
}

var (
	sizeNames = []string{
		"limit", "perpage", "pagesize", "size", "pagelimit", "maxresults", "take", "top", "rows", "numresults", "maxitems",
		"pagelength", "itemsperpage", "resultsperpage",
	}
	offsetNames = []string{"offset", "skip", "startindex"}
	// otherPlaces are names that say where a page begins, or how long it is, but often something else: a time, a price.
	otherPlaces = []string{"start", "from", "startat", "max", "count", "first", "last", "index"}
	pageNames   = []string{"page", "pagenumber", "pageno", "pageindex", "pagenum"}
	// cursorNames are parameters that select a page by a value that only the service gives.
	cursorNames = []string{
		"cursor", "after", "before", "since", "until", "pagetoken", "nextpagetoken", "nexttoken", "continuationtoken", "marker", "token",
		"startingafter", "endingbefore", "sinceid", "maxid",
	}
	sortNames      = []string{"sort", "sortby", "orderby", "order", "ordering", "sorting", "sortfield", "sortkey", "sortcolumn", "sorton"}
	directionNames = []string{
		"order", "direction", "dir", "sortdir", "sortdirection", "sortorder", "orderdirection", "orderdir", "ordering",
	}
)

// isPlace reports whether a parameter may select a part of a list by its position.
func isPlace(name string) bool {
	return slices.ContainsFunc([][]string{sizeNames, offsetNames, pageNames, cursorNames, otherPlaces}, func(names []string) bool {
		return slices.Contains(names, plain(name))
	})
}

func isOrder(name string) bool {
	return slices.Contains(sortNames, plain(name)) || slices.Contains(directionNames, plain(name))
}

// viewNames matches the names of parameters that do not select elements, but the form or the version of the elements.
var viewNames = regexp.MustCompile(`^(version|revision|rev|asof|include|expand|embed|fields?|format|view)$`)

// presetText matches descriptions of parameters without which some elements are left out.
var presetText = regexp.MustCompile(`(?i)default|if (it is )?(omitted|not (given|set|specified|provided))|when (omitted|not (given|set))`)

func (l *Listing) readParameters() {
	for _, p := range l.Op.Params {
		if p.In != model.InQuery {
			continue
		}
		l.readPlace(p)
		switch text := p.Description + " " + p.Schema.Description; {
		case isPlace(p.Name) || isOrder(p.Name) || viewNames.MatchString(plain(p.Name)):
		case p.Schema.Default != nil || presetText.MatchString(text):
			l.Preset = true
		default:
			l.addFilter(p)
		}
	}
	l.readSorts()
	if l.Paging.Size == "" {
		l.Paging = Paging{}
	}
}

// addFilter adds a filter for a parameter that has the name and the type of a property of the elements.
func (l *Listing) addFilter(p model.Parameter) {
	s := p.Schema
	if s.Type == "array" && s.ItemSchema() != nil {
		s = s.ItemSchema()
	}
	q, ok := l.property(p.Name)
	if ok && !p.Required && isScalar(s) && slices.ContainsFunc(s.Types(), func(t string) bool { return fits(t, q.Schema) }) {
		l.Filters = append(l.Filters, Filter{Param: p.Name, Property: q.Name})
	}
}

// fits reports whether a parameter of the given type can have the values of a property.
func fits(typ string, property *model.Schema) bool {
	return slices.ContainsFunc(property.Types(), func(t string) bool {
		return t == typ || typ == "string" || typ == "number" && t == "integer"
	})
}

// readPlace notes p if it selects a page: by the size of the page, or by the place where the page begins. If the list
// has several parameters of one kind, only the first is noted. The number of a page takes precedence over an offset.
func (l *Listing) readPlace(p model.Parameter) {
	_, isProperty := l.property(p.Name) // then it may be a filter
	if isProperty || !slices.Contains(p.Schema.Types(), "integer") && !slices.Contains(p.Schema.Types(), "number") {
		return
	}
	name, paging := plain(p.Name), &l.Paging
	text := strings.ToLower(p.Description + " " + p.Schema.Description)
	switch {
	case slices.Contains(sizeNames, name) && paging.Size == "":
		paging.Size, paging.Min, paging.Max, paging.Default = p.Name, bound(p.Schema.Min), bound(p.Schema.Max), number(p.Schema.Default)
	case slices.Contains(offsetNames, name) && paging.From == "" && !strings.Contains(text, "page"):
		paging.From, paging.Vague = p.Name, name == "offset" && !elementsText.MatchString(text)
	case slices.Contains(pageNames, name) && (paging.From == "" || !paging.ByPage):
		paging.From, paging.ByPage, paging.First, paging.Vague = p.Name, true, firstPage(p.Schema, text), false
	}
}

// elementsText matches descriptions of offsets that count elements.
var elementsText = regexp.MustCompile(`skip|number of|how many|index|position`)

var (
	fromZero = regexp.MustCompile(`(zero|0)[- ](based|indexed)|(start(s|ing)?|begin(s|ning)?|count(ed|ing)?) (at|from|with) (0|zero)\b`)
	fromOne  = regexp.MustCompile(`(one|1)[- ](based|indexed)|(start(s|ing)?|begin(s|ning)?|count(ed|ing)?) (at|from|with) (1|one)\b`)
)

// firstPage returns the number of the first page, -1 if the spec does not say it.
func firstPage(s *model.Schema, text string) int {
	switch {
	case s.Min != nil && !s.ExclusiveMin && (*s.Min == 0 || *s.Min == 1):
		return int(*s.Min)
	case fromZero.MatchString(text) != fromOne.MatchString(text):
		return map[bool]int{true: 0, false: 1}[fromZero.MatchString(text)]
	case s.Default != nil && (number(s.Default) == 1 || isZero(s.Default)):
		return number(s.Default)
	}
	return -1
}

func isZero(v any) bool {
	f, ok := v.(float64)
	return ok && f == 0
}

func bound(f *float64) int {
	if f == nil || *f < 0 || *f > 1e6 {
		return 0
	}
	return int(*f)
}

func number(v any) int {
	f, _ := v.(float64)
	return bound(&f)
}

// readSorts finds the parameters that sort the list. A value counts only if the spec names it: in an enum, an example
// or a default.
func (l *Listing) readSorts() {
	for _, p := range l.Op.Params {
		if p.In != model.InQuery || !slices.Contains(sortNames, plain(p.Name)) {
			continue
		}
		for _, text := range namedValues(p.Schema) {
			name, direction := splitDirection(text)
			q, ok := l.property(name)
			if !ok {
				continue
			}
			args := []model.Arg{{In: model.InQuery, Name: p.Name, Value: text}}
			if direction == Unknown {
				for _, more := range l.directions(p.Name) {
					l.Sorts = append(l.Sorts, Sort{Args: []model.Arg{args[0], more.arg}, Property: q.Name, Direction: more.direction})
				}
			}
			l.Sorts = append(l.Sorts, Sort{Args: args, Property: q.Name, Direction: direction})
		}
	}
}

// namedValues returns the texts that the spec names as values of a parameter.
func namedValues(s *model.Schema) (all []string) {
	schemas := []*model.Schema{s}
	if item := s.ItemSchema(); item != nil {
		schemas = append(schemas, item)
	}
	for _, s := range schemas {
		for _, v := range slices.Concat(s.Enum, s.Examples, []any{s.Default}) {
			if text, ok := v.(string); ok && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

// sortedWord matches the value of a parameter that sorts, with a word for the direction at its end.
var sortedWord = regexp.MustCompile(`(?i)^(.*?)[:.,_ -]?(asc|desc|ascending|descending)$`)

// splitDirection returns the name of a property and the direction in the value of a parameter, such as "-price",
// "price:desc" or "priceAsc".
func splitDirection(text string) (name string, d Direction) {
	switch {
	case strings.HasPrefix(text, "-"):
		return text[1:], Descending
	case strings.HasPrefix(text, "+"):
		return text[1:], Ascending
	}
	if m := sortedWord.FindStringSubmatch(text); m != nil && m[1] != "" {
		return m[1], directionOf(m[2])
	}
	return text, Unknown
}

func directionOf(text string) Direction {
	switch strings.ToLower(text) {
	case "asc", "ascending", "ascend":
		return Ascending
	case "desc", "descending", "descend":
		return Descending
	}
	return Unknown
}

type directionArg struct {
	arg       model.Arg
	direction Direction
}

// directions returns the arguments that set the direction of a sort, such as order=desc. It leaves out the parameter
// named by beside, which names the property to sort by.
func (l *Listing) directions(beside string) (all []directionArg) {
	for _, p := range l.Op.Params {
		if p.In != model.InQuery || p.Name == beside || !slices.Contains(directionNames, plain(p.Name)) {
			continue
		}
		for _, text := range namedValues(p.Schema) {
			if d := directionOf(text); d != Unknown {
				all = append(all, directionArg{model.Arg{In: model.InQuery, Name: p.Name, Value: text}, d})
			}
		}
	}
	return all
}

// FilterIn returns the first filter for which a query has exactly one value, with this value and the query without
// it.
func (l *Listing) FilterIn(query url.Values) (f Filter, value string, rest url.Values, ok bool) {
	for _, f := range l.Filters {
		if values := query[f.Param]; len(values) == 1 {
			return f, values[0], without(query, f.Param), true
		}
	}
	return f, "", nil, false
}

// SortIn returns the way to sort that a query asks for, and the query without it. ok is false if the query asks for no
// known way to sort, or has other parameters that sort.
func (l *Listing) SortIn(query url.Values) (s Sort, rest url.Values, ok bool) {
	for _, s := range l.Sorts {
		rest = query
		for _, a := range s.Args {
			if values := rest[a.Name]; len(values) != 1 || values[0] != a.Value {
				rest = nil
				break
			}
			rest = without(rest, a.Name)
		}
		if rest != nil && !l.sorts(rest) {
			return s, rest, true
		}
	}
	return s, nil, false
}

// sorts reports whether a query has a parameter that sorts the list.
func (l *Listing) sorts(query url.Values) bool {
	for name := range query {
		if isOrder(name) {
			return true
		}
	}
	return false
}

// maxPage bounds the numbers that select a page.
const maxPage = 1_000_000

// PageIn returns the values of the parameters that select a page, and the query without them. ok is false unless the
// query has each of them once, from is at least 0, size is at least 1, and both are at most maxPage.
func (l *Listing) PageIn(query url.Values) (from, size int, rest url.Values, ok bool) {
	p := l.Paging
	if !p.Pages() || len(query[p.From]) != 1 || len(query[p.Size]) != 1 {
		return 0, 0, nil, false
	}
	from, badFrom := strconv.Atoi(query.Get(p.From))
	size, badSize := strconv.Atoi(query.Get(p.Size))
	return from, size, without(query, p.From, p.Size), badFrom == nil && badSize == nil &&
		from >= 0 && from <= maxPage && size > 0 && size <= maxPage
}

// IsWhole reports whether a query has no parameters except the one for the number of elements. Then the list has all
// elements, unless it has more than this number.
func (l *Listing) IsWhole(query url.Values) bool {
	return len(query) == 0 || len(query) == 1 && l.Paging.Size != "" && query.Has(l.Paging.Size)
}

// without returns a copy of a query without some of the parameters.
func without(query url.Values, names ...string) url.Values {
	rest := url.Values{}
	for name, values := range query {
		if !slices.Contains(names, name) {
			rest[name] = values
		}
	}
	return rest
}
