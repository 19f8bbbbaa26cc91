package format

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"sonde/export"
	"sonde/model"
)

// A HAR of version 1.2, with a page for each test. Required members are written even if they are empty.
type (
	har struct {
		Log harLog `json:"log"`
	}
	harLog struct {
		Version string     `json:"version"`
		Creator harCreator `json:"creator"`
		Pages   []harPage  `json:"pages"`
		Entries []harEntry `json:"entries"`
		Comment string     `json:"comment"`
	}
	harCreator struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	harPage struct {
		Started string         `json:"startedDateTime"`
		ID      string         `json:"id"`
		Title   string         `json:"title"`
		Timings map[string]int `json:"pageTimings"`
		Comment string         `json:"comment,omitempty"`
	}
	harEntry struct {
		Page     string         `json:"pageref"`
		Started  string         `json:"startedDateTime"`
		Time     int            `json:"time"`
		Request  harRequest     `json:"request"`
		Response harResponse    `json:"response"`
		Cache    map[string]any `json:"cache"`
		Timings  map[string]int `json:"timings"`
		Comment  string         `json:"comment,omitempty"`
	}
	harRequest struct {
		Method  string    `json:"method"`
		URL     string    `json:"url"`
		Version string    `json:"httpVersion"`
		Cookies []harPair `json:"cookies"`
		Headers []harPair `json:"headers"`
		Query   []harPair `json:"queryString"`
		Post    *harPost  `json:"postData,omitempty"`
		Head    int       `json:"headersSize"`
		Body    int       `json:"bodySize"`
	}
	harPair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	harPost struct {
		Media  string    `json:"mimeType"`
		Text   string    `json:"text"`
		Params []harPair `json:"params"`
	}
	harResponse struct {
		Status   int        `json:"status"`
		Text     string     `json:"statusText"`
		Version  string     `json:"httpVersion"`
		Cookies  []harPair  `json:"cookies"`
		Headers  []harPair  `json:"headers"`
		Content  harContent `json:"content"`
		Redirect string     `json:"redirectURL"`
		Head     int        `json:"headersSize"`
		Body     int        `json:"bodySize"`
	}
	harContent struct {
		Size  int    `json:"size"`
		Media string `json:"mimeType"`
	}
)

// harAlwaysOmits describes what a HAR never contains.
const harAlwaysOmits = "A HAR has only requests and statuses: assertions on bodies are left out, the values of variables are masked, " +
	"and a value of an earlier answer is that of the run, with a comment."

// noTime is written for all times, so that equal suites give equal files.
var noTime = time.Unix(0, 0).UTC().Format(time.RFC3339)

// httpArchive prints a script as a HAR.
func httpArchive(s export.Script) []byte {
	out := harLog{Version: "1.2", Creator: harCreator{"Sonde", "1"}, Comment: harComment(s)}
	first := export.TestCase{Name: "LogIn", About: []string{"The users log in, once for all tests."}, Steps: openingSteps(s)}
	for _, c := range append([]export.TestCase{first}, s.Cases...) {
		if len(c.Steps) == 0 {
			continue
		}
		out.Pages = append(
			out.Pages,
			harPage{Started: noTime, ID: c.Name, Title: c.Name, Timings: map[string]int{}, Comment: strings.Join(c.About, "\n")},
		)
		for _, step := range c.Steps {
			out.Entries = append(out.Entries, harCall(s, c, step))
		}
	}
	return indented(har{out})
}

// harComment returns the comment on the whole archive: what its calls are, and what it omits.
func harComment(s export.Script) string {
	about := "Calls " + s.Title + "."
	if s.ShowsFaults {
		about = "Faults of " + s.Title + ": the calls of each page show one. A HAR cannot assert or skip anything."
	}
	return about + " " + strings.Join(s.Omissions, "\n")
}

// harLinks returns a comment on the values of a request that come from earlier answers.
func harLinks(r export.Request) string {
	var all []string
	for _, p := range allParts(r) {
		if p.Capture == nil {
			continue
		}
		if p.Original == model.MaskedSecret {
			all = append(all, "the masked value is "+capturedPart(p.Capture)+" in the answer to the log-in")
			continue
		}
		from := p.Capture.Pointer + " of the body"
		switch {
		case p.Capture.Pattern != "":
			from = "a part of " + cmp.Or(p.Capture.URLPlace(), "the body")
		case p.Capture.Header != "":
			from = "the end of " + p.Capture.Header
		case p.Capture.Pointer == "":
			from = "the body"
		}
		all = append(all, fmt.Sprintf("%q is %s in answer %d of the test", p.Original, from, p.Capture.Step+1))
	}
	return strings.Join(all, "\n")
}

// capturedPart describes the part of an answer that is captured.
func capturedPart(t *export.Capture) string {
	switch {
	case t.Kind == export.CaptureCookies:
		return "the cookies"
	case t.Header != "":
		return "the header " + t.Header
	case t.Pointer != "":
		return t.Pointer
	}
	return "the body"
}

func harCall(s export.Script, c export.TestCase, step export.TestStep) harEntry {
	r := step.Request
	base, target := s.BaseURL, masked(r.Path)
	if r.GoesToOtherHost() {
		base = ""
	}
	request := harRequest{
		Method:  r.Method,
		URL:     base + target,
		Version: "HTTP/1.1",
		Cookies: []harPair{},
		Headers: []harPair{},
		Query:   []harPair{},
		Head:    -1,
	}
	for _, h := range r.Headers {
		request.Headers = append(request.Headers, harPair{h.Name, masked(h.Value)})
	}
	if r.Basic != nil {
		request.Headers = append(request.Headers, harPair{"Authorization", "Basic " + model.MaskedSecret})
	}
	if _, query, ok := strings.Cut(target, "?"); ok {
		for _, pair := range strings.Split(query, "&") {
			name, value, _ := strings.Cut(pair, "=")
			request.Query = append(request.Query, harPair{unescaped(name), unescaped(value)})
		}
	}
	if r.Body != nil {
		text := masked(r.Body.Parts)
		request.Post, request.Body = &harPost{Media: r.Body.Media, Text: text, Params: []harPair{}}, len(text)
	}
	return harEntry{
		Page:    c.Name,
		Started: noTime,
		Request: request,
		Cache:   map[string]any{},
		Timings: map[string]int{"send": 0, "wait": 0, "receive": 0},
		Comment: harLinks(r),
		Response: harResponse{
			Status:  step.Status,
			Version: "HTTP/1.1",
			Cookies: []harPair{},
			Headers: []harPair{},
			Content: harContent{Media: "x-unknown"},
			Head:    -1,
			Body:    -1,
		},
	}
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// masked returns parts as one text. A captured value is that of the run, and the value of a variable is masked.
func masked(parts []export.TextPart) string {
	return joined(parts, "", unchanged, func(p export.TextPart) string {
		switch {
		case p.Variable != "" && p.Escaping == export.EscapeJSON:
			return `"` + model.MaskedSecret + `"`
		case p.Variable != "":
			return model.MaskedSecret
		}
		return p.Original
	})
}
