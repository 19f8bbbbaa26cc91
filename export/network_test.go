//go:build !windows

package export

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sonde/model"
)

// shopping returns a suite for a service that calls other hosts.
func shopping(tests ...model.Test) Suite {
	return Suite{
		Title:   "Shop",
		BaseURL: "http://127.0.0.1:{port}",
		Net:     &model.VirtualNetwork{},
		Build:   []string{"sonde", "build", "--net", "./cmd/shop"},
		Tests:   tests,
		Service: &model.Service{
			Command: []string{model.BinaryPlaceholder, "--addr", "127.0.0.1:{port}"},
			Ready:   model.ReadinessCheck{Timeout: 20 * time.Second},
		},
	}
}

// outward returns the test with a check that the service received want from other hosts.
func (t tested) outward(want string) model.Test {
	t.Checks = []model.Check{equal(0, "", want)}
	return model.Test(t)
}

type tested model.Test

// hosts returns a suite with hosts of all kinds and protocols.
func hosts() Suite {
	yes := model.Answer{Body: `{"approved": true}`}
	faulty := func(f model.NetFault) model.Answer {
		return model.Answer{Fault: f, Body: `{"approved": true}`, After: 5, Latency: 30}
	}
	feed := func(answers ...model.Answer) model.Stub {
		return answering("stock.example:7000", model.TCP, answers...)
	}
	inward := func(s model.Stub) model.Stub { s.Inward = true; return s }
	briefly := func(test model.Test) model.Test {
		test.Calls[0].Args = []model.Arg{{In: model.InHeader, Name: "X-Patience", Value: "300ms"}}
		return test
	}
	page := func(status string, stubs ...model.Stub) model.Test {
		test := one("page", "GET /page", 200, stubs...)
		test.Calls[0].Args = []model.Arg{inQuery("url", "https://pages.example/a/b?x=1")}
		return tested(test).outward(status)
	}
	s := shopping(
		pay("refused", 500),
		pay("approved", 201, paying(yes)),
		pay("declined", 402, paying(model.Answer{Status: 200, Body: `{"approved": false}`})),
		pay("reset", 500, paying(faulty(model.NetReset))),
		pay("refuses", 500, paying(faulty(model.NetRefuse))),
		pay("cut", 502, paying(faulty(model.NetCut))),
		pay("truncated", 502, paying(faulty(model.NetTruncatedJSON))),
		pay("slow", 201, paying(faulty(model.NetSlow))),
		briefly(pay("mute", 500, paying(faulty(model.NetMute)))),
		pay("unknown name", 500, answering("payments.example", model.DNS, model.Answer{Fault: model.NetNXDomain})),
		pay(
			"by record", 201,
			answering("payments.example", model.DNS, model.Answer{Records: []model.DNSRecord{{Type: "A", Value: "198.18.9.9"}}}),
			paying(yes),
		),
		model.Test{ID: "script", Stubs: []model.Stub{
			paying(faulty(model.NetRefuse), yes, model.Answer{Status: 200, Body: `{}`}),
		}, Calls: []model.Call{
			{Op: "POST /orders/1/payments", Status: 500},
			{Op: "POST /orders/1/payments", Status: 201},
			{Op: "POST /orders/1/payments", Status: 402},
		}},
		tested(one("feed", "GET /stock/tent", 200, feed(model.Answer{Body: "17\n"}))).outward(`"17\n"`),
		one("feed resets", "GET /stock/tent", 502, feed(faulty(model.NetReset))),
		one("feed never ends a line", "GET /stock/tent", 502, feed(model.Answer{Body: "17"})),
		one("feed refuses", "GET /stock/tent", 503, feed(faulty(model.NetRefuse))),
		tested(one("asks", "GET /ask", 200, answering("metrics.example:8125", model.UDP, model.Answer{Body: "well"}))).outward(`"well"`),
		one("asks no host", "GET /ask", 502),
		briefly(one("asks a mute", "GET /ask", 502, answering("metrics.example:8125", model.UDP, faulty(model.NetMute)))),
		tested(one("is called", "GET /wait", 200, inward(answering(":7000", model.TCP, model.Answer{Body: "hi\n"})))).outward(`"hi\n"`),
		tested(one(
			"is called in silence", "GET /wait", 200,
			inward(answering(":7000", model.TCP, model.Answer{}, model.Answer{Body: "hi\n"})),
		)).outward(`"hi\n"`),
		one("is not called", "GET /wait", 504),
		one("port in use", "GET /wait", 500, answering("7000/tcp", model.Environment, model.Answer{Fault: model.NetAddressInUse})),
		model.Test{ID: "port in use at first", Stubs: []model.Stub{
			answering("*/tcp", model.Environment, model.Answer{Fault: model.NetAddressInUse}, model.Answer{}),
		}, Calls: []model.Call{{Op: "GET /wait", Status: 500}, {Op: "GET /wait", Status: 504}}},
		tested(one(
			"machine", "GET /machine", 200,
			answering("hostname", model.Environment, model.Answer{Body: "web-1%"}),
			answering("interfaces", model.Environment, model.Answer{Body: "eth0 10.1.2.3/24\neth1 down\n"}),
		)).outward(`"web-1%[127.0.0.1/8 ::1/128 10.1.2.3/24]"`),
		one("full disk", "GET /note", 507, answering("./note.txt", model.Environment, model.Answer{Fault: model.NetNoSpace, After: 3})),
		one("no permission", "GET /note", 403, answering("./*.txt", model.Environment, model.Answer{Fault: model.NetPermissionDenied})),
		model.Test{ID: "broken disk", Stubs: []model.Stub{
			// Each call writes the file and removes it.
			answering(
				"./note.txt", model.Environment,
				model.Answer{Fault: model.NetPermissionDenied}, model.Answer{}, model.Answer{Fault: model.NetIOError},
			),
		}, Calls: []model.Call{{Op: "GET /note", Status: 403}, {Op: "GET /note", Status: 500}}},
		one(
			"no interfaces", "GET /machine", 503,
			answering("interfaces", model.Environment, model.Answer{Fault: model.NetPermissionDenied}),
		),
		tested(one(
			"hears", "GET /hear", 200,
			inward(answering(":7001", model.UDP, model.Answer{Body: "a"}, model.Answer{Body: "b"})),
		)).outward(`"ab"`),
		one("hears once", "GET /hear", 502, inward(answering(":7001", model.UDP, model.Answer{Body: "a"}))),
		one("hears nothing", "GET /hear", 502),
		page("418", answering("pages.example:443", model.HTTP, model.Answer{Status: 418})),
		func() model.Test {
			test := page("200", answering("pages.example:443", model.HTTP, model.Answer{Fault: model.NetWrongTLS}))
			test.Calls[0].Status, test.Checks = 502, nil
			return test
		}(),
	)
	// A host that had not sent its data when a test ended does not send it in the next test.
	late := func(port string) model.Stub {
		return inward(answering(port, model.TCP, model.Answer{Body: "late\n"}))
	}
	s.Tests = append(s.Tests, one("has hosts", "GET /ask", 502, late(":7999"), late(":7000")), one("has none", "GET /wait", 504))
	return s
}

