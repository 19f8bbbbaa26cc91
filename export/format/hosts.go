package format

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sonde/export"
	"sonde/model"
)

// renamedHelpers has the names of helpers that differ from their names in Go, by the name in Go. The name in Go is a
// reserved word in another language, or is already in use there.
var renamedHelpers = map[string]string{"is": "sameAs", "equals": "equalTo", "matching": "fitting", "then": "afterwards"}

// hostNames are the names of the helpers that tests call to play hosts and to compare recorded exchanges.
var hostNames = []string{
	"host", "played", "content", "octets",
	"replies", "resets", "refuses", "isUnreachable", "timesOut", "hasWrongTLS", "hasExpiredCertificate", "hasUnknownAuthority",
	"isMute", "cutAfter", "stallsAfter", "truncated", "slowly", "again", "afterwards", "inBackground",
	"ifNth", "ifQuery", "ifHeader", "ifJSON",
	"mimics", "earlierCalls", "backgroundCalls", "callUnderTest",
	"equalTo", "exactly", "sameAs", "endsIn", "present", "ofType", "spells", "fitting", "near", "nearNow", "but",
	"inBody", "inText", "inPlace", "inQuery", "inHeader", "inPath", "to", "times", "anyOrder",
	"wantAsked", "wantCalls", "wantMatched",
}

// helperNames returns the names of the helpers that the tests of a script may call.
func helperNames(s export.Script) []string {
	return slices.Concat(shared, playNames(s.Play))
}

// playNames returns the names of the helpers that play hosts and restore snapshots.
func playNames(p *export.Play) []string {
	switch {
	case p == nil:
		return nil
	case p.Restores != nil:
		return append([]string{"restoreSnapshot"}, hostNames...)
	}
	return hostNames
}

// arrange writes the statements that begin a recorded exchange and declare the answers of hosts.
func (w *program) arrange(c export.TestCase, indent string) {
	if c.Mimics != nil && c.Mimics.Snapshot != "" { // tests that do not start the service are left out
		w.line("%s%srestoreSnapshot(%s)%s", indent, w.wait, w.quote(c.Mimics.Snapshot), w.end)
	}
	if c.Mimics != nil {
		var names []string
		for _, o := range c.Mimics.Oracles {
			names = append(names, w.quote(string(o)))
		}
		w.line("%smimics(%s)%s", indent, strings.Join(names, ", "), w.end)
	}
	w.hostStubs(c.Stubs, indent)
}

// hostStubs writes the statements that declare the answers of hosts.
func (w *program) hostStubs(stubs []export.HostStub, indent string) {
	for _, stub := range stubs {
		call := export.HelperCall{Name: "host", Args: []export.HelperArg{{Text: stub.Host}, {Text: stub.Request}}}
		for _, rule := range stub.Rules {
			call.Args = append(call.Args, export.HelperArg{Kind: export.ArgCall, Call: &rule})
		}
		w.line("%s%s%s", indent, w.helper(call, indent), w.end)
	}
}

// beforeAct writes the statements before the call under test.
func (w *program) beforeAct(m *export.Mimicked, indent string) {
	if m.Before > 0 {
		w.line("%s%searlierCalls(%d)%s", indent, w.wait, m.Before, w.end)
	}
	if m.Await > 0 {
		w.line("%s%sbackgroundCalls(%s)%s", indent, w.wait, seconds(float64(m.Await)/1000), w.end)
	}
	w.line("%scallUnderTest(%d)%s", indent, m.Within, w.end)
}

// oracles writes the assertions of the oracles of a recorded exchange.
func (w *program) oracles(m *export.Mimicked, indent string) {
	for _, want := range m.Output {
		if want.Why != "" {
			w.remark(indent, want.Why)
		}
		w.line("%sreply.%s%s", indent, w.helper(want, indent), w.end)
	}
	for _, a := range m.Asked {
		call := export.HelperCall{Name: "wantAsked", Args: []export.HelperArg{{Text: a.Host}, {Text: a.Operation}}}
		for _, param := range a.Params {
			call.Args = append(call.Args, export.HelperArg{Kind: export.ArgCall, Call: &param})
		}
		w.line("%s%s%s%s", indent, w.wait, w.helper(call, indent), w.end)
	}
	if m.HasCalls {
		call := export.HelperCall{Name: "wantCalls"}
		for _, step := range m.Calls {
			call.Args = append(call.Args, export.HelperArg{Kind: export.ArgCall, Call: &step})
		}
		w.line("%s%s%s%s", indent, w.wait, w.helper(call, indent), w.end)
	}
	if len(m.Oracles) > 1 {
		w.line("%s%swantMatched()%s", indent, w.wait, w.end)
	}
}

// helper returns the expression for a call of a helper.
func (w *program) helper(c export.HelperCall, indent string) string {
	name := c.Name
	if other := renamedHelpers[name]; other != "" {
		name = other
	}
	line, short := name+"(", true
	for i, a := range c.Args {
		if i > 0 {
			line += ", "
		}
		line += w.helperArg(a, indent)
		short = short && (a.Call == nil || a.Call.Why == "")
	}
	if short && utf8.RuneCountInString(line) <= 100 && !strings.Contains(line, "\n") || len(c.Args) == 0 {
		return line + ")"
	}
	return w.longHelper(name, c.Args, indent)
}

