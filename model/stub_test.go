package model_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

// resource returns a stub of the environment.
func resource(name string, answers ...model.Answer) model.Stub {
	return model.Stub{Host: name, Protocol: model.Environment, Answers: answers}
}

func TestValidateStub(t *testing.T) {
	answers := []model.Answer{{Body: "ok"}}
	valid := []model.Stub{
		{Host: "a.example:443", Protocol: model.HTTP, Answers: answers},
		{Host: "[2001:db8::1]:80", Protocol: model.HTTP, Answers: []model.Answer{{Status: 599}}},
		{Host: "198.18.0.7:43", Protocol: model.UDP, Answers: []model.Answer{{Fault: model.NetMute}}},
		{Host: "a.example", Protocol: model.DNS, Answers: []model.Answer{{Fault: model.NetNXDomain}, {Fault: model.NetServFail}}},
		{Host: ":7000", Protocol: model.TCP, Inward: true, Answers: answers},
		{Host: model.AnyPort, Protocol: model.TCP, Inward: true, Answers: answers},
		{Host: "a.example:1", Protocol: model.TCP, Else: &answers[0]},
		{Host: "a.example:1", Protocol: model.TCP, Prologue: []model.PrologueStep{{Body: "hello"}}},
		{Host: "a.example:6379", Protocol: model.Redis, Answers: []model.Answer{{Body: "[1]"}, {Fault: model.NetReset}}},
		resource("hostname", model.Answer{Body: "web-1"}),
		resource("interfaces", model.Answer{Body: "eth0 10.0.0.2/24\neth0 fd00::2/64\ntun0 down\nwlan0\n"}, model.Answer{Body: "lo"}),
		resource("interfaces", model.Answer{Fault: model.NetPermissionDenied}),
		resource("7000/tcp", model.Answer{Fault: model.NetAddressInUse}, model.Answer{}),
		resource("*/udp", model.Answer{Fault: model.NetPermissionDenied}),
	}
	for _, s := range valid {
		if err := s.Validate(); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
	tests := []struct {
		name string
		stub model.Stub
		want string
	}{
		{"no protocol", model.Stub{Host: "a:1", Answers: answers}, `protocol "" of the stub of "a:1" is unknown`},
		{"inward HTTP", model.Stub{Host: ":1", Protocol: model.HTTP, Inward: true, Answers: answers}, "cannot be inward"},
		{"no port", model.Stub{Host: "a.example", Protocol: model.TCP, Answers: answers}, "is not like"},
		{"port 0", model.Stub{Host: "a.example:0", Protocol: model.TCP, Answers: answers}, "is not like"},
		{"port too large", model.Stub{Host: "a.example:65536", Protocol: model.TCP, Answers: answers}, "is not like"},
		{"no host", model.Stub{Host: ":80", Protocol: model.HTTP, Answers: answers}, "is not like"},
		{"DNS without a name", model.Stub{Protocol: model.DNS, Answers: answers}, "needs a host"},
		{
			"a prologue of HTTP",
			model.Stub{Host: "a:1", Protocol: model.HTTP, Prologue: []model.PrologueStep{{}}, Answers: answers},
			"only tcp has them",
		},
		{
			"any connection of an inward stub",
			model.Stub{Host: ":1", Protocol: model.TCP, Inward: true, AnyConnection: true, Answers: answers},
			"only tcp has them",
		},
		{"no answers", model.Stub{Host: "a:1", Protocol: model.TCP}, "has no answers"},
		{
			"not a regular expression",
			model.Stub{Host: "a:1", Protocol: model.TCP, Answers: answers, Match: model.StubMatch{Regexp: "("}},
			"regexp of the stub of",
		},
		{
			"reply of Redis that is not JSON",
			model.Stub{Host: "a:1", Protocol: model.Redis, Answers: answers},
			`body "ok" of the stub of "a:1" is not JSON`,
		},
		{
			"unknown fault",
			model.Stub{Host: "a:1", Protocol: model.TCP, Answers: []model.Answer{{Fault: "boom"}}},
			`fault "boom" of the stub of "a:1" is unknown`,
		},
		{
			"fault of another protocol",
			model.Stub{Host: "a:1", Protocol: model.UDP, Answers: []model.Answer{{Fault: model.NetWrongTLS}}},
			`uses udp, which has no fault "wrong-tls"`,
		},
		{
			"status 100",
			model.Stub{Host: "a:1", Protocol: model.HTTP, Answers: []model.Answer{{Status: 100}}},
			"use 200 to 599",
		},
		{"unknown resource", resource("7000/sctp", answers[0]), "is no resource of the environment"},
		{"port with a leading zero", resource("07/tcp", model.Answer{}), "is no resource of the environment"},
		{"a body of a port", resource("7/tcp", answers[0]), "only the hostname and the interfaces"},
		{"no name", resource("hostname", model.Answer{}), "is no name of at most 64 bytes"},
		{"no interfaces", resource("interfaces", model.Answer{}), "needs a body"},
		{
			"an interface without a length",
			resource("interfaces", model.Answer{Body: "eth0 10.0.0.2"}),
			`the line "eth0 10.0.0.2" of a stub of the interfaces`,
		},
		{"a name in use", resource("hostname", model.Answer{Fault: model.NetAddressInUse}), "cannot have"},
		{"a status of a port", resource("7/tcp", model.Answer{Status: 500}), "has a body, or a fault"},
		{"a slow hostname", resource("hostname", model.Answer{Body: "a", Latency: 5}), "has a body, or a fault"},
		{"space for other faults", resource("./a", model.Answer{Fault: model.NetIOError, After: 5}), "only the fault no-space has"},
		{
			"a match of the environment",
			model.Stub{Host: "7/tcp", Protocol: model.Environment, Answers: []model.Answer{{}}, Match: model.StubMatch{Nth: 1}},
			"has a match",
		},
		{
			"negative latency in the last answer",
			model.Stub{Host: "a:1", Protocol: model.TCP, Answers: answers, Else: &model.Answer{Latency: -1}},
			"negative",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.stub.Validate()
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want one line with %q", err, tt.want)
			}
		})
	}
}

