package oracle

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sonde/model"
)

func formEscape(v string) string { return url.QueryEscape(v) }

// examineScript checks that an HTML page does not run a script that a request of the test had in a value. It ignores
// pages that a browser saves instead of showing, and pages whose policy forbids such scripts.
func (e securityExamination) examineScript(i int) {
	r := e.exchanges[i].Reply
	if mediaOf(r.Header) != "text/html" || !bytes.Contains(r.Body, []byte(scriptOfProbe)) ||
		strings.HasPrefix(strings.ToLower(firstValue(r.Header, "Content-Disposition")), "attachment") || forbidsInlineScript(r.Header) {
		return
	}
	for k := i; k >= 0; k-- {
		if e.sends(k, ScriptProbe) && runsProbe(r.Body) {
			e.add(Finding{
				Oracle:    reflectedScript,
				Call:      i,
				Expected:  fmt.Sprintf("a page that shows the value of call %d as text", k+1),
				Actual:    model.Excerpt(r.Body[max(0, bytes.Index(r.Body, []byte(scriptOfProbe))-80):]),
				Signature: "script of " + string(e.op(k).ID),
			})
			return
		}
	}
}

// forbidsInlineScript reports whether a page's policy forbids scripts that are in the page itself.
func forbidsInlineScript(header map[string][]string) bool {
	policy := strings.Join(header["Content-Security-Policy"], ";")
	return strings.Contains(policy, "script-src") && !strings.Contains(policy, "'unsafe-inline'") ||
		strings.Contains(policy, "default-src") && !strings.Contains(policy, "'unsafe-inline'") || strings.Contains(policy, "sandbox")
}

// runsProbe reports whether a browser would run the script of a probe in a page.
func runsProbe(page []byte) bool {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return false
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.DataAtom == atom.Script && n.FirstChild != nil && n.FirstChild.Data == scriptOfProbe {
			return true
		}
	}
	return false
}

// sqlErrors are messages of databases about a query that they cannot read.
var sqlErrors = []struct {
	database string
	form     *regexp.Regexp
}{
	{"PostgreSQL", regexp.MustCompile(`unterminated quoted string at or near|syntax error at or near "`)},
	{"SQLite", regexp.MustCompile(`unrecognized token: "|near "[^"\n]*": syntax error`)},
	{"MySQL", regexp.MustCompile(`You have an error in your SQL syntax`)},
	{"SQL Server", regexp.MustCompile(`Unclosed quotation mark after the character string|Incorrect syntax near '`)},
	{"Oracle", regexp.MustCompile(`ORA-0(0933|1756|0907|1722|0936)\b`)},
	{"H2", regexp.MustCompile(`Syntax error in SQL statement`)},
	{"HSQLDB", regexp.MustCompile(`malformed string: |unexpected token: .*in statement \[`)},
	{"DB2", regexp.MustCompile(`SQLCODE=-(10|104)\b`)},
}

// sqlError returns the database whose error message an answer has, "" if there is none.
func sqlError(body []byte) string {
	text := string(body[:min(len(body), maxRead)])
	text = strings.NewReplacer(`\"`, `"`, "&quot;", `"`, "&#34;", `"`, "&#39;", "'", "&#x27;", "'", `\u0027`, "'").Replace(text)
	for _, known := range sqlErrors {
		if known.form.MatchString(text) {
			return known.database
		}
	}
	return ""
}

// statement matches values that are SQL on purpose.
var statement = regexp.MustCompile(`(?i)^\s*(select|insert|update|delete|with|create|drop|alter|explain|values)\b`)

// examineSQLError checks that a quote at the end of a value causes no error of a database. As a control, two quotes
// at the end of the value, which a database reads as one quote, must cause no such error.
func (e securityExamination) examineSQLError(i int) {
	database := sqlError(e.exchanges[i].Reply.Body)
	if database == "" {
		return
	}
	base, ok := e.probedValue(i, OpenQuote)
	if !ok || strings.HasSuffix(base, OpenQuote) || statement.MatchString(base) {
		return
	}
	for k := i - 1; k >= 0; k-- {
		if e.op(k) != nil && e.exchanges[k].Reply.Status > 0 && e.differsIn(i, k, base+OpenQuote, base+DoubleQuote) &&
			sqlError(e.exchanges[k].Reply.Body) == "" {
			e.add(Finding{
				Oracle:    sqlInjection,
				Call:      i,
				Expected:  fmt.Sprintf("no error of the database, as call %d has none with two quotes", k+1),
				Actual:    database + ": " + model.Excerpt(e.exchanges[i].Reply.Body),
				Signature: "error of " + database,
			})
			return
		}
	}
}

// conditionCalls is the number of calls that show whether a condition is part of a query: the value without a
// condition, the four values of an SQLCondition, and the value without a condition again.
const conditionCalls = 6

