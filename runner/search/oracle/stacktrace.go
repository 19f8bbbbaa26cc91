package oracle

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"

	"sonde/model"
)

// traceForms are the forms of stack traces in some languages, also in JSON strings. hint is a part of every text
// that matches the form; searching for the hint is faster.
var traceForms = []struct {
	language string
	hint     []byte
	form     *regexp.Regexp
}{
	{language: "Go", hint: []byte("goroutine "), form: regexp.MustCompile(`goroutine \d+ \[[a-z ,0-9]+\]:`)},
	{language: "Go", hint: []byte(".go:"), form: regexp.MustCompile(`/[^\s"]+\.go:\d+ \+0x[0-9a-f]+`)},
	{
		language: "Java",
		hint:     []byte("at "),
		form: regexp.MustCompile(
			`(?:\b|\\[nt])at (?:[\w$]+\.)+[\w$<>]+\((?:[\w$]+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)`,
		),
	},
	{language: "Python", hint: []byte("Traceback ("), form: regexp.MustCompile(`Traceback \(most recent call last\):`)},
	{language: "Python", hint: []byte(".py"), form: regexp.MustCompile(`File \\?"[^"\n]+\.py\\?", line \d+, in `)},
	{
		language: "Node",
		hint:     []byte("at "),
		form: regexp.MustCompile(
			`(?:\b|\\[nt])at (?:[\w.<>$\[\] ]+ \()?(?:node:[^\s()"]*|(?:file://|/|[A-Za-z]:\\)[^\s()"]*\.[cm]?[jt]sx?):\d+:\d+\)?`,
		),
	},
	{
		language: ".NET",
		hint:     []byte("at "),
		form:     regexp.MustCompile("(?:\\b|\\\\[nt])at [\\w.`<>\\[\\],+]+\\([^)\\n]*\\) in [^\\n\"]+:line \\d+"),
	},
	{
		language: ".NET",
		hint:     []byte("at "),
		form:     regexp.MustCompile("(?:^|\\n|\\\\n|\\\\r) {2,}at (?:System|Microsoft)(?:\\.[\\w`<>+]+){2,}\\([^)\\n]*\\)"),
	},
}

// examineStackTrace checks that an answer contains no stack trace. It ignores a stack trace that this or an earlier
// request of the test contained. It also ignores stack traces in a 2xx answer, unless the answer describes an error
// or has a property for a stack trace.
func (e *examination) examineStackTrace(i int, x *model.Exchange) {
	body := x.Reply.Body[:min(len(x.Reply.Body), maxRead)]
	about := func() bool { return x.Reply.Status/100 == 2 && !describesError(body) && !traceMember.Match(body) }
	for _, t := range traceForms {
		if !bytes.Contains(body, t.hint) {
			continue
		}
		found := t.form.Find(body)
		brought := func(x model.Exchange) bool { return bytes.Contains(x.Request.Body, found) }
		if found != nil && about() {
			return
		}
		if found != nil && !slices.ContainsFunc(e.exchanges[:i+1], brought) {
			e.add(Finding{
				Oracle:    stackTrace,
				Call:      i,
				Expected:  "no stack trace",
				Actual:    t.language + ": " + model.Excerpt(found),
				Signature: strconv.Itoa(x.Reply.Status) + " " + t.language,
			})
			return
		}
	}
}

// traceMember matches the name of a JSON property that services use for a stack trace.
var traceMember = regexp.MustCompile(`(?i)"(exception|trace|stack|stack_?trace|traceback)"\s*:`)
