package listing

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// Elements are the elements of one answer.
type Elements struct {
	All []any
	IDs []string // the id of each element
	// IDPointer is the JSON pointer of the id in an element, "" if the elements are ids. It is "" also if there are no
	// elements.
	IDPointer string

	at map[string]int // index of each element by its id
}

// maxElements bounds the lists that are compared.
const maxElements = 2000

// Read returns the elements of an answer. ok is false in these cases: the status is not 200, the answer was cut
// short, it has no list where the spec declares one, the list has too many elements, or an element has no id of its
// own.
func (l *Listing) Read(r model.Reply) (e Elements, ok bool) {
	if r.Status != 200 || r.Truncated || r.Defect != nil {
		return e, false
	}
	body, ok := decode(r.Body)
	if !ok {
		return e, false
	}
	found, ok := pointer.Lookup(body, l.Place)
	if !ok {
		return e, false
	}
	list, isList := found.([]any)
	if !isList && found != nil || len(list) > maxElements {
		return e, false
	}
	return l.identify(list)
}

// identify returns the elements of a list with their ids.
func (l *Listing) identify(list []any) (e Elements, ok bool) {
	e.All = list
	if len(list) == 0 {
		return e, true
	}
	e.IDPointer, ok = l.idPointer(list)
	if !ok {
		return e, false
	}
	e.at = map[string]int{}
	for k, element := range list {
		v, found := pointer.Lookup(element, e.IDPointer)
		id, isID := Text(v)
		_, seen := e.at[id]
		if !found || !isID || id == "" || seen || strings.Contains(id, model.MaskedSecret) {
			return e, false
		}
		e.at[id] = k
		e.IDs = append(e.IDs, id)
	}
	return e, true
}

// Index returns the index of the element with an id, or -1.
func (e Elements) Index(id string) int {
	if k, ok := e.at[id]; ok {
		return k
	}
	return -1
}

// Matches reports whether the ids of two lists can be compared, because both have them at the same place in the
// elements.
func (e Elements) Matches(other Elements) bool {
	return len(e.All) == 0 || len(other.All) == 0 || e.IDPointer == other.IDPointer
}

// Text returns the text of a string or a number.
func Text(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	}
	return "", false
}

func decode(body []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	_, err := d.Token()
	return v, err == io.EOF
}

// Names of members and headers that say how many elements there are in all, and whether there are more of them.
var (
	totalNames = regexp.MustCompile(`^(total(count|items|elements|results|records|hits)?|recordcount|itemcount)$`)
	moreNames  = regexp.MustCompile(`^(next.*|hasmore|hasnext|hasnextpage|more|morepages|istruncated|truncated|cursor|endcursor|` +
		`after|continuation.*|marker|pagetoken|lastkey|lastevaluatedkey)$`)
	nextLink = regexp.MustCompile(`(?i)rel="?next`)
)

// IsComplete reports whether a list of n elements certainly has all elements. query is the query of the request. If
// the answer says how many elements there are, or that there are more, this decides. Otherwise the list is complete
// in these cases:
//   - The query sets the size of a page, n is smaller, and n is no usual size of a page.
//   - The query sets no size, and n is smaller than the default size of a page.
//   - No default size is known, and n is no usual size of a page.
func (l *Listing) IsComplete(query url.Values, r model.Reply, n int) bool {
	body, _ := decode(r.Body)
	total, known, more := said(body, 1)
	for _, name := range []string{"X-Total-Count", "X-Total", "Total-Count"} {
		if count, err := strconv.Atoi(first(r.Header[name])); err == nil {
			total, known = max(total, count), true
		}
	}
	if _, all, ok := strings.Cut(first(r.Header["Content-Range"]), "/"); ok {
		if count, err := strconv.Atoi(all); err == nil {
			total, known = max(total, count), true
		}
	}
	switch {
	case more || slices.ContainsFunc(r.Header["Link"], nextLink.MatchString):
		return false
	case known:
		return total == n
	case l.Paging.Size != "" && query.Has(l.Paging.Size):
		size, err := strconv.Atoi(query.Get(l.Paging.Size))
		return err == nil && n < size && !isPageSize(n) // the service may have a largest size of its own
	case l.Paging.Default > 0:
		return n < l.Paging.Default
	}
	return !isPageSize(n)
}

// said returns the total number of elements according to an object around a list, as in {"total": 7}. more is true if
// the object says that there are further elements. nested is the depth to which said also reads objects inside the
// object.
func said(body any, nested int) (total int, known, more bool) {
	object, _ := body.(map[string]any)
	for name, v := range object {
		name = plain(name)
		n, isNumber := v.(json.Number)
		_, isObject := v.(map[string]any)
		switch count, err := strconv.Atoi(n.String()); {
		case isNumber && err == nil && totalNames.MatchString(name):
			total, known = max(total, count), true
		case moreNames.MatchString(name) && v != nil && v != false && v != "":
			more = true
		case isObject && nested > 0:
			innerTotal, innerKnown, innerMore := said(v, nested-1)
			total, known, more = max(total, innerTotal), known || innerKnown, more || innerMore
		}
	}
	return total, known, more
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// isPageSize reports whether services use a number as the size of a page if the request does not set the size.
func isPageSize(n int) bool {
	round := n%50 == 0 || n <= 100 && (n%5 == 0 || n%6 == 0)
	return n >= 5 && (round || n&(n-1) == 0)
}
