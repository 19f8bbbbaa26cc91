package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"sonde/model"
)

// Assertion is an assertion on an answer that is not a model.Check.
type Assertion struct {
	Kind AssertionKind
	// Pointer is a JSON pointer into the body. A token "*" matches each item of an array and each
	// member of an object.
	Pointer string
	// Header is the name of a header of the answer.
	Header string
	// Values are the operands. Their meaning depends on Kind.
	Values []string
	// Capture is the value of an earlier answer, for the kinds that compare. link is its source.
	Capture *Capture
	link    *model.Link
	// calls is the number of calls that the assertion needs, from the first call of the test on; 0 means all. The
	// assertion is about the answer to the last of these calls.
	calls int
}

// AssertionKind is the kind of an assertion.
type AssertionKind string

// The kinds of assertions. Values, Pointer and Header are fields of Assertion.
const (
	AssertStatus    AssertionKind = "status"  // the status is one of Values, each a number or a range such as "100-499"
	AssertType      AssertionKind = "type"    // the value at Pointer has one of the JSON types in Values
	AssertPresent   AssertionKind = "given"   // there is a value at Pointer
	AssertAbsent    AssertionKind = "absent"  // there is no value at Pointer
	AssertOneOf     AssertionKind = "among"   // the value at Pointer is one of Values, each JSON
	AssertPattern   AssertionKind = "match"   // a text at Pointer matches the regular expression in Values
	AssertHeader    AssertionKind = "header"  // Header matches the regular expression in Values
	AssertNoMatch   AssertionKind = "without" // no part of the body matches the regular expression in Values
	AssertUnchanged AssertionKind = "same"    // the value at Pointer is that of an earlier answer
	AssertListed    AssertionKind = "has"     // one of the values at Pointer is that of an earlier answer, as a text
	// AssertCovers and AssertDisjoint compare a list with a list of an earlier answer, by the texts of a value in
	// each item, such as its id. The values at Pointer include all values of the earlier list, or none of them.
	// Pointer has the token "*" for the items. The tokens after "*" are the place of the value in an item, in both
	// lists.
	AssertCovers   AssertionKind = "covers"
	AssertDisjoint AssertionKind = "disjoint"
)

// Compares reports whether an assertion of this kind compares with a value of an earlier answer.
func (k AssertionKind) Compares() bool { return goComparisons[k] != "" }

// errNotInAnswer reports a fault that assertions on an answer cannot show.
var errNotInAnswer = errors.New("no answer shows it")

// acceptedStatuses has the statuses that are correct for oracles that judge only the status.
var acceptedStatuses = map[string][]string{
	model.ServerErrorOracle:     {"100-499"},
	model.DependencyErrorOracle: {"100-499", "502-504"},
	string(model.NoAnswer):      {"100-499"},
	string(model.ServiceDied):   {"100-499"},
	string(model.ServiceHangs):  {"100-499"},
	"auth-ignored":              {"401", "403"},
	"readable-after-delete":     {"404", "410"},
}

// uriCharacters matches a text of characters that URIs may have.
const uriCharacters = `^[!#-;=?-\[\]_a-z~]+$`

// assertionsOf returns the assertions that show a fault. They are on the last answer of its test, unless
// Assertion.calls names an earlier one. It derives them from the oracle and from the text of its expectation. If there
// are none, the error is errNotInAnswer.
func assertionsOf(f model.Fault) ([]Assertion, error) {
	if statuses := acceptedStatuses[f.Oracle]; statuses != nil {
		return []Assertion{{Kind: AssertStatus, Values: statuses}}, nil
	}
	switch f.Oracle {
	case "schema":
		return schemaAssertions(f)
	case "location-not-a-uri":
		return []Assertion{{Kind: AssertHeader, Header: "Location", Values: []string{uriCharacters}}}, nil
	case "stack-trace":
		language, _, _ := strings.Cut(f.Text, ":")
		if pattern := traces[language]; pattern != "" {
			return []Assertion{{Kind: AssertNoMatch, Values: []string{pattern}}}, nil
		}
	case "reflected-script":
		return []Assertion{{Kind: AssertNoMatch, Values: []string{scriptOfProbe}}}, nil
	case "write-refused-but-applied":
		return unchangedAssertions(f)
	case "inconsistent-filter", "inconsistent-sort", "inconsistent-pages", "created-not-listed":
		return listAssertions(f)
	}
	if statuses := expectedStatuses(f.Expected); len(statuses) > 0 {
		return []Assertion{{Kind: AssertStatus, Values: statuses}}, nil
	}
	return nil, errNotInAnswer
}

// scriptOfProbe matches the script that security tests send.
const scriptOfProbe = `<script>sonde\.run\(7\)</script>`

