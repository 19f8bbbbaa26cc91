// Package variation changes what hosts answer in tests of a recording, so that the changed tests reach cases that were not
// recorded. It does not know what the service answers then; package ui/app/survivors finds it out.
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

// Tests returns copies of a test, each with one value changed in an answer of a host to the call under test. Values that may
// matter, such as constants near a mutant in the service's source, come from constants: numbers also plus and minus one.
// The first copies change each value once, so that few of them are enough to change all. At most max copies are returned. Their IDs
// begin with that of the test.
func Tests(t model.Test, constants []string, max int) []model.Test {
	var columns [][]change
	for _, at := range answersOf(t) {
		columns = append(columns, changesOf(t, at, constants)...)
	}
	var all []model.Test
	for row := 0; ; row++ {
		left := false
		for _, column := range columns {
			if row >= len(column) {
				continue
			}
			left = true
			if len(all) == max {
				return all
			}
			all = append(all, column[row].apply(t, len(all)+1))
		}
		if !left {
			return all
		}
	}
}

// answerPlace is an answer of a stub: the indexes of both.
type answerPlace struct{ stub, answer int }

// answersOf returns the answers of the stubs for the call under test, each stub once.
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

// change is another answer, and a text that says how it differs.
type change struct {
	at     answerPlace
	answer model.Answer
	about  string
}

// apply returns a copy of a test with the change. n is its number.
func (c change) apply(t model.Test, n int) model.Test {
	t.ID = fmt.Sprintf("%s.%d", t.ID, n)
	t.Stubs = slices.Clone(t.Stubs)
	stub := t.Stubs[c.at.stub]
	stub.Answers = slices.Clone(stub.Answers)
	stub.Answers[c.at.answer] = c.answer
	t.Stubs[c.at.stub] = stub
	m := *t.Mock
	m.About += ", if " + stub.Host + " answers " + c.about
	t.Mock = &m
	return t
}

// changesOf returns the changes of an answer, for each of its values a list.
func changesOf(t model.Test, at answerPlace, constants []string) [][]change {
	stub := t.Stubs[at.stub]
	a := stub.Answers[at.answer]
	var all [][]change
	if stub.Protocol == model.HTTP {
		all = append(all, statusChanges(at, a))
	}
	content := a.Content()
	var doc any
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	if d.Decode(&doc) != nil || d.More() {
		return append(all, textChanges(at, a, string(content), constants)...)
	}
	for _, p := range places(doc, "") {
		if stub.Protocol.IsDatabase() && stub.Protocol != model.Redis && !isOfRows(p) {
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
			about := strings.TrimSpace(p+" ") + " " + model.Excerpt(text)
			column = append(column, change{at: at, answer: a.WithContent(data), about: about})
		}
		all = append(all, column)
	}
	return all
}

// statusChanges returns answers with other statuses.
func statusChanges(at answerPlace, a model.Answer) (all []change) {
	for _, status := range []int{500, 404} {
		if a.Status != status {
			other := a
			other.Status = status
			all = append(all, change{at: at, answer: other, about: strconv.Itoa(status)})
		}
	}
	return all
}

// places returns the pointers of the scalars, and of the lists with items, in a JSON value.
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

// isOfRows reports whether a pointer in the result of a query names the list of its rows, or a value in a row.
func isOfRows(p string) bool {
	tokens := pointer.Tokens(p)
	return tokens[0] == "rows" && len(tokens) != 2
}

// maxItems is the maximum number of items of a list whose values are changed.
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
