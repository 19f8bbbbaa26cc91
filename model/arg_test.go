package model

import "testing"

func TestArg(t *testing.T) {
	for _, c := range []struct {
		name                       string
		arg                        Arg
		sent, lead, own, withSlash string
	}{
		{"plain", Arg{In: InPath, Name: "id", Value: "a b"}, "a%20b", "", "a b", "x%2Fy"},
		{"an id that looks like a style", Arg{In: InPath, Name: "id", Value: ";id=a,b"}, "%3Bid=a%2Cb", "", ";id=a,b", "x%2Fy"},
		{"an id with a dot", Arg{In: InPath, Name: "id", Value: ".a"}, ".a", "", ".a", "x%2Fy"},
		{"dots", Arg{In: InPath, Name: "id", Value: ".."}, "%2E%2E", "", "..", "x%2Fy"},
		{"matrix", Arg{In: InPath, Name: "id", Value: ";id=a%2Cb", Escaped: true}, ";id=a%2Cb", ";id=", "a,b", ";id=x%2Fy"},
		{
			"an odd name in the matrix style",
			Arg{In: InPath, Name: "i d", Value: ";i%20d=a", Escaped: true},
			";i%20d=a", ";i%20d=", "a", ";i%20d=x%2Fy",
		},
		{"another's matrix", Arg{In: InPath, Name: "id", Value: ";x=1;y=2", Escaped: true}, ";x=1;y=2", "", ";x=1;y=2", "x%2Fy"},
		{"label", Arg{In: InPath, Name: "id", Value: ".a", Escaped: true}, ".a", ".", "a", ".x%2Fy"},
		{"a list", Arg{In: InPath, Name: "id", Value: "a%2Cb,c", Escaped: true}, "a%2Cb,c", "", "a,b,c", "x%2Fy"},
		{"query", Arg{In: InQuery, Name: "q", Value: "a,b +"}, "a%2Cb%20%2B", "", "a,b +", "x%2Fy"},
		{"a list in the query", Arg{In: InQuery, Name: "q", Value: ".a,b", Escaped: true}, ".a,b", "", ".a,b", "x%2Fy"},
	} {
		if got := c.arg.Encoded(); got != c.sent {
			t.Errorf("%s: sent %q, want %q", c.name, got, c.sent)
		}
		if got := c.arg.Prefix(); got != c.lead {
			t.Errorf("%s: lead %q, want %q", c.name, got, c.lead)
		}
		if got := c.arg.PlainValue(); got != c.own {
			t.Errorf("%s: own %q, want %q", c.name, got, c.own)
		}
		with := c.arg.WithValue("x/y")
		if got := with.Encoded(); got != c.withSlash || with.PlainValue() != "x/y" {
			t.Errorf("%s: with another %q, want %q; its own %q", c.name, got, c.withSlash, with.PlainValue())
		}
	}
}
