// Package variation changes values in tests of a recording: in the answers of hosts, and in the requests to the
// service. The changed tests reach cases that were not recorded. The package does not know how the service answers in
// these cases; package ui/app/survivors finds this out.
package variation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/pointer"
)

// Tests returns copies of a test, each with one change: of a value or the status in a host's answer to an outward call,
// or of a value in the JSON body of the call under test. constants are values that may matter, such as constants near a
// mutant in the service's source; for a number, Tests also tries the number plus and minus one. The first copies change
// each value once, so that a few copies are enough to change all values. Tests returns at most max copies. Their IDs
// begin with the ID of the test.
func Tests(t model.Test, constants []string, max int) []model.Test {
	var columns [][]change
	for _, at := range answersOf(t) {
		columns = append(columns, answerChanges(t, at, constants)...)
	}
	columns = append(columns, bodyChanges(t, constants)...)
	all := Interleave(columns, max)
	tests := make([]model.Test, len(all))
	for i, c := range all {
		tests[i] = c.apply(t, i+1)
	}
	return tests
}

// Interleave returns at most max items of lists: the first item of each list, then the second item of each, and so on.
func Interleave[T any](lists [][]T, max int) (all []T) {
	for i, left := 0, true; left; i++ {
		left = false
		for _, list := range lists {
			if i < len(list) && len(all) < max {
				all, left = append(all, list[i]), true
			}
		}
	}
	return all
}

// change is another answer of a stub, or another body of the call under test, with a text that describes the change.
type change struct {
	about  string
	at     answerPlace
	answer model.Answer
	body   *model.Payload // nil if the answer is changed
}

// answerPlace identifies an answer of a stub, by the indexes of the stub and of the answer.
type answerPlace struct{ stub, answer int }

// apply returns a copy of a test with the change. n distinguishes the ID of the copy: "t7" becomes "t7.1".
func (c change) apply(t model.Test, n int) model.Test {
	t.ID = fmt.Sprintf("%s.%d", t.ID, n)
	m := *t.Mock
	m.About += ", if " + c.about
	t.Mock = &m
	if c.body != nil {
		t.Calls = slices.Clone(t.Calls)
		t.Calls[m.Call].Body = c.body
		return t
	}
	t.Stubs = slices.Clone(t.Stubs)
	stub := t.Stubs[c.at.stub]
	stub.Answers = slices.Clone(stub.Answers)
	stub.Answers[c.at.answer] = c.answer
	t.Stubs[c.at.stub] = stub
	return t
}

// answersOf returns the places of the answers that stubs give to the outward calls of the call under test, each stub
// once. It leaves out answers with a fault, and stubs with a prologue.
func answersOf(t model.Test) (all []answerPlace) {
	seen := map[int]bool{}
	for _, c := range t.Mock.ExpectedCalls {
		if seen[c.Stub] || len(t.Stubs[c.Stub].Prologue) > 0 {
			continue
		}
		seen[c.Stub] = true
		for i, a := range t.Stubs[c.Stub].Answers {
			if a.Fault == "" {
				all = append(all, answerPlace{stub: c.Stub, answer: i})
			}
		}
	}
	return all
}

// answerChanges returns possible changes of an answer: a list for its status if it is an HTTP answer, and a list for
// each value in it. For an answer that is not JSON, see textChanges.
func answerChanges(t model.Test, at answerPlace, constants []string) [][]change {
	stub := t.Stubs[at.stub]
	a := stub.Answers[at.answer]
	who := stub.Host + " answers "
	var all [][]change
	if stub.Protocol == model.HTTP {
		all = append(all, statusChanges(at, a, who))
	}
	content := a.Content()
	doc, ok := decode(content)
	if !ok {
		return append(all, textChanges(at, a, who, constants)...)
	}
	isOther := func(p string) bool { return stub.Protocol.IsDatabase() && stub.Protocol != model.Redis && !isOfRows(p) }
	return append(all, documentChanges(doc, isOther, constants, func(data []byte, about string) change {
		return change{about: who + about, at: at, answer: a.WithContent(data)}
	})...)
}

