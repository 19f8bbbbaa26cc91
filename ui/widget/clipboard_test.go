package widget

import (
	"strings"
	"testing"
)

// An escape sequence makes the terminal copy the text to the user's clipboard, even if Sonde runs on
// another machine or in tmux or screen.
func TestByTerminal(t *testing.T) {
	for env, want := range map[string]string{
		"":     "\x1b]52;c;Y3VybA==\x07",
		"TMUX": "\x1bPtmux;\x1b\x1b]52;c;Y3VybA==\x07\x1b\\",
		"STY":  "\x1bP\x1b]52;c;Y3VybA==\x07\x1b\\",
	} {
		t.Setenv("TMUX", "")
		t.Setenv("STY", "")
		if env != "" {
			t.Setenv(env, "x")
		}
		var b strings.Builder
		if err := byTerminal("curl", &b); err != nil || b.String() != want {
			t.Errorf("%s: got %q, %v; want %q", env, b.String(), err, want)
		}
	}
}
