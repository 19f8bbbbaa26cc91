package export

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"sonde/model"
)

// output returns the output oracle: what must hold of the answer in a variable.
func (f *function) output(reply string, status int) []string {
	var lines []string
	if status >= 500 {
		lines = append(
			lines,
			fmt.Sprintf("// %d is most likely a fault of the service. Once it is mended, put the right status here.", status),
		)
	}
	lines = append(lines, f.status(reply, status)...)
	for _, d := range f.demands(f.test.Mock.Output, 1, outputVerbs) {
		lines = append(lines, d.commented(reply+".")...)
	}
	return lines
}

// status returns what is wanted of the answer's status. One that comes in several ways is not
// looked at, and the reason stands there.
func (f *function) status(reply string, status int) []string {
	for _, e := range f.test.Mock.Output {
		if e.In == model.InStatus && e.Comparison != model.CompareEquals {
			return []string{fmt.Sprintf("// The status is not looked at, which was %d: %s", status, reason(e))}
		}
	}
	return []string{fmt.Sprintf("%s.wantStatus(%d)", reply, status)}
}

// parameters returns the parameter oracle for an outward call.
func (f *function) parameters(w model.ExpectedCall) string {
	s := stubWriter{f.test.Stubs[w.Stub]}
	start := "network.wantAsked(" + quoted(s.Host) + ", " + quoted(s.operation())
	return listed(start, func(indent int) []demand { return f.demands(w.Params, indent, paramVerbs) }, 1)
}

// demand is what is wanted of a place, as a Go expression, and why it is no more.
type demand struct{ text, why string }

// commented returns a demand with its reason above it.
func (d demand) commented(before string) []string {
	if d.why == "" {
		return []string{before + d.text}
	}
	return []string{"// " + d.why, before + d.text}
}

// listed returns a call with demands as arguments: in one line where that is short and has no
// reasons in it.
func listed(start string, demands func(indent int) []demand, indent int) string {
	line, plain := start, true
	for _, d := range demands(indent) {
		line += ", " + d.text
		plain = plain && d.why == ""
	}
	if first, _, _ := strings.Cut(line, "\n"); plain && len(first) <= lineWidth {
		return line + ")"
	}
	tabs := "\n" + strings.Repeat("\t", indent)
	all := start + ","
	for _, d := range demands(indent + 1) {
		for _, text := range d.commented("") {
			all += tabs + "\t" + text
		}
		all += ","
	}
	return all + tabs + ")"
}

// The names of the helpers for places of an answer, and of an outward call.
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

// demands returns what is expected, by helpers with some names.
func (f *function) demands(expected []model.Expectation, indent int, verbs map[string]string) []demand {
	var all []demand
	whole, deeper := bodyOf(expected)
	for _, e := range expected {
		verb := verbs[string(e.In)]
		switch {
		case e.In == model.InBody || verb == "": // a status is wanted of every answer
		case e.In == model.InMessage:
			all = append(all, demand{verb + "(" + e.Name + ", " + f.matcher(e, true, indent) + ")", reason(e)})
		default:
			all = append(all, demand{verb + "(" + quoted(e.Name) + ", " + f.matcher(e, true, indent) + ")", reason(e)})
		}
	}
	switch text, isText := textOf(whole); {
	case whole != nil && whole.Comparison == model.CompareEquals && !isText:
		body := listed(
			verbs["body"]+"("+jsonText(whole.Value, indent),
			func(indent int) []demand { return f.places("but", deeper, indent) }, indent,
		)
		return append(all, demand{body, ""})
	case whole != nil && whole.Comparison == model.CompareEquals:
		all = append(all, demand{verbs["text"] + "(" + shown(text) + ")", ""})
	case whole != nil:
		deeper = append([]model.Expectation{*whole}, deeper...)
	}
	return append(all, f.places(verbs["at"], deeper, indent)...)
}

// places returns what is wanted at JSON pointers.
func (f *function) places(verb string, expected []model.Expectation, indent int) []demand {
	var all []demand
	for _, e := range expected {
		all = append(all, demand{verb + "(" + quoted(e.Name) + ", " + f.matcher(e, false, indent) + ")", reason(e)})
	}
	return all
}

// bodyOf returns what is expected of a whole body, and deeper in it.
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

// textOf returns the text that is expected, and whether it is one.
func textOf(e *model.Expectation) (text string, ok bool) {
	if e == nil || len(e.Bytes) > 0 {
		return bytesOf(e), e != nil
	}
	return text, json.Unmarshal(e.Value, &text) == nil
}

func bytesOf(e *model.Expectation) string {
	if e == nil {
		return ""
	}
	return string(e.Bytes)
}

// reason is why something else than the recorded value is wanted, for a comment, where a
// plus could begin a build constraint.
func reason(e model.Expectation) string {
	if e.Comparison == model.CompareEquals || e.Comparison == model.CompareLinked {
		return ""
	}
	return strings.TrimLeft(remark(e.Why, 200), "+ ")
}

// jsonText is JSON for readers, as a literal.
func jsonText(value json.RawMessage, indent int) string {
	text := string(value)
	if tree, ok := parseJSON(text); ok {
		text = tree.layout(indent)
	}
	return rawJSON(text)
}

// matcher returns how a value is compared, as a Go expression. Places other than bodies hold
// texts.
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
		return "exactly(" + shown(text) + ")"
	case textual:
		return "exactly(" + quoted(string(e.Value)) + ")"
	}
	return "equals(" + jsonText(e.Value, indent) + ")"
}

// link returns how a value is compared with what an earlier call gave. Of a URL that is its
// end.
func (f *function) link(e model.Expectation) string {
	p := f.linked[e.Link]
	name := "value{" + quoted(p.text) + "}"
	if p.from != nil {
		name = p.from.name
	}
	if e.In == model.InHeader && strings.HasSuffix(strings.ToLower(e.Name), "location") {
		return "endsIn(" + name + ")"
	}
	return "is(" + name + ")"
}

// nearness returns how a number or a time is compared.
func nearness(e model.Expectation) string {
	number := func(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
	if n, ok := numberOf(e); ok {
		return "near(" + number(n) + ", " + number(e.Within) + ")"
	}
	return "nearNow(" + duration(time.Duration(min(e.Within, 1e9)*float64(time.Second))) + ")"
}

// numberOf returns the number that is expected; anything else is a time.
func numberOf(e model.Expectation) (float64, bool) {
	text, isText := textOf(&e)
	if !isText {
		text = string(e.Value)
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}
