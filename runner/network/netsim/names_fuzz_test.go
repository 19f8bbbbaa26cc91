package netsim

import (
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"sonde/model"
)

// FuzzQuestion sends any message to the DNS server, with any records in the stubs. Each answer is a
// valid DNS message.
func FuzzQuestion(f *testing.F) {
	q := dnsmessage.Message{
		Header: dnsmessage.Header{ID: 1},
		Questions: []dnsmessage.Question{
			{Name: dnsmessage.MustNewName("a.example."), Type: dnsmessage.TypeMX, Class: dnsmessage.ClassINET},
		},
	}
	packed, err := q.Pack()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed, "MX", "10 mx.example")
	f.Add(packed, "mx", "x y")
	f.Add(packed, "A", "::1")
	f.Add(packed, "SRV", "1 2 99999999 ..")
	f.Add([]byte{0, 1}, "TXT", "")
	n, err := New(Options{ResolveAnyName: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { n.Close() })
	f.Fuzz(func(t *testing.T, question []byte, kind, value string) {
		stub := model.Stub{
			Host:     "a.example",
			Protocol: model.DNS,
			Answers:  []model.Answer{{Records: []model.DNSRecord{{Type: kind, Value: value}}}},
		}
		if err := n.BeginTest([]model.Stub{stub}); err != nil {
			t.Fatal(err)
		}
		var m dnsmessage.Message
		if says := n.resolve(question); says != nil && (m.Unpack(says) != nil || !m.Response) {
			t.Errorf("%x", says)
		}
		n.EndTest()
	})
}
