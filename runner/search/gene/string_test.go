package gene

import (
	"encoding/base64"
	"math/rand/v2"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestStringsKeepLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &model.Schema{Type: "string", MinLength: rapid.IntRange(0, 30).Draw(t, "min")}
		if rapid.Bool().Draw(t, "bounded") {
			s.MaxLength = new(s.MinLength + rapid.IntRange(0, 30).Draw(t, "more"))
		}
		r := source(rapid.Uint64().Draw(t, "seed"))
		g := sampled(s, r)
		for range 50 {
			if why := broken(s, decode(t, g)); why != "" {
				t.Fatal(why)
			}
			if n := utf8.RuneCountInString(Text(g)); s.MaxLength == nil && n > max(16, s.MinLength) {
				t.Fatalf("%d characters without a bound", n)
			}
			before := Text(g)
			if Mutate(r, []Gene{g}, Pace{}) != (Text(g) != before) {
				t.Fatalf("%q from %q", Text(g), before)
			}
		}
	})
}

func TestStringMoves(t *testing.T) {
	r, g := source(1), New(&model.Schema{Type: "string"})
	seen := map[string]int{}
	for range 300 {
		g.SetValue("abc")
		g.MutateValue(r, Pace{})
		switch got := []rune(Text(g)); {
		case string(got) == "ab":
			seen["drop"]++
		case len(got) == 4 && strings.HasPrefix(string(got), "abc"):
			seen["append"]++
		case len(got) == 3 && differ(got, []rune("abc")) == 1:
			seen["change"]++
		default:
			t.Fatalf("%q from %q", string(got), "abc")
		}
	}
	for _, move := range []string{"drop", "append", "change"} {
		if seen[move] < 50 {
			t.Errorf("%s came %d times of 300", move, seen[move])
		}
	}
}

func differ(a, b []rune) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

func TestLongStringGrowsFromShort(t *testing.T) {
	s := &model.Schema{Type: "string", MaxLength: new(20000)}
	r, g := source(1), New(s)
	for range 100 {
		g.Sample(r)
		if n := utf8.RuneCountInString(Text(g)); n > 16 {
			t.Fatalf("sampled %d characters", n)
		}
	}
	g.SetValue(strings.Repeat("x", 100))
	for range 400 {
		g.MutateValue(r, Pace{})
		if utf8.RuneCountInString(Text(g)) > 100 {
			return
		}
	}
	t.Error("never grew beyond 100 characters")
}

func TestStringImpossible(t *testing.T) {
	cases := []struct {
		name   string
		schema model.Schema
		lo, hi int
	}{
		{"lengths the wrong way round", model.Schema{MinLength: 9, MaxLength: new(3)}, 3, 9},
		{"negative lengths", model.Schema{MinLength: -5, MaxLength: new(-1)}, 0, 0},
		{"endless", model.Schema{MinLength: 1 << 40}, longestString, longestString},
		{"too short for its format", model.Schema{Format: "uuid", MaxLength: new(4)}, 0, 4},
		{"too long for its pattern", model.Schema{Pattern: "^a$", MinLength: 3, MaxLength: new(5)}, 3, 5},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.schema.Type = "string"
			r, g := source(1), New(&c.schema)
			for range 20 {
				g.Sample(r)
				g.MutateValue(r, Pace{})
				if n := utf8.RuneCountInString(Text(g)); n < c.lo || n > c.hi {
					t.Fatalf("%d characters, want %d to %d", n, c.lo, c.hi)
				}
			}
		})
	}
}

func TestFormats(t *testing.T) {
	matches := func(expr string) func(string) bool { return regexp.MustCompile(expr).MatchString }
	cases := []struct {
		format string
		valid  func(string) bool
	}{
		{"uuid", matches(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)},
		{"uri", func(s string) bool { u, err := url.Parse(s); return err == nil && u.IsAbs() && u.Host != "" }},
		{"email", func(s string) bool { a, err := mail.ParseAddress(s); return err == nil && a.Address == s }},
		{"hostname", matches(`^[a-z]+\.example$`)},
		{"ipv4", func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() }},
		{"ipv6", func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() }},
		{"byte", func(s string) bool { _, err := base64.StdEncoding.DecodeString(s); return err == nil }},
		{"int64", matches(`^\d{1,19}$`)},
		{"duration", matches(`^P\d+DT\d+H\d+M$`)},
		{"date-time-rfc1123", func(s string) bool { _, err := time.Parse(http.TimeFormat, s); return err == nil }},
		{"binary", utf8.ValidString},
		{"password", func(s string) bool { return utf8.RuneCountInString(s) <= 16 }},
		{"date", matches(`^\d{4}-\d\d-\d\d$`)},
		{"time", matches(`^\d\d:\d\d:\d\dZ$`)},
		{"date-time", matches(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)},
	}
	for _, c := range cases {
		t.Run(c.format, func(t *testing.T) {
			got := values(&model.Schema{Type: "string", Format: c.format}, 200)
			if len(got) < 100 {
				t.Errorf("only %d values in 200 samples", len(got))
			}
			for v := range got {
				if !c.valid(v) {
					t.Errorf("%q is not valid", v)
				}
			}
		})
	}
}

func TestMutationMostlyKeepsFormat(t *testing.T) {
	r, g := source(1), sampled(&model.Schema{Type: "string", Format: "ipv4"}, source(1))
	valid := 0
	for range 200 {
		before := Text(g)
		if !g.MutateValue(r, Pace{}) || Text(g) == before {
			t.Fatalf("%q did not change", before)
		}
		if _, err := netip.ParseAddr(Text(g)); err == nil {
			valid++
		}
	}
	if valid < 150 || valid == 200 {
		t.Errorf("%d of 200 mutants are valid, want most, not all", valid)
	}
}

func TestBase64Length(t *testing.T) {
	s := &model.Schema{Type: "string", Format: "byte", MinLength: 5, MaxLength: new(12)}
	r, g := source(1), New(s)
	for range 100 {
		g.Sample(r)
		Mutate(r, []Gene{g}, Pace{})
		if n := len(Text(g)); n < 5 || n > 12 {
			t.Fatalf("%q has %d characters", Text(g), n)
		}
	}
	if !g.SetValue("aGVsbG8=") || Text(g) != "aGVsbG8=" {
		t.Errorf("got %q of %q", Text(g), "aGVsbG8=")
	}
	if g.SetValue("?") {
		t.Errorf("%q was taken", "?")
	}
}

// If a schema has no maximum length, a string may be longer than sampled strings: it may be an example, or a value of
// an answer.
func TestLongTextsAreAccepted(t *testing.T) {
	long, most := strings.Repeat("x", 300), 20
	for _, c := range []struct {
		schema model.Schema
		want   bool
	}{
		{model.Schema{Type: "string"}, true},
		{model.Schema{Type: "string", MinLength: 301}, false},
		{model.Schema{Type: "string", MaxLength: &most}, false},
		{model.Schema{Type: "string", Pattern: "^x+$"}, true},
		{model.Schema{Type: "string", Pattern: "^y+$"}, false},
	} {
		g := New(&c.schema)
		g.Sample(rand.New(rand.NewPCG(1, 2)))
		if got := g.SetValue(long); got != c.want || got && Text(g) != long {
			t.Errorf("%+v accepts a long text: %t, want %t", c.schema, got, c.want)
		}
	}
}
