package generate_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/replay/generate"

	"pgregory.net/rapid"
)

var startTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// spec returns a spec with these operations.
func spec(ids ...model.OpID) *model.Spec {
	s := &model.Spec{Title: "API"}
	for _, id := range ids {
		method, path, _ := strings.Cut(string(id), " ")
		op := &model.Operation{ID: id, Method: method, Path: path}
		for _, part := range strings.Split(path, "/") {
			if name, ok := strings.CutPrefix(part, "{"); ok {
				op.Params = append(
					op.Params,
					model.Parameter{
						Name:     strings.TrimSuffix(name, "}"),
						In:       model.InPath,
						Required: true,
						Schema:   &model.Schema{},
					},
				)
			}
		}
		s.Operations = append(s.Operations, op)
	}
	return s
}

// recording returns a recording of exchanges that begin a second apart. Their outward calls begin a
// tenth of a second apart.
func recording(all ...model.ServedRequest) model.Recording {
	rec := model.Recording{Title: "API", BaseURL: "http://127.0.0.1:8080"}
	for i, s := range all {
		s.ID, s.At, s.Took = fmt.Sprintf("%032x", i+1), startTime.Add(time.Duration(i)*time.Second), 900*time.Millisecond
		for k := range s.OutwardCalls {
			s.OutwardCalls[k].At, s.OutwardCalls[k].Took = s.At.Add(
				time.Duration(k)*100*time.Millisecond,
			), 50*time.Millisecond
		}
		rec.Served = append(rec.Served, s)
	}
	return rec
}

func served(method, url, body string, status int, said string, sent ...model.OutwardCall) model.ServedRequest {
	return model.ServedRequest{Exchange: exchange(method, url, body, status, said), OutwardCalls: sent}
}

func exchange(method, url, body string, status int, said string) model.Exchange {
	x := model.Exchange{
		Request: model.Request{Method: method, URL: url, Header: map[string][]string{}, Body: []byte(body)},
	}
	x.Reply = model.Reply{Status: status, Header: map[string][]string{}, Body: []byte(said)}
	if strings.HasPrefix(body, "{") {
		x.Request.Header["Content-Type"] = []string{"application/json"}
	}
	return x
}

func sentTo(host, method, path, body string, status int, said string) model.OutwardCall {
	return model.OutwardCall{
		Host:        host,
		Name:        host,
		Protocol:    model.HTTP,
		Attribution: model.AttributedByTrace,
		Exchange:    exchange(method, path, body, status, said),
	}
}

// with adds a header to a request.
func with(s model.ServedRequest, name, value string) model.ServedRequest {
	s.Request.Header[name] = []string{value}
	return s
}

