package gene

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sonde/model"
)

// of returns a gene of a type and format with a value.
func of(t *testing.T, typ, format, text string) Gene {
	t.Helper()
	g := New(&model.Schema{Type: typ, Format: format})
	if !AssignText(g, text) {
		t.Fatalf("%s %s does not accept %s", typ, format, text)
	}
	return g
}

// Combine gives a scalar only the values that related inputs often have.
func TestCombine(t *testing.T) {
	whole := func(text string) Gene { return of(t, "integer", "int32", text) }
	fraction := func(text string) Gene { return of(t, "number", "", text) }
	date := func(text string) Gene { return of(t, "string", "date", text) }
	at := func(text string) Gene { return of(t, "string", "date-time", text) }
	text := of(t, "string", "", "x")
	limit := 50.0
	for _, c := range []struct {
		name    string
		g, a, b Gene
		want    []string // sorted
	}{
		{"numbers", whole("0"), whole("30"), whole("12"), []string{"18", "360", "42", "70"}},
		{"fractions", fraction("9"), fraction("0.1"), fraction("0.2"), []string{"-0.1", "0.02", "0.3", "0.9"}},
		{"a fraction for a whole number", whole("9"), fraction("0.5"), fraction("0.25"), nil},
		{"beyond the bounds", New(&model.Schema{Type: "integer", Max: &limit}), whole("90"), whole("80"), []string{"10"}},
		{"days between", whole("0"), date("2026-03-01"), at("2026-02-27T00:00:00Z"), []string{"2"}},
		{"a number and a date", whole("0"), whole("3"), date("2026-03-01"), nil},
		{"a date and days", date("2000-01-01"), date("2026-03-01"), whole("3"), []string{"2026-02-26", "2026-03-04"}},
		{"a date and a span", date("2000-01-01"), date("2026-03-01"), text, []string{
			"2025-03-01", "2025-12-01", "2026-01-29", "2026-01-30", "2026-02-01", "2026-02-22", "2026-02-28", "2026-03-02", "2026-03-08",
			"2026-03-29", "2026-03-31", "2026-04-01", "2026-05-30", "2027-03-01",
		}},
		{"a time and hours", at("2000-01-01T00:00:00Z"), at("2026-03-01T10:00:00Z"), whole("2"), []string{
			"2026-02-27T10:00:00Z", "2026-03-01T08:00:00Z", "2026-03-01T12:00:00Z", "2026-03-03T10:00:00Z",
		}},
		{"a text", text, whole("1"), whole("2"), nil},
		{"of texts", whole("1"), text, text, nil},
		{"a date of texts", date("2000-01-01"), text, whole("1"), nil},
		{"an invalid date", date("2000-01-01"), date("2026-02-30"), whole("1"), nil},
		{"too many days", date("2000-01-01"), date("2026-03-01"), whole("2000000"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, before := rand.New(rand.NewPCG(1, 0)), Text(c.g)
			var got []string
			for range 500 {
				g := c.g.Clone()
				changed := Combine(r, g, c.a, c.b)
				if now := Text(g); changed != (now != before) {
					t.Fatalf("changed %v: %s to %s", changed, before, now)
				}
				if changed {
					got = append(got, Text(g))
				}
			}
			slices.Sort(got)
			got = slices.Compact(got)
			if c.name == "too many days" { // the number is too large for a number of days
				if len(got) != 2*len(spans) {
					t.Errorf("got %q, want the usual spans", got)
				}
				return
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
