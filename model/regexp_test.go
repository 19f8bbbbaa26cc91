package model

import "testing"

func TestCheckRegexp(t *testing.T) {
	for text, want := range map[string]string{
		"":      "",
		"a|b+":  "",
		"\n(":   `"\n(" is not a regular expression: missing closing ) in "\n("`,
		"^(?:*": `"^(?:*" is not a regular expression: missing argument to repetition operator in "*"`,
	} {
		got := ""
		if err := CheckRegexp(text); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