// A test logs in for a new token. If the user registered in the recording, the test has the
// recorded password; other passwords come from the environment.
func TestLogIn(t *testing.T) {
	api := spec("POST /users", "POST /login", "GET /me")
	me := func(token string) model.ServedRequest {
		return with(served("GET", "/me", "", 200, `{"name":"ann"}`), "Authorization", "Bearer "+token)
	}
	login := served("POST", "/login", `{"name":"ann","password":"xK9q2"}`, 200, `{"auth":{"token":"tok-8a7f3e21c4"}}`)
	register := served("POST", "/users", `{"name":"ann","password":"xK9q2"}`, 201, `{"id":7}`)
	for _, c := range []struct {
		name string
		rec  model.Recording
		body string
		want []string
	}{
		{
			"registered", recording(register, login, me("tok-8a7f3e21c4")), `{"name":"ann","password":"xK9q2"}`,
			[]string{"POST /users 201", "GET /me 200"},
		},
		{
			"known before", recording(login, me("tok-8a7f3e21c4")),
			`{"name":"ann","password":"${SONDE_ANN_PASSWORD}"}`,
			[]string{"GET /me 200"},
		},
	} {
		s := generate.Tests(c.rec, api, generate.Options{Only: []string{"GET /me"}})
		test := of(t, s, "GET /me", 200)
		if got := setUp(test); !slices.Equal(got, c.want) {
			t.Errorf("%s: calls %q", c.name, got)
		}
		if len(s.Users) != 1 || s.Users[0].Name != "ann" || test.Calls[len(test.Calls)-1].User != "ann" ||
			s.Users[0].Login == nil {
			t.Fatalf("%s: users %+v", c.name, s.Users)
		}
		l := s.Users[0].Login
		if l.Path != "/login" || l.Body.Data != c.body || l.Token.Pointer != "/auth/token" ||
			l.Token.Template != "Bearer {token}" {
			t.Errorf("%s: log-in %+v with %+v", c.name, l, l.Token)
		}
	}
	s := generate.Tests(
		recording(me("tok-1"), with(served("GET", "/me", "", 401, ""), "Authorization", "Bearer x")), api,
		generate.Options{},
	)
	if len(s.Users) != 1 || s.Users[0].Sends[0].Value != "Bearer ${SONDE_USER1_AUTHORIZATION}" {
		t.Errorf("a stranger is %+v", s.Users)
	}
	if refused := of(t, s, "GET /me", 401).Calls[0]; refused.User != "" || len(refused.Args) != 1 {
		t.Errorf("what was refused is sent as %+v", refused)
	}
}

// All trailers of the answer that have a value are compared. A time is compared loosely, and a secret only needs to
// be present.
func TestTrailers(t *testing.T) {
	read := served("GET", "/file", "", 200, `"a"`)
	read.Reply.Trailer = map[string][]string{
		"X-Sum": {"a1", "b2"}, "X-Read-At": {startTime.Format(time.RFC3339)}, "X-Announced": {}, "X-Signature": {"f00d"},
	}
	test := of(t, generate.Tests(recording(read), spec("GET /file"), generate.Options{}), "GET /file", 200)
	var got []string
	for _, e := range test.Mock.Output {
		if e.In == model.InTrailer {
			got = append(got, fmt.Sprintf("%s %s %s", e.Name, e.Comparison, e.Value))
		}
	}
	if len(got) != 3 || !strings.HasPrefix(got[0], "X-Read-At near ") || got[1] != "X-Signature present " ||
		got[2] != `X-Sum equals "a1, b2"` {
		t.Errorf("got %q", got)
	}
}

func TestCookieOfLogIn(t *testing.T) {
	login := served("POST", "/login", "name=ann&pin=1", 204, "")
	login.Request.Header["Content-Type"] = []string{"application/x-www-form-urlencoded"}
	login.Reply.Header["Set-Cookie"] = []string{"sid=abc; Path=/"}
	s := generate.Tests(
		recording(login, with(served("GET", "/me", "", 200, ""), "Cookie", "sid=abc; lang=de")),
		spec("POST /login", "GET /me"), generate.Options{},
	)
	test := of(t, s, "GET /me", 200)
	if len(s.Users) != 1 || s.Users[0].Login == nil || !s.Users[0].Login.Cookies ||
		s.Users[0].Login.Body.Data != "name=ann&pin=${SONDE_ANN_PIN}" {
		t.Fatalf("users %+v", s.Users)
	}
	if want := []model.Arg{{In: model.InCookie, Name: "lang", Value: "de", Escaped: true}}; !slices.Equal(
		test.Calls[0].Args,
		want,
	) {
		t.Errorf("sent with %v", test.Calls[0].Args)
	}
}

// If the request that caused an outward call was found only by the time of the call, its test is uncertain.
func TestUncertain(t *testing.T) {
	sent := sentTo("a.example:80", "GET", "/", "", 200, "")
	sent.Attribution = model.AttributedByTime
	if test := of(
		t, generate.Tests(recording(served("GET", "/a", "", 200, "", sent)), spec("GET /a"), generate.Options{}),
		"GET /a", 200,
	); !test.Mock.Uncertain {
		t.Error("it is certain")
	}
}

