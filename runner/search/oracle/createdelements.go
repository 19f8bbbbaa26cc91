package oracle

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/listing"
)

// createdElement is an element that the test created, and that a GET of its own found after the last write.
type createdElement struct {
	id   string
	link model.Link // passes the id from the creation to the GET
	read *operation // the GET
	body any        // what the GET returned
}

// partialList matches descriptions of lists that do not have all elements.
var partialList = regexp.MustCompile(`(?i)\b(only|activ|open|publish|public|visible|approv|confirm|available|recent|latest|upcoming|` +
	`top|popular|pending|current|own|my|your|assigned|valid|unread|shared|featured|search|match)`)

// examineCreated checks that a list has the elements that the test created. The list must have been read twice. Each
// element must have been read by a GET of its own since the last write. Services may leave elements out of a list
// because of a state, such as "draft". An element is therefore reported in two cases only: the list has similar
// elements that the test created (see isExpected), or the test created at least two elements, the list has none of
// them, and the element has no state.
func (r *listReads) examineCreated(last *list) {
	before, ok := r.before(last.call, last.query)
	if !ok || !r.of.IsWhole(last.query) || r.of.Preset || !sameElements(before, last) || !r.isWhole(before) || !r.isWhole(last) {
		return
	}
	var listed, unlisted []createdElement
	for k := r.first; k < last.call; k++ {
		x, ok := r.createdBefore(k, last.call)
		switch {
		case !ok || isMarkedDeleted(x.body, 0):
		case last.Index(x.id) >= 0:
			listed = append(listed, x)
		default:
			unlisted = append(unlisted, x)
		}
	}
	for _, x := range unlisted {
		if !r.isExpected(x, listed) && !(len(listed) == 0 && len(unlisted) > 1 && r.listsAll(x) && r.isStateless(x.body)) {
			continue
		}
		r.addUnlisted(last, x)
		return
	}
}

// isExpected reports whether a list should have the created element x. listed has the created elements that the list
// has. Of those like x, one must have been created before x, or two after x: a single element that was created after x
// may have taken the place of x in the list.
func (r *listReads) isExpected(x createdElement, listed []createdElement) bool {
	later := 0
	for _, y := range listed {
		switch {
		case y.link.From == x.link.From || !r.alike(x.body, y.body):
		case y.link.From < x.link.From:
			return true
		default:
			later++
		}
	}
	return later > 1
}

// createdBefore returns the element that call k reads. ok is false unless the test created the element, in the
// collection that call i lists.
func (r *listReads) createdBefore(k, i int) (x createdElement, ok bool) {
	e := r.e
	op := e.op(k)
	id, isBelow := strings.CutPrefix(e.path(k), e.path(i)+"/")
	if !e.ok(k) || !op.single || !isBelow || strings.Contains(id, "/") || !samePath(op.segments[:len(op.segments)-1], e.op(i).segments) {
		return x, false
	}
	at := slices.IndexFunc(e.test.Links, func(l model.Link) bool {
		return l.To == k && l.In == model.InPath && l.Param == "" && strings.HasSuffix(op.Path, "{"+l.Name+"}")
	})
	if at < 0 {
		return x, false
	}
	x.link = e.test.Links[at]
	from := x.link.From
	made := e.op(from)
	if made == nil || made.Method != "POST" || e.path(from) != e.path(i) || !e.ok(from) || e.exchanges[from].Reply.Status == accepted ||
		e.test.Calls[from].User != e.test.Calls[i].User {
		return x, false
	}
	body, isJSON := read(e.exchanges[k].Reply.Body)
	if _, isObject := body.(map[string]any); !isJSON || !isObject {
		return x, false
	}
	x.read, x.body = op, body
	x.id, ok = pathText(id)
	return x, ok
}

// pathText returns a segment of a path without escapes. It returns false if an escape is invalid.
func pathText(segment string) (string, bool) {
	text, err := url.PathUnescape(segment)
	return text, err == nil
}

// listsAll reports whether, according to the spec, a list most likely has all elements. The description of the list
// must name no selection, and the GET of an element must have the same schema as the elements of the list.
func (r *listReads) listsAll(x createdElement) bool {
	op := r.of.Op
	element := listing.AnswerSchema(x.read.Operation)
	return element != nil && element.Name != "" && element.Name == r.of.Element.Name &&
		!partialList.MatchString(op.Summary+" "+op.Description+" "+op.Name)
}

// alike reports whether two elements differ only in texts, and in values that each element has for itself, such as
// ids and times. Texts that are states must not differ; see isState.
func (r *listReads) alike(a, b any) bool {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	for _, names := range []map[string]any{x, y} {
		for name := range names {
			v, w := x[name], y[name]
			p, isText := v.(string)
			q, both := w.(string)
			switch {
			case volatileName(name):
				if (v == nil) != (w == nil) {
					return false
				}
			case isText && both && !r.isState(name, v) && !volatileText(v) && !volatileText(w):
				if (p == "") != (q == "") {
					return false
				}
			case !equivalent(v, w, 0):
				return false
			}
		}
	}
	return true
}

// isStateless reports whether an element has no value that may be the reason why a list leaves it out. Such values
// are states, zeros, negative numbers, empty texts and times.
func (r *listReads) isStateless(element any) bool {
	object, _ := element.(map[string]any)
	for name, v := range object {
		zero := same(0.0, v) || v == ""
		if n, ok := listing.Text(v); ok && strings.HasPrefix(n, "-") {
			zero = true
		}
		isTime := volatileText(v) && !volatileName(name)
		if r.isState(name, v) || zero || isTime {
			return false
		}
	}
	return true
}

// addUnlisted adds a finding for an element that a list lacks.
func (r *listReads) addUnlisted(last *list, x createdElement) {
	place := last.IDPointer
	if len(last.All) == 0 {
		if id, at, ok := r.of.IDOf(x.body); ok && id == x.id && strings.Count(at, "/") == 1 {
			place = at
		}
	}
	f := Finding{
		Oracle:    createdUnlisted,
		Call:      last.call,
		Signature: "created",
		Expected:  fmt.Sprintf("the element that call %d created", x.link.From+1),
		Actual:    "a list without " + brief(x.body),
	}
	if source, ok := r.created[x.id]; ok && place != "" {
		f.Expected = fmt.Sprintf("%q has %s, which created the element", r.of.Place+"/*"+place, source)
	}
	r.e.add(f)
}
