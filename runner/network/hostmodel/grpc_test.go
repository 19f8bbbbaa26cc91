package hostmodel

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"sonde/assets/wire"
	"sonde/model"
	"sonde/runner/search/gene"
)

const (
	track  = "/carrier.v2.Carrier/Track"
	events = "/carrier.v2.Carrier/Events"
)

// carrier returns a Hosts that knows one host of gRPC. The source of the service has clients for two methods of this
// host, and the service has called the methods with these paths.
func carrier(paths ...string) *Hosts {
	state := &model.Schema{Type: "integer", Enum: []any{0.0, 3.0, 17.0}}
	state.Protobuf = &model.ProtobufField{Number: 2, Wire: model.Varint}
	parcel := &model.Schema{Type: "object", Closed: true, Properties: []model.Property{{Name: "state", Schema: state}}}
	format, most := model.Format{Encoding: model.GRPCEncoding}, 3
	h := &Hosts{Vocabulary: Vocabulary{StatusCodes: []int{6}, Methods: map[string]*Document{
		track:  {Format: format, Schema: parcel},
		events: {Format: format, Schema: &model.Schema{Type: "array", MaxItems: &most, Items: parcel}},
	}}}
	for _, path := range paths {
		h.ObserveContacts(played, []model.Contact{call(path)})
	}
	return h
}

func call(path string) model.Contact {
	c := httpContact("carrier.example:50051", "POST", path, `{"1":"x"}`)
	c.Request.Header = map[string][]string{"Content-Type": {"application/grpc"}}
	return c
}

// callAnswers samples the stubs of many tests, and returns the answers of the stubs of a path.
func callAnswers(t *testing.T, h *Hosts, path string) (all []model.Answer) {
	t.Helper()
	r := chance()
	for range 1000 {
		for _, s := range h.SampleStubs(r, []model.OpID{pay}) {
			if s := s.LiteralStub(); s.Match.Path == path {
				if err := s.Validate(); err != nil {
					t.Fatal(err)
				}
				all = append(all, s.Answers...)
			}
		}
	}
	return all
}

// A host of gRPC answers a method with messages that have the schema of the method, and with a status. Answers without messages have
// the status in the header.
func TestGRPCAnswers(t *testing.T) {
	h := carrier(track, events)
	for _, path := range []string{track, events} {
		labels, states, lengths := map[string]int{}, map[string]int{}, map[int]int{}
		for _, a := range callAnswers(t, h, path) {
			labels[a.Label(model.HTTP)]++
			if a.Fault != "" || a.Status != 0 {
				continue
			}
			if _, ok := wire.GRPCFromJSON([]byte(a.Body)); !ok && a.Body != "" {
				t.Fatalf("body %s", a.Body)
			}
			inHeader := a.Header["Grpc-Status"] != nil
			if inHeader == (a.Body != "") && a.Label(model.HTTP) != model.GRPCUnknown {
				t.Errorf("body %q with header %v and trailer %v", a.Body, a.Header, a.Trailer)
			}
			var message map[string]json.Number
			var list []map[string]json.Number
			if json.Unmarshal([]byte(a.Body), &message) == nil {
				states[message["2"].String()]++
			} else if json.Unmarshal([]byte(a.Body), &list) == nil {
				lengths[len(list)]++
			}
		}
		for _, want := range []string{"200", "grpc 5", "grpc 6", "grpc 14", model.GRPCUnknown, "503", "reset", "cut", "slow", "mute"} {
			if labels[want] == 0 {
				t.Errorf("%s: no answer %q: %v", path, want, labels)
			}
		}
		if path == track && (labels["grpc 6"] < 2*labels["grpc 5"] || len(states) != 4 || states["17"] < states[""]/4) {
			t.Errorf("answers %v with states %v", labels, states)
		}
		if path == events && len(lengths) < 3 {
			t.Errorf("lengths of streams: %v", lengths)
		}
	}
}

// A host of gRPC exists in each test that uses it, and accepts connections: the last stub answers all methods that have no stub of
// their own.
func TestGRPCHostExists(t *testing.T) {
	h, r := carrier(track), chance()
	lookup := model.Contact{Kind: model.ContactLookup, Protocol: model.DNS, Host: "carrier.example", Data: []byte("host")}
	h.ObserveContacts(played, []model.Contact{lookup})
	for range 200 {
		all := h.SampleStubs(r, []model.OpID{pay})
		for range 5 {
			all, _ = h.MutateStubs(r, all, []model.OpID{pay}, gene.Pace{})
		}
		last := len(all) - 1
		if last < 0 {
			t.Fatal("there are no stubs")
		}
		for i, s := range all {
			s := s.LiteralStub()
			wide := s.Match.Path == "" && s.Match.Method == "POST"
			if wide != (i == last) || s.Protocol != model.HTTP || wide && s.Answers[0].Fault != "" {
				t.Fatalf("stub %d of %d: %+v", i+1, last+1, s)
			}
		}
	}
}

// The reply to a method without a client in the source is empty, or is a reply of another method.
func TestGRPCMethodWithoutClient(t *testing.T) {
	bodies := map[string]int{}
	for _, a := range callAnswers(t, carrier("/other.v1.Other/Do"), "/other.v1.Other/Do") {
		if a.Label(model.HTTP) == "200" {
			bodies[a.Body]++
		}
	}
	if bodies["{}"] == 0 || bodies[`{"2":3}`] == 0 {
		t.Errorf("bodies %v", bodies)
	}
}

// The values of a gRPC answer are its messages, and the code and message of its status. escapeMessage escapes the message.
func TestGRPCValues(t *testing.T) {
	h, r, names := carrier(track), chance(), map[string]bool{}
	for range 200 {
		for _, s := range h.SampleStubs(r, []model.OpID{pay}) {
			for _, v := range s.StubValues() {
				names[v.Name] = true
			}
		}
	}
	if !names["code"] || !names["message"] || !names[""] {
		t.Errorf("names %v", slices.Sorted(maps.Keys(names)))
	}
	if got := escapeMessage("a%é\n"); got != "a%25%C3%A9%0A" {
		t.Errorf("got %q", got)
	}
}
