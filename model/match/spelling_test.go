package match

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSpelling compares the parts of a spelling with the functions that compute them from a name.
func TestSpelling(t *testing.T) {
	names := rapid.OneOf(
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.SampledFrom([]string{"id", "Id", "user", "Orders", "_", "-", "name", "é", "2"})),
			func(parts []string) string { return strings.Join(parts, "") }),
	)
	rapid.Check(t, func(rt *rapid.T) {
		name := names.Draw(rt, "name")
		s := newSpelling(name)
		if s.plain != plainName(name) || strings.Join(s.words, " ") != strings.Join(words(name), " ") || s.kind != kindOfName(name) {
			rt.Fatalf("the spelling of %q is %+v", name, s)
		}
		for from := range s.parts {
			for to := from; to <= len(s.parts); to++ {
				if got, want := s.phrase(from, to), strings.Join(s.parts[from:to], ""); got != want {
					rt.Fatalf("phrase(%d, %d) of %q is %q, want %q", from, to, s.parts, got, want)
				}
			}
		}
	})
}

func TestSpellingParts(t *testing.T) {
	for name, want := range map[string]string{
		"id":           "id",
		"idProducts":   "product id",
		"userIds":      "user id",
		"shoppingCart": "shopping cart",
		"--":           "",
	} {
		if got := strings.Join(newSpelling(name).parts, " "); got != want {
			t.Errorf("the parts of %q are %q, want %q", name, got, want)
		}
	}
}

func TestMayRefer(t *testing.T) {
	for name, want := range map[string]bool{
		"customerId": true, "customerName": true, "externalOrderId": true,
		"externalId": false, "id": false, "customer": false, "tax_code": false,
	} {
		if got := newSpelling(name).mayRefer(); got != want {
			t.Errorf("mayRefer of %q = %v, want %v", name, got, want)
		}
	}
}
