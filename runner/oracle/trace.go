package oracle

import (
	"bytes"
	"regexp"
	"strconv"

	"sonde/model"
)

// traces are what the stack traces of some languages look like, also inside a
// JSON text. Hint is a part of it without which there is no need to look.
var traces = []struct {
	language string
	hint     []byte
	form     *regexp.Regexp
}{
	{"Go", []byte("goroutine "), regexp.MustCompile(`goroutine \d+ \[[a-z ,0-9]+\]:`)},
	{"Go", []byte(".go:"), regexp.MustCompile(`/[^\s"]+\.go:\d+ \+0x[0-9a-f]+`)},
	{"Java", []byte("at "), regexp.MustCompile(`(?:\b|\\[nt])at (?:[\w$]+\.)+[\w$<>]+\((?:[\w$]+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)`)},
	{"Python", []byte("Traceback ("), regexp.MustCompile(`Traceback \(most recent call last\):`)},
	{"Python", []byte(".py"), regexp.MustCompile(`File \\?"[^"\n]+\.py\\?", line \d+, in `)},
	{"Node", []byte("at "), regexp.MustCompile(`(?:\b|\\[nt])at (?:[\w.<>$\[\] ]+ \()?(?:file://|node:|/|[A-Za-z]:\\)[^\s()"]*:\d+:\d+\)?`)},
	{".NET", []byte("at "), regexp.MustCompile("(?:\\b|\\\\[nt])at [\\w.`<>\\[\\],+]+\\([^)\\n]*\\) in [^\\n\"]+:line \\d+")},
	{".NET", []byte("at "), regexp.MustCompile("(?:\\b|\\\\[nt])at (?:System|Microsoft)\\.[\\w.`<>+]+\\([^)\\n]*\\)")},
}

// trace judges whether an answer shows a stack trace that the request did not
// bring along.
func (v *verdict) trace(i int, x *model.Exchange) {
	body := x.Reply.Body[:min(len(x.Reply.Body), maxRead)]
	for _, t := range traces {
		if !bytes.Contains(body, t.hint) {
			continue
		}
		if found := t.form.Find(body); found != nil && !bytes.Contains(x.Request.Body, found) {
			v.add(Finding{stackTrace, i, "no stack trace", t.language + ": " + model.Excerpt(found), strconv.Itoa(x.Reply.Status) + " " + t.language})
			return
		}
	}
}
