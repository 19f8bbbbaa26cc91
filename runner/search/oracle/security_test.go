package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/search/oracle"
)

// securityPlan is a plan with security tests of an API of notes.
func securityPlan() model.Plan {
	text := &model.Schema{Type: "string"}
	number := &model.Schema{Type: "integer"}
	secret := &model.Schema{Type: "string", WriteOnly: true}
	asJSON := func(s *model.Schema) []model.Content { return []model.Content{{Media: "application/json", Schema: s}} }
	note := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "id", Schema: &model.Schema{Type: "string", ReadOnly: true}},
		{Name: "name", Schema: text},
		{Name: "role", Schema: text},
		{Name: "size", Schema: number},
		{Name: "revision", Schema: &model.Schema{Type: "integer", ReadOnly: true}},
	}}
	sent := &model.Schema{Type: "object", Properties: []model.Property{
		{Name: "name", Schema: text},
		{Name: "pin", Schema: secret},
		{Name: "password", Schema: text},
	}}
	op := func(method, path string, in ...string) *model.Operation {
		o := &model.Operation{
			ID: model.OpID(method + " " + path), Method: method, Path: path,
			Responses: []model.Response{{Status: "200", Contents: asJSON(note)}, {Status: "default"}},
		}
		for _, name := range in {
			o.Params = append(o.Params, model.Parameter{Name: name, In: model.InQuery, Schema: text})
		}
		if strings.Contains(path, "{id}") {
			o.Params = append(o.Params, model.Parameter{Name: "id", In: model.InPath, Required: true, Schema: text})
		}
		if method == "POST" || method == "PUT" {
			o.Body = &model.RequestBody{Contents: asJSON(sent)}
		}
		return o
	}
	return model.Plan{
		Security: true,
		Spec: &model.Spec{Operations: []*model.Operation{
			op("GET", "/notes"), op("POST", "/notes"), op("GET", "/notes/{id}"), op("PUT", "/notes/{id}"), op("DELETE", "/notes/{id}"),
			op("GET", "/find", "q"), op("GET", "/admin"), op("POST", "/login"), op("GET", "/keys"),
		}},
		Restricted: []model.RestrictedOperations{
			{Operations: []model.OpID{"GET /admin", "DELETE /notes/{id}"}, Users: []string{"root", "ann"}},
		},
	}
}

// securityFindings returns the findings of security oracles in calls, as "oracle call".
func securityFindings(t *testing.T, p model.Plan, contacts []model.Contact, calls ...step) string {
	t.Helper()
	var all []string
	for _, f := range findingsWith(t, p, contacts, calls...) {
		if oracle.JudgesSecurity(f.Oracle) {
			all = append(all, fmt.Sprintf("%s %d", f.Oracle, f.Call))
		}
	}
	return strings.Join(all, ", ")
}

// find is a GET with a value, and its answer.
func find(q, answer string) step {
	return step{op: "GET /find", user: "ann", url: "/find?q=" + model.EscapeQuery(q), status: 200, answer: answer}
}

// conditions returns the calls that show whether a condition after the value "tent" changes the answer: yes is the
// answer to a true condition, and no the answer to a false one.
func conditions(c oracle.SQLCondition, plain, yes, no string) []step {
	all := []step{find("tent", plain)}
	for k, end := range c {
		all = append(all, find("tent"+end, []string{yes, no}[k%2]))
	}
	return append(all, find("tent", plain))
}

// delays returns the calls that ask for a delay of the query. Each takes the given number of seconds.
func delays(seconds ...float64) (all []step) {
	for k, s := range seconds {
		c := find("x"+oracle.SQLDelays[0][k%2], "[]")
		c.took = time.Duration(s * float64(time.Second))
		all = append(all, c)
	}
	return all
}

