package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// runApp starts the app and quits it. It returns everything that the app wrote to the terminal.
func runApp(t *testing.T, env []string, args ...string) (written string, code int) {
	t.Helper()
	cmd := command(t, t.TempDir(), "sonde", args...) // the test binary, which the scripts run by the same name
	cmd.Env = append(append(cmd.Env, "TERM=xterm-256color", "COLORTERM=", "COLORFGBG=15;0"), env...)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 30, Cols: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	time.AfterFunc(patience, func() { cmd.Process.Kill() })
	var all bytes.Buffer
	buf := make([]byte, 1<<16)
	for {
		n, err := f.Read(buf)
		all.Write(buf[:n])
		if bytes.Contains(buf[:n], []byte("\x1b]11;?")) {
			f.WriteString("\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[1;1R")
		}
		if bytes.Contains(all.Bytes(), []byte("Gear shop")) {
			f.WriteString("q")
		}
		if err != nil {
			break
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	return all.String(), code
}

var styled = regexp.MustCompile("\x1b\\[[0-9;]+m")

func TestColours(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the whole program: left out by -short")
	}
	for name, c := range map[string]struct {
		env  []string
		args []string
		want string // a part of an escape sequence, "" if there must be none
	}{
		"none":        {[]string{"NO_COLOR=1"}, nil, ""},
		"16":          {[]string{"TERM=xterm"}, nil, "\x1b[1;96m"},
		"256":         {nil, nil, "\x1b[1;38;5;80m"},
		"true colour": {[]string{"COLORTERM=truecolor"}, nil, "\x1b[1;38;2;95;215;215m"},
		"light":       {nil, []string{"--theme", "light"}, "\x1b[1;38;5;23m"},
		"contrast":    {nil, []string{"--theme", "high-contrast"}, "\x1b[1;38;5;123m"},
		"blind":       {nil, []string{"--theme", "colour-blind"}, "\x1b[1;38;5;153m"},
	} {
		t.Run(name, func(t *testing.T) {
			written, code := runApp(t, c.env, c.args...)
			if code != 0 || !strings.Contains(written, "Gear shop") {
				t.Fatalf("exit code %d, wrote %q", code, written)
			}
			if got := styled.FindString(written); c.want == "" && got != "" || !strings.Contains(written, c.want) {
				t.Errorf("the first style is %q, want %q", got, c.want)
			}
		})
	}
}

// On a dumb terminal, Sonde writes no escape sequences and returns an error that names the alternative.
func TestDumbTerminal(t *testing.T) {
	written, code := runApp(t, []string{"TERM=dumb"})
	if code != 2 || !strings.Contains(written, "TERM is dumb") ||
		!strings.Contains(written, "use --plain for lines") || strings.Contains(written, "\x1b") {
		t.Errorf("exit code %d, wrote %q", code, written)
	}
}

func TestASCIIOnly(t *testing.T) {
	written, code := runApp(t, []string{"NO_COLOR=1"}, "--ascii")
	if code != 0 || !strings.Contains(written, "+- Operations") {
		t.Fatalf("exit code %d, wrote %q", code, written)
	}
	for _, r := range written {
		if r >= 0x80 {
			t.Fatalf("%q is in %q", r, written)
		}
	}
}

func TestUnknownTheme(t *testing.T) {
	written, code := runApp(t, nil, "--theme", "drak")
	if code != 2 || !strings.Contains(written, "auto, dark, light, high-contrast, colour-blind") {
		t.Errorf("exit code %d, wrote %q", code, written)
	}
}

// The app starts even if the preferences have an invalid value, and shows the problem.
func TestWrongPreferences(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "sonde"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sonde", "config.yaml"), []byte("glyphs: ascii\ntheme: drak\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	written, code := runApp(t, []string{"NO_COLOR=1", "XDG_CONFIG_HOME=" + dir})
	if code != 0 || !strings.Contains(written, `config.yaml line 2: theme is "drak"`) || !strings.Contains(written, "+- Operations") {
		t.Errorf("exit code %d, wrote %q", code, written)
	}
}
