package oracle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// Security tests send probes. By the probes in the requests of a test, an oracle recognizes the question that the test
// asks. A probe of SQL is the end of a value; the others are whole values.

// ScriptProbe is a text that is a script where an HTML page shows it without escaping.
const ScriptProbe = `"><script>` + scriptOfProbe + `</script>`

const scriptOfProbe = "sonde.run(7)"

// ProbeHost is a host that exists only in URLs of security tests.
const ProbeHost = "sonde-probe.example"

// OpenQuote and DoubleQuote are ends of values: a test appends one of them to a value, to find out whether a service
// copies values into SQL without escaping them. In SQL, OpenQuote ends the text around the value, and DoubleQuote
// is one quote inside the text.
const (
	OpenQuote   = "'"
	DoubleQuote = "''"
)

// SQLCondition are four ends of values that add a condition to a query. The conditions are true, false, true and
// false, in this order.
type SQLCondition [4]string

// The conditions for texts and for a number. Each has two true and two false ends, which distinguish a database from
// a full-text search. Each true end has one of two words, and each false end has both words. If a full-text search
// finds the same for the two true ends, it also finds the same for the false ends. A database finds something else
// for the false ends.
var (
	AnyText   = SQLCondition{"' OR 'sa'='sa", "' OR 'sa'='sb", "' OR 'sb'='sb", "' OR 'sb'='sa"}
	SameText  = SQLCondition{"' AND 'sa'='sa", "' AND 'sa'='sb", "' AND 'sb'='sb", "' AND 'sb'='sa"}
	AnyNumber = SQLCondition{" OR 71=71", " OR 71=72", " OR 72=72", " OR 72=71"}
)

var sqlConditions = []SQLCondition{AnyText, SameText, AnyNumber}

// DelaySeconds is how much longer a query with a delay takes.
const DelaySeconds = 2

// SQLDelays are pairs of ends of values for PostgreSQL, MySQL and SQL Server. The second end of a pair delays a
// query; the first is the same without a delay.
var SQLDelays = func() (all [][2]string) {
	for _, format := range []string{
		"'||(SELECT 'x' FROM pg_sleep(%d))||'",
		"'||(SELECT SLEEP(%d))||'",
		"'; WAITFOR DELAY '0:0:%d'--",
	} {
		all = append(all, [2]string{fmt.Sprintf(format, 0), fmt.Sprintf(format, DelaySeconds)})
	}
	return all
}()

// probeEnds are the ends of values that are probes of SQL. If an end itself ends with another end, the longer one
// comes first.
var probeEnds = func() (all []string) {
	for _, c := range sqlConditions {
		all = append(all, c[:]...)
	}
	for _, d := range SQLDelays {
		all = append(all, d[:]...)
	}
	return append(all, DoubleQuote, OpenQuote)
}()

// MarkerContent returns the content of the marker file at a path. A service can get this content only by reading the
// file.
func MarkerContent(path string) string {
	sum := sha256.Sum256([]byte("content of " + filepath.Base(path)))
	return hex.EncodeToString(sum[:])
}

// MarkerName returns the name of the marker file of a run.
func MarkerName(seed uint64) string { return fmt.Sprintf("sonde-marker-%016x", seed) }

var markerName = regexp.MustCompile(`sonde-marker-[0-9a-f]{16}`)

// OverrideHeaders are the headers, and OverrideParam is the query parameter, by which some services let a
// request name another method than its own.
var OverrideHeaders = []string{"X-Http-Method-Override", "X-Method-Override", "X-Http-Method"}

// OverrideParam is described with OverrideHeaders.
const OverrideParam = "_method"

// SplitProbe splits a value that a security test sends into two parts: base, which may be replaced by another value,
// and the probe. It returns false if the value is no probe.
func SplitProbe(value string) (base, probe string, ok bool) {
	if value == ScriptProbe || strings.Contains(value, ProbeHost) || markerName.MatchString(value) {
		return "", value, true
	}
	for _, end := range probeEnds {
		if base, ok := strings.CutSuffix(value, end); ok {
			return base, end, true
		}
	}
	return value, "", false
}

// sentTexts returns the values in the path, the query and the body of a request.
func (p *playedTest) sentTexts(i int) (all []string) {
	p.addSentValues(i, func(text string) { all = append(all, text) })
	return all
}

// sends reports whether a request has a text in one of its values.
func (p *playedTest) sends(i int, text string) bool {
	return slices.ContainsFunc(p.sentTexts(i), func(v string) bool { return strings.Contains(v, text) })
}

// probedValue returns the part of a request's value before the given end. It returns false if no value of the
// request has this end.
func (p *playedTest) probedValue(i int, end string) (base string, ok bool) {
	for _, v := range p.sentTexts(i) {
		if base, ok := strings.CutSuffix(v, end); ok {
			return base, true
		}
	}
	return "", false
}

// differsIn reports whether two calls of an operation by one user are equal, except that call i has the value a where
// call k has the value b.
func (p *playedTest) differsIn(i, k int, a, b string) bool {
	x, y := p.exchanges[i].Request, p.exchanges[k].Request
	if p.test.Calls[i].Op != p.test.Calls[k].Op || p.test.Calls[i].User != p.test.Calls[k].User || a == b {
		return false
	}
	for _, spell := range valueSpellings {
		from, to := spell(a), spell(b)
		if strings.Contains(x.URL+"\n"+string(x.Body), from) &&
			strings.ReplaceAll(x.URL, from, to) == y.URL && strings.ReplaceAll(string(x.Body), from, to) == string(y.Body) {
			return true
		}
	}
	return false
}

// valueSpellings write a value as requests do: in a path, in a query or form, and in JSON.
var valueSpellings = []func(string) string{
	model.EscapePath, model.EscapeQuery, formEscape,
	func(v string) string { return withoutQuotes(quotedJSON(v, true)) },
	func(v string) string { return withoutQuotes(quotedJSON(v, false)) },
}
