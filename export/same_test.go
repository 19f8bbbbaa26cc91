//go:build !windows

package export

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
	"sonde/runner/testdata/port"
)

// sameCases are tests of the service caller, which contacts hosts as the body of a request demands. calls are the
// bodies of the requests. Each line of a body is a step, such as "get http://a.example/x", and want has the results
// of all steps.
var sameCases = map[string]struct {
	stubs []model.Stub
	calls []string
	want  []string
}{
	"web": {
		stubs: []model.Stub{
			stubOf("a.example:80", "GET /x", model.Answer{Status: 201, Body: "1"}, model.Answer{Status: 503, Body: "2"}),
			stubOf("a.example:80", "POST", model.Answer{Body: "3"}),
		}, calls: []string{
			"get http://a.example/x\npost http://a.example/y z\nget http://a.example/x\nget http://a.example/x\nget http://b.example/",
		},
		want: []string{"201 1", "200 3", "503 2", "broken off", "refused"},
	},
	"web: no answer to the first": {
		stubs: []model.Stub{stubOf("a.example:80", "GET /x", ok)},
		calls: []string{
			"get http://a.example/y", "post http://a.example/y z",
			"get http://a.example/x\nget http://a.example/y", "get http://a.example/y\nget http://a.example/x",
		},
		want: []string{"reset", "reset", "200 ok", "broken off", "reset", "200 ok"},
	},
	"web: resets": {
		stubs: []model.Stub{
			{Host: "a.example:80", Protocol: model.HTTP, Answers: []model.Answer{ok, faulty(model.NetReset)}, Repeat: true},
		},
		calls: []string{
			"get http://a.example/\nget http://a.example/\nget http://a.example/\nget http://a.example/",
			"get http://a.example/",
		},
		want: []string{"200 ok", "broken off", "200 ok", "broken off", "200 ok"},
	},
	"web: resets at first": {
		stubs: []model.Stub{stubOf("a.example:80", "", faulty(model.NetReset), ok)},
		calls: []string{"post http://a.example/ x\nget http://a.example/"}, want: []string{"reset", "200 ok"},
	},
	"web: statuses without a body": {
		stubs: []model.Stub{stubOf("a.example:80", "", model.Answer{Status: 304, Body: "x"},
			model.Answer{Status: 304, Body: "x", Fault: model.NetSlow, Latency: 5},
			model.Answer{Status: 204, Body: "x", Fault: model.NetSlow, Rate: 1000},
			model.Answer{Status: 204, Body: "xyz", Fault: model.NetTruncatedJSON},
			model.Answer{Status: 204, Body: "xyz", Fault: model.NetCut, After: 1}, ok)},
		calls: []string{strings.Repeat("get http://a.example/\n", 6)}, want: []string{"304", "304", "204", "204", "204", "200 ok"},
	},
	"web: cut": {
		stubs: []model.Stub{
			stubOf(
				"a.example:80", "", model.Answer{Body: "abcdef", Fault: model.NetCut, After: 3},
				model.Answer{Body: "abcdef", Fault: model.NetCut},
				model.Answer{Body: "{}", Fault: model.NetTruncatedJSON},
			),
		},
		calls: []string{strings.Repeat("get http://a.example/\n", 3)}, want: []string{"200 abc broken off", "200 broken off", "200 {"},
	},
	"web: slow and mute": {
		stubs: []model.Stub{
			stubOf("a.example:80", "", model.Answer{Body: "abcdef", Fault: model.NetSlow, Latency: 10, Rate: 600}, faulty(model.NetMute)),
		},
		calls: []string{"get http://a.example/\nbriefly get http://a.example/"}, want: []string{"200 abcdef", "late"},
	},
	"web: stalls": {
		stubs: []model.Stub{
			stubOf(
				"a.example:80", "", model.Answer{Body: "abcdef", Fault: model.NetStall, After: 3},
				model.Answer{Body: "abcdef", Fault: model.NetStall}, model.Answer{Fault: model.NetStall, After: 9}, ok,
			),
		},
		calls: []string{strings.Repeat("briefly get http://a.example/\n", 4)},
		want:  []string{"200 abc late", "200 late", "200 late", "200 ok"},
	},
	"web: dials": {
		stubs: []model.Stub{stubOf("198.18.0.9:80", "", faulty(model.NetRefuse), faulty(model.NetTimeout), ok)},
		calls: []string{"get http://198.18.0.9/\nget http://198.18.0.9/", "get http://198.18.0.9/"},
		want:  []string{"refused", "timed out", "200 ok"},
	},
	"web: dials by name": {
		stubs: []model.Stub{stubOf("a.example:80", "", faulty(model.NetRefuse), ok)},
		calls: []string{"get http://a.example/\nget http://a.example/"}, want: []string{"refused", "200 ok"},
	},
	"web: dials again": {
		stubs: []model.Stub{
			{
				Host:     "198.18.0.9:80",
				Protocol: model.HTTP,
				Answers:  []model.Answer{faulty(model.NetRefuse), faulty(model.NetUnreachable)},
				Repeat:   true,
			},
		},
		calls: []string{strings.Repeat("get http://198.18.0.9/\n", 3)}, want: []string{"refused", "unreachable", "refused"},
	},
	"web: dials else": {
		stubs: []model.Stub{
			{Host: "198.18.0.9:80", Protocol: model.HTTP, Answers: []model.Answer{faulty(model.NetRefuse)}, Else: fault(model.NetTimeout)},
		},
		calls: []string{strings.Repeat("get http://198.18.0.9/\n", 3)}, want: []string{"refused", "timed out", "timed out"},
	},
	"web: dials at last": {
		stubs: []model.Stub{
			{Host: "198.18.0.9:80", Protocol: model.HTTP, Answers: []model.Answer{ok}, Else: fault(model.NetRefuse)},
		},
		calls: []string{strings.Repeat("get http://198.18.0.9/\n", 3)}, want: []string{"200 ok", "broken off", "reset"},
	},
	"web: dials of others": {
		stubs: []model.Stub{stubOf("198.18.0.9:80", "GET /x", faulty(model.NetRefuse)), stubOf("198.18.0.9:80", "", ok)},
		calls: []string{"get http://198.18.0.9/\nget http://198.18.0.9/x"}, want: []string{"200 ok", "broken off"},
	},
	"web: numbered": {
		stubs: []model.Stub{
			{Host: "198.18.0.9:80", Protocol: model.HTTP, Match: model.StubMatch{Nth: 2}, Answers: []model.Answer{faulty(model.NetRefuse)}},
			stubOf("198.18.0.9:80", "", ok),
		},
		calls: []string{strings.Repeat("get http://198.18.0.9/\n", 3)}, want: []string{"200 ok", "broken off", "200 ok"},
	},
	"web with TLS": {
		stubs: []model.Stub{stubOf("a.example:443", "", ok, faulty(model.NetReset), ok)},
		calls: []string{"get https://a.example/\nget https://a.example/\nget https://a.example/"},
		want:  []string{"200 ok", "reset", "200 ok"},
	},
	"web with the wrong TLS": {
		stubs: []model.Stub{stubOf("a.example:443", "", faulty(model.NetWrongTLS), ok)},
		calls: []string{"get https://a.example/\nget https://a.example/"},
		want: []string{
			`Get "https://a.example/": tls: failed to verify certificate: ` +
				`x509: certificate is valid for someone-else.invalid, not a.example`,
			"200 ok",
		},
	},
	"web with other certificates": {
		stubs: []model.Stub{stubOf("a.example:443", "", faulty(model.NetExpiredTLS), faulty(model.NetUntrustedTLS), ok)},
		calls: []string{strings.Repeat("get https://a.example/\n", 3)},
		want: []string{
			"expired", `Get "https://a.example/": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
			"200 ok",
		},
	},
	"web without TLS, but HTTP/2": {
		stubs: []model.Stub{stubOf("a.example:80", "", ok, model.Answer{Status: 404})},
		calls: []string{"clear http://a.example/\nclear http://a.example/"}, want: []string{"200 ok", "404"},
	},
	"bytes to who speaks HTTP": {
		stubs: []model.Stub{stubOf("a.example:25", "", ok)},
		calls: []string{"dial a a.example:25\nsay a hello\\n\nhear a", "dial a a.example:25\nsay a hel\nhear a"},
		want:  []string{"dial", "", "reset", "dial", "", "reset"},
	},
	"silence to who speaks HTTP": {
		stubs: []model.Stub{stubOf("a.example:25", "", ok)},
		calls: []string{"dial a a.example:25\nhear a"},
		want:  []string{"dial", "reset"},
	},
	"bytes and HTTP": {
		stubs: []model.Stub{stubOf("a.example:25", "", ok), talks("a.example:25", body("hi\n"), body("ho\n"))},
		calls: []string{
			"dial a a.example:25\nsay a hello\\n\nhear a", "dial a a.example:25\nhear a\nsay a x\nhear a\nhear a",
			"get http://a.example:25/",
		},
		want: []string{"dial", "", "hi", "dial", "hi", "", "ho", "reset", "200 ok"},
	},
	"bytes": {
		stubs: []model.Stub{talks("a.example:25", body("hello\n"), body("1\n"), model.Answer{Body: "2\n", Close: true})},
		calls: []string{"dial a a.example:25\nhear a\nsay a x\\n\nhear a\nhear a\nhear a", "dial a a.example:25\nhear a"},
		want:  []string{"dial", "hello", "", "1", "2", "end", "dial", "hello"},
	},
	"bytes: nothing": {
		stubs: []model.Stub{talks("a.example:25", body("1\n"), body(""), body("2\n"))},
		calls: []string{"dial a a.example:25\nhear a\nbriefly hear a"}, want: []string{"dial", "1", "late"},
	},
	"bytes: no more": {
		stubs: []model.Stub{talks("a.example:25", body("1\n"))},
		calls: []string{"dial a a.example:25\nsay a x\nhear a\nsay a y\nhear a"}, want: []string{"dial", "", "1", "", "reset"},
	},
	"bytes: half": {
		stubs: []model.Stub{talks("a.example:25", body("1\n"))},
		calls: []string{"dial a a.example:25\nsay a x\nhalf a\nhear a\nhear a"}, want: []string{"dial", "", "", "1", "reset"},
	},
	"bytes: asked for": {
		stubs: []model.Stub{
			{
				Host:     "a.example:25",
				Protocol: model.TCP,
				Match:    model.StubMatch{Prefix: "get "},
				Answers:  []model.Answer{body("1\n")},
				Repeat:   true,
			},
			{Host: "a.example:25", Protocol: model.TCP, Match: model.StubMatch{Regexp: "^put"}, Answers: []model.Answer{body("2\n")}},
		}, calls: []string{"dial a a.example:25\nsay a get x\\n\nhear a\n" +
			"say a put\\n\nhear a\nsay a get y\\n\nhear a\nsay a put\\n\nhear a"},
		want: []string{"dial", "", "1", "", "2", "", "1", "", "reset"},
	},
	"bytes: cut, reset": {
		stubs: []model.Stub{
			{
				Host:     "a.example:25",
				Protocol: model.TCP,
				Match:    model.StubMatch{Nth: 1},
				Answers:  []model.Answer{{Body: "abc\n", Fault: model.NetCut, After: 2}},
			},
			{
				Host:     "a.example:25",
				Protocol: model.TCP,
				Match:    model.StubMatch{Nth: 2},
				Answers:  []model.Answer{body("x\n"), faulty(model.NetReset)},
			},
		}, calls: []string{
			"dial a a.example:25\nsay a x\nhear a\ndial b a.example:25\nsay b x\nhear b\n" +
				"say b x\nhear b\ndial c a.example:25\nsay c x\nhear c",
		},
		want: []string{"dial", "", "ab end", "dial", "", "x", "", "reset", "dial", "", "reset"},
	},
	"bytes: slow and mute": {
		stubs: []model.Stub{
			talks("a.example:25", model.Answer{Body: "abc\n", Fault: model.NetSlow, Latency: 10, Rate: 400}, faulty(model.NetMute)),
		},
		calls: []string{"dial a a.example:25\nsay a x\nhear a\nsay a x\nbriefly hear a"}, want: []string{"dial", "", "abc", "", "late"},
	},
	"bytes: stalls": {
		stubs: []model.Stub{talks("a.example:25", body("1\n"), model.Answer{Body: "abc\n", Fault: model.NetStall, After: 2})},
		calls: []string{"dial a a.example:25\nhear a\nsay a x\nbriefly hear a"}, want: []string{"dial", "1", "", "ab late"},
	},
	"bytes: slow, then closed": {
		stubs: []model.Stub{
			talks("a.example:25", model.Answer{Body: "abc\n", Fault: model.NetSlow, Latency: 10, Close: true}, body("x\n")),
		},
		calls: []string{"dial a a.example:25\nsay a x\nhear a\nhear a"}, want: []string{"dial", "", "abc", "end"},
	},
	"bytes: refused": {
		stubs: []model.Stub{talks("198.18.0.9:25", faulty(model.NetRefuse), body("x\n"))},
		calls: []string{"dial a 198.18.0.9:25\ndial b 198.18.0.9:25", "dial a 198.18.0.9:25"},
		want:  []string{"dial refused", "dial refused", "dial refused"},
	},
	"bytes: dials by their number": {
		stubs: []model.Stub{
			{
				Host:     "198.18.0.9:25",
				Protocol: model.TCP,
				Match:    model.StubMatch{Nth: 1},
				Answers:  []model.Answer{faulty(model.NetUnreachable)},
			},
			{Host: "198.18.0.9:25", Protocol: model.TCP, Match: model.StubMatch{Nth: 3}, Answers: []model.Answer{faulty(model.NetTimeout)}},
			talks("198.18.0.9:25", body("x\n")),
		}, calls: []string{"dial a 198.18.0.9:25\ndial b 198.18.0.9:25\nhear b\ndial c 198.18.0.9:25\ndial d 198.18.0.9:25\nhear d"},
		want: []string{"dial unreachable", "dial", "x", "dial timed out", "dial", "x"},
	},
	"bytes: refused when asked": {
		stubs: []model.Stub{
			{
				Host:     "198.18.0.9:25",
				Protocol: model.TCP,
				Match:    model.StubMatch{Prefix: "a"},
				Answers:  []model.Answer{faulty(model.NetRefuse)},
			},
			talks("198.18.0.9:25", body("x\n")),
		},
		calls: []string{"dial a 198.18.0.9:25\nsay a b\nhear a", "dial a 198.18.0.9:25\nsay a a\nhear a"},
		want:  []string{"dial", "", "x", "dial", "", "reset"},
	},
	"bytes with TLS": {
		stubs: []model.Stub{talks("a.example:465", body("hello\n"), body("1\n"))},
		calls: []string{"tls a a.example:465\nhear a\nsay a x\\n\nhear a\nhear a"}, want: []string{"tls", "hello", "", "1", "reset"},
	},
	"datagrams": {
		stubs: []model.Stub{
			{
				Host:     "a.example:53",
				Protocol: model.UDP,
				Match:    model.StubMatch{Equals: "how"},
				Answers:  []model.Answer{body("well"), faulty(model.NetRefuse), body("ill")},
			},
			grams("b.example:53", body("b")),
		}, calls: []string{
			"udp a a.example:53\nsay a how\ntake a\nsay a how\ntake a\nsay a how\ntake a",
			"udp b b.example:53\nsay b x\ntake b\nsay b x\ntake b", "udp c c.example:53\nsay c x\ntake c",
		},
		want: []string{"udp", "", "well", "", "refused", "", "ill", "udp", "", "b", "", "b", "udp", "", "refused"},
	},
	"datagrams: dials": {
		stubs: []model.Stub{grams("198.18.0.9:53", faulty(model.NetRefuse), faulty(model.NetUnreachable), body("x"))},
		calls: []string{"udp a 198.18.0.9:53\nsay a x\ntake a\nudp b 198.18.0.9:53\nudp c 198.18.0.9:53\nsay c x\ntake c\nsay c x\ntake c"},
		want:  []string{"udp", "", "refused", "udp unreachable", "udp", "", "x", "", "refused"},
	},
	"datagrams: never": {
		stubs: []model.Stub{
			{
				Host: "198.18.0.9:53", Protocol: model.UDP, Answers: []model.Answer{faulty(model.NetRefuse)},
				Else: fault(model.NetUnreachable),
			},
		},
		calls: []string{"udp a 198.18.0.9:53\nudp b 198.18.0.9:53\nudp c 198.18.0.9:53"},
		want:  []string{"udp", "udp unreachable", "udp unreachable"},
	},
	"datagrams: slow and mute": {
		stubs: []model.Stub{
			grams("a.example:53", model.Answer{Body: "x", Fault: model.NetSlow, Latency: 30}, faulty(model.NetMute)),
		},
		calls: []string{"udp a a.example:53\nsay a x\ntake a\nsay a x\nbriefly take a"}, want: []string{"udp", "", "x", "", "late"},
	},
	"inward bytes": {
		stubs: []model.Stub{inward(talks(":7000", body("a\n"), model.Answer{Body: "b\n", Close: true}))},
		calls: []string{"listen l :7000\naccept c l\nhear c\nhear c\nhear c\naccept d l"},
		want:  []string{"listen", "accept", "a", "b", "end", "accept aborted"},
	},
	"inward bytes, and no more": {
		stubs: []model.Stub{inward(talks(":7000", body("a\n"))), inward(talks(":7000", body("b\n")))},
		calls: []string{"listen l :7000\naccept c l\nhear c\naccept d l\nsay c x\nhear c"},
		want:  []string{"listen", "accept", "a", "accept aborted", "", "reset"},
	},
	"inward datagrams": {
		stubs: []model.Stub{
			inward(grams(":7001", body("a"), body(""), model.Answer{Body: "b", Fault: model.NetSlow, Latency: 30})),
		},
		calls: []string{"hears u :7001\ntake u\ntake u\ntake u\ntake u"}, want: []string{"hears", "a", "", "b", "refused"},
	},
	"inward datagrams of the next test": {
		stubs: []model.Stub{inward(grams(":7001", body("a")))},
		calls: []string{"hears u :7001\ntake u\nclose u\nhears u :7001\ntake u"}, want: []string{"hears", "a", "", "hears", "refused"},
	},
	"inward, always there": {
		stubs: []model.Stub{inward(talks(":7002", body("a\n"))), inward(grams(":7002", body(""), body("b")))},
		calls: []string{"said 2", "said 0"}, want: []string{"a b", ""},
	},
	"inward, there once more": {
		stubs: []model.Stub{inward(grams(":7002", body("c"))), inward(talks(":7002", body("d\n"), body("e\n")))},
		calls: []string{"said 3"}, want: []string{"c d e"},
	},
	"names": {
		stubs: []model.Stub{
			{
				Host:     "a.example",
				Protocol: model.DNS,
				Answers: []model.Answer{
					{Records: []model.DNSRecord{{Type: "A", Value: "198.18.9.9"}}},
					faulty(model.NetNXDomain),
					faulty(model.NetTimeout),
				},
			},
			{Host: "b.example", Protocol: model.DNS, Answers: []model.Answer{faulty(model.NetNXDomain)}},
			{Host: "c.example", Protocol: model.DNS, Answers: []model.Answer{faulty(model.NetServFail)}},
			stubOf("a.example:80", "", ok),
		}, calls: []string{"get http://a.example/\nlookup a.example\nlookup a.example\nlookup a.example\n" +
			"lookup b.example\nlookup b.example\nlookup c.example"},
		want: []string{"200 ok", "unknown", "late", "unknown", "unknown", "unknown", "lookup c.example: server misbehaving"},
	},
}

var ok = model.Answer{Body: "ok"}

func faulty(f model.NetFault) model.Answer { return model.Answer{Fault: f} }
func fault(f model.NetFault) *model.Answer { return &model.Answer{Fault: f} }
func body(text string) model.Answer        { return model.Answer{Body: text} }

func inward(s model.Stub) model.Stub {
	s.Inward = true
	return s
}

func stubOf(host, request string, answers ...model.Answer) model.Stub {
	s := answering(host, model.HTTP, answers...)
	s.Match.Method, s.Match.Path, _ = strings.Cut(request, " ")
	return s
}

func talks(host string, answers ...model.Answer) model.Stub {
	return answering(host, model.TCP, answers...)
}

func grams(host string, answers ...model.Answer) model.Stub {
	return answering(host, model.UDP, answers...)
}

// Hosts in exported tests behave as in the run.
func TestHostsAreTheSameInExportedTests(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs exported files: left out by -short")
	}
	binary := dependent(t, "caller")
	t.Parallel() // waits for hosts that do not answer
	n, base := calling(t, binary)
	var tests []model.Test
	for _, name := range slices.Sorted(maps.Keys(sameCases)) {
		c := sameCases[name]
		test := model.Test{ID: name, Stubs: c.stubs}
		for _, text := range c.calls {
			test.Calls = append(test.Calls, model.Call{Op: "POST /", Body: &model.Payload{Media: "text/plain", Data: text}, Status: 200})
		}
		var got []string
		for i, came := range outcomes(t, n, base, test) {
			got = append(got, came...)
			text, _ := json.Marshal(came)
			test.Checks = append(test.Checks, model.Check{Call: i, Pointer: "/came", Equals: text})
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		tests = append(tests, test)
	}
	s := Suite{
		Title:   "Caller",
		BaseURL: "http://127.0.0.1:{port}",
		Net:     &model.VirtualNetwork{},
		Build:   []string{"sonde", "build", "--net", "."},
		Tests:   tests,
		Service: &model.Service{
			Command: []string{model.BinaryPlaceholder, "--addr", "127.0.0.1:{port}"},
			Ready:   model.ReadinessCheck{Timeout: 20 * time.Second},
		},
	}
	output, err := runBuilt(t, built(t, s), []string{"SONDE_BINARY=" + binary}, "-test.shuffle=on")
	wantPasses(t, len(tests), output, err)
}

// calling starts a service on a new network. It returns the network and the URL of the service.
func calling(t *testing.T, binary string) (*netsim.Network, string) {
	t.Helper()
	n, err := netsim.New(netsim.Options{ResolveAnyName: true})
	if err != nil {
		t.Fatal(err)
	}
	own := port.Free()
	n.BindPort(own, own)
	env, child, err := n.AttachProcess()
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, binary, "--addr", fmt.Sprintf("127.0.0.1:%d", own))
	cmd.Env, cmd.ExtraFiles = append(cmd.Environ(), env...), append(cmd.ExtraFiles, child)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); cmd.Wait(); n.Close() })
	base := fmt.Sprintf("http://127.0.0.1:%d/", own)
	for limit := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if res, err := http.Get(base); err == nil {
			res.Body.Close()
			return n, base
		} else if time.Now().After(limit) {
			t.Fatal(err)
		}
	}
}

// outcomes returns the results of each call of a test in the run's network.
func outcomes(t *testing.T, n *netsim.Network, base string, test model.Test) (all [][]string) {
	t.Helper()
	if err := n.BeginTest(test.Stubs); err != nil {
		t.Fatal(err)
	}
	n.StartInward()
	for i, c := range test.Calls {
		n.BeginCall(i)
		res, err := http.Post(base, "text/plain", strings.NewReader(c.Body.Data))
		n.EndCall()
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		var said struct{ Came []string }
		if err := json.Unmarshal(text, &said); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		all = append(all, said.Came)
	}
	n.EndTest()
	return all
}
