package gotest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// wantStatusIn ends the test unless one of wanted fits the status. Each is a number, or a range such as "100-499".
func (r *reply) wantStatusIn(wanted ...string) {
	r.t.Helper()
	for _, one := range wanted {
		low, high, isRange := strings.Cut(one, "-")
		if !isRange {
			high = low
		}
		from, _ := strconv.Atoi(low)
		to, _ := strconv.Atoi(high)
		if from <= r.status && r.status <= to {
			return
		}
	}
	r.t.Fatalf("%s: want status %s, got %d with body %s", r.call, strings.Join(wanted, " or "), r.status, excerpt(r.body))
}

// expectation describes an assertion and reports whether it holds of an answer.
type expectation func(r *reply) (what string, holds bool)

// expect fails the test unless the expectation holds of the answer.
func (r *reply) expect(e expectation) {
	r.t.Helper()
	if description, holds := e(r); !holds {
		r.t.Errorf("%s: want %s, but the body is %s", r.call, description, excerpt(r.body))
	}
}

// stillBroken fails the test if the expectation holds. When the test was written, the expectation did not hold,
// because of a fault of the service.
func (r *reply) stillBroken(e expectation) {
	r.t.Helper()
	if description, holds := e(r); holds {
		r.t.Errorf("%s: %s holds now, the fault is fixed: write expect instead of stillBroken", r.call, description)
	}
}

// noValue is the value of a member that an object does not have.
type noValue struct{}

func isMissing(v any) bool {
	_, ok := v.(noValue)
	return ok
}

// valuesAt returns the values at a JSON pointer. The token * means all items of an array, or all members of an
// object.
func (r *reply) valuesAt(pointer string) []any {
	v, err := decode(string(r.body))
	if err != nil {
		return []any{noValue{}}
	}
	return valuesIn(v, pointer)
}

// valuesIn returns the values at a JSON pointer of a decoded value.
func valuesIn(v any, pointer string) []any {
	all := []any{v}
	tokens := strings.Split(pointer, "/")[1:]
	for i, token := range tokens {
		var next []any
		for _, v := range all {
			next = append(next, stepInto(v, token, i == len(tokens)-1)...)
		}
		all = next
	}
	return all
}

// stepInto returns the values at one token of a pointer. last says whether the token is the last of the pointer.
func stepInto(v any, token string, last bool) (all []any) {
	if token == "*" {
		switch v := v.(type) {
		case []any:
			return v
		case map[string]any:
			for _, member := range v {
				all = append(all, member)
			}
		}
		return all
	}
	member, ok := childOf(v, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
	switch {
	case ok:
		return []any{member}
	case last:
		return []any{noValue{}}
	}
	return nil
}

// eachAt reports whether a condition holds for all values at a JSON pointer. It ignores missing values.
func (r *reply) eachAt(pointer string, holds func(v any) bool) bool {
	for _, v := range r.valuesAt(pointer) {
		if !isMissing(v) && !holds(v) {
			return false
		}
	}
	return true
}

// hasType wants the values at a JSON pointer to be of one of the types.
func hasType(pointer string, types ...string) expectation {
	return func(r *reply) (string, bool) {
		return fmt.Sprintf("type %s at %q", strings.Join(types, " or "), pointer), r.eachAt(pointer, func(v any) bool {
			for _, t := range types {
				if t == jsonType(v) || t == "number" && jsonType(v) == "integer" {
					return true
				}
			}
			return false
		})
	}
}

// jsonType returns the JSON type of a decoded value. A number without a fraction is an integer.
func jsonType(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case json.Number:
		if !strings.Contains(string(normalizedNumber(v.String())), "e-") {
			return "integer"
		}
		return "number"
	}
	return "object"
}

// hasValue wants a value at a JSON pointer. If the pointer contains "*", each item or member must have one, and there
// may be no items.
func hasValue(pointer string) expectation {
	return func(r *reply) (string, bool) {
		all := r.valuesAt(pointer)
		for _, v := range all {
			if isMissing(v) {
				return fmt.Sprintf("a value at %q", pointer), false
			}
		}
		return fmt.Sprintf("a value at %q", pointer), len(all) > 0 || strings.Contains(pointer, "*")
	}
}

