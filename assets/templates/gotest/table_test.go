package gotest

import (
	"encoding/base64"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// testCase is a row of the table: calls in their order.
type testCase struct {
	name  string
	skip  string // why the test is skipped; "" if it is not
	calls []exchange
}

// exchange is a call, the assertions on its answer, and the values of the answer that are kept for later calls. The
// texts of a request may have placeholders:
//
//	${productID.path}  a value that an earlier call kept, escaped as path, query, form, json, number or text
//	${env KEY.text}    an environment variable
//	$$                 a dollar
type exchange struct {
	pause        time.Duration // how long to wait before the call
	method, path string
	header       []string // as "Name: value"
	basic        string   // as "user:password"
	body         string
	status       int      // 0 means any status
	statuses     []string // if there are any, the status must be one of them
	wants        []wanted
	expects      []expectation
	same         []kept // values that must equal values that an earlier call kept
	listed       []kept // values of which one must be a value that an earlier call kept
	covering     []kept // values that must include all those in a list that an earlier call kept
	disjoint     []kept // values that must include none of those in a list that an earlier call kept
	broken       bool   // the expectations did not hold when the test was written
	keeps        []kept
}

// wanted is the JSON value that the answer's body must have at a JSON pointer. "" means any value.
type wanted struct{ pointer, json string }

// kept is a value of the answer for later calls. name is the name of the value in placeholders. The value is
//
//   - if kind is header, body or cookies: the whole header, the whole body or all cookies
//   - if pattern is set: what the group of the pattern matches in the URL at the pointer or in the header, or else in
//     the body
//   - if header is set: the last path segment of the URL in the header
//   - otherwise: the value at the JSON pointer of the body
type kept struct{ name, pointer, header, kind, pattern string }

// play makes the calls of a row and checks their answers. It skips the test if the row says so.
func (c testCase) play(t *testing.T) {
	t.Helper()
	if c.skip != "" {
		t.Skip(c.skip)
	}
	values := map[string]value{}
	for _, x := range c.calls {
		time.Sleep(x.pause)
		r := x.send(t, values)
		if x.status != 0 {
			r.want(x.status)
		}
		if len(x.statuses) > 0 {
			r.wantStatusIn(x.statuses...)
		}
		for _, w := range x.wants {
			r.wantValue(w)
		}
		for _, e := range x.expectations(values) {
			if x.broken {
				r.stillBroken(e)
			} else {
				r.expect(e)
			}
		}
		for _, k := range x.keeps {
			values[k.name] = r.keep(k)
		}
	}
}

// expectations returns all expectations of a call, including those that compare with kept values.
func (x exchange) expectations(values map[string]value) []expectation {
	all := append([]expectation(nil), x.expects...)
	for _, k := range x.same {
		all = append(all, asBefore(k.pointer, values[k.name]))
	}
	for _, k := range x.listed {
		all = append(all, listed(k.pointer, values[k.name]))
	}
	for _, k := range x.covering {
		all = append(all, covering(k.pointer, values[k.name]))
	}
	for _, k := range x.disjoint {
		all = append(all, disjoint(k.pointer, values[k.name]))
	}
	return all
}

func (r *reply) wantValue(w wanted) {
	r.t.Helper()
	if w.json == "" {
		r.wantPresent(w.pointer)
	} else {
		r.wantJSON(w.pointer, w.json)
	}
}

func (r *reply) keep(k kept) value {
	r.t.Helper()
	switch {
	case k.kind == "header":
		return r.headerValue(k.header)
	case k.kind == "body":
		return r.bodyValue()
	case k.kind == "cookies":
		next := request{header: http.Header{}}
		r.cookies()(r.t, &next)
		return value{next.header.Get("Cookie")}
	case k.pattern != "" && k.header+k.pointer == "":
		return r.part(k.pattern)
	case k.pattern != "":
		return r.partOf(k.header+k.pointer, k.pattern)
	case k.header != "":
		return r.idIn(k.header)
	}
	return r.field(k.pointer)
}

// send sends a request.
func (x exchange) send(t *testing.T, values map[string]value) *reply {
	t.Helper()
	fill := func(text string) string { return fillPlaceholders(t, text, values) }
	options := []option{func(_ *testing.T, r *request) { r.body = fill(x.body) }}
	for _, line := range x.header {
		name, value, _ := strings.Cut(line, ": ")
		options = append(options, withHeader(name, fill(value)))
	}
	if x.basic != "" {
		options = append(options, withHeader("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(fill(x.basic)))))
	}
	path := fill(x.path)
	if !strings.HasPrefix(path, "/") {
		options = append(options, withBaseURL("")) // the path is a complete URL
	}
	return call(t, x.method, path, options...)
}

var placeholder = regexp.MustCompile(`\$\$|\$\{(env )?(\w+)\.(\w+)\}`)

// fillPlaceholders replaces the placeholders in a text, which exchange describes.
func fillPlaceholders(t *testing.T, text string, values map[string]value) string {
	t.Helper()
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		if found == "$$" {
			return "$"
		}
		group := placeholder.FindStringSubmatch(found)
		v := values[group[2]]
		if group[1] != "" {
			v = value{fromEnv(t, group[2])}
		}
		escape := map[string]func() string{
			"path":   v.path,
			"query":  v.query,
			"form":   v.form,
			"json":   v.json,
			"number": v.number,
			"text":   v.text,
		}
		return escape[group[3]]()
	})
}

// fromEnv returns an environment variable, or its value in defaultValues. It fails the test if there is neither.
func fromEnv(t *testing.T, name string) string {
	t.Helper()
	text := strings.TrimSpace(os.Getenv(name))
	if text == "" {
		text = defaultValues[name]
	}
	if text == "" {
		t.Fatalf("no secret to send: set %s in the environment, as the top of this file says", name)
	}
	return text
}