// traces are patterns of stack traces, by programming language.
var traces = map[string]string{
	"Go":     `goroutine [0-9]+ \[|\.go:[0-9]+ \+0x`,
	"Java":   `at [A-Za-z0-9_$.<>]+\(([A-Za-z0-9_$]+\.(java|kt|scala|groovy):[0-9]+|Native Method|Unknown Source)\)`,
	"Python": `Traceback \(most recent call last\)|\.py.?", line [0-9]+, in `,
	"Node":   `at .*(file://|node:|/|[A-Za-z]:.)[^ ()"]*:[0-9]+:[0-9]+`,
	".NET":   `at [A-Za-z0-9_.<>]+\(.*\) in .*:line [0-9]+|at (System|Microsoft)\.[A-Za-z0-9_.<>]+\(`,
}

// expectedStatus matches the statuses at the start of an oracle's expectation: "404 or 410, as call 1
// deleted it".
var expectedStatus = regexp.MustCompile(`^(?:one of |a |an )?((?:[1-5](?:\d\d|xx))(?:(?:, | or |, or )[1-5](?:\d\d|xx))*)\b`)

// expectedStatuses returns the statuses at the start of a text, nil if the text does not start with any.
func expectedStatuses(text string) []string {
	found := expectedStatus.FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	var all []string
	for _, status := range regexp.MustCompile(`[1-5](\d\d|xx)`).FindAllString(found[1], -1) {
		if strings.HasSuffix(status, "xx") {
			status = status[:1] + "00-" + status[:1] + "99"
		}
		all = append(all, status)
	}
	return all
}

// schemaText matches the expectation of the schema oracle: a pointer, the name of the schema, and the rule.
var schemaText = regexp.MustCompile(
	`^(the answer|JSON|/.*?)(?: of \S+)?(?:$| (is of type .*|has no further property|has ".*"|is one of .*|is a \S+|is .*)$)`,
)

// schemaAssertions returns the assertions for a fault of the schema oracle.
func schemaAssertions(f model.Fault) ([]Assertion, error) {
	m := schemaText.FindStringSubmatch(f.Expected)
	if m == nil {
		return nil, errNotInAnswer
	}
	place, what := m[1], m[2]
	if place == "the answer" || place == "JSON" {
		place = ""
	}
	rest := func(before string) string { return strings.TrimPrefix(what, before) }
	switch {
	case m[1] == "JSON":
		return []Assertion{{Kind: AssertPresent}}, nil
	case strings.HasPrefix(what, "is of type "):
		types := strings.Split(rest("is of type "), " or ")
		if f.Text != "null" {
			types = append(types, "null") // null may also be valid
		}
		return []Assertion{{Kind: AssertType, Pointer: place, Values: types}}, nil
	case what == "has no further property":
		if name, err := strconv.Unquote(f.Text); err == nil {
			return []Assertion{{Kind: AssertAbsent, Pointer: place + "/" + escaped(name)}}, nil
		}
	case strings.HasPrefix(what, "has "):
		if name, err := strconv.Unquote(rest("has ")); err == nil {
			return []Assertion{{Kind: AssertPresent, Pointer: place + "/" + escaped(name)}}, nil
		}
	case strings.HasPrefix(what, "is one of ["):
		var values []json.RawMessage
		if json.Unmarshal([]byte(rest("is one of ")), &values) == nil {
			return []Assertion{oneOf(place, values...)}, nil
		}
	case strings.HasPrefix(what, "is a ") && formats[rest("is a ")] != "":
		return []Assertion{{Kind: AssertPattern, Pointer: place, Values: []string{formats[rest("is a ")]}}}, nil
	case json.Valid([]byte(rest("is "))):
		return []Assertion{oneOf(place, json.RawMessage(rest("is ")))}, nil
	}
	return nil, errNotInAnswer
}

// oneOf returns the assertion that the value at place is one of values.
func oneOf(place string, values ...json.RawMessage) Assertion {
	w := Assertion{Kind: AssertOneOf, Pointer: place}
	for _, v := range values {
		w.Values = append(w.Values, string(v))
	}
	return w
}

