package vnet

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sonde/model"
	"sonde/model/route"
)

// Fits reports whether a request is one of which a stub takes notice. nth is which
// of the requests to the host it is, from 1.
func Fits(m model.Match, r model.Request, nth int) bool {
	return counts(m, nth) &&
		(m.Method == "" || strings.EqualFold(m.Method, r.Method)) &&
		(m.Path == "" || route.Fits(m.Path, r.URL)) &&
		fitsQuery(m.Query, r.URL) && fitsHeader(m.Header, r.Header) && fitsJSON(m.JSON, r.Body)
}

// FitsBytes reports whether bytes are some of which a stub takes notice. nth is which
// of the connections to the host, or datagrams, they belong to, from 1.
func FitsBytes(m model.Match, said []byte, nth int) bool {
	if !counts(m, nth) || m.Equals != "" && string(said) != m.Equals || !bytes.HasPrefix(said, []byte(m.Prefix)) {
		return false
	}
	if m.Regexp == "" {
		return true
	}
	found, err := regexp.Match(m.Regexp, said)
	return found && err == nil
}

func counts(m model.Match, nth int) bool { return m.Nth == 0 || m.Nth == nth }

// asks reports whether a match needs to see what is said.
func asks(m model.Match) bool {
	return m.Method != "" || m.Path != "" || len(m.Query) > 0 || len(m.Header) > 0 || m.JSON != "" || asksBytes(m)
}

func asksBytes(m model.Match) bool { return m.Equals != "" || m.Prefix != "" || m.Regexp != "" }

func fitsQuery(want map[string]string, target string) bool {
	if len(want) == 0 {
		return true
	}
	_, raw, _ := strings.Cut(target, "?")
	got, _ := url.ParseQuery(raw) // what can be read of it is enough
	for name, value := range want {
		if !slices.Contains(got[name], value) {
			return false
		}
	}
	return true
}

func fitsHeader(want map[string]string, got http.Header) bool {
	for name, value := range want {
		if !slices.Contains(got.Values(name), value) {
			return false
		}
	}
	return true
}

// fitsJSON compares by meaning: of objects the members that are wanted.
func fitsJSON(want string, got []byte) bool {
	if want == "" {
		return true
	}
	w, wok := decode([]byte(want))
	g, gok := decode(got)
	return wok && gok && within(w, g)
}

func decode(text []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v) == nil && !d.More()
}

// within reports whether a JSON value has all that is wanted.
func within(want, got any) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		for name := range w {
			member, has := g[name]
			ok = ok && has && within(w[name], member)
		}
		return ok
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(w, g, within)
	case json.Number:
		g, ok := got.(json.Number)
		return ok && sameNumber(string(w), string(g))
	}
	return want == got
}

// sameNumber compares as text first, so that long integers differ in their last
// digit.
func sameNumber(a, b string) bool {
	if a == b || isInt(a) && isInt(b) {
		return a == b
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

func isInt(s string) bool { return !strings.ContainsAny(s, ".eE") }
