package export

import (
	"strings"
	"time"

	"sonde/model"
)

// HelperCall is a call of a helper of exported tests, in no particular language: a rule of a stub, or an assertion of
// an oracle. A language may have another name for the helper.
type HelperCall struct {
	Name string
	Args []HelperArg
	// Why is the reason why an assertion is not exact, "" if the assertion is exact.
	Why string
}

// HelperArg is an argument of a HelperCall.
type HelperArg struct {
	Kind ArgKind
	// Text is the argument, except for the kinds ArgCall and ArgValue.
	Text string
	// Call is the argument of the kind ArgCall.
	Call *HelperCall
	// Capture is the argument of the kind ArgValue: a value of an earlier answer. Go tests use link instead, which
	// says where the value comes from.
	Capture *Capture
	link    *model.Link
}

// ArgKind is the kind of an argument of a helper.
type ArgKind int

// The kinds of arguments.
const (
	ArgText     ArgKind = iota // a text
	ArgLine                    // a text that stays on one line
	ArgJSON                    // JSON that is written as it is
	ArgLayout                  // JSON whose white space does not matter
	ArgBody                    // the body of an answer, of which every byte matters
	ArgNumber                  // a number
	ArgDuration                // a duration in the form of time.Duration.String
	ArgFile                    // the content of a file beside the tests
	ArgCall                    // another call
	ArgValue                   // the value of an earlier answer
)

// helperCall returns a call with arguments of the kind ArgText.
func helperCall(name string, texts ...string) HelperCall {
	c := HelperCall{Name: name}
	for _, text := range texts {
		c.Args = append(c.Args, HelperArg{Text: text})
	}
	return c
}

// with returns the call with a further argument.
func (c HelperCall) with(kind ArgKind, text string) HelperCall {
	c.Args = append(c.Args[:len(c.Args):len(c.Args)], HelperArg{Kind: kind, Text: text})
	return c
}

// withCalls returns the call with further arguments that are calls.
func (c HelperCall) withCalls(all ...HelperCall) HelperCall {
	c.Args = c.Args[:len(c.Args):len(c.Args)]
	for _, inner := range all {
		c.Args = append(c.Args, HelperArg{Kind: ArgCall, Call: &inner})
	}
	return c
}

// goWriter writes calls of helpers as Go expressions. linked has the values of links.
type goWriter struct{ linked map[*model.Link]part }

// call returns a call as a Go expression. indent is the number of tabs before its line.
func (w goWriter) call(c HelperCall, indent int) string {
	if len(c.Args) > 0 && (c.Args[0].Kind == ArgLayout || c.Args[0].Kind == ArgFile) {
		return listed(c.Name+"("+w.arg(c.Args[0], indent), func(indent int) []requirement {
			var all []requirement
			for _, a := range c.Args[1:] {
				all = append(all, requirement{w.arg(a, indent), a.Call.Why})
			}
			return all
		}, indent)
	}
	var args []string
	for _, a := range c.Args {
		args = append(args, w.arg(a, indent))
	}
	return c.Name + "(" + strings.Join(args, ", ") + ")"
}

// arg returns an argument as a Go expression.
func (w goWriter) arg(a HelperArg, indent int) string {
	switch a.Kind {
	case ArgLine:
		return oneLine(a.Text)
	case ArgJSON:
		return rawJSON(a.Text)
	case ArgLayout:
		return rawJSON(LayoutJSON(a.Text, indent))
	case ArgBody:
		return bodyText(a.Text, indent)
	case ArgNumber:
		return a.Text
	case ArgDuration:
		return duration(a.Duration())
	case ArgFile:
		return "content(t, " + quoted(a.Text) + ")"
	case ArgCall:
		return w.call(*a.Call, indent)
	case ArgValue:
		if p := w.linked[a.link]; p.from != nil {
			return p.from.name
		}
		return "value{" + quoted(w.linked[a.link].text) + "}"
	}
	return quoted(a.Text)
}

// Duration returns the argument of the kind ArgDuration.
func (a HelperArg) Duration() time.Duration {
	d, _ := time.ParseDuration(a.Text) // the text is that of a duration
	return d
}

// ScriptJSON returns JSON as scripts print it: with line ends and two spaces for each level.
func ScriptJSON(text string) string { return strings.ReplaceAll(LayoutJSON(text, 0), "\t", "  ") }

// LayoutJSON returns JSON with line ends and tabs. indent is the number of tabs before its first line. It returns a
// text that is not JSON unchanged.
func LayoutJSON(text string, indent int) string {
	if tree, ok := parseJSON(text); ok {
		return tree.layout(indent)
	}
	return text
}
