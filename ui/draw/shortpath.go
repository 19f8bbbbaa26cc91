package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// PathShortener shortens the operations of a list so that they stay distinct. It caches its results and
// must not be used by several goroutines at once.
type PathShortener struct {
	ids   []string
	width int               // width of the cached forms; -1 if there are none
	apart bool              // the cached forms are for Path, not for Operation
	forms map[string]string // key: ID of an operation
}

// NewPathShortener returns a shortener for operations such as "POST /products/{id}".
func NewPathShortener(ids []string) *PathShortener { return &PathShortener{ids: ids, width: -1} }

// Path returns the path of an operation in at most width cells, for lists with a separate
// column of methods.
func (p *PathShortener) Path(id string, width int) string { return p.form(id, width, true) }

// Operation draws an operation like OperationLine, but keeps it distinct from the other operations of the
// list.
func (p *PathShortener) Operation(id string, width int) Line {
	return operation(id, width, func(string, int) string { return p.form(id, width, false) })
}

func (p *PathShortener) form(id string, width int, apart bool) string {
	if p.width != width || p.apart != apart {
		p.width, p.apart = width, apart
		p.shorten()
	}
	if form, known := p.forms[id]; known {
		return form
	}
	_, path, _ := strings.Cut(Clean(id), " ")
	return ShortPath(path, p.room(id))
}

// room returns the number of cells for an operation's path.
func (p *PathShortener) room(id string) int {
	if p.apart {
		return p.width
	}
	method, _, _ := strings.Cut(Clean(id), " ")
	return p.width - widthOf(method) - 1
}

// shorten sets the form of each path: first the result of ShortPath. For operations that look the same in this form,
// it calls tellApart.
func (p *PathShortener) shorten() {
	p.forms = make(map[string]string, len(p.ids))
	same := map[string][]string{}
	var looks []string
	for _, id := range p.ids {
		method, path, _ := strings.Cut(Clean(id), " ")
		p.forms[id] = ShortPath(path, p.room(id))
		look := method + " " + p.forms[id]
		if same[look] == nil {
			looks = append(looks, look)
		}
		same[look] = append(same[look], id)
	}
	taken := map[string]bool{}
	for _, look := range looks {
		taken[look] = true
	}
	for _, look := range looks {
		if len(same[look]) > 1 {
			p.tellApart(same[look], taken)
		}
	}
}

// tellApart sets the forms of twins, which are operations that look the same. It takes the form that gives the most
// distinct results, and calls itself for twins that still look the same. If no form makes a difference, the twins
// keep their forms. taken has the looks of all operations of the list. A look is a method and a form.
func (p *PathShortener) tellApart(twins []string, taken map[string]bool) {
	paths := make([]string, len(twins))
	var method string // the same for all twins
	for i, id := range twins {
		method, paths[i], _ = strings.Cut(Clean(id), " ")
	}
	var best [][]string // groups of twins that look the same
	free := 1           // the number of groups whose look no other operation has
	use := func(form func(i, width int) string) {
		at, groups, n := map[string]int{}, [][]string(nil), 0
		for i, id := range twins {
			look := form(i, p.room(id))
			k, known := at[look]
			if !known {
				k = len(groups)
				at[look] = k
				groups = append(groups, nil)
				if !taken[method+" "+look] {
					n++
				}
			}
			groups[k] = append(groups[k], id)
		}
		if len(groups) > 1 && n > free {
			best, free = groups, n
			for look, k := range at {
				for _, id := range groups[k] {
					p.forms[id] = look
				}
			}
		}
	}
	for _, form := range forms {
		use(func(i, width int) string { return form(paths[i], width) })
	}
	d := newDifference(paths)
	for k := 0; k < d.most && free < len(twins); k++ {
		use(func(i, width int) string { return d.form(i, k, width) })
	}
	for _, alike := range best {
		taken[method+" "+p.forms[alike[0]]] = true
	}
	for _, alike := range best {
		if len(alike) > 1 {
			p.tellApart(alike, taken)
		}
	}
}

// forms are functions that shorten a path. Those with the most readable results come first.
var forms = func() []func(path string, width int) string {
	all := []func(path string, width int) string{
		func(path string, width int) string { return ShortPath(nameless(path), width) },
		withoutMiddle,
	}
	for last := 3; last <= 8; last++ {
		all = append(all, func(path string, width int) string { return cutFirst(path, last, width) })
	}
	return all
}()

// LiteralPath returns a path in at most width cells, like ShortPath, but it keeps a segment that is not a parameter,
// if possible. To make room, it first leaves out the names of parameters, and then truncates this segment.
func LiteralPath(path string, width int) string {
	short := ShortPath(path, width)
	if isLiteral(short) {
		return short
	}
	segments := strings.Split(path, "/")
	parameters := 0 // number of parameters at the end of the path
	for i := len(segments) - 1; i > 0 && strings.HasPrefix(segments[i], "{"); i-- {
		parameters++
	}
	for _, other := range []string{ShortPath(nameless(path), width), cutFirst(path, parameters+1, width)} {
		if isLiteral(other) {
			return other
		}
	}
	return short
}

// isLiteral reports whether a path has a segment that is not a parameter.
func isLiteral(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" && segment != "…" && !strings.ContainsAny(segment, "{}") {
			return true
		}
	}
	return false
}

// nameless removes the names of parameters: "/products/{}".
func nameless(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}

// withoutMiddle keeps the last two segments of a path, and as many of the first ones as fit:
// "/repos/…/actions/runners".
func withoutMiddle(path string, width int) string {
	segments := strings.Split(nameless(path), "/")
	for first := len(segments) - 3; first > 1; first-- {
		out := strings.Join(segments[:first], "/") + "/…/" + strings.Join(segments[len(segments)-2:], "/")
		if widthOf(out) <= width {
			return out
		}
	}
	return ShortPath(nameless(path), width)
}

// cutFirst keeps the given number of last segments of a path and truncates the first of them:
// "…/config…/{}/features/{}".
func cutFirst(path string, last, width int) string {
	const least = 3 // minimum number of letters of a truncated segment
	segments := strings.Split(nameless(path), "/")
	from := len(segments) - last
	if from < 1 {
		return ShortPath(nameless(path), width)
	}
	before := "…/"
	if from == 1 {
		before = "/"
	}
	rest := "/" + strings.Join(segments[from+1:], "/")
	room := width - widthOf(before) - widthOf(rest)
	if room < min(least+1, widthOf(segments[from])) {
		return ShortPath(nameless(path), width)
	}
	return before + ansi.Truncate(segments[from], room, "…") + rest
}
