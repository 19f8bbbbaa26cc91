package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/export"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// shownStatus is a status with its class, by which it is coloured, and its glyph.
type shownStatus struct{ Text, Class, Mark string }

// statusClasses are the CSS classes of statuses by their first digit.
var statusClasses = map[int]string{2: "succeeded", 4: "refused", 5: "failed"}

func newShownStatus(status int) shownStatus {
	mark, _ := theme.Class(status)
	s := shownStatus{Text: strconv.Itoa(status), Class: statusClasses[status/100], Mark: mark}
	if s.Class == "" {
		s.Class = "other"
	}
	if status == 0 {
		s.Text = "no answer"
	}
	return s
}

// shownOp is an operation, with the class of its method.
type shownOp struct{ Method, Class, Path string }

func newShownOp(op model.OpID) shownOp {
	method, path, _ := strings.Cut(draw.Clean(string(op)), " ")
	return shownOp{Method: method, Class: methodClass(method), Path: path}
}

// methodClass returns the CSS class of a method, "" for a method without a colour.
func methodClass(method string) string {
	if theme.Method(method) == theme.Dim {
		return ""
	}
	return strings.ToLower(method)
}

// shownCall is a call of a test with its answer.
type shownCall struct {
	Number int
	Op     shownOp
	URL    string // as it was sent, "" if unknown
	User   string
	Took   string
	Inputs []fact
	Sent   string
	Status shownStatus
	Header []fact
	Body   string
	Err    string
	Faulty bool // the answer is the fault
	// Silent reports that the call was not sent, or that its answer is not known.
	Silent bool
}

// Maximum numbers of bytes of a body, and of an input.
const (
	maxBody  = 4_000
	maxInput = 300
)

// newShownCall returns call i of a test. x is its exchange, nil if it is not known.
func newShownCall(t model.Test, i int, x *Exchange) shownCall {
	c := t.Calls[i]
	s := shownCall{Number: i + 1, Op: newShownOp(c.Op), User: draw.Clean(c.User), Status: newShownStatus(c.Status), Inputs: inputs(t, i)}
	if c.Body != nil {
		s.Sent = shownBody(c.Body.Describe(), false)
	}
	if x == nil {
		s.Silent = true
		return s
	}
	s.URL, s.Status, s.Err = draw.Clean(x.URL), newShownStatus(x.Status), draw.Clean(x.Err)
	if x.Sent != "" {
		s.Sent = shownBody(x.Sent, false)
	}
	if x.Took > 0 {
		s.Took = duration(x.Took)
	}
	for _, name := range slices.Sorted(maps.Keys(x.Header)) {
		s.Header = append(s.Header, fact{Name: draw.Clean(name), Value: limited(draw.Clean(strings.Join(x.Header[name], ", ")), maxInput)})
	}
	s.Body = shownBody(x.Body, x.Cut)
	return s
}

// inputs returns the values of a call outside of its body, and the values in its body that come from earlier answers.
func inputs(t model.Test, call int) (all []fact) {
	for _, a := range t.Calls[call].Args {
		value := limited(draw.Clean(a.PlainValue()), maxInput)
		if source := sourceOf(t, call, a.In, a.Name); source != "" {
			value = source
		}
		all = append(all, fact{Name: fmt.Sprintf("%s %s", a.In, draw.Clean(a.Name)), Value: value})
	}
	for _, l := range t.Links {
		if l.To == call && l.In == model.InBody {
			all = append(all, fact{Name: "body " + draw.Clean(l.Name), Value: linkText(l)})
		}
	}
	return all
}

// sourceOf describes the source of an argument that comes from an earlier answer, "" for other arguments.
func sourceOf(t model.Test, call int, in model.Location, name string) string {
	for _, l := range t.Links {
		if l.To == call && l.In == in && l.Name == name {
			return linkText(l)
		}
	}
	return ""
}

func linkText(l model.Link) string { return "← " + draw.Clean(export.LinkSource(l)) }

// shownBody returns the beginning of a body, JSON with indentation. more reports whether the body is only the beginning
// of a longer one.
func shownBody(body string, more bool) string {
	body = strings.TrimSpace(body)
	var b bytes.Buffer
	if len(body) <= maxBody && json.Indent(&b, []byte(body), "", "  ") == nil {
		body = b.String()
	}
	text := draw.CleanLines(limited(body, maxBody))
	if more {
		text += "\n… the run keeps only this beginning"
	}
	return text
}

// limited returns the beginning of a text, with the number of bytes that are left out.
func limited(text string, limit int) string {
	if more := len(text) - limit; more > 0 {
		return strings.ToValidUTF8(text[:limit], "") + "… and " + words.Plural(more, "byte") + " more"
	}
	return text
}