// An outward call without a cause may belong to any request that was in flight.
func TestCallWithoutCause(t *testing.T) {
	rec := recording(
		served("GET", "/a", "", 200, ""), served("GET", "/b", "", 200, ""),
		served("GET", "/c", "", 200, "", sentTo("b.example:80", "GET", "/", "", 200, "")),
	)
	for i, host := range []string{"a.example:80", "b.example:80"} {
		stray := sentTo(host, "GET", "/", "", 200, "")
		stray.At = rec.Served[i].At.Add(time.Millisecond)
		rec.Unattributed = append(rec.Unattributed, stray)
	}
	s := generate.Tests(rec, spec("GET /a", "GET /b", "GET /c"), generate.Options{})
	if !of(t, s, "GET /a", 200).Mock.Uncertain {
		t.Error("a test is certain though the service sent something meanwhile")
	}
	if of(t, s, "GET /b", 200).Mock.Uncertain {
		t.Error("a test is uncertain because of a host whose callers are known")
	}
}

// Outward calls that overlapped are in one phase, which means that they may come in any order.
func TestPhases(t *testing.T) {
	rec := recording(served(
		"GET", "/a", "", 200, "", sentTo("a.example:80", "GET", "/1", "", 200, ""),
		sentTo("b.example:80", "GET", "/2", "", 200, ""), sentTo("c.example:80", "GET", "/3", "", 200, ""),
	))
	rec.Served[0].OutwardCalls[0].Took = 120 * time.Millisecond
	var got []int
	for _, w := range of(t, generate.Tests(rec, spec("GET /a"), generate.Options{}), "GET /a", 200).Mock.ExpectedCalls {
		got = append(got, w.Phase)
	}
	if !slices.Equal(got, []int{0, 0, 1}) {
		t.Errorf("phases %v", got)
	}
}

// Calls that overlapped only in another exchange of the operation are in one phase, too: they may come in any order.
func TestPhasesOfOthers(t *testing.T) {
	to := func() []model.OutwardCall {
		return []model.OutwardCall{
			sentTo("a.example:80", "GET", "/1", "", 200, ""),
			sentTo("b.example:80", "GET", "/2", "", 200, ""),
		}
	}
	rec := recording(served("GET", "/a", "", 200, "", to()...), served("GET", "/a", "", 200, "[]", to()...))
	rec.Served[1].OutwardCalls[0].Took = 120 * time.Millisecond
	if w := of(t, generate.Tests(rec, spec("GET /a"), generate.Options{}), "GET /a", 200).Mock.ExpectedCalls; w[0].Phase != w[1].Phase {
		t.Errorf("got %+v", w)
	}
}

// Queries to a database are in one phase, too, and may come in any order, if queries of their kinds overlapped in
// another exchange of the operation.
func TestPhasesOfQueries(t *testing.T) {
	to := func() []model.OutwardCall {
		return []model.OutwardCall{redis(`{"command":"GET","1":"a"}`, "1"), redis(`{"command":"GET","1":"b"}`, "1")}
	}
	for _, other := range []time.Duration{50 * time.Millisecond, 120 * time.Millisecond} {
		rec := recording(served("GET", "/a", "", 200, "", to()...), served("GET", "/a", "", 200, "[]", to()...))
		rec.Served[1].OutwardCalls[0].Took = other
		w := of(t, generate.Tests(rec, spec("GET /a"), generate.Options{}), "GET /a", 200).Mock.ExpectedCalls
		if overlapped := other > 100*time.Millisecond; (w[0].Phase == w[1].Phase) != overlapped {
			t.Errorf("after %s in another exchange: got %+v", other, w)
		}
	}
}