// examineSQLCondition checks that conditions at the end of a value do not decide what a GET finds. It judges
// the last of conditionCalls calls in a row.
func (e securityExamination) examineSQLCondition(i int) {
	at := i - conditionCalls + 1
	if at < 0 || e.op(i).Method != "GET" {
		return
	}
	for _, c := range sqlConditions {
		base, ok := e.probedValue(at+1, c[0])
		if !ok || !e.asksCondition(at, base, c) {
			continue
		}
		said := func(k int, value string) outcome { return outcomeOf(e.exchanges[at+k].Reply, value) }
		plain, yes, no := said(0, base), said(1, base+c[0]), said(2, base+c[1])
		stable := plain.equals(said(5, base)) && yes.equals(said(3, base+c[2])) && no.equals(said(4, base+c[3]))
		if !stable || yes.equals(no) || c == SameText && !plain.equals(yes) || c != SameText && !plain.equals(no) {
			continue
		}
		e.add(Finding{
			Oracle:    sqlInjection,
			Call:      i,
			Expected:  fmt.Sprintf("one answer to %q and %q", base+c[0], base+c[1]),
			Actual:    fmt.Sprintf("%s (call %d) and %s (call %d)", yes.brief(), at+2, no.brief(), at+3),
			Signature: "condition",
		})
		return
	}
}

// asksCondition reports whether conditionCalls calls in a row ask a condition. at is the index of the first call, which
// sends the value base. Each of the next four calls sends base with the next text of the SQLCondition at its end. The
// last call is the same as the first.
func (e securityExamination) asksCondition(at int, base string, c SQLCondition) bool {
	for k, end := range c {
		if e.op(at+k+1) == nil || !e.differsIn(at+k+1, at, base+end, base) || e.exchanges[at+k+1].Reply.Status == 0 {
			return false
		}
	}
	return e.exchanges[at+5].Request.URL == e.exchanges[at].Request.URL && e.test.Calls[at].User == e.test.Calls[at+5].User
}

// outcome is an answer without the value that it repeats from its request, so that answers to different values can be
// compared.
type outcome struct {
	status int
	text   string
	value  any // the JSON value, nil if the body is not JSON
}

func outcomeOf(r model.Reply, sent string) outcome {
	o := outcome{status: r.Status, text: maskValues(string(r.Body), []string{sent})}
	o.value, _ = read([]byte(o.text))
	return o
}

func (o outcome) equals(other outcome) bool {
	if o.status != other.status {
		return false
	}
	if o.value != nil && other.value != nil {
		return equivalent(o.value, other.value, 0)
	}
	return o.text == other.text
}

func (o outcome) brief() string { return fmt.Sprintf("%d %s", o.status, model.Excerpt([]byte(o.text))) }

// AnswersDiffer reports whether the answers to two calls differ in more than the value that each has sent.
func AnswersDiffer(x model.Reply, sent string, y model.Reply, other string) bool {
	return !outcomeOf(x, sent).equals(outcomeOf(y, other))
}

// delayCalls is the number of calls that show whether a value delays a query: three calls without the delay, each
// followed by a call with the delay.
const delayCalls = 6

// delayMargin is how much longer each of the delayed answers must take than all others.
const delayMargin = (DelaySeconds*1000 - 500) * time.Millisecond

// examineSQLDelay checks that a value with an SQL function that sleeps does not delay the answer. It judges the last
// of delayCalls calls in a row.
func (e securityExamination) examineSQLDelay(i int) {
	at := i - delayCalls + 1
	if at < 0 || e.exchanges[i].Took < DelaySeconds*time.Second {
		return
	}
	for _, d := range SQLDelays {
		base, ok := e.probedValue(i, d[1])
		if !ok {
			continue
		}
		var quick, slow []time.Duration
		for k := at; k < i; k += 2 {
			if e.op(k) == nil || !e.differsIn(k+1, k, base+d[1], base+d[0]) {
				return
			}
			quick, slow = append(quick, e.exchanges[k].Took), append(slow, e.exchanges[k+1].Took)
		}
		if slices.Min(slow) >= DelaySeconds*time.Second && slices.Min(slow)-slices.Max(quick) >= delayMargin {
			e.add(Finding{
				Oracle:    sqlInjection,
				Call:      i,
				Expected:  fmt.Sprintf("no delay by %q", d[1]),
				Actual:    fmt.Sprintf("each of three answers came more than %d seconds late", DelaySeconds-1),
				Signature: "delay",
			})
		}
		return
	}
}

// examineServerSideRequest checks that the service does not call a host that only a request of the test named.
func (e securityExamination) examineServerSideRequest(i int) {
	for _, c := range e.contactsDuring(i) {
		reached := c.Kind == model.ContactMessage || c.Kind == model.ContactDial
		if host, _, _ := strings.Cut(c.Host, ":"); host != ProbeHost || c.Inward || !reached {
			continue
		}
		for k := i; k >= 0; k-- {
			if e.sends(k, ProbeHost) {
				e.add(Finding{
					Oracle:    serverSideRequest,
					Call:      i,
					Expected:  "no call to a host that only the request names",
					Actual:    fmt.Sprintf("it called %s, which call %d named", c.Host, k+1),
					Signature: "host of " + string(e.op(k).ID),
				})
				return
			}
		}
	}
}

// examineTraversal checks that an answer does not have the content of a marker file. The marker file is outside of
// what the service serves. A request of the test had the path of the file in a value.
func (e securityExamination) examineTraversal(i int) {
	body := e.exchanges[i].Reply.Body
	for k := i; k >= 0; k-- {
		for _, text := range e.sentTexts(k) {
			name := markerName.FindString(text)
			if name == "" || !bytes.Contains(body, []byte(MarkerContent(name))) {
				continue
			}
			e.add(Finding{
				Oracle:    pathTraversal,
				Call:      i,
				Expected:  fmt.Sprintf("no file outside of the service's own, as call %d asked for", k+1),
				Actual:    "the content of " + name,
				Signature: "file of " + string(e.op(k).ID),
			})
			return
		}
	}
}