// hasNothing wants no value at a JSON pointer.
func hasNothing(pointer string) expectation {
	return func(r *reply) (string, bool) {
		return fmt.Sprintf("nothing at %q", pointer), r.eachAt(pointer, func(any) bool { return false })
	}
}

// oneOfValues wants each value at a JSON pointer to be one of the given JSON values.
func oneOfValues(pointer string, values ...string) expectation {
	return func(r *reply) (string, bool) {
		return fmt.Sprintf("one of %s at %q", strings.Join(values, ", "), pointer), r.eachAt(pointer, func(v any) bool {
			for _, text := range values {
				if want, err := decode(text); err == nil && reflect.DeepEqual(normalized(v), normalized(want)) {
					return true
				}
			}
			return false
		})
	}
}

// textMatching wants the texts at a JSON pointer to match a regular expression. It ignores other values.
func textMatching(pointer, pattern string) expectation {
	return func(r *reply) (string, bool) {
		return fmt.Sprintf("a match for %s at %q", pattern, pointer), r.eachAt(pointer, func(v any) bool {
			text, ok := v.(string)
			return !ok || regexp.MustCompile(pattern).MatchString(text)
		})
	}
}

// headerMatching wants a header to match a regular expression.
func headerMatching(name, pattern string) expectation {
	return func(r *reply) (string, bool) {
		return fmt.Sprintf(
			"the header %s to match %s, not %q,", name, pattern, r.header.Get(name),
		), regexp.MustCompile(pattern).MatchString(r.header.Get(name))
	}
}

// bodyWithout wants a body of which no part matches a regular expression.
func bodyWithout(pattern string) expectation {
	return func(r *reply) (string, bool) {
		return "no match for " + pattern, !regexp.MustCompile(pattern).Match(r.body)
	}
}

// asBefore wants the value at a JSON pointer to equal a value of an earlier answer.
func asBefore(pointer string, before value) expectation {
	return func(r *reply) (string, bool) {
		v, err := r.at(pointer)
		what := fmt.Sprintf("%s at %q as before", before.json(), pointer)
		return what, err == nil && reflect.DeepEqual(normalized(v), normalized(before.v))
	}
}

// listed wants one of the values at a JSON pointer to be a value of an earlier answer. They are compared as texts: an id
// in a header is a text, and may be a number in a body.
func listed(pointer string, before value) expectation {
	return func(r *reply) (string, bool) {
		return fmt.Sprintf("%s at %q", before.json(), pointer), r.textsAt(pointer)[before.text()]
	}
}

// covering wants the values at a JSON pointer to include all values in a list of an earlier answer. The tokens after
// * in the pointer are the place of the value in an item, in both lists.
func covering(pointer string, list value) expectation {
	return func(r *reply) (string, bool) {
		return fmt.Sprintf("all values of the earlier list at %q", pointer), r.countAt(pointer, list) == len(list.textsAt(pointer))
	}
}

// disjoint is like covering, but wants none of the values.
func disjoint(pointer string, list value) expectation {
	return func(r *reply) (string, bool) {
		return fmt.Sprintf("no values of the earlier list at %q", pointer), r.countAt(pointer, list) == 0
	}
}

// countAt returns how many values in a list are among the values at a JSON pointer, as texts.
func (r *reply) countAt(pointer string, list value) int {
	n, here := 0, r.textsAt(pointer)
	for text := range list.textsAt(pointer) {
		if here[text] {
			n++
		}
	}
	return n
}

// textsAt returns the values at a JSON pointer as texts.
func (r *reply) textsAt(pointer string) map[string]bool { return textsOf(r.valuesAt(pointer)) }

// textsAt returns the values in the items of a list, as texts, at the place that follows the token * of a JSON pointer.
func (v value) textsAt(pointer string) map[string]bool {
	_, rest, _ := strings.Cut(pointer, "/*")
	return textsOf(valuesIn(v.v, "/*"+rest))
}

func textsOf(values []any) map[string]bool {
	texts := map[string]bool{}
	for _, v := range values {
		if !isMissing(v) {
			texts[value{v}.text()] = true
		}
	}
	return texts
}