// bodyChanges returns the changes of the JSON body of the call under test: one list for each of its values. It does not
// change values that links take from earlier answers. It returns nil if the call has no JSON body.
func bodyChanges(t model.Test, constants []string) [][]change {
	body := t.Calls[t.Mock.Call].Body
	if body == nil {
		return nil
	}
	doc, ok := decode([]byte(body.Data))
	if !ok {
		return nil
	}
	isLinked := func(p string) bool {
		return slices.ContainsFunc(t.Links, func(l model.Link) bool {
			return l.To == t.Mock.Call && l.In == model.InBody && (l.Name == p || strings.HasPrefix(l.Name, p+"/"))
		})
	}
	return documentChanges(doc, isLinked, constants, func(data []byte, about string) change {
		return change{about: "it is sent " + about, body: &model.Payload{Media: body.Media, Data: string(data)}}
	})
}

// decode decodes a JSON value. ok is false if data is not JSON, or if another value follows.
func decode(data []byte) (doc any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return doc, d.Decode(&doc) == nil && !d.More()
}

// documentChanges returns the changes of a JSON document: one list for each value in it. It leaves out a value if skip
// returns true for its pointer. The function with makes a change from the changed document and a text that describes the
// change.
func documentChanges(
	doc any, skip func(pointer string) bool, constants []string, with func(data []byte, about string) change,
) (all [][]change) {
	for _, p := range places(doc, "") {
		if skip(p) {
			continue
		}
		old, _ := pointer.Lookup(doc, p)
		var column []change
		for _, v := range variants(old, constants) {
			data, err := json.Marshal(replaced(doc, pointer.Tokens(p), v))
			if err != nil {
				continue
			}
			text, _ := json.Marshal(v)
			column = append(column, with(data, strings.TrimSpace(p+" "+model.Excerpt(text))))
		}
		all = append(all, column)
	}
	return all
}

// statusChanges returns changes that give an answer the status 500 or 404, each unless the answer has it already.
func statusChanges(at answerPlace, a model.Answer, who string) (all []change) {
	for _, status := range []int{500, 404} {
		if a.Status != status {
			other := a
			other.Status = status
			all = append(all, change{about: who + strconv.Itoa(status), at: at, answer: other})
		}
	}
	return all
}

// places returns the pointers of the scalars other than null, and of the lists with items, in a JSON value. It looks
// only into the first maxItems items of a list.
func places(v any, at string) (all []string) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, places(v[name], at+"/"+pointer.Escape(name))...)
		}
	case []any:
		if len(v) > 0 {
			all = append(all, at)
		}
		for i, item := range v[:min(len(v), maxItems)] {
			all = append(all, places(item, at+"/"+strconv.Itoa(i))...)
		}
	case nil:
	default:
		all = append(all, at)
	}
	return all
}

// isOfRows reports whether a pointer in the result of a query leads to the list of rows, or to a value in a row. It
// returns false for a whole row.
func isOfRows(p string) bool {
	tokens := pointer.Tokens(p)
	return tokens[0] == "rows" && len(tokens) != 2
}

// maxItems is the maximum number of items of a list in which values are changed, and of numbers of a text that are
// changed. The first ones are taken.
const maxItems = 3

// replaced returns a copy of a JSON value with another value at a place.
func replaced(doc any, tokens []string, v any) any {
	if len(tokens) == 0 {
		return v
	}
	switch doc := doc.(type) {
	case map[string]any:
		out := maps.Clone(doc)
		out[tokens[0]] = replaced(doc[tokens[0]], tokens[1:], v)
		return out
	case []any:
		out := slices.Clone(doc)
		if i, err := strconv.Atoi(tokens[0]); err == nil && i < len(out) {
			out[i] = replaced(doc[i], tokens[1:], v)
		}
		return out
	}
	return doc
}
