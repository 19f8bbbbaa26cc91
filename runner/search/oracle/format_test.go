package oracle

import "testing"

// The formats of requests are strict, because a service may refuse what a reader of answers accepts.
func TestFormatsOfRequests(t *testing.T) {
	for _, c := range []struct {
		format, text string
		want         bool
	}{
		{"date-time", "2026-05-31T10:00:00.123+02:00", true},
		{"date-time", "2026-05-31t10:00:00z", true},
		{"date-time", "2026-06-30T23:59:60Z", true},
		{"date-time", "2026-06-30T15:59:60-08:00", true},
		{"date-time", "2026-05-31T09:54:60Z", false},
		{"date-time", "2026-06-30T23:60:59Z", false},
		{"date-time", "2026-06-30T9:00:00Z", false},
		{"date-time", "2026-06-30T10:00:00,5Z", false},
		{"date-time", "2026-05-31T10:00:00", false},
		{"date-time", "2026-05-31 10:00:00Z", false},
		{"uri", "https://example.com/a?b", true},
		{"uri", "urn:isbn:0451450523", true},
		{"uri", "GE8mrVB9SJLdB", false},
		{"uri", "http://exa mple.com", false},
		{"date", "2026-02-30", false},
		{"uuid", "17", false},
		{"iban", "17", true},
	} {
		if got := keepsFormat(c.format, c.text); got != c.want {
			t.Errorf("%s %q: got %t, want %t", c.format, c.text, got, c.want)
		}
	}
}
