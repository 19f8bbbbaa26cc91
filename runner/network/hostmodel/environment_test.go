package hostmodel

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/gene"
)

// used returns a contact with a resource of the environment during a call.
func used(resource string, call int) model.Contact {
	return usedBy("listen", resource, call)
}

// usedBy returns a contact in which the service uses a resource of the environment by an action.
func usedBy(action, resource string, call int) model.Contact {
	return model.Contact{
		Kind: model.ContactUse, Protocol: model.Environment, Host: resource, Data: []byte(action), Call: call,
		Stub: -1, Answer: -1, Outcome: "works",
	}
}

// sampledAnswers returns the answers of many new environment stubs by the resource, which is the Host of such a stub. It
// fails the test if a stub is not valid.
func sampledAnswers(t *testing.T, w *Hosts) map[string][]model.Answer {
	t.Helper()
	r, all := chance(), map[string][]model.Answer{}
	for range 500 {
		for _, s := range w.SampleStubs(r, []model.OpID{pay}) {
			out := s.LiteralStub()
			if err := out.Validate(); err != nil {
				t.Fatal(err)
			}
			all[out.Host] = append(all[out.Host], out.Answers...)
		}
	}
	return all
}

// Stubs give the machine various names and interfaces. A port is taken or free, and a port below 1024 may also be forbidden.
func TestEnvironmentAnswers(t *testing.T) {
	w := &Hosts{}
	for _, resource := range []string{"hostname", "interfaces", "7000/tcp", "80/tcp", "0/udp", "*/tcp"} {
		w.ObserveContacts(played, []model.Contact{used(resource, 0)})
	}
	seen := map[string]bool{}
	for resource, answers := range sampledAnswers(t, w) {
		for _, a := range answers {
			seen[resource+" "+a.Label(model.Environment)] = true
			if resource == model.InterfacesResource && a.Fault == "" {
				seen["several"] = seen["several"] || strings.Count(a.Body, "\n") > 1
				seen["none"] = seen["none"] || a.Body == "lo\n"
			}
			for _, part := range []string{"web-1", "down", "10.0.0.2/24", "2001:db8::9/64", "docker0"} {
				seen[part] = seen[part] || strings.Contains(a.Body, part)
			}
		}
	}
	for _, want := range []string{
		"hostname answer", "interfaces answer", "interfaces permission-denied", "several", "none", "web-1", "down", "10.0.0.2/24",
		"2001:db8::9/64", "docker0", "7000/tcp address-in-use", "7000/tcp works", "*/tcp permission-denied", "80/tcp permission-denied",
	} {
		if !seen[want] {
			t.Errorf("there is no answer with %s: %v", want, seen)
		}
	}
	for _, odd := range []string{"hostname permission-denied", "7000/tcp permission-denied", "0/udp address-in-use", "0/udp works"} {
		if seen[odd] {
			t.Errorf("there is an answer with %s", odd)
		}
	}
}

// If a service uses many files, few new tests have a stub of a file, and no test has two such stubs. The files do not prevent stubs of
// other resources.
func TestManyFiles(t *testing.T) {
	w, r := &Hosts{}, chance()
	w.ObserveContacts(played, []model.Contact{used("hostname", 0)})
	if ops := []model.OpID{pay}; w.Populated() || w.HasValues(ops) {
		t.Error("the name of the machine matters before the service compares it")
	}
	for i := range 20 {
		name := fmt.Sprintf("./%c/x", 'a'+i)
		w.ObserveContacts(played, []model.Contact{usedBy("create "+name, name, 0)})
	}
	files, names, added := 0, 0, 0
	for range 2000 {
		all := w.SampleStubs(r, []model.OpID{pay})
		uses := 0
		for _, s := range all {
			if s.isUse() {
				uses++
			}
		}
		files, names = files+uses, names+len(all)-uses
		if uses > 1 {
			t.Fatalf("%d files fail in one test", uses)
		}
		if all, _ = w.MutateStubs(r, nil, []model.OpID{pay}, gene.Pace{}); all[0].isUse() {
			added++
		}
	}
	if files < 100 || files > 300 || names < 200 || names > 400 || added < 800 || added > 1200 {
		t.Errorf("in 2000 tests, %d stubs of files and %d of the hostname; %d of 2000 added stubs are of files", files, names, added)
	}
	w.sampler(r).fresh(w.endpoints.all[0]).RecordExpected("hostname", Expected{Text: "primary"})
	if !w.Populated() {
		t.Error("a name with which the service compares does not matter")
	}
}