// Each fault belongs to at least one protocol, and the error for an unknown fault lists all faults.
func TestNetFaultsAreListed(t *testing.T) {
	unknown := model.Stub{Host: "a:1", Protocol: model.TCP, Answers: []model.Answer{{Fault: "boom"}}}
	text := unknown.Validate().Error()
	for fault, protocols := range model.NetFaults {
		if len(protocols) == 0 {
			t.Errorf("no protocol has the fault %q", fault)
		}
		if !strings.Contains(text, string(fault)) {
			t.Errorf("%q does not list %q", text, fault)
		}
	}
}

// Content returns the data set by WithContent, whether it is UTF-8 or not.
func TestAnswerContent(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		data := rapid.SliceOf(rapid.Byte()).Draw(rt, "data")
		a := model.Answer{Status: 201, Body: "before", Bytes: []byte("before")}.WithContent(data)
		if !bytes.Equal(a.Content(), data) || a.Status != 201 {
			rt.Fatalf("got %q with status %d, want %q", a.Content(), a.Status, data)
		}
	})
}

func TestReplaces(t *testing.T) {
	stub := model.Stub{Host: "a:1", Protocol: model.HTTP, Match: model.StubMatch{Method: "GET", Path: "/x"}}
	tests := map[string]struct {
		change func(*model.Stub)
		want   bool
	}{
		"the same messages":    {func(s *model.Stub) { s.Answers = []model.Answer{{Status: 500}} }, true},
		"another body":         {func(s *model.Stub) { s.Match.JSON = "{}" }, true},
		"TCP at the same port": {func(s *model.Stub) { s.Protocol = model.TCP }, true},
		"another method":       {func(s *model.Stub) { s.Match.Method = "POST" }, false},
		"another path":         {func(s *model.Stub) { s.Match.Path = "/y" }, false},
		"another host":         {func(s *model.Stub) { s.Host = "b:1" }, false},
		"another direction":    {func(s *model.Stub) { s.Inward = true }, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			other := stub
			tt.change(&other)
			if got := other.Replaces(stub); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

// A stub for a command of a database only replaces a stub for the same command.
func TestReplacesCommand(t *testing.T) {
	stub := func(json string) model.Stub {
		return model.Stub{Host: "a:1", Protocol: model.Redis, Match: model.StubMatch{JSON: json}}
	}
	get := stub(`{"command":"GET","1":"a"}`)
	if !stub(`{"1":"b","command":"GET"}`).Replaces(get) || stub(`{"command":"SET","1":"a"}`).Replaces(get) || stub("").Replaces(get) {
		t.Error("a stub of GET is not replaced by those of GET alone")
	}
}

// AllAnswers does not modify the stub's Answers.
func TestAllAnswers(t *testing.T) {
	answers := make([]model.Answer, 1, 4)
	s := model.Stub{Answers: answers, Else: &model.Answer{Status: 503}}
	if got := s.AllAnswers(); len(got) != 2 || got[1].Status != 503 {
		t.Errorf("got %v, want the answer and the last one", got)
	}
	if got := answers[:2][1].Status; got != 0 {
		t.Errorf("the array of the answers was changed: status %d", got)
	}
}

// A host has the same key in a stub, in a contact and in a summary. The key of an HTTP host has the
// protocol TCP.
func TestHostKey(t *testing.T) {
	stub := model.Stub{Host: "a:1", Protocol: model.HTTP}.HostKey()
	contact := model.Contact{Host: "a:1", Protocol: model.TCP}.HostKey()
	summary := model.HostSummary{Host: "a:1", Protocol: model.TCP}.HostKey()
	if stub != contact || contact != summary {
		t.Errorf("got the keys %v, %v and %v, want one", stub, contact, summary)
	}
	for _, other := range []model.Contact{
		{Host: "a:1", Protocol: model.UDP},
		{Host: "a:1", Protocol: model.TCP, Inward: true},
		{Host: "a:2", Protocol: model.TCP},
	} {
		if other.HostKey() == stub {
			t.Errorf("%+v has the key of another host", other)
		}
	}
}

func TestStubAnswer(t *testing.T) {
	stub := &model.Stub{Answers: []model.Answer{{Status: 200}}, Else: &model.Answer{Status: 503}}
	contact := func(by *model.Stub, answer int) model.HostContact {
		return model.HostContact{Contact: model.Contact{Answer: answer}, AnsweredBy: by}
	}
	tests := []struct {
		name    string
		contact model.HostContact
		want    *model.Answer
	}{
		{"the first", contact(stub, 0), &stub.Answers[0]},
		{"after the last", contact(stub, 1), stub.Else},
		{"after the last, without Else", contact(&model.Stub{Answers: stub.Answers}, 1), nil},
		{"none", contact(stub, -1), nil},
		{"no stub", contact(nil, 0), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.contact.StubAnswer(); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestTestParts(t *testing.T) {
	test := model.Test{Calls: []model.Call{{Op: "POST /a"}, {Op: "GET /a/{id}"}}}
	if got, want := test.Seq(), (model.Seq{"POST /a", "GET /a/{id}"}); !slices.Equal(got, want) {
		t.Errorf("got the seq %v, want %v", got, want)
	}
	for _, tt := range []struct {
		link model.Link
		want bool
	}{
		{model.Link{From: 0, To: 1, In: model.InPath, Name: "id"}, true},
		{model.Link{Header: "Location"}, false},
		{model.Link{Pointer: model.WholeBody}, false},
		{model.Link{Param: "id"}, false},
	} {
		if got := tt.link.IsOpen(); got != tt.want {
			t.Errorf("%+v: got %t, want %t", tt.link, got, tt.want)
		}
	}
}

// FilePattern replaces UUIDs and words with digits by "*", because they differ from test to test.
func TestFilePattern(t *testing.T) {
	for file, want := range map[string]string{
		"./orders/17.json": "./orders/*.json", "./a/7d444840-9dc0-11d1-b245-5ffdce74fad2": "./a/*", "/srv/x": "/srv/x",
		"7000/tcp": "7000/tcp",
		"./7d444840-9dc0-11d1-b245-5ffdce74fad217": "./*", "./../a1b": "./../*",
	} {
		if got := model.FilePattern(file); got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
}
