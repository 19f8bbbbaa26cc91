package hostmodel

import (
	"net/netip"
	"strings"
	"testing"

	"sonde/model"
)

// The answer to a lookup of addresses has none, one or several addresses of both families, or a fault. Answers may differ from lookup
// to lookup. Two names have different public addresses.
func TestAddresses(t *testing.T) {
	w := &Hosts{}
	lookup := model.Contact{Kind: model.ContactLookup, Protocol: model.DNS, Host: "a.example", Data: []byte("host")}
	w.ObserveContacts(played, []model.Contact{lookup})
	r, seen := chance(), map[string]bool{}
	for range 300 {
		for _, s := range w.SampleStubs(r, []model.OpID{pay}) {
			out := s.LiteralStub()
			if err := out.Validate(); err != nil {
				t.Fatal(err)
			}
			seen["changes"] = seen["changes"] || len(out.Answers) > 1 && out.Repeat
			for _, a := range out.Answers {
				seen[string(a.Fault)] = true
				if a.Fault == "" {
					seen["none"] = seen["none"] || len(a.Records) == 0
					seen["several"] = seen["several"] || len(a.Records) > 1
				}
				for _, record := range a.Records {
					addr, err := netip.ParseAddr(record.Value)
					if err != nil || addr.Is6() != (record.Type == "AAAA") {
						t.Fatalf("%+v: error %v", record, err)
					}
					seen[record.Type] = true
					seen["private"] = seen["private"] || addr.IsPrivate()
				}
			}
		}
	}
	for _, want := range []string{"none", "several", "changes", "A", "AAAA", "private", "nxdomain", "timeout", "servfail"} {
		if !seen[want] {
			t.Errorf("there is no answer with %s: %v", want, seen)
		}
	}
	if a, b := addressesOf("a.example").Enum[0], addressesOf("b.example").Enum[0]; a == b {
		t.Errorf("both names have %v", a)
	}
}

// Records are of the type that was looked up, in the form of a zone file.
func TestRecords(t *testing.T) {
	for kind, want := range map[string]struct {
		record string
		words  int
	}{"mx": {"MX", 2}, "srv": {"SRV", 4}, "ns": {"NS", 1}, "ptr": {"PTR", 1}, "cname": {"CNAME", 1}} {
		w := &Hosts{}
		c := model.Contact{Kind: model.ContactLookup, Protocol: model.DNS, Host: "a.example", Data: []byte(kind)}
		w.ObserveContacts(played, []model.Contact{c})
		r, most := chance(), 0
		for range 100 {
			for _, s := range w.SampleStubs(r, []model.OpID{pay}) {
				for _, a := range s.LiteralStub().Answers {
					most = max(most, len(a.Records))
					for _, record := range a.Records {
						if record.Type != want.record || len(strings.Fields(record.Value)) != want.words {
							t.Fatalf("%s: %+v", kind, record)
						}
					}
				}
			}
		}
		if most == 0 || (most > 1) == (kind == "cname") {
			t.Errorf("%s: up to %d records", kind, most)
		}
	}
}