// escaped returns a name as a token of a JSON pointer.
func escaped(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// formats are regular expressions for formats of strings. They are not stricter than the oracle.
var formats = map[string]string{
	"date":      `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`,
	"date-time": `^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}`,
	"uuid":      `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`,
	"email":     `@`,
	"ipv4":      `^[0-9]{1,3}([.][0-9]{1,3}){3}$`,
	"ipv6":      `:.*:`,
}

// unchangedText matches the expectation of the oracle for refused writes: the property, and the number of
// the refused call.
var unchangedText = regexp.MustCompile(`^("(?:[^"\\]|\\.)*") as before, as call (\d+) was answered`)

// unchangedAssertions returns the assertion that a refused write has not changed a property. The expected
// value is that of an earlier call.
func unchangedAssertions(f model.Fault) ([]Assertion, error) {
	m := unchangedText.FindStringSubmatch(f.Expected)
	if m == nil {
		return nil, errNotInAnswer
	}
	name, err := strconv.Unquote(m[1])
	write, _ := strconv.Atoi(m[2])
	last := len(f.Test.Calls) - 1
	for i := write - 2; i >= 0 && err == nil; i-- {
		if f.Test.Calls[i].Op == f.Test.Calls[last].Op {
			place := "/" + escaped(name)
			return []Assertion{{Kind: AssertUnchanged, Pointer: place, link: &model.Link{From: i, To: last, Pointer: place}}}, nil
		}
	}
	return nil, errNotInAnswer
}

// listText matches the expectation of the oracles that compare lists, such as `on call 3, "/items/*/id" has "/id" of
// call 1`. Its groups are:
//  1. the number of the call with the list, "" for the last call
//  2. the pointer to the ids in the list
//  3. the verb
//  4. the pointer or the header of the other ids
//  5. the number of the call with the other ids
var listText = regexp.MustCompile(
	`^(?:on call (\d+), )?("(?:[^"\\]|\\.)*") (has|is|has all|has none) ("(?:[^"\\]|\\.)*") of call (\d+)\b`,
)

// listKinds has the kind of assertion for each verb of the expectation.
var listKinds = map[string]AssertionKind{"has": AssertListed, "is": AssertListed, "has all": AssertCovers, "has none": AssertDisjoint}

// listAssertions returns the assertion that a list has, or lacks, elements of an earlier answer.
func listAssertions(f model.Fault) ([]Assertion, error) {
	m := listText.FindStringSubmatch(f.Expected)
	if m == nil {
		return nil, errNotInAnswer
	}
	place, err := strconv.Unquote(m[2])
	source, err2 := strconv.Unquote(m[4])
	from, _ := strconv.Atoi(m[5])
	w := Assertion{Kind: listKinds[m[3]], Pointer: place, link: &model.Link{From: from - 1, To: len(f.Test.Calls) - 1, Pointer: source}}
	if m[1] != "" {
		w.calls, _ = strconv.Atoi(m[1])
		w.link.To = w.calls - 1
	}
	switch {
	case w.Kind != AssertListed:
		w.link.Pointer, _, _ = strings.Cut(source, "/*") // the list
	case !strings.HasPrefix(source, "/"):
		w.link.Pointer, w.link.Header = "", source
	}
	if err != nil || err2 != nil || w.link.From < 0 || w.link.From >= w.link.To || w.link.To >= len(f.Test.Calls) {
		return nil, errNotInAnswer
	}
	return []Assertion{w}, nil
}

// String describes the assertion briefly.
func (w Assertion) String() string {
	what := strings.Join(w.Values, " or ")
	switch w.Kind {
	case AssertStatus:
		return "status " + what
	case AssertHeader:
		return fmt.Sprintf("the header %s to match %s", w.Header, what)
	case AssertNoMatch:
		return "no match for " + what
	case AssertListed, AssertCovers, AssertDisjoint:
		if w.link != nil {
			what = fmt.Sprintf("%q of call %d", w.link.Header+w.link.Pointer, w.link.From+1)
		}
	}
	return fmt.Sprintf("%q %s %s", w.Pointer, w.Kind, what)
}

// goComparisons are the Go helpers for assertions that compare with a value of an earlier answer.
var goComparisons = map[AssertionKind]string{
	AssertUnchanged: "asBefore", AssertListed: "listed", AssertCovers: "covering", AssertDisjoint: "disjoint",
}

// goExpectations are the Go helpers for assertions on a value in the body.
var goExpectations = map[AssertionKind]string{
	AssertType:    "hasType",
	AssertPresent: "hasValue",
	AssertAbsent:  "hasNothing",
	AssertOneOf:   "oneOfValues",
	AssertPattern: "textMatching",
}

// GoExpression returns the assertion as a Go expression. It supports neither AssertStatus nor the kinds that compare
// with an earlier answer.
func (w Assertion) GoExpression() string {
	var args []string
	for _, v := range w.Values {
		args = append(args, rawJSON(v))
	}
	switch w.Kind {
	case AssertHeader:
		return "headerMatching(" + quoted(w.Header) + ", " + args[0] + ")"
	case AssertNoMatch:
		return "bodyWithout(" + args[0] + ")"
	case AssertType:
		args = []string{list(w.Values)}
	}
	return goExpectations[w.Kind] + "(" + strings.Join(append([]string{quoted(w.Pointer)}, args...), ", ") + ")"
}
