package record

import (
	"encoding/json"
	"strings"
	"testing"

	"sonde/assets/probe/sondevalue"
)

// Secrets in the values of an invocation are masked by the names of fields, headers and keys, and by their form. The same
// secret gets the same pseudonym everywhere.
func TestMaskInvocation(t *testing.T) {
	const secret, password = "4f9c2a77e1b0d35586aa", "correct-horse-battery"
	text := func(s string) sondevalue.Value { return sondevalue.Value{Kind: sondevalue.String, Text: s} }
	field := func(name string, v sondevalue.Value) sondevalue.Field { return sondevalue.Field{Name: name, Value: v} }
	i := sondevalue.Invocation{
		Before: sondevalue.State{
			Receiver: &sondevalue.Value{
				Kind: sondevalue.Struct, Fields: []sondevalue.Field{field("APIToken", text(secret)), field("Name", text("alice"))},
			},
			Args: []sondevalue.Value{{Kind: sondevalue.Request, Fields: []sondevalue.Field{
				field("Header", sondevalue.Value{Kind: sondevalue.MapRef, Ref: 1}),
				field("URL", sondevalue.Value{Kind: sondevalue.Pointer, Ref: 3}),
			}, Bytes: []byte(`{"password": "` + password + `"}`)}},
			Objects: map[int]sondevalue.Value{
				1: {Kind: sondevalue.Map, Entries: []sondevalue.Entry{
					{Key: text("Authorization"), Value: sondevalue.Value{Kind: sondevalue.Slice, Ref: 2}},
				}},
				2: {Kind: sondevalue.List, Elems: []sondevalue.Value{text("Bearer " + secret)}},
				3: {Kind: sondevalue.Struct, Fields: []sondevalue.Field{field("RawQuery", text("a=b&access_token="+secret))}},
			},
		},
		Results: []sondevalue.Value{{Kind: sondevalue.Error, Text: "refused: token=" + secret}},
		Calls: []sondevalue.Call{{
			Args:    []sondevalue.Value{text(secret)},
			Results: []sondevalue.Value{text("mail to alice@example.org")},
			Written: map[int]sondevalue.Value{
				4: {Kind: sondevalue.Map, Entries: []sondevalue.Entry{{Key: text("password"), Value: text(password)}}},
			},
		}},
	}
	m := &Monitor{masker: newMasker(Masks{})}
	m.MaskInvocation(&i)
	data, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	all := string(data) + string(i.Before.Args[0].Bytes)
	for _, leaked := range []string{secret, password, "alice@example.org"} {
		if strings.Contains(all, leaked) {
			t.Errorf("%q is in %s", leaked, all)
		}
	}
	if !strings.Contains(all, `"alice"`) {
		t.Errorf("a name is masked: %s", all)
	}
	if got := i.Calls[0].Args[0].Text; "Bearer "+got != i.Before.Objects[2].Elems[0].Text || got != i.Before.Receiver.Fields[0].Value.Text {
		t.Errorf("got %q and %q", got, i.Before.Objects[2].Elems[0].Text)
	}
}
