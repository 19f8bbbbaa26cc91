package generate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model"
)

// maxSetUp bounds the calls before the one under test.
const maxSetUp = 50

// arranger finds the calls that created what a call needs.
type arranger struct {
	*userDirectory
	under *recordedExchange
	// narrow is how much is left out: 0 takes all calls that may matter; from 1 on, other things
	// only until they were used; from 2 on, of these only calls of the same session.
	narrow int
	need   map[int]bool
	queue  []needed
	why    string // why a call that it needs cannot be made again
}

// needed is a call to arrange, as far from the one under test as depth.
type needed struct {
	*recordedExchange
	depth int
}

// arrange returns the calls before the one under test, in recorded order, or why there are none.
func (p *userDirectory) arrange(x *recordedExchange) ([]*recordedExchange, string) {
	if p.snapshot {
		return nil, ""
	}
	count := 0
	for narrow := range 3 {
		a := &arranger{userDirectory: p, under: x, narrow: narrow, need: map[int]bool{x.at: true}}
		a.all(x)
		if a.why != "" {
			return nil, a.why
		}
		count = len(a.need) - 1
		if count <= maxSetUp {
			return a.ordered(), ""
		}
	}
	return nil, fmt.Sprintf("it takes %d calls before it, more than %d", count, maxSetUp)
}

func (a *arranger) all(x *recordedExchange) {
	a.queue = []needed{{x, 0}}
	a.collection(x)
	for len(a.queue) > 0 && len(a.need) <= 20*maxSetUp && a.why == "" {
		next := a.queue[0]
		a.queue = a.queue[1:]
		a.sources(next)
		a.states(next)
		if _, login := a.caller(next.recordedExchange); login != nil {
			if r := a.registration(login); r != nil {
				a.take(r, next.depth+1)
			}
			a.sources(needed{login, next.depth + 1})
		}
	}
}

func (a *arranger) ordered() []*recordedExchange {
	var all []*recordedExchange
	for at := range a.need {
		if at != a.under.at {
			all = append(all, a.recordingIndex.all[at])
		}
	}
	slices.SortFunc(all, func(a, b *recordedExchange) int { return cmp.Compare(a.at, b.at) })
	return all
}

// take adds a call.
func (a *arranger) take(s *recordedExchange, depth int) {
	if a.need[s.at] {
		return
	}
	if s.bars != "" && a.why == "" {
		a.why = fmt.Sprintf("it needs %s %s, of which %s", s.Request.Method, model.Printable(s.Request.URL, 80), s.bars)
	}
	a.need[s.at] = true
	a.queue = append(a.queue, needed{s, depth})
}

// sources adds the calls whose answers have the values of the request.
func (a *arranger) sources(n needed) {
	for _, l := range n.asked {
		if t, ok := a.source(n.recordedExchange, l); ok && linkable(n.recordedExchange, l) {
			a.take(t.recordedExchange, n.depth+1)
		}
	}
}

// states adds the calls that changed the things that are named.
func (a *arranger) states(n needed) {
	for _, key := range a.refers(n.recordedExchange) {
		for _, w := range a.since(key, a.changed[key]) {
			if a.matters(n, w) {
				a.take(w, n.depth+1)
			}
		}
		if n.depth == 0 {
			a.uses(n, a.since(key, a.given[key]))
		}
	}
}

// uses adds the calls that were given a thing. A cart is ordered once, which changes it; a product
// is in many carts, which hardly matters to it, unless it is why something is refused.
func (a *arranger) uses(n needed, given []*recordedExchange) {
	for _, w := range given {
		if w.at != n.at && (!a.shared[w.op.ID] || a.refused()) && a.matters(n, w) {
			a.take(w, n.depth+1)
		}
	}
}

// since returns the writes to a thing since it was last created.
func (a *arranger) since(key string, writes []*recordedExchange) []*recordedExchange {
	from := -1
	for _, w := range a.changed[key] {
		if w.creates == key && w.before(a.under) && w.Request.Method == "POST" {
			from = w.at
		}
	}
	return slices.DeleteFunc(slices.Clone(writes), func(w *recordedExchange) bool { return w.at < from || w.life != a.under.life })
}

// matters reports whether a write may matter to a call that is needed.
func (a *arranger) matters(n needed, w *recordedExchange) bool {
	switch {
	case n.depth == 0 || a.narrow == 0:
		return w.before(a.under)
	case a.narrow == 1:
		return w.before(n.recordedExchange)
	}
	return w.before(n.recordedExchange) &&
		(w.creates != "" && !strings.HasPrefix(w.creates, lastThing(n.recordedExchange)+"/") || w.Session == n.Session)
}

func lastThing(s *recordedExchange) string {
	if len(s.through) == 0 {
		return "/"
	}
	return s.through[len(s.through)-1]
}

// refused reports whether the call under test was refused because of the state.
func (a *arranger) refused() bool {
	status := a.under.Reply.Status
	return status == 409 || status == 412 || status == 423
}

// collection adds the writes to all members of a collection, if the call asks for it or was
// refused because of it. A single thing of its kind is a collection, too.
func (a *arranger) collection(x *recordedExchange) {
	path := x.path()
	if len(x.through) > 0 && x.through[len(x.through)-1] == path || path == "/" {
		return
	}
	if x.changes() && !a.refused() && !slices.Contains([]string{"PATCH", "DELETE"}, x.Request.Method) {
		return
	}
	for _, w := range a.recordingIndex.all[:x.at] {
		if w.op != nil && w.writes() && w.life == x.life && w.before(x) && a.inside(w, path) {
			a.take(w, 1)
		}
	}
}

// inside reports whether a write is to a collection, or to a member. If narrow, what other
// sessions wrote below is left out.
func (a *arranger) inside(w *recordedExchange, path string) bool {
	at := w.path()
	rest, below := strings.CutPrefix(at, path+"/")
	switch {
	case at == path:
		return true
	case !below:
		return false
	}
	return a.narrow == 0 || !strings.Contains(rest, "/") || w.creates == ""
}

// linkable reports whether a link can set an input of a call.
func linkable(s *recordedExchange, l leaf) bool {
	if l.in != model.InBody || s.request.isJSON && strings.Count(l.name, "/") > 0 && !inList(s.request.body, l.name) {
		return true
	}
	return strings.HasPrefix(first(s.Request.Header, "Content-Type"), "application/x-www-form-urlencoded")
}