// A value that differed for equal requests, without a write between them, is compared by its type.
// A value that was equal is compared exactly.
func TestComparesRecordings(t *testing.T) {
	rec := recording(
		served(
			"GET", "/a", "", 200, `{"took":3,"load":0.5,"name":"x","sum":9}`,
		),
		served("GET", "/a", "", 200, `{"took":5,"load":0.25,"name":"x","sum":9}`),
		served(
			"GET",
			"/b",
			"",
			200,
			`{"sum":1}`,
		),
		served("POST", "/b", "", 200, ""),
		served("GET", "/b", "", 200, `{"sum":2}`),
	)
	s := generate.Tests(rec, spec("GET /a", "GET /b", "POST /b"), generate.Options{})
	want := []string{"status  equals", "body  equals", `body /load type "number"`, `body /took type "integer"`}
	if got := lines(of(t, s, "GET /a", 200).Mock.Output); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := lines(of(t, s, "GET /b", 200).Mock.Output); !slices.Equal(got, want[:2]) {
		t.Errorf("what was changed by a call is compared as %q", got)
	}
}

// A number that increases from each exchange to the next is compared by its type, unless the
// service sends it to a host: what the service sends may depend on the request.
func TestIncreasingNumbers(t *testing.T) {
	var all []model.ServedRequest
	for i := range 6 {
		all = append(
			all,
			served(
				"POST", "/a", "{}", 200, fmt.Sprintf(`{"seq":%d,"text":"tell in 10 words"}`, 7+i),
				sentTo("pay.example:80", "POST", "/pay", fmt.Sprintf(`{"cents":%d}`, i*i), 200, ""),
			),
		)
	}
	test := of(
		t,
		generate.Tests(
			recording(append(all, served("GET", "/a/10", "", 200, ""))...),
			spec("POST /a", "GET /a/{id}"),
			generate.Options{},
		),
		"POST /a",
		200,
	)
	if got := lines(test.Mock.Output); !slices.Equal(
		got,
		[]string{"status  equals", "body  equals", `body /seq type "integer"`},
	) {
		t.Errorf("got %q", got)
	}
	if got := lines(test.Mock.ExpectedCalls[0].Params); !slices.Equal(
		got, []string{`header Content-Type equals "application/json"`, "body  equals"},
	) {
		t.Errorf("wanted %q", got)
	}
}

// The error of a call determines the fault of the host.
func TestFaults(t *testing.T) {
	for text, want := range map[string]model.NetFault{
		"dial tcp: connection refused":   model.NetRefuse,
		"read: connection reset by peer": model.NetReset,
		"i/o timeout":                    model.NetMute,
	} {
		sent := sentTo("a.example:80", "GET", "/", "", 0, "")
		sent.Err = errors.New(text)
		test := of(
			t,
			generate.Tests(recording(served("GET", "/a", "", 503, "", sent)), spec("GET /a"), generate.Options{}),
			"GET /a",
			503,
		)
		if got := test.Stubs[0].Answers[0].Fault; got != want {
			t.Errorf("%s: got %q", text, got)
		}
	}
	cut := sentTo("a.example:80", "GET", "/", "", 200, `{"a":`)
	cut.Err = errors.New("unexpected EOF")
	a := of(
		t, generate.Tests(recording(served("GET", "/a", "", 503, "", cut)), spec("GET /a"), generate.Options{}),
		"GET /a", 503,
	).Stubs[0].Answers[0]
	if a.Fault != model.NetCut || a.After != 5 || a.Body != `{"a":` {
		t.Errorf("got %+v", a)
	}
}

