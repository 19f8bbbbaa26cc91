package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"sonde/model"
)

// output returns the assertions of the output oracle. reply is the variable with the answer.
func (f *function) output(reply string, status int) []string {
	var lines []string
	if f.test.Mock.IsFault {
		lines = append(lines, "// "+ServerErrorRemark(status))
	}
	lines = append(lines, f.status(reply, status)...)
	for _, d := range f.requirements(f.test.Mock.Output, 1, outputVerbs) {
		lines = append(lines, d.commented(reply+".")...)
	}
	return lines
}

// status returns the assertion on the status of an answer. If the status varied in the recording, it returns
// a comment instead.
func (f *function) status(reply string, status int) []string {
	for _, e := range f.test.Mock.Output {
		if e.In == model.InStatus && e.Comparison != model.CompareEquals {
			return []string{fmt.Sprintf("// The status is not checked; it was %d: %s", status, reason(e))}
		}
	}
	return []string{fmt.Sprintf("%s.wantStatus(%d)", reply, status)}
}

// parameters returns the assertion of the parameter oracle on an outward call.
func (f *function) parameters(w model.ExpectedCall) string {
	s := stubWriter{f.test.Stubs[w.Stub]}
	start := "network.wantAsked(" + quoted(s.Host) + ", " + quoted(s.operation())
	return listed(start, func(indent int) []requirement { return f.requirements(w.Params, indent, paramVerbs) }, 1)
}

// requirement is a Go expression that compares a value. why is the reason why the comparison is not exact,
// "" if it is.
type requirement struct{ text, why string }

// commented returns the lines of a requirement, with its reason as a comment.
func (r requirement) commented(before string) []string {
	if r.why == "" {
		return []string{before + r.text}
	}
	return []string{"// " + r.why, before + r.text}
}

// listed returns a Go call with requirements as arguments. It is on one line if the line is short and no
// requirement has a reason.
func listed(start string, requirements func(indent int) []requirement, indent int) string {
	line, plain := start, true
	for _, d := range requirements(indent) {
		line += ", " + d.text
		plain = plain && d.why == ""
	}
	if first, _, _ := strings.Cut(line, "\n"); plain && len(first) <= lineWidth {
		return line + ")"
	}
	tabs := "\n" + strings.Repeat("\t", indent)
	all := start + ","
	for _, d := range requirements(indent + 1) {
		for _, text := range d.commented("") {
			all += tabs + "\t" + text
		}
		all += ","
	}
	return all + tabs + ")"
}

// The names of the helpers that compare the parts of an answer, and the parts of an outward call.
var (
	outputVerbs = map[string]string{"body": "wantBody", "text": "wantText", "at": "wantAt", "header": "wantHeader"}
	paramVerbs  = map[string]string{
		"body":   "inBody",
		"text":   "inText",
		"at":     "inPlace",
		"header": "inHeader",
		"query":  "inQuery",
		"path":   "inPath",
		"said":   "inTurn",
	}
)

// requirements returns the comparisons of expected values. verbs has the names of the helpers.
func (f *function) requirements(expected []model.Expectation, indent int, verbs map[string]string) []requirement {
	var all []requirement
	whole, deeper := bodyOf(expected)
	for _, e := range expected {
		verb := verbs[string(e.In)]
		switch {
		case e.In == model.InBody || verb == "": // the status has an assertion of its own
		case e.In == model.InMessage:
			all = append(all, requirement{verb + "(" + e.Name + ", " + f.matcher(e, true, indent) + ")", reason(e)})
		default:
			all = append(all, requirement{verb + "(" + quoted(e.Name) + ", " + f.matcher(e, true, indent) + ")", reason(e)})
		}
	}
	switch text, isText := textOf(whole); {
	case whole != nil && whole.Comparison == model.CompareEquals && !isText:
		body := listed(
			verbs["body"]+"("+cmp.Or(f.bodies.of(whole), jsonText(whole.Value, indent)),
			func(indent int) []requirement { return f.atPointers("but", deeper, indent) }, indent,
		)
		return append(all, requirement{body, ""})
	case whole != nil && whole.Comparison == model.CompareEquals:
		all = append(all, requirement{verbs["text"] + "(" + cmp.Or(f.bodies.of(whole), oneLine(text)) + ")", ""})
	case whole != nil:
		deeper = append([]model.Expectation{*whole}, deeper...)
	}
	return append(all, f.atPointers(verbs["at"], deeper, indent)...)
}