func TestNetworkOfExportedTests(t *testing.T) {
	LeaveOutIfShort(t)
	s := hosts()
	env := []string{"SONDE_BINARY=" + dependent(t, "shop")}
	dir := built(t, s)
	t.Parallel() // waits for hosts that do not answer
	output, err := runBuilt(t, dir, env, "-test.shuffle=on")
	wantPasses(t, len(s.Tests), output, err)
	output, err = runBuilt(t, dir, env, "-apart", "-test.parallel=4")
	wantPasses(t, len(s.Tests), output, err)
	names := testsIn(t, dir)
	output, err = runBuilt(t, dir, env, "-test.run=^("+strings.Join(names[len(names)-2:], "|")+")$")
	wantPasses(t, 2, output, err)
}

// The request that resets the service does not meet the failures of the test before it.
func TestResetAfterFullDisk(t *testing.T) {
	t.Parallel()
	LeaveOutIfShort(t)
	full := answering("./note.txt", model.Environment, model.Answer{Fault: model.NetNoSpace})
	s := shopping(one("t1", "GET /note", 507, full), one("t2", "GET /note", 507, full), one("t3", "GET /note", 200))
	s.Reset = &model.Reset{Method: "POST", Path: "/reset"}
	output, err := runBuilt(t, built(t, s), []string{"SONDE_BINARY=" + dependent(t, "shop")}, "-test.shuffle=on")
	wantPasses(t, len(s.Tests), output, err)
}

// dependencyFailure returns a suite of one test whose host resets the connection.
func dependencyFailure() Suite {
	return shopping(pay("t1", 500, paying(model.Answer{Fault: model.NetReset})))
}