// longHelper returns the expression for a call with a line for each argument that may be long, and the reasons of
// assertions as comments.
func (w *program) longHelper(name string, args []export.HelperArg, indent string) string {
	inner := indent + w.tab()
	text := name + "("
	for i, a := range args {
		onLine := a.Kind != export.ArgCall && a.Kind != export.ArgLayout
		if i > 0 {
			text += ","
		}
		switch {
		case onLine && i == 0:
		case onLine:
			text += " "
		default:
			text += "\n" + inner
		}
		if a.Call != nil && a.Call.Why != "" {
			why := a.Call.Why
			if w.plain {
				why = plainText(why)
			}
			text += w.comment + why + "\n" + inner
		}
		text += w.helperArg(a, inner)
	}
	return text + ")"
}

// helperArg returns the expression for an argument of a helper.
func (w *program) helperArg(a export.HelperArg, indent string) string {
	switch a.Kind {
	case export.ArgLayout:
		return w.expr([]export.TextPart{{Text: export.ScriptJSON(a.Text)}}, indent)
	case export.ArgNumber:
		return a.Text
	case export.ArgDuration:
		return seconds(a.Duration().Seconds())
	case export.ArgFile:
		return "content(" + w.quote(a.Text) + ")"
	case export.ArgCall:
		return w.helper(*a.Call, indent)
	case export.ArgValue:
		return w.name(a.Capture)
	}
	if !utf8.ValidString(a.Text) {
		return "octets(" + w.quote(base64.StdEncoding.EncodeToString([]byte(a.Text))) + ")"
	}
	return w.quote(a.Text)
}

// seconds returns a number of seconds as a literal.
func seconds(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// quotedList returns texts as the items of a list.
func (w *program) quotedList(texts []string) string {
	var all []string
	for _, text := range texts {
		all = append(all, w.quote(text))
	}
	return strings.Join(all, ", ")
}

// pairs returns the members of a map as the items of a list. In an item, the separator between is between the name of
// a member and its value.
func (w *program) pairs(all map[string]string, between string) string {
	var members []string
	for _, name := range sorted(all) {
		members = append(members, w.quote(name)+between+w.quote(all[name]))
	}
	return strings.Join(members, ", ")
}

// whyNotPlayed returns the reason why the servers of a language's library cannot give the answers of a stub, "" if they
// can. Such servers speak HTTP/1.1 without trailers.
func whyNotPlayed(stub model.Stub) string {
	for _, a := range stub.AllAnswers() {
		if len(a.Trailer) > 0 {
			return fmt.Sprintf("only Go tests send trailers, which %.60q does", stub.Host)
		}
		for name, values := range a.Header {
			if strings.EqualFold(name, "Content-Type") && strings.HasPrefix(strings.Join(values, ""), "application/grpc") {
				return fmt.Sprintf("only Go tests play gRPC, which %.60q speaks", stub.Host)
			}
		}
	}
	return ""
}

// startLines returns lines for the head of a file: what a user must start, and what the tests start.
func startLines(s export.Script) []string {
	var all []string
	if s.Play != nil && s.Play.Service != nil {
		all = append(all, "The tests start the service, unless SONDE_BASE_URL is the URL of a running one.")
	}
	if s.Driver != nil {
		all = append(all, s.DriverLines()...)
	}
	if s.Play != nil && len(s.Play.Servers) > 0 {
		all = append(all, "Servers of the tests play the hosts that the service calls.")
	}
	return all
}

// resetCalls writes the statements that begin a test: they start or reset the service, and remove the stubs of earlier
// tests.
func (w *program) resetCalls(s export.Script, indent string) {
	if s.Play != nil && s.Play.Service != nil {
		start := map[bool]string{true: "restartService", false: "startService"}[s.Play.Restart]
		w.line("%s%s%s()%s", indent, w.wait, start, w.end)
	}
	if s.Play != nil && len(s.Play.ResetCommand) > 0 {
		w.line("%s%srunCommand(%s)%s", indent, w.wait, w.quotedList(s.Play.ResetCommand), w.end)
	}
	if s.Reset != nil {
		reply := w.send(*s.Reset, indent)
		if w.wait != "" {
			reply = "(" + w.wait + reply + ")"
		}
		w.line("%s%s.succeeds()%s", indent, reply, w.end)
	}
	if s.Play != nil {
		w.line("%s%sbeginTest()%s", indent, w.wait, w.end)
	}
}

// readyPath returns the path that a service answers when it is ready. It returns "" if the service is ready as soon
// as its port is open.
func readyPath(p *model.Service) string {
	if p.Ready.Path == "" {
		return ""
	}
	return "/" + strings.TrimPrefix(p.Ready.Path, "/")
}

// readyTimeout returns the maximum number of seconds until a service is ready.
func readyTimeout(p *model.Service) float64 { return cmp.Or(p.Ready.Timeout, 30*time.Second).Seconds() }

// stopTimeout returns the number of seconds after which a service is killed.
func stopTimeout(p *model.Service) float64 { return cmp.Or(p.Stop.Timeout, 5*time.Second).Seconds() }
