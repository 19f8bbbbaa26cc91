package tty

import (
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// patience is the maximum time that a program may take to show something.
const patience = 20 * time.Second

// startShell runs a script in a terminal of 40 by 6 cells.
func startShell(t *testing.T, script string) *Session {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no pseudo-terminals of this kind")
	}
	if testing.Short() {
		t.Skip("it starts a program in a terminal")
	}
	s, err := Start(exec.Command("sh", "-c", script), 40, 6)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// waitFor fails the test if the screen does not show a text.
func waitFor(t *testing.T, s *Session, text string) {
	t.Helper()
	if err := s.WaitFor(text, patience); err != nil {
		t.Fatal(err)
	}
}

func TestSessionTypesAndReturnsTheExitCode(t *testing.T) {
	s := startShell(t, `echo "$TERM $COLUMNS×$LINES"; read -r line; echo "got [$line]  "; exit 3`)
	waitFor(t, s, "xterm-256color 40×6")
	if err := s.Type("a ▸ b\r"); err != nil {
		t.Fatal(err)
	}
	if code, err := s.Wait(patience); code != 3 || err != nil {
		t.Errorf("exit code %d, error %v, want 3", code, err)
	}
	want := []string{"xterm-256color 40×6", "a ▸ b", "got [a ▸ b]", "", "", ""}
	if got := s.Lines(); !slices.Equal(got, want) {
		t.Errorf("lines %q, want %q", got, want)
	}
}

func TestSessionOfAProgramThatSucceeds(t *testing.T) {
	s := startShell(t, "exit 0")
	if code, err := s.Wait(patience); code != 0 || err != nil {
		t.Errorf("exit code %d, error %v", code, err)
	}
}

// A program that waits for the terminal's background colour gets an answer.
func TestSessionAnswersTheBackgroundRequest(t *testing.T) {
	s := startShell(t, `stty -icanon -echo; printf '\033]11;?\033\\'; dd bs=1 count=25 2>/dev/null | tr '\033' E`)
	waitFor(t, s, `E]11;rgb:1616/1818/1d1dE\`)
}

func TestResize(t *testing.T) {
	s := startShell(t, `trap 'signal=yes' WINCH; echo ready; read -r line; echo "$(stty size) signal $signal"`)
	waitFor(t, s, "ready")
	if err := s.Resize(52, 9); err != nil {
		t.Fatal(err)
	}
	if err := s.Type("\r"); err != nil {
		t.Fatal(err)
	}
	waitFor(t, s, "9 52 signal yes")
	if got := len(s.Lines()); got != 9 {
		t.Errorf("the screen has %d lines, want 9", got)
	}
}

// The error of a wait names the condition and shows the screen.
func TestWaitingFails(t *testing.T) {
	s := startShell(t, "echo ready; cat")
	waitFor(t, s, "ready")
	never := func(string) bool { return false }
	_, stillRunning := s.Wait(0)
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"WaitFor": {s.WaitFor("goal", 0), `waited 0s for "goal"; the screen shows` + "\nready"},
		"Until":   {s.Until("two lines", 0, never), "waited 0s for two lines; the screen shows\nready"},
		"Wait":    {stillRunning, "still running after 0s; the screen shows\nready"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, c.err, c.want)
		}
	}
}

// Kill also ends a child that does not end when the terminal hangs up.
func TestKillEndsTheProgram(t *testing.T) {
	s := startShell(t, "trap '' HUP; echo ready; cat; true")
	waitFor(t, s, "ready")
	s.Kill()
	<-s.done
	if s.cmd.ProcessState == nil || s.cmd.ProcessState.Success() {
		t.Errorf("process state %v, want that of a killed program", s.cmd.ProcessState)
	}
	if err := s.Type("x"); err == nil {
		t.Error("a terminal that is closed accepts keys")
	}
}

func TestStartOfAnUnknownProgram(t *testing.T) {
	if s, err := Start(exec.Command("./no-such-program"), 40, 6); err == nil {
		s.Kill()
		t.Error("a program that does not exist was started")
	}
}

// A character that arrives in two parts is shown as one.
func TestWhole(t *testing.T) {
	for text, want := range map[string]int{
		"":              0,
		"a":             1,
		"a×":            3,
		"a\xc3":         1,
		"a\xe2\x96":     1,
		"a▸":            4,
		"a\xf0\x9f\x98": 1,
		"\xff\xff":      2,
		"a\x97":         2,
	} {
		if got := whole([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// Wherever a text is cut, whole ends between two characters and holds back less than one character.
func TestWholeSplitsBetweenCharacters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		got := whole([]byte(text[:cut]))
		if !utf8.ValidString(text[:got]) {
			t.Fatalf("%q ends inside a character", text[:got])
		}
		if held := cut - got; held >= utf8.UTFMax || held > 0 && utf8.FullRuneInString(text[got:cut]) {
			t.Fatalf("%q is held back", text[got:cut])
		}
	})
}
