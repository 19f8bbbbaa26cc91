package oracle

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"

	"sonde/model"
)

// traces are the forms of stack traces in some languages, also inside JSON strings. A body without the
// hint cannot match the form.
var traces = []struct {
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

// judgeStackTrace judges whether an answer contains a stack trace that no request of the test contained. A
// 2xx answer may be about one, unless it describes an error.
func (v *verdict) judgeStackTrace(i int, x *model.Exchange) {
	body := x.Reply.Body[:min(len(x.Reply.Body), maxRead)]
	about := func() bool { return x.Reply.Status/100 == 2 && !saysNo(body) && !tracing.Match(body) }
	for _, t := range traces {
		if !bytes.Contains(body, t.hint) {
			continue
		}
		found := t.form.Find(body)
		brought := func(x model.Exchange) bool { return bytes.Contains(x.Request.Body, found) }
		if found != nil && about() {
			return
		}
		if found != nil && !slices.ContainsFunc(v.exchanges[:i+1], brought) {
			v.add(Finding{
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

// tracing matches the member of a JSON object that services use for a stack trace.
var tracing = regexp.MustCompile(`(?i)"(exception|trace|stack|stack_?trace|traceback)"\s*:`)