func TestChoice(t *testing.T) {
	rec := recording(
		served("GET", "/a", "", 200, "1"), served("GET", "/a", "", 200, "2"), served("GET", "/a", "", 404, ""),
		served("GET", "/b/7", "", 200, `{}`), served("GET", "/b/8", "", 200, `{"x":1}`),
	)
	api := spec("GET /a", "GET /b/{id}")
	for _, c := range []struct {
		o    generate.Options
		want string
	}{
		{generate.Options{}, "r1 r3 r4 r5"},
		{generate.Options{Only: []string{"/b"}}, "r4 r5"},
		{generate.Options{Except: []string{"GET /a"}}, "r4 r5"},
		{generate.Options{Exchanges: []string{fmt.Sprintf("%032x", 2)}}, "r2"},
		{generate.Options{MaxTests: 2}, "r1 r4"},
	} {
		var got []string
		for _, test := range generate.Tests(rec, api, c.o).Tests {
			got = append(got, test.ID)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: got %q, want %s", c.o, got, c.want)
		}
	}
}

// An exchange that needs more than 50 earlier calls is skipped with a reason.
func TestTooMuchSetUp(t *testing.T) {
	var all []model.ServedRequest
	for i := range 60 {
		all = append(all, served("POST", "/a", `{"n":1}`, 201, fmt.Sprintf(`{"id":%d}`, i+1)))
	}
	s := generate.Tests(
		recording(append(all, served("GET", "/a", "", 200, "[]"))...), spec("POST /a", "GET /a"),
		generate.Options{Only: []string{"GET /a"}},
	)
	if len(s.Tests) != 0 || len(s.Skipped) != 1 || s.Skipped[0].Why != "it takes 60 calls before it, more than 50" {
		t.Errorf("tests %v, skipped %v", s.Tests, s.Skipped)
	}
}

// Any recording gives tests that can be written to a file, or reasons why there are none.
func TestHostileRecordings(t *testing.T) {
	word := rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "/", "%", "a%zz=1&b", "{", `{"id":1}`, `[[],{"id":"8a7f3e21c4"}]`, `"x"`, "null", "\xff\x00",
			"2026-03-01T12:00:00Z", "/a/1?id=1", "{}/..", "gzip", "Bearer x", "sid=1", "1", "a\nb",
			strings.Repeat("[", 200),
		}),
		rapid.String(),
	)
	methods := rapid.SampledFrom([]string{"GET", "POST", "PUT", "DELETE", "", "get"})
	api := spec("GET /a/{id}", "POST /a", "PUT /a/{id}", "GET /a", "DELETE /a/{id}", "POST /a/{id}/b", "GET /")
	rapid.Check(t, func(t *rapid.T) {
		some := func() model.Exchange {
			url := rapid.OneOf(rapid.SampledFrom([]string{"/a", "/a/1", "/a/8a7f3e21c4", "/a/1/b"}), word).
				Draw(t, "url")
			x := exchange(
				methods.Draw(t, "method"), url, word.Draw(t, "body"),
				rapid.SampledFrom([]int{0, 101, 200, 201, 401, 409, 500}).Draw(t, "status"), word.Draw(t, "said"),
			)
			for range rapid.IntRange(0, 2).Draw(t, "headers") {
				name := rapid.SampledFrom([]string{
					"Location", "Authorization", "Cookie", "Set-Cookie", "Content-Encoding", "Content-Type",
					"X-Id", "",
				}).Draw(t, "name")
				x.Request.Header[name], x.Reply.Header[name] = []string{
					word.Draw(t, "value"),
				}, []string{
					word.Draw(t, "value"),
				}
			}
			x.Reply.Truncated = rapid.IntRange(0, 9).Draw(t, "cut") == 0
			return x
		}
		var all []model.ServedRequest
		for range rapid.IntRange(1, 6).Draw(t, "served") {
			s := model.ServedRequest{Exchange: some()}
			for range rapid.IntRange(0, 3).Draw(t, "sent") {
				s.OutwardCalls = append(s.OutwardCalls, model.OutwardCall{
					Host: "h.example:80", Protocol: rapid.SampledFrom([]model.Protocol{
						model.HTTP, model.TCP, model.UDP,
					}).Draw(t, "protocol"), Exchange: some(),
					Messages: []model.MessagePair{
						{Request: []byte(word.Draw(t, "words")), Answer: []byte(word.Draw(t, "answer"))},
					},
				})
			}
			all = append(all, s)
		}
		for _, test := range generate.Tests(recording(all...), api, generate.Options{}).Tests {
			for _, stub := range test.Stubs {
				if err := stub.Validate(); err != nil {
					t.Error(err)
				}
			}
			for _, w := range test.Mock.ExpectedCalls {
				if w.Stub < 0 || w.Stub >= len(test.Stubs) {
					t.Errorf("no stub %d of %d", w.Stub, len(test.Stubs))
				}
			}
		}
	})
}

