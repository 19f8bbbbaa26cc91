package netsim

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sonde/assets/wire"
	"sonde/model"
	"sonde/model/route"
)

// MatchesRequest reports whether m matches an HTTP request. The request is the nth to its
// host in the test, from 1.
func MatchesRequest(m model.StubMatch, r model.Request, nth int) bool {
	return matchesNth(m, nth) &&
		(m.Method == "" || strings.EqualFold(m.Method, r.Method)) &&
		(m.Path == "" || route.PathMatches(m.Path, r.URL)) &&
		matchesQuery(m.Query, r.URL) && matchesHeader(m.Header, r.Header) && matchesJSON(m.JSON, r.Body)
}

// MatchesBytes reports whether m matches data of raw TCP or UDP. The service sent the data on the
// nth connection, or as the nth datagram, to the host in the test, from 1.
func MatchesBytes(m model.StubMatch, data []byte, nth int) bool {
	if !matchesNth(m, nth) || m.Equals != "" && string(data) != m.Equals || !bytes.HasPrefix(data, []byte(m.Prefix)) {
		return false
	}
	return m.Regexp == "" || patterns.match(m.Regexp, data)
}

// patterns has compiled regular expressions of stubs.
var patterns patternCache

// patternCache has compiled regular expressions, because each request is compared with those of many stubs. It is safe for
// concurrent use.
type patternCache struct {
	mu       sync.Mutex
	compiled map[string]*regexp.Regexp // nil for an invalid one
}

// maxPatterns is the maximum number of regular expressions in a patternCache.
const maxPatterns = 1000

// match reports whether data matches a regular expression. It returns false if the expression is invalid.
func (c *patternCache) match(pattern string, data []byte) bool {
	c.mu.Lock()
	r, known := c.compiled[pattern]
	if !known {
		if c.compiled == nil || len(c.compiled) >= maxPatterns {
			c.compiled = map[string]*regexp.Regexp{}
		}
		r, _ = regexp.Compile(pattern)
		c.compiled[pattern] = r
	}
	c.mu.Unlock()
	return r != nil && r.Match(data)
}

// MatchesDatabaseRequest reports whether m matches a request to a database. The request is the nth to the host in the
// test, from 1.
func MatchesDatabaseRequest(m model.StubMatch, r wire.DatabaseRequest, nth int) bool {
	return MatchesBytes(m, []byte(r.Text), nth) && matchesJSON(m.JSON, []byte(r.JSON))
}

// MatchesQuery reports whether there are arguments with which m matches a query to a database.
func MatchesQuery(m model.StubMatch, query string) bool {
	m.Nth = 0
	if m.Command() != "" {
		m.JSON = model.AnyArguments([]byte(m.JSON)).JSON
	} else {
		m.JSON = ""
	}
	return MatchesDatabaseRequest(m, wire.NewQueryRequest(query), 0)
}

func matchesNth(m model.StubMatch, nth int) bool { return m.Nth == 0 || m.Nth == nth }

// matchesContent reports whether m depends on the content that the service sends.
func matchesContent(m model.StubMatch) bool {
	return m.Method != "" || m.Path != "" || len(m.Query) > 0 || len(m.Header) > 0 || m.JSON != "" || matchesData(m)
}

// matchesData reports whether m depends on bytes of raw TCP or UDP.
func matchesData(m model.StubMatch) bool { return m.Equals != "" || m.Prefix != "" || m.Regexp != "" }

func matchesQuery(want map[string]string, target string) bool {
	if len(want) == 0 {
		return true
	}
	_, raw, _ := strings.Cut(target, "?")
	got, _ := url.ParseQuery(raw) // malformed parts are ignored
	for name, value := range want {
		if !slices.Contains(got[name], value) {
			return false
		}
	}
	return true
}

func matchesHeader(want map[string]string, got http.Header) bool {
	for name, value := range want {
		if !slices.Contains(got.Values(name), value) {
			return false
		}
	}
	return true
}

// matchesJSON reports whether want is "", or both texts are JSON and got contains want.
func matchesJSON(want string, got []byte) bool {
	if want == "" {
		return true
	}
	w, wok := decode([]byte(want))
	g, gok := decode(got)
	return wok && gok && contains(w, g)
}

func decode(text []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return v, d.Decode(&v) == nil && !d.More()
}

// contains reports whether the JSON value got is equal to want, apart from further members that
// the objects in got may have.
func contains(want, got any) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		for name := range w {
			member, has := g[name]
			ok = ok && has && contains(w[name], member)
		}
		return ok
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(w, g, contains)
	case json.Number:
		g, ok := got.(json.Number)
		return ok && sameNumber(string(w), string(g))
	}
	return want == got
}

// sameNumber reports whether two JSON numbers are equal. It compares integers as text, because
// float64 loses the last digits of long ones.
func sameNumber(a, b string) bool {
	if a == b || isInt(a) && isInt(b) {
		return a == b
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

func isInt(s string) bool { return !strings.ContainsAny(s, ".eE") }
