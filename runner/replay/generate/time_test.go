package generate

import "testing"

func TestIsSameTime(t *testing.T) {
	const postgres = "2026-11-29 18:20:16.123456+00"
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{postgres, "2026-11-29T18:20:16.123456Z", true},
		{postgres, "2026-11-29T19:20:16.123456+01:00", true},
		{"2026-11-29 23:50:16.123456+05:30", "2026-11-29T18:20:16.123456Z", true},
		{postgres, "2026-11-29T18:20:16.123457Z", false},
		{postgres, "2026-11-29T18:20:16.123456+01:00", false},
		{"2026-11-29 18:20:16+00", "2026-11-29T18:20:16Z", false},
		{postgres, "a text", false},
		{"", "", false},
	} {
		a, b := leaf{value: c.a}, leaf{value: c.b}
		if isSameTime(a, b) != c.want || isSameTime(b, a) != c.want {
			t.Errorf("%q and %q: got %v", c.a, c.b, !c.want)
		}
	}
}