// A binary body is compared byte by byte.
func TestBytes(t *testing.T) {
	sent := model.OutwardCall{
		Host:        "b.example:7",
		Protocol:    model.TCP,
		Attribution: model.AttributedByTrace,
		Messages:    []model.MessagePair{{Request: []byte("\xff\x00"), Answer: []byte("\xfe")}},
	}
	test := of(
		t,
		generate.Tests(
			recording(served("GET", "/a", "", 200, "\x89PNG\xff", sent)),
			spec("GET /a"),
			generate.Options{},
		),
		"GET /a",
		200,
	)
	if e := test.Mock.Output[1]; string(e.Bytes) != "\x89PNG\xff" || e.Comparison != model.CompareEquals {
		t.Errorf("got %+v", e)
	}
	if e := test.Mock.ExpectedCalls[0].Params[0]; string(e.Bytes) != "\xff\x00" ||
		string(test.Stubs[0].Answers[0].Bytes) != "\xfe" {
		t.Errorf("wanted %+v of %+v", e, test.Stubs[0])
	}
}

// An upload is sent again byte by byte.
func TestBytesSent(t *testing.T) {
	x := served("POST", "/a", "\x89PNG\xff", 201, "")
	x.Request.Header = map[string][]string{"Content-Type": {"image/png"}}
	test := of(t, generate.Tests(recording(x), spec("POST /a"), generate.Options{}), "POST /a", 201)
	if got, want := *test.Calls[0].Body, (model.Payload{Media: "image/png", Data: "\x89PNG\xff"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A host that failed in the recording has a fault in the test, which the description names.
func TestHostsFail(t *testing.T) {
	for err, want := range map[string]model.NetFault{
		"connection refused": model.NetRefuse,
		"dial tcp 10.0.0.1:80: connect: connection refused":   model.NetRefuse,
		"connect: network is unreachable":                     model.NetUnreachable,
		"the connection was not established in time":          model.NetTimeout,
		"the connection did not come about in time":           model.NetTimeout, // as recorded by version 0.1
		"dial tcp 10.0.0.1:80: connect: connection timed out": model.NetTimeout,
		"dial tcp 10.0.0.1:80: i/o timeout":                   model.NetTimeout,
		"the service waited in vain for the connection":       model.NetTimeout,
		"read tcp 10.0.0.1:80: i/o timeout":                   model.NetMute,
		"the client left before the answer":                   model.NetMute,
		"who asked went away before there was an answer":      model.NetMute, // as recorded by version 0.1
		"the service left before the answer":                  model.NetMute,
		"read tcp 10.0.0.1:80: connection reset by peer":      model.NetReset,
		"EOF": model.NetReset,
		"tls: failed to verify certificate: x509: unknown name":                                              model.NetWrongTLS,
		"tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time": model.NetExpiredTLS,
		"remote error: tls: expired certificate":                                                             model.NetExpiredTLS,
		"tls: failed to verify certificate: x509: certificate signed by unknown authority":                   model.NetUntrustedTLS,
		"remote error: tls: unknown certificate authority":                                                   model.NetUntrustedTLS,
	} {
		sent := sentTo("pay.example:80", "POST", "/pay", "{}", 0, "")
		sent.Reply, sent.Err = model.Reply{}, errors.New(err)
		test := of(
			t,
			generate.Tests(recording(served("GET", "/a", "", 502, "", sent)), spec("GET /a"), generate.Options{}),
			"GET /a",
			502,
		)
		if got := test.Stubs[0].Answers; len(got) != 1 || got[0].Fault != want {
			t.Errorf("%s: played as %+v, want %s", err, got, want)
		}
		if about := "GET /a: posts /pay to pay.example in vain (" + string(want) + ") once and answers 502"; test.Mock.About != about {
			t.Errorf("%s: got %q", err, test.Mock.About)
		}
	}
}

// With one snapshot for all tests, a test has no set-up calls, because the resources and the users exist in the
// snapshot.
func TestSnapshot(t *testing.T) {
	api := spec("POST /users", "POST /login", "POST /orders", "GET /orders/{id}")
	register := served("POST", "/users", `{"name":"ann","password":"xK9q2"}`, 201, `{"id":7}`)
	login := served("POST", "/login", `{"name":"ann","password":"xK9q2"}`, 200, `{"token":"tok-8a7f3e21c4"}`)
	order := with(served("POST", "/orders", `{"sku":"T"}`, 201, `{"id":17}`), "Authorization", "Bearer tok-8a7f3e21c4")
	read := with(served("GET", "/orders/17", "", 200, `{"id":17,"sku":"T"}`), "Authorization", "Bearer tok-8a7f3e21c4")
	for snapshot, want := range map[generate.SnapshotUse]struct {
		calls []string
		login string
	}{
		generate.NoSnapshot: {
			[]string{"POST /users 201", "POST /orders 201", "GET /orders/{id} 200 id=1/id"}, `{"name":"ann","password":"xK9q2"}`,
		},
		generate.OneSnapshot: {[]string{"GET /orders/{id} 200"}, `{"name":"ann","password":"${SONDE_ANN_PASSWORD}"}`},
	} {
		s := generate.Tests(
			recording(register, login, order, read), api,
			generate.Options{Snapshot: snapshot, Only: []string{"GET /orders/{id}"}},
		)
		test := of(t, s, "GET /orders/{id}", 200)
		if got := setUp(test); !slices.Equal(got, want.calls) {
			t.Errorf("snapshot %v: calls %q", snapshot, got)
		}
		if got := s.Users[0].Login.Body.Data; got != want.login {
			t.Errorf("snapshot %v: log-in %s", snapshot, got)
		}
		if last := test.Calls[len(test.Calls)-1]; snapshot == generate.OneSnapshot &&
			(len(last.Args) != 1 || last.Args[0].Value != "17" || len(test.Links) > 0) {
			t.Errorf("it is sent with %+v", last.Args)
		}
	}
}

// With the snapshots of a recording, a test begins with the last snapshot before its exchange, and calls set up only
// what was written since. If the test needs a secret from the time before that snapshot, it begins with an earlier
// snapshot, because the recording has only a pseudonym of the secret.
func TestNearestSnapshot(t *testing.T) {
	api := spec("POST /users", "POST /login", "POST /orders", "PATCH /orders/{id}", "GET /orders/{id}", "POST /keys", "POST /use")
	order := served("POST", "/orders", `{"sku":"T"}`, 201, `{"id":17}`)
	change := served("PATCH", "/orders/17", `{"sku":"U"}`, 200, `{"id":17,"sku":"U"}`)
	read := served("GET", "/orders/17", "", 200, `{"id":17,"sku":"U"}`)
	register := served("POST", "/users", `{"name":"ann","password":"xK9q2"}`, 201, `{"id":7}`)
	login := served("POST", "/login", `{"name":"ann","password":"xK9q2"}`, 200, `{"token":"tok-8a7f3e21c4"}`)
	own := with(read, "Authorization", "Bearer tok-8a7f3e21c4")
	key := served("POST", "/keys", "", 201, `{"secret":"sk-7d81f0a2c955"}`)
	use := served("POST", "/use", `{"secret":"sk-7d81f0a2c955"}`, 200, `{"used":true}`)
	for name, c := range map[string]struct {
		all       []model.ServedRequest
		snapshots []int // the exchanges before which they were taken
		want      string
		from      string
	}{
		"first": {
			[]model.ServedRequest{order, change, read},
			[]int{0},
			"POST /orders 201, PATCH /orders/{id} 200 id=0/id, GET /orders/{id} 200 id=0/id", "0",
		},
		"between": {[]model.ServedRequest{order, change, read}, []int{0, 1}, "PATCH /orders/{id} 200, GET /orders/{id} 200", "1"},
		"last":    {[]model.ServedRequest{order, change, read}, []int{0, 1, 2}, "GET /orders/{id} 200", "2"},
		"registered": {
			[]model.ServedRequest{register, login, order, change, own},
			[]int{0, 1, 3},
			"POST /users 201, POST /orders 201, PATCH /orders/{id} 200 id=1/id, GET /orders/{id} 200 id=1/id", "0",
		},
		"secret": {[]model.ServedRequest{order, key, use}, []int{0, 1, 2}, "POST /keys 201, POST /use 200 /secret=0/secret", "1"},
		"none in time": {
			[]model.ServedRequest{order, read}, nil, "", "the recording has no snapshot from before it that the test can begin with",
		},
	} {
		t.Run(name, func(t *testing.T) {
			rec := recording(c.all...)
			rec.Masks = []string{"secret"}
			for i, at := range c.snapshots {
				rec.StateSnapshots = append(rec.StateSnapshots, model.StateSnapshot{Name: fmt.Sprint(i), At: rec.Served[at].At})
			}
			last := rec.Served[len(rec.Served)-1]
			s := generate.Tests(rec, api, generate.Options{Snapshot: generate.NearestSnapshot, Exchanges: []string{last.ID}})
			if c.want == "" {
				if len(s.Tests) != 0 || len(s.Skipped) != 1 || s.Skipped[0].Why != c.from {
					t.Errorf("%d tests, left out %+v", len(s.Tests), s.Skipped)
				}
				return
			}
			if len(s.Tests) != 1 {
				t.Fatalf("left out: %+v", s.Skipped)
			}
			if got := strings.Join(setUp(s.Tests[0]), ", "); got != c.want || s.Tests[0].Mock.Snapshot != c.from {
				t.Errorf("from %q: %q, want from %q: %q", s.Tests[0].Mock.Snapshot, got, c.from, c.want)
			}
		})
	}
}

// A test sends headers that describe the client, such as User-Agent, only if the service passes their values on, for
// example to a database.
func TestClientThatServicePassesOn(t *testing.T) {
	const client = "Mozilla/5.0 (X11; Linux)"
	session := model.OutwardCall{
		Host: "db.example:5432", Name: "db.example", Protocol: model.Postgres, Attribution: model.AttributedByTrace,
		Messages: []model.MessagePair{{
			Request: []byte(`{"query":"INSERT INTO session VALUES ($1)","1":"` + client + `"}`), Answer: []byte(`{"tag":"INSERT 0 1"}`),
		}},
	}
	rec := model.Recording{BaseURL: "http://a", Served: []model.ServedRequest{
		with(served("GET", "/a", "", 200, `{}`, session), "User-Agent", client),
		with(served("GET", "/b", "", 200, `{}`), "User-Agent", client),
	}}
	for i := range rec.Served {
		rec.Served[i].Request.Header["Accept-Encoding"] = []string{client}
	}
	s := generate.Tests(rec, spec("GET /a", "GET /b"), generate.Options{})
	want := []model.Arg{{In: model.InHeader, Name: "User-Agent", Value: client}}
	if got := of(t, s, "GET /a", 200).Calls[0].Args; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := of(t, s, "GET /b", 200).Calls[0].Args; len(got) > 0 {
		t.Errorf("the client is repeated though no call has it: %+v", got)
	}
}