func TestInjections(t *testing.T) {
	page := func(text string) step {
		return step{op: "GET /find", url: "/find?q=" + model.EscapeQuery(oracle.ScriptProbe), status: 200, media: "text/html", answer: text}
	}
	const script = "<html><p>" + oracle.ScriptProbe + "</p></html>"
	pgError := `{"error":"pq: unterminated quoted string at or near \"'\""}`
	marker := "/tmp/" + oracle.MarkerName(7)
	one, rows := `[{"id":"1"}]`, `[{"id":"1"},{"id":"2"}]`
	for _, c := range []struct {
		name  string
		calls []step
		want  string
	}{
		{"a script", []step{page(script)}, "reflected-script 0"},
		{"a script that is escaped", []step{page(strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(script))}, ""},
		{"a script in a text area", []step{page("<textarea>" + oracle.ScriptProbe[2:] + "</textarea>")}, ""},
		{"a script in JSON", []step{with(page(script), func(s *step) { s.media = "application/json" })}, ""},
		{"a script that the policy forbids", []step{with(page(script), func(s *step) { s.csp = "script-src 'self'" })}, ""},
		{"a script that no request had", []step{with(page(script), func(s *step) { s.url = "/find?q=x" })}, ""},

		{"an error by a quote", []step{find("tent''", "[]"), find("tent'", pgError)}, "sql-injection 1"},
		{"an error by two quotes, too", []step{find("tent''", pgError), find("tent'", pgError)}, ""},
		{"an error without a control", []step{find("tent'", pgError)}, ""},
		{"an error with another value as control", []step{find("boot''", "[]"), find("tent'", pgError)}, ""},
		{"an error that is none of a database", []step{find("tent''", "[]"), find("tent'", `{"error":"bad query: '"}`)}, ""},
		{"an error about a value that is SQL", []step{find("select 1''", "[]"), find("select 1'", pgError)}, ""},

		{"a condition that finds all", conditions(oracle.AnyText, one, rows, one), "sql-injection 5"},
		{"a condition that finds nothing", conditions(oracle.SameText, one, one, "[]"), "sql-injection 5"},
		{"conditions that all find the same", conditions(oracle.AnyText, one, "[]", "[]"), ""},
		{"conditions without the plain answer", conditions(oracle.AnyText, "[]", rows, one), ""},
		{"a condition once", conditions(oracle.AnyText, one, rows, one)[:5], ""},
		{"an answer that changes by itself", slices.Concat(conditions(oracle.AnyText, one, rows, one)[:5], []step{find("tent", rows)}), ""},

		{"delays", delays(0.1, 2.1, 0.2, 2.2, 0.1, 2.1), "sql-injection 5"},
		{"a delay that comes twice", delays(0.1, 2.1, 0.2, 0.2, 0.1, 2.1), ""},
		{"a slow service", delays(1.1, 3.1, 1.2, 2.2, 0.1, 2.1), ""},

		{"a file", []step{find("../.."+marker, "it says "+oracle.MarkerContent(marker))}, "path-traversal 0"},
		{"the name of a file", []step{find("../.."+marker, "no such file: "+marker)}, ""},
		{"a file that no request asked for", []step{find("x", oracle.MarkerContent(marker))}, ""},
	} {
		if got := securityFindings(t, securityPlan(), nil, c.calls...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestServerSideRequest(t *testing.T) {
	call := find("http://"+oracle.ProbeHost+"/", "{}")
	to := func(kind model.ContactKind, host string) []model.Contact {
		return []model.Contact{{Kind: kind, Protocol: model.HTTP, Host: host, Outcome: "200"}}
	}
	for _, c := range []struct {
		name     string
		contacts []model.Contact
		call     step
		want     string
	}{
		{"a request", to(model.ContactMessage, oracle.ProbeHost+":80"), call, "server-side-request 0"},
		{"a lookup", to(model.ContactLookup, oracle.ProbeHost), call, ""},
		{"another host", to(model.ContactMessage, "news.example:80"), call, ""},
		{"a host that no request names", to(model.ContactMessage, oracle.ProbeHost+":80"), find("x", "{}"), ""},
	} {
		if got := securityFindings(t, securityPlan(), c.contacts, c.call); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// The functions below return calls about note 7; the call that create returns creates the note.
func create(user string) step {
	return step{op: "POST /notes", user: user, url: "/notes", body: `{"name":"a"}`, status: 201, answer: `{"id":"7","name":"a"}`}
}

func readBy(user string, status int, answer string) step {
	return step{op: "GET /notes/{id}", user: user, url: "/notes/7", status: status, answer: answer}
}

func listBy(user, answer string) step {
	return step{op: "GET /notes", user: user, url: "/notes", status: 200, answer: answer}
}

func writeBy(user, method string, status int) step {
	w := step{op: method + " /notes/{id}", user: user, url: "/notes/7", status: status}
	if method == "PUT" {
		w.body = `{"name":"b"}`
	}
	return w
}

// inTurn returns calls, followed by the same calls with the users ann and bob swapped, and with note 8 instead of
// note 7.
func inTurn(calls ...step) []step {
	all := slices.Clone(calls)
	swap := map[string]string{"ann": "bob", "bob": "ann"}
	for _, c := range calls {
		c.user = swap[c.user]
		c.url = strings.ReplaceAll(c.url, "/7", "/8")
		c.answer = strings.ReplaceAll(c.answer, `"7"`, `"8"`)
		c.creator += len(calls)
		all = append(all, c)
	}
	return all
}

func TestSeparation(t *testing.T) {
	const note = `{"id":"7","name":"a"}`
	lists := []step{create("ann"), listBy("ann", "["+note+"]"), listBy("bob", "[]")}
	read := append(slices.Clone(lists), readBy("", 401, ""), readBy("ann", 200, note), readBy("bob", 200, note))
	change := append(slices.Clone(lists), readBy("ann", 200, note), writeBy("bob", "PUT", 200), readBy("ann", 200, `{"id":"7","name":"b"}`))
	hidden := []step{create("ann"), readBy("ann", 200, note), readBy("bob", 403, "")}
	without := func(calls []step, k int) []step { return slices.Delete(slices.Clone(calls), k, k+1) }
	for _, c := range []struct {
		name  string
		calls []step
		want  string
	}{
		{"read, both ways", inTurn(read...), "other-users-resource 11"},
		{"read, one way", read, ""},
		{"read, also without credentials", inTurn(without(read, 3)...), ""},
		{"read, and in all lists", inTurn(without(read, 2)...), ""},
		{"read, with less than the owner", inTurn(append(slices.Clone(read[:5]), readBy("bob", 200, `{"id":"7"}`))...), ""},
		{"changed, both ways", inTurn(change...), "other-users-resource 11"},
		{"changed, one way", change, ""},
		{
			"changed without being readable",
			append(slices.Clone(hidden), writeBy("bob", "PUT", 200), readBy("ann", 200, `{"name":"b"}`)),
			"other-users-resource 4",
		},
		{
			"deleted without being readable",
			append(slices.Clone(hidden), writeBy("bob", "DELETE", 204), readBy("ann", 404, "")),
			"other-users-resource 4",
		},
		{"deleted in vain", append(slices.Clone(hidden), writeBy("bob", "DELETE", 204), readBy("ann", 200, note)), ""},
		{"changed by the owner", append(slices.Clone(hidden), writeBy("ann", "PUT", 200), readBy("ann", 200, `{"name":"b"}`)), ""},
		{"refused and listed", append(slices.Clone(hidden), listBy("bob", "["+note+"]")), "other-users-resource 3"},
		{"refused and listed in part", append(slices.Clone(hidden), listBy("bob", `[{"id":"7"}]`)), ""},
	} {
		p := securityPlan()
		p.Restricted = nil
		if got := securityFindings(t, p, nil, c.calls...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	p := securityPlan()
	p.Owners = []model.OwnedResource{{Path: "/others/{id}", Shared: []string{"bob"}}}
	if got := securityFindings(t, p, nil, inTurn(read...)...); got != "" {
		t.Errorf("bob may see all: got %q", got)
	}
}

func TestAccessControl(t *testing.T) {
	const note = `{"id":"7","name":"a"}`
	p := securityPlan()
	p.Restricted[0].Operations = p.Restricted[0].Operations[:1]
	carrier := func(header string) step { return with(readBy("bob", 204, ""), func(s *step) { s.header = header }) }
	carries := func(header string) step { return with(carrier(header), func(s *step) { s.body = `{"name":"b"}` }) }
	written := []step{
		create("ann"), with(writeBy("bob", "PUT", 403), func(s *step) { s.body = `{"name":"b"}` }), carries(""), readBy("ann", 200, note),
		carries("X-Http-Method-Override: PUT"), readBy("ann", 200, `{"id":"7","name":"b"}`),
	}
	override := []step{
		create("ann"), writeBy("bob", "DELETE", 403), readBy("bob", 200, note), readBy("ann", 200, note),
		carrier("X-Method-Override: DELETE"), readBy("ann", 404, ""),
	}
	changed := func(calls []step, k int, c step) []step {
		all := slices.Clone(calls)
		all[k] = c
		return all
	}
	change := func(k int, c step) []step { return changed(override, k, c) }
	for _, c := range []struct {
		name  string
		calls []step
		want  string
	}{
		{"an override", override, "method-override 5"},
		{"an override of what is not refused", change(1, writeBy("bob", "DELETE", 500)), ""},
		{"no override", change(4, carrier("")), ""},
		{"an override that is refused", change(4, with(carrier("X-Method-Override: DELETE"), func(s *step) { s.status = 403 })), ""},
		{"an override without effect", change(5, readBy("ann", 200, note)), ""},
		{"an override of a PUT", written, "method-override 5"},
		{"a second one without effect", append(slices.Clone(written), carries("X-Method-Override: PUT"), written[5]), "method-override 5"},
		{"an override of a PUT that is not refused", changed(written, 1, writeBy("bob", "PUT", 200)), ""},
		{"an override of a PUT without effect", changed(written, 5, readBy("ann", 200, `{"id":"7","name":"a","at":2}`)), ""},
		{"a GET that writes", changed(written, 3, written[5]), ""},
		{"a GET that deletes", change(3, readBy("ann", 404, "")), ""},
		{"another role", []step{{op: "GET /admin", user: "bob", url: "/admin", status: 200, answer: note}}, "role-ignored 0"},
		{"the right role", []step{{op: "GET /admin", user: "root", url: "/admin", status: 200, answer: note}}, ""},
		{
			"another role that is refused in words",
			[]step{{op: "GET /admin", user: "bob", url: "/admin", status: 200, answer: `{"error":"forbidden"}`}},
			"",
		},
	} {
		if got := securityFindings(t, p, nil, c.calls...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	deleted := []step{create("ann"), readBy("ann", 200, note), writeBy("bob", "DELETE", 204), readBy("ann", 404, "")}
	if got := securityFindings(t, securityPlan(), nil, deleted...); got != "role-ignored 3" {
		t.Errorf("deleted by another role: got %q", got)
	}
	deleted[3] = readBy("ann", 200, note)
	if got := securityFindings(t, securityPlan(), nil, deleted...); got != "" {
		t.Errorf("deleted in vain: got %q", got)
	}
}

func TestAssignment(t *testing.T) {
	put := func(body string) step { return with(writeBy("ann", "PUT", 200), func(s *step) { s.body = body }) }
	see := func(answer string) step { return readBy("ann", 200, answer) }
	for _, c := range []struct {
		name  string
		calls []step
		want  string
	}{
		{"a privilege", []step{
			create("ann"), put(`{"name":"b"}`), see(`{"role":"reader"}`), put(`{"name":"b","role":"admin"}`), see(`{"role":"admin"}`),
		}, "mass-assignment 4"},
		{"a property that is read-only", []step{
			create("ann"), put(`{"name":"b"}`), see(`{"id":"7"}`), put(`{"name":"b","id":"9"}`), see(`{"id":"9"}`),
		}, "mass-assignment 4"},
		{"a creation", []step{create("ann"), see(`{"role":"reader"}`), {
			op: "POST /notes", user: "ann", url: "/notes", body: `{"name":"b","role":"admin"}`, status: 201,
		}, with(see(`{"role":"admin"}`), func(s *step) { s.url, s.creator = "/notes/8", 2 })}, "mass-assignment 3"},
		{"without a control", []step{create("ann"), put(`{"name":"b","role":"admin"}`), see(`{"role":"admin"}`)}, ""},
		{"no other value without it", []step{
			create("ann"), put(`{"name":"b"}`), see(`{"role":"admin"}`), put(`{"name":"b","role":"admin"}`), see(`{"role":"admin"}`),
		}, ""},
		{"not taken", []step{
			create("ann"), put(`{"name":"b"}`), see(`{"role":"reader"}`), put(`{"name":"b","role":"admin"}`), see(`{"role":"reader"}`),
		}, ""},
		{"a property that is no privilege", []step{
			create("ann"), put(`{"name":"b"}`), see(`{"size":1}`), put(`{"name":"b","size":2}`), see(`{"size":2}`),
		}, ""},
		{"a counter", []step{
			create("ann"), put(`{"name":"b"}`), see(`{"revision":1}`), put(`{"name":"b","revision":2}`), see(`{"revision":2}`),
		}, ""},
	} {
		if got := securityFindings(t, securityPlan(), nil, c.calls...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSecrets(t *testing.T) {
	post := func(body, answer string) step {
		return step{op: "POST /notes", user: "ann", url: "/notes", body: body, status: 201, answer: answer}
	}
	const key = `{"text":"-----BEGIN RSA PRIVATE KEY-----\nMIIE"}`
	for _, c := range []struct {
		name  string
		calls []step
		want  string
	}{
		{"a password", []step{post(`{"password":"tulip-7"}`, `{"user":{"password":"tulip-7"}}`)}, "leaked-secret 0"},
		{"a password later", []step{post(`{"password":"tulip-7"}`, "{}"), listBy("ann", `[{"password":"tulip-7"}]`)}, "leaked-secret 1"},
		{"a property that is write-only", []step{post(`{"pin":"4711"}`, `{"pin":"4711"}`)}, "leaked-secret 0"},
		{"a hash", []step{post(`{"password":"tulip-7"}`, `{"password":"$2a$04$x"}`)}, ""},
		{"another property", []step{post(`{"name":"tulip-7"}`, `{"name":"tulip-7"}`)}, ""},
		{"a short password", []step{post(`{"password":"a"}`, `{"password":"a"}`)}, ""},
		{"a masked password", []step{post(`{"password":"***"}`, `{"password":"***"}`)}, ""},
		{
			"a log-in",
			[]step{{op: "POST /login", url: "/login", body: `{"password":"tulip-7"}`, status: 200, answer: `{"password":"tulip-7"}`}},
			"",
		},
		{"a private key", []step{listBy("ann", key)}, "leaked-secret 0"},
		{"a private key of an operation about keys", []step{{op: "GET /keys", user: "ann", url: "/keys", status: 200, answer: key}}, ""},
		{"a private key in a property for keys", []step{listBy("ann", strings.Replace(key, "text", "push_key", 1))}, ""},
		{"a private key that was sent", []step{post(key, "{}"), listBy("ann", key)}, ""},
	} {
		if got := securityFindings(t, securityPlan(), nil, c.calls...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	off := securityPlan()
	off.Security = false
	if got := securityFindings(t, off, nil, post(`{"password":"tulip-7"}`, `{"password":"tulip-7"}`)); got != "" {
		t.Errorf("without security tests: got %q", got)
	}
}

func TestSplitProbe(t *testing.T) {
	for _, c := range []struct{ value, base, probe string }{
		{"tent", "tent", ""},
		{"tent'", "tent", "'"},
		{"tent''", "tent", "''"},
		{"tent" + oracle.AnyText[1], "tent", oracle.AnyText[1]},
		{"0" + oracle.AnyNumber[0], "0", oracle.AnyNumber[0]},
		{"x" + oracle.SQLDelays[1][1], "x", oracle.SQLDelays[1][1]},
		{oracle.ScriptProbe, "", oracle.ScriptProbe},
		{"http://" + oracle.ProbeHost + "/", "", "http://" + oracle.ProbeHost + "/"},
		{"../" + oracle.MarkerName(1), "", "../" + oracle.MarkerName(1)},
	} {
		base, probe, ok := oracle.SplitProbe(c.value)
		if base != c.base || probe != c.probe || ok != (c.probe != "") {
			t.Errorf("%q: got %q and %q, %t", c.value, base, probe, ok)
		}
	}
}