// The exported test of a server error that a failing host causes passes while the service has the fault, and fails
// when the fault is fixed.
func TestExportedDependencyFailure(t *testing.T) {
	t.Parallel()
	LeaveOutIfShort(t)
	env := []string{"SONDE_BINARY=" + dependent(t, "shop")}
	dir := built(t, dependencyFailure())
	output, err := runBuilt(t, dir, env)
	wantPasses(t, 1, output, err)
	text, _ := os.ReadFile(filepath.Join(dir, TestsFileName))
	for _, want := range []string{
		"// POST /orders/17/payments answers 500 when payments.example resets.\n",
		"func TestCreatePayment_500_WhenPaymentsResets(t *testing.T) {\n\tbegin(t)\n\n" +
			"\tnetwork.http(\"payments.example:80\", \"POST /charge\", resets())\n\n\t// 500",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	output, err = runBuilt(t, dir, append(env, "MENDED=1"))
	if want := "want status 500, got 502 with body try later"; err == nil || !strings.Contains(output, want) {
		t.Errorf("%v, want %s in\n%s", err, want, output)
	}
}

// servicePart is the part of a suite for one service.
type servicePart struct {
	name, service string
	tests         []model.Test
}

// serviceParts returns the handwritten tests of the services that depend on other hosts.
func serviceParts(t *testing.T) []servicePart {
	return []servicePart{
		{"handshake", "handshake", bestTests(t, "handshake")},
		{"chat", "chat", bestTests(t, "chat")},
		{"page", "page", bestTests(t, "page")},
		{"retry", "retry", bestTests(t, "retry")},
		{"whois", "whois", bestTests(t, "whois")},
		{"talk that ends before the reset", "chat", endedTalk()},
	}
}

// inOneSuite returns a suite with the tests of all parts.
func inOneSuite(parts []servicePart) Suite {
	s := Suite{
		Title:   "Best tests",
		BaseURL: "http://127.0.0.1:{port}",
		Net:     &model.VirtualNetwork{},
		Build:   []string{"sonde", "build", "--net", "."},
		Service: &model.Service{
			Command: []string{model.BinaryPlaceholder, "--addr", "127.0.0.1:{port}"},
			Ready:   model.ReadinessCheck{Path: "/health", Timeout: 20 * time.Second},
		},
		Reset: &model.Reset{Method: "POST", Path: "/__reset"},
	}
	for _, p := range parts {
		for _, test := range p.tests {
			test.ID = p.name + " " + test.ID
			s.Tests = append(s.Tests, test)
		}
	}
	return s
}

// Handwritten tests of services with other hosts have the same results after an export. All tests are in one suite, and
// each service runs its own tests.
func TestBestTestsAreExported(t *testing.T) {
	LeaveOutIfShort(t)
	parts := serviceParts(t)
	dir := built(t, inOneSuite(parts))
	t.Parallel()
	names := testsIn(t, dir)
	for _, p := range parts {
		own := names[:len(p.tests)]
		names = names[len(p.tests):]
		binary := dependent(t, p.service)
		t.Run(p.name, func(t *testing.T) {
			t.Parallel() // the services wait for hosts that do not answer
			output, err := runBuilt(
				t, dir, []string{"SONDE_BINARY=" + binary}, "-test.run=^("+strings.Join(own, "|")+")$",
			)
			wantPasses(t, len(own), output, err)
		})
	}
}

// testsIn returns the names of the test functions in the exported file of a folder.
func testsIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, TestsFileName))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`).FindAllSubmatch(text, -1) {
		names = append(names, string(f[1]))
	}
	return names
}

// bestTests returns the handwritten tests of a service.
func bestTests(t *testing.T, service string) []model.Test {
	t.Helper()
	var best struct{ Tests []model.Test }
	text, err := os.ReadFile(filepath.Join("..", "runner", "testdata", "network", service, "best.json"))
	if err == nil {
		err = json.Unmarshal(text, &best)
	}
	if err != nil || len(best.Tests) == 0 {
		t.Fatalf("%v, %d tests", err, len(best.Tests))
	}
	return best.Tests
}

// endedTalk returns two tests of the service chat. In the first, a connection ends; this must not affect
// the second.
func endedTalk() []model.Test {
	quiet := []model.Check{{Pointer: "/noise", Equals: []byte("0")}}
	talk := one(
		"talk", "GET /status", 200,
		model.Stub{Host: ":7000", Protocol: model.TCP, Inward: true, Answers: []model.Answer{{Body: "never ended"}}},
	)
	alone := one("alone", "GET /status", 200)
	talk.Checks, alone.Checks = quiet, quiet
	return []model.Test{talk, alone}
}

// localHosts returns a suite whose hosts are servers of the tests.
func localHosts() Suite {
	yes := model.Answer{Body: `{"approved": true}`}
	feed := func(answers ...model.Answer) model.Stub {
		return answering("stock.example:7000", model.TCP, answers...)
	}
	s := shopping(
		pay("no host", 500),
		pay("approved", 201, paying(yes)),
		pay("reset", 500, paying(model.Answer{Fault: model.NetReset})),
		pay("cut", 502, paying(model.Answer{Fault: model.NetCut, After: 3, Body: yes.Body})),
		tested(one("feed", "GET /stock/tent", 200, feed(model.Answer{Body: "17\n"}))).outward(`"17\n"`),
		one("feed never ends a line", "GET /stock/tent", 502, feed(model.Answer{Body: "17", Close: true})),
		tested(one("asks", "GET /ask", 200, answering("metrics.example:8125", model.UDP, model.Answer{Body: "well"}))).outward(`"well"`),
	)
	s.Service.Command = []string{
		"./shop", "--addr", "127.0.0.1:{port}", "--payments=https://payments.example/charge", "--metrics",
		"metrics.example:8125",
	}
	s.Service.Env = map[string]string{"STOCK": "stock.example:7000"}
	for _, test := range s.Tests[1:4] {
		test.Stubs[0].Host = "payments.example:443"
	}
	s.Local = true
	return s
}

// Servers of the tests replace the hosts in the service's command and environment.
func TestLocalHostsOfExportedTests(t *testing.T) {
	LeaveOutIfShort(t)
	t.Parallel()
	s := localHosts()
	dir := built(t, s)
	if err := os.Symlink(dependent(t, "shop"), filepath.Join(dir, "shop")); err != nil {
		t.Fatal(err)
	}
	output, err := runBuilt(t, dir, nil, "-test.count=2", "-test.shuffle=on")
	wantPasses(t, 2*len(s.Tests), output, err)
	output, err = runBuilt(t, dir, []string{"SONDE_BASE_URL=http://127.0.0.1:1"}, "-test.run=Ask")
	want := "the service of SONDE_BASE_URL calls metrics.example:8125 itself, where the tests cannot listen: unset it"
	if err == nil || !strings.Contains(output, want) {
		t.Errorf("%v, want %s in\n%s", err, want, output)
	}
}

// If hosts cannot be played, the error has one line.
func TestHostsThatCannotBePlayed(t *testing.T) {
	s := networkGolden()
	for want, change := range map[string]func(s *Suite){
		`no build command for the service is configured`:                    func(s *Suite) { s.Build = nil },
		`the test has stubs of "payments.example:80", which need a virtual`: func(s *Suite) { s.Net = nil },
		`the host "payments.example:80" is neither in the service's`: func(s *Suite) {
			s.Net, s.Local, s.Tests = nil, true, s.Tests[:1]
		},
		`no command that starts the service is configured`: func(s *Suite) { s.Net, s.Local, s.Service = nil, true, nil },
		`the stub of ":7000" needs a virtual network: leave out`: func(s *Suite) {
			s.Local, s.Tests, s.Net = true, talksGolden().Tests, nil
			s.Service.Command = []string{"stock.example:7000", "whois.example:43", "metrics.example:8125"}
		},
		`"payments.example:80" redirects the service to "other.example", which needs`: func(s *Suite) {
			on := paying(model.Answer{Status: 302, Header: model.NewHeaderField("location", "//other.example/")})
			s.Net, s.Local, s.Tests = nil, true, []model.Test{pay("on", 500, on)}
			s.Service.Command = []string{"http://payments.example"}
		},
		`protocol "smtp" of the stub of "a.example:25" is unknown`: func(s *Suite) {
			s.Tests = []model.Test{
				one("t", "GET /", 200, answering("a.example:25", "smtp")),
			}
		},
	} {
		changed := s
		own := *s.Service
		changed.Service = &own
		change(&changed)
		if _, err := GoFile(changed); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got error %v, want %s", err, want)
		}
	}
}

func TestHostIsReplacedWhereItIsMeant(t *testing.T) {
	for text, want := range map[string]string{
		"http://a.example/x":              "http://{a.example:80}/x",
		"HTTP://a.example:80":             "http://{a.example:80}",
		"--to=a.example:80,b":             "--to={a.example:80},b",
		"https://a.example/x":             "https://a.example/x",
		"http://a.example:8080/x":         "http://a.example:8080/x",
		"a.example":                       "a.example",
		"http://b.a.example/":             "http://b.a.example/",
		"http://a.example.org/":           "http://a.example.org/",
		"http://a.example?u=a.example:80": "http://{a.example:80}?u={a.example:80}",
	} {
		if got := withPlaceholder(text, "a.example:80"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