// If the service compared the name of its machine with a text, later stubs often have this text as the name.
func TestExpectedHostname(t *testing.T) {
	w := &Hosts{}
	w.ObserveContacts(played, []model.Contact{used("hostname", 0)})
	s := w.sampler(chance()).fresh(w.endpoints.all[0])
	values := s.StubValues()
	if len(values) == 0 || values[0].Name != "hostname" || !gene.IsScalar(values[0].Gene) {
		t.Fatalf("values %+v", values)
	}
	s.RecordExpected("hostname", Expected{Text: "primary"})
	n := 0
	for _, a := range sampledAnswers(t, w)["hostname"] {
		if a.Body == "primary" {
			n++
		}
	}
	if n < 100 {
		t.Errorf("%d of more than 500 names are the expected one", n)
	}
}

// If a request names a port, the stub is for any port, because the next request may name another port.
func TestNamedPort(t *testing.T) {
	w := &Hosts{}
	named := model.Test{Calls: []model.Call{{Op: pay, Args: []model.Arg{{Value: "8125"}}}}}
	w.ObserveContacts(named, []model.Contact{used("8125/tcp", 0), used("7000/tcp", 0)})
	got := sampledAnswers(t, w)
	if len(got) != 2 || got["*/tcp"] == nil || got["7000/tcp"] == nil {
		t.Errorf("stubs for %d resources", len(got))
	}
	for port, want := range map[string]string{"8125/tcp": "*/tcp", "7000/tcp": "7000/tcp"} {
		s := w.FailingStub(w.Resource(named, used(port, 0)), model.NetAddressInUse, 0)
		if s == nil || s.LiteralStub().Host != want || s.LiteralStub().Answers[0].Fault != model.NetAddressInUse {
			t.Errorf("%s: %+v", port, s)
		}
	}
	if s := w.FailingStub("9/tcp", model.NetAddressInUse, 0); s != nil {
		t.Errorf("a stub of a port that was not used: %+v", s.LiteralStub())
	}
	if !w.UsedBy([]model.OpID{pay}) || w.HasValues([]model.OpID{pay}) || w.Populated() {
		t.Error("ports have values")
	}
}

// Resources that the service used before the first call have no stubs, because the stubs of a test have no effect then.
func TestEnvironmentOfTheStart(t *testing.T) {
	w := &Hosts{}
	w.ObserveContacts(played, []model.Contact{used("hostname", -1), used("9090/tcp", -1)})
	if w.Populated() {
		t.Error("resources that were used at the start have stubs")
	}
}

// SampleReachable makes no stubs for ports, so that all ports are free. It makes a stub for the name of the machine.
func TestReachableEnvironment(t *testing.T) {
	w := &Hosts{}
	w.ObserveContacts(played, []model.Contact{used("hostname", 0), used("7000/tcp", 0)})
	ops := []model.OpID{pay}
	if all := w.SampleReachable(chance(), ops); len(all) != 1 || all[0].Host() != "hostname" {
		t.Errorf("%d stubs", len(all))
	}
	if all, added := w.AddAnswering(chance(), nil, ops); !added || len(all) != 1 || all[0].LiteralStub().Answers[0].Fault != "" {
		t.Errorf("added %t, %d stubs", added, len(all))
	}
	w.Faultless = true
	for resource, answers := range sampledAnswers(t, w) {
		for _, a := range answers {
			if a.Fault != "" {
				t.Errorf("%s has the fault %s", resource, a.Fault)
			}
		}
	}
}

