package gotest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// newDifference returns a difference at a place: in is a part of a message, such as "header", and name is a name in
// that part. got is the value there, nil for none.
func newDifference(in, name string, m matcher, got json.RawMessage) difference {
	place, received := in, "nothing"
	if name != "" {
		place += " " + excerpt([]byte(name))
	}
	if got != nil {
		received = excerpt(got)
	}
	return difference{
		In:   in,
		Name: name,
		Want: m.raw(),
		Got:  got,
		What: fmt.Sprintf("%s: want %s, got %s", place, excerpt([]byte(m.wanted())), received),
	}
}

// comparison finds the differences between a JSON value and the wanted value.
type comparison struct {
	except      map[string]matcher // matchers of single values, by their JSON pointers
	allowExtra  bool               // objects may have more members
	differences []difference
}

// compare compares the values at the JSON pointer at.
func (c *comparison) compare(at string, want, got any) {
	if m, ok := c.except[at]; ok {
		if !m.fits(got) {
			c.differences = append(c.differences, newDifference("body", at, m, json.RawMessage(encode(got))))
		}
		return
	}
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			c.compareMembers(at, w, g, c.allowExtra)
			return
		}
	case []any:
		if g, ok := got.([]any); ok {
			c.compareMembers(at, itemsByIndex(w), itemsByIndex(g), false)
			return
		}
	}
	if !reflect.DeepEqual(normalized(want), normalized(got)) {
		c.differences = append(c.differences, newDifference("body", at, matcher{value: want}, json.RawMessage(encode(got))))
	}
}

// itemsByIndex returns the items of an array by their indices.
func itemsByIndex(items []any) map[string]any {
	all := map[string]any{}
	for i, item := range items {
		all[strconv.Itoa(i)] = item
	}
	return all
}

// compareMembers compares the members of objects, or the items of arrays. If allowExtra is set, got may have more
// members or items than want.
func (c *comparison) compareMembers(at string, want, got map[string]any, allowExtra bool) {
	for _, name := range memberNames(want, got) {
		pointer := at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
		w, wanted := want[name]
		g, present := got[name]
		m, except := c.except[pointer]
		switch {
		case present && (wanted || except):
			c.compare(pointer, w, g)
		case wanted && except:
			c.differences = append(c.differences, newDifference("body", pointer, m, nil))
		case wanted:
			c.differences = append(c.differences, newDifference("body", pointer, matcher{value: w}, nil))
		case !allowExtra:
			d := newDifference("body", pointer, matcher{words: "nothing"}, json.RawMessage(encode(g)))
			d.Want = nil
			c.differences = append(c.differences, d)
		}
	}
}

// memberNames returns the sorted names of the members of objects. Names that are numbers are sorted as numbers.
func memberNames(objects ...map[string]any) []string {
	isKnown := map[string]bool{}
	var all []string
	for _, object := range objects {
		for name := range object {
			if !isKnown[name] {
				all = append(all, name)
			}
			isKnown[name] = true
		}
	}
	sort.Slice(all, func(i, j int) bool {
		a, errA := strconv.Atoi(all[i])
		b, errB := strconv.Atoi(all[j])
		if errA == nil && errB == nil {
			return a < b
		}
		return all[i] < all[j]
	})
	return all
}

// compareBody compares a body with the JSON text want. Each exception has the matcher for one value of the body.
func compareBody(body []byte, want string, but []exception) []difference {
	wanted, err := decode(want)
	if err != nil {
		panic(fmt.Sprintf("the test wants invalid JSON: %v", err))
	}
	if !json.Valid(body) {
		return []difference{newDifference("body", "", matcher{value: wanted}, json.RawMessage(encode(string(body))))}
	}
	got, _ := decode(string(body))
	c := comparison{except: map[string]matcher{}}
	for _, e := range but {
		c.except[e.pointer] = e.matcher
	}
	c.compare("", wanted, got)
	return c.differences
}

// compareAt compares the value of a body at a JSON pointer. If the body is not JSON, the pointer "" means the body as
// a text.
func compareAt(body []byte, pointer string, m matcher) []difference {
	got, err := (&reply{body: body}).at(pointer)
	if !json.Valid(body) && pointer == "" {
		got, err = string(body), nil
	}
	switch {
	case err != nil:
		return []difference{newDifference("body", pointer, m, nil)}
	case !m.fits(got):
		return []difference{newDifference("body", pointer, m, json.RawMessage(encode(got)))}
	}
	return nil
}

// compareText compares a body with a text, and shows both from the first difference on. In a recorded text, a
// replacement character means invalid UTF-8.
func compareText(body []byte, want string) []difference {
	got := string(body)
	if v, err := decode(got); got == want || string([]rune(got)) == want || err == nil && v == any(want) {
		return nil
	}
	same := 0
	for same < len(got) && same < len(want) && got[same] == want[same] {
		same++
	}
	d := newDifference("body", "", exactly(want), json.RawMessage(encode(got)))
	if same > 0 {
		d.What = fmt.Sprintf(
			"body: want %q, got %q after %d equal bytes", excerpt([]byte(want[same:])),
			excerpt([]byte(got[same:])), same,
		)
	}
	return []difference{d}
}

// compareValues compares the values of a name, such as a header. If there are several values, it joins them with a
// comma and a space.
func compareValues(in, name string, values []string, m matcher) []difference {
	if len(values) == 0 {
		return []difference{newDifference(in, name, m, nil)}
	}
	if got := strings.Join(values, ", "); !m.fits(got) {
		return []difference{newDifference(in, name, m, json.RawMessage(encode(got)))}
	}
	return nil
}