// atPointers returns the comparisons of values at JSON pointers.
func (f *function) atPointers(verb string, expected []model.Expectation, indent int) []requirement {
	var all []requirement
	for _, e := range expected {
		all = append(all, requirement{verb + "(" + quoted(e.Name) + ", " + f.matcher(e, false, indent) + ")", reason(e)})
	}
	return all
}

// bodyOf returns the expectation on the complete body, or nil, and the expectations on values in the body.
func bodyOf(expected []model.Expectation) (whole *model.Expectation, deeper []model.Expectation) {
	for _, e := range expected {
		switch {
		case e.In != model.InBody:
		case e.Name == "" && whole == nil:
			whole = &e
		default:
			deeper = append(deeper, e)
		}
	}
	return whole, deeper
}

// textOf returns the expected text, or the expected bytes as text. ok is false if the expected value is
// neither.
func textOf(e *model.Expectation) (text string, ok bool) {
	if e == nil || len(e.Bytes) > 0 {
		return bytesOf(e), e != nil
	}
	var value *string // nil also for null, which is no text
	if json.Unmarshal(e.Value, &value) != nil || value == nil {
		return "", false
	}
	return *value, true
}

// bytesOf returns the expected bytes as a string, "" if there are none.
func bytesOf(e *model.Expectation) string {
	if e == nil {
		return ""
	}
	return string(e.Bytes)
}

// reason returns a comment with the reason why the comparison of a value is not exact, "" if it is exact.
// It does not begin with "+", which could begin a build constraint.
func reason(e model.Expectation) string {
	if e.Comparison == model.CompareEquals || e.Comparison == model.CompareLinked {
		return ""
	}
	return strings.TrimLeft(remark(e.Why, 200), "+ ")
}

// jsonText returns JSON as an indented Go literal.
func jsonText(value json.RawMessage, indent int) string {
	text := string(value)
	if tree, ok := parseJSON(text); ok {
		text = tree.layout(indent)
	}
	return rawJSON(text)
}

// matcher returns the Go expression that compares a value. textual is set for a value outside a body.
func (f *function) matcher(e model.Expectation, textual bool, indent int) string {
	text, isText := textOf(&e)
	switch e.Comparison {
	case model.ComparePresent:
		return "present()"
	case model.ComparePattern:
		return "matching(" + quoted(text) + ")"
	case model.CompareType:
		if textual {
			return "spells(" + quoted(text) + ")"
		}
		return "ofType(" + quoted(text) + ")"
	case model.CompareNear:
		return nearness(e)
	case model.CompareLinked:
		return f.link(e)
	}
	switch {
	case isText && (textual || len(e.Bytes) > 0):
		return "exactly(" + oneLine(text) + ")"
	case textual:
		return "exactly(" + quoted(string(e.Value)) + ")"
	}
	return "equals(" + jsonText(e.Value, indent) + ")"
}

// link returns the Go expression that compares a value with a value of an earlier call. It compares only the last
// segment of a Location or a Content-Location.
func (f *function) link(e model.Expectation) string {
	p := f.linkedParts[e.Link]
	name := "value{" + quoted(p.text) + "}"
	if p.from != nil {
		name = p.from.name
	}
	if e.In == model.InHeader && strings.HasSuffix(strings.ToLower(e.Name), "location") {
		return "endsIn(" + name + ")"
	}
	return "is(" + name + ")"
}

// nearness returns the Go expression that compares a number or a time with a tolerance.
func nearness(e model.Expectation) string {
	number := func(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
	if n, ok := numberOf(e); ok {
		return "near(" + number(n) + ", " + number(e.Within) + ")"
	}
	return "nearNow(" + duration(time.Duration(min(e.Within, 1e9)*float64(time.Second))) + ")"
}

// numberOf returns the expected number. It returns false if the expected value is a time.
func numberOf(e model.Expectation) (float64, bool) {
	text, isText := textOf(&e)
	if !isText {
		text = string(e.Value)
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}
