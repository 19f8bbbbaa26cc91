//go:build unix

package netsim_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// resource returns a stub of the environment.
func resource(name string, answers ...model.Answer) model.Stub {
	return model.Stub{Host: name, Protocol: model.Environment, Answers: answers}
}

// The table of a test has the stubs of the environment in their order, each with the results of the first, second, …
// use.
func TestEnvironmentTable(t *testing.T) {
	n, s := start(t, netsim.Options{Stubs: []model.Stub{resource("hostname", model.Answer{Body: "box"})}})
	taken, denied := model.Answer{Fault: model.NetAddressInUse}, model.Answer{Fault: model.NetPermissionDenied}
	again := resource("*/udp", taken, model.Answer{})
	again.Repeat = true
	last := resource("8125/tcp", taken)
	last.Else = &denied
	err := n.BeginTest([]model.Stub{
		resource("7000/tcp", taken, denied), again, last,
		resource("interfaces", model.Answer{Body: "eth0 10.1.2.3/24\neth1 down"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s.env["SONDE_NET"])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "use ") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	want := []string{
		"use 7000/tcp !EADDRINUSE !EACCES ok", "use */udp !EADDRINUSE ok again", "use 8125/tcp !EADDRINUSE !EACCES",
		"use interfaces =eth0%2010.1.2.3/24%0Aeth1%20down", "use hostname =box",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// After a test, only the permanent stubs of the environment are in effect.
func TestEnvironmentAfterTest(t *testing.T) {
	n, s := start(t, netsim.Options{Stubs: []model.Stub{resource("hostname", model.Answer{Body: "box"})}})
	if err := n.BeginTest([]model.Stub{resource("./data/x", model.Answer{Fault: model.NetNoSpace})}); err != nil {
		t.Fatal(err)
	}
	n.EndTest()
	text, err := os.ReadFile(s.env["SONDE_NET"])
	if err != nil || strings.Contains(string(text), "./data/x") || !strings.Contains(string(text), "use hostname =box") {
		t.Errorf("error %v, table %s", err, text)
	}
}

// Uses of a resource by the same action, with the same outcome and during the same call, share one contact.
func TestEnvironmentContacts(t *testing.T) {
	n, s := start(t, netsim.Options{Hostname: "box"})
	stubs := []model.Stub{
		resource("hostname", model.Answer{Body: "web-1"}),
		resource("*/tcp", model.Answer{Fault: model.NetAddressInUse}, model.Answer{}),
	}
	if err := n.BeginTest(stubs); err != nil {
		t.Fatal(err)
	}
	n.BeginCall(0)
	for range 3 {
		s.report("use read hostname hostname 0 ok 1")
	}
	s.report("use listen 7000/tcp */tcp 0 failed 1")
	s.report("use listen 7000/tcp */tcp 1 ok 1")
	s.report("use read interfaces - 0 ok 1")
	n.EndCall()
	n.BeginCall(1)
	s.report("use read interfaces - 0 ok 1")
	s.report("use read interfaces - 0 ok 5")
	n.EndCall()
	want := []model.Contact{
		{Host: "hostname", Data: []byte("read"), Stub: 0, Answer: 0, Outcome: "answer", Uses: 3},
		{Host: "7000/tcp", Data: []byte("listen"), Stub: 1, Answer: 0, Outcome: "address-in-use", Uses: 1},
		{Host: "7000/tcp", Data: []byte("listen"), Stub: 1, Answer: 1, Outcome: "works", Uses: 1},
		{Host: "interfaces", Data: []byte("read"), Stub: -1, Answer: -1, Outcome: "works", Uses: 1},
		{Host: "interfaces", Data: []byte("read"), Stub: -1, Answer: -1, Outcome: "works", Call: 1, Uses: 6},
	}
	for i := range want {
		want[i].Kind, want[i].Protocol = model.ContactUse, model.Environment
	}
	if diff := cmp.Diff(want, n.EndTest()); diff != "" {
		t.Error(diff)
	}
}

// The host of a contact with a file is the pattern of the file's name. The outcome is the fault of the stub only if
// the use failed.
func TestContactsWithFiles(t *testing.T) {
	n, s := start(t, netsim.Options{})
	if err := n.BeginTest([]model.Stub{resource("./data/*.json", model.Answer{Fault: model.NetNoSpace, After: 7})}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s.env["SONDE_NET"])
	if err != nil || !strings.Contains(string(text), "\nuse ./data/*.json !ENOSPC:7\n") {
		t.Errorf("table %s, error %v", text, err)
	}
	n.BeginCall(0)
	s.report("use create ./data/17.json ./data/*.json 0 ok 1")
	s.report("use create ./data/18.json ./data/*.json 1 ok 1")
	s.report("use write ./data/17.json ./data/*.json 0 failed 1")
	n.EndCall()
	var got []string
	for _, c := range n.EndTest() {
		got = append(got, fmt.Sprintf("%s %s %s %d", c.Host, c.Data, c.Outcome, c.Stub))
	}
	want := []string{"./data/*.json create ./data/17.json works 0", "./data/*.json write ./data/17.json no-space 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Only a service that Sonde builds has a virtual environment.
func TestEnvironmentOfOtherGrounds(t *testing.T) {
	stubs := []model.Stub{resource("hostname", model.Answer{Body: "web-1"})}
	_, err := netsim.New(netsim.Options{Ground: model.GroundProxy, Stubs: stubs})
	const want = `the stub of "hostname" is for the environment of a service that Sonde builds`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
	n, err := netsim.New(netsim.Options{Ground: model.GroundProxy})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	for _, err := range []error{n.BeginTest(stubs), n.BeginStart(stubs)} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v", err)
		}
	}
}

// Uses of many files leave room in the log for the contacts with hosts. A file whose name has a line feed is not
// noted.
func TestManyUses(t *testing.T) {
	n, s := start(t, netsim.Options{})
	if err := n.BeginTest(nil); err != nil {
		t.Fatal(err)
	}
	n.BeginCall(0)
	s.report("use open ./a%%0Ab - 0 ok 1")
	for i := range 1300 {
		s.report(fmt.Sprintf("use open ./%s - 0 ok 1", strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(i))))
	}
	s.report("lookup host payments.example -")
	n.EndCall()
	all := n.EndTest()
	if len(all) != 201 || all[0].Host != "./a" || all[200].Kind != model.ContactLookup {
		t.Errorf("%d contacts, the first %+v, the last %+v", len(all), all[0], all[len(all)-1])
	}
}

// Reading the name of the machine or its interfaces does not count as a contact if the options determine them and no
// stub does.
func TestFixedEnvironment(t *testing.T) {
	n, s := start(t, netsim.Options{Hostname: "box", Interfaces: []string{"eth0 10.1.2.3/24"}})
	if err := n.BeginTest(nil); err != nil {
		t.Fatal(err)
	}
	n.BeginCall(0)
	s.report("use read hostname - 0 ok 1")
	s.report("use read interfaces - 0 ok 1")
	n.EndCall()
	if got := n.EndTest(); len(got) > 0 {
		t.Errorf("contacts %+v", got)
	}
}

// A stub that limits the space of a file makes each test send a new table, so that the service counts its writes from
// zero again.
func TestSpaceOfEachTest(t *testing.T) {
	for fault, starts := range map[model.NetFault]bool{model.NetNoSpace: true, model.NetIOError: false} {
		n, s := start(t, netsim.Options{Stubs: []model.Stub{resource("./log", model.Answer{Fault: fault})}})
		if err := n.BeginTest(nil); err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		s.table["earlier"] = nil
		s.mu.Unlock()
		if err := n.BeginTest(nil); err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		if _, isEarlier := s.table["earlier"]; isEarlier == starts {
			t.Errorf("%s: a new table is sent: %t", fault, !isEarlier)
		}
		s.mu.Unlock()
	}
}