// Any text becomes a name that a machine can have, and an address that an interface can have.
func TestResourceText(t *testing.T) {
	for text, want := range map[string]string{
		"": "localhost", "a b\n": "ab", "\x00": "localhost", "größe": "größe", strings.Repeat("x", 99): strings.Repeat("x", 64),
	} {
		if got := machineWord(text, "localhost"); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
	for text, want := range map[string]string{
		"": "", "down": "down", "10.1.2.3": "10.1.2.3/24", "fd00::1": "fd00::1/64", "fe80::1%eth0": "fe80::1/64",
		"10.1.0.0/16": "10.1.0.0/16", "x": "",
	} {
		if got := interfaceAddress(text); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

// If a request names a part of a path, this part is "*" in the resource of the stub.
func TestNamedFile(t *testing.T) {
	w := &Hosts{}
	named := model.Test{Calls: []model.Call{{
		Op: pay, Args: []model.Arg{{Value: "ann"}},
		Body: &model.Payload{Data: `{"file": {"name": "notes.txt", "kind": ["draft"], "size": 17}}`},
	}}}
	for host, want := range map[string]string{
		"./ann/notes.txt": "./*/*", "./draft.md": "./*.md", "./annual.txt": "./annual.txt", "/data/orders.json": "/data/orders.json",
		"./17/x": "./*/x", "../.draft": "../.*",
		"./ann-2.txt.new": "./*-2.txt.new", "./notes.txt.new": "./*.new", "./annex": "./annex",
	} {
		if got := w.Resource(named, usedBy("create "+host, host, 0)); got != want {
			t.Errorf("%s: got %s, want %s", host, got, want)
		}
	}
}

// A file has only the faults that are possible for the actions by which the service used it.
func TestFaultsOfFiles(t *testing.T) {
	w := &Hosts{}
	for _, c := range []struct{ action, file, want string }{
		{"open", "./a", "permission-denied no-such-file io-error"},
		{"create", "./b", "permission-denied no-space io-error"},
		{"stat", "./c", "no-such-file"},
		{"stat", "./b", "permission-denied no-space no-such-file io-error"},
		{"write", "./d", "no-space io-error"},
		{"remove", "./e", "permission-denied no-such-file"},
		{"mkdir", "./f", "permission-denied no-space"},
		{"removeall", "./x/g", "permission-denied"},
	} {
		w.ObserveContacts(played, []model.Contact{usedBy(c.action+" "+c.file, c.file, 0)})
		if got := strings.Trim(fmt.Sprint(w.Faults(c.file)), "[]"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.action, got, c.want)
		}
	}
	if w.Faults("./x") != nil {
		t.Error("a file that was not used has faults")
	}
	after := map[bool]bool{}
	for resource, answers := range sampledAnswers(t, w) {
		for _, a := range answers {
			if a.Fault != "" && !slices.Contains(w.Faults(resource), a.Fault) {
				t.Errorf("%s: %s", resource, a.Fault)
			}
			if a.Fault == model.NetNoSpace {
				after[a.After > 0] = true
			}
		}
	}
	if len(after) != 2 {
		t.Error("the disk is full always or never at once")
	}
}

// The number of resources is limited. All files of a folder after the first maxFiles share one resource. Its stub comes after the
// stubs of single files.
func TestFilesAreLimited(t *testing.T) {
	w := &Hosts{}
	for folder := range 2 * maxResources {
		for file := range maxFiles + 3 {
			name := fmt.Sprintf("./%c%c/%c", 'a'+folder/26, 'a'+folder%26, 'a'+file)
			w.ObserveContacts(played, []model.Contact{usedBy("create "+name, name, 0)})
		}
	}
	if len(w.endpoints.all) != maxResources || w.endpoints.all[maxFiles].host != "./aa/*" {
		t.Errorf("%d resources, one of %s", len(w.endpoints.all), w.endpoints.all[maxFiles].host)
	}
	late := w.Resource(played, usedBy("create ./aa/z", "./aa/z", 0))
	if late != "./aa/*" || len(w.Faults(late)) == 0 || w.Resource(played, usedBy("create ./aa/b", "./aa/b", 0)) != "./aa/b" {
		t.Errorf("a further file of the folder is %s, with the faults %s", late, w.Faults(late))
	}
	w.ObserveContacts(played, []model.Contact{dialed("payments.example:80", 0)})
	if !w.Populated() {
		t.Error("files leave no room for hosts")
	}
	all := inOrder([]*Stub{w.FailingStub("./aa/*", model.NetNoSpace, 0), w.FailingStub("./aa/a", model.NetNoSpace, 2)})
	if first := all[0].LiteralStub(); first.Host != "./aa/a" || len(first.Answers) != 3 || first.Answers[2].Fault != model.NetNoSpace {
		t.Errorf("first is %+v", first)
	}
}

// Stubs of an earlier run can be adopted and mutated before the service has used their resources.
func TestAdoptedEnvironment(t *testing.T) {
	w, r := &Hosts{}, chance()
	for _, s := range []model.Stub{
		{Host: "hostname", Protocol: model.Environment, Answers: []model.Answer{{Body: "web-1"}}},
		{
			Host: "./data/*.json", Protocol: model.Environment,
			Answers: []model.Answer{{Fault: model.NetNoSpace, After: 7}, {}}, Repeat: true,
		},
	} {
		own := w.AdoptStub(s)
		if got := own.LiteralStub(); !reflect.DeepEqual(got, s) {
			t.Errorf("got %+v, want %+v", got, s)
		}
		all := []*Stub{own}
		for range 200 {
			all, _ = w.MutateStubs(r, all, []model.OpID{pay}, gene.Pace{})
			for _, s := range all {
				if err := s.LiteralStub().Validate(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
