package export

import "testing"

func TestCoverageComment(t *testing.T) {
	targets := map[string][]string{
		"few": {
			"example.com/shop/api/a.go:3:1 statement",
			"example.com/shop/api/a.go:3:7 true",
			"example.com/shop/b.go:12:2 case #2",
		},
		"many": {
			"m/a.go:1:1 true", "m/a.go:2:1 true", "m/a.go:3:1 true", "m/a.go:4:1 true", "m/a.go:5:1 true",
			"m/a.go:6:1 true", "m/a.go:7:1 true",
		},
		"odd": {"GET /a 200"},
	}
	for test, want := range map[string]string{
		"few":  "//\n// It covers a.go:3, b.go:12.\n",
		"many": "//\n// It covers a.go:1, a.go:2, a.go:3, a.go:4, a.go:5 and 2 more.\n",
		"odd":  "", "none": "",
	} {
		if got := coverageComment(targets[test]); got != want {
			t.Errorf("%s: %q, want %q", test, got, want)
		}
	}
}
