package console

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// Only y and yes are consent.
func TestAskToContinue(t *testing.T) {
	for _, c := range []struct {
		answer string
		want   error
	}{
		{"y\n", nil},
		{"YES\n", nil},
		{" yes \n", nil},
		{"y", nil},
		{"\n", ErrUnconfirmed},
		{"", ErrUnconfirmed},
		{"no\n", ErrUnconfirmed},
		{"yess\n", ErrUnconfirmed},
	} {
		var out bytes.Buffer
		if err := AskToContinue(&out, strings.NewReader(c.answer)); !errors.Is(err, c.want) || out.String() != "Continue? [y/N] " {
			t.Errorf("%q: error %v, asked %q", c.answer, err, out.String())
		}
	}
	broken, w := io.Pipe()
	w.CloseWithError(os.ErrClosed)
	if err := AskToContinue(io.Discard, broken); !errors.Is(err, os.ErrClosed) {
		t.Errorf("an input that fails: %v", err)
	}
}

// Without a terminal there is no answer, so only the flag counts as consent.
func TestConfirmWithoutTerminal(t *testing.T) {
	var out bytes.Buffer
	s := Streams{In: strings.NewReader("y\n"), Err: &out}
	if err := Confirm(s, []string{"it starts ./x"}, false); !errors.Is(err, ErrUnconfirmed) {
		t.Errorf("without the flag: %v", err)
	}
	if err := Confirm(s, nil, true); err != nil {
		t.Errorf("with the flag: %v", err)
	}
	if got := out.String(); got != "sonde: it starts ./x\n" {
		t.Errorf("it shows %q", got)
	}
	if _, err := AskPassword(t.Context(), s, "ann"); err == nil || !strings.Contains(err.Error(), "--user ann has no password") {
		t.Errorf("a password: %v", err)
	}
}

func TestFormatOfFile(t *testing.T) {
	known := []FileExtension{{Ext: ".txt", Format: "text"}, {Ext: ".json", Format: "json"}}
	for file, want := range map[string]string{"a": "text", "a.JSON": "json", "x.y/a.txt": "text"} {
		if got, err := FormatOfFile(file, known); got != want || err != nil {
			t.Errorf("%s: got %q, error %v, want %q", file, got, err, want)
		}
	}
	if _, err := FormatOfFile("a.pdf", known); err == nil || !strings.Contains(err.Error(), "use .txt or .json") {
		t.Errorf("an unknown extension: %v", err)
	}
	if got := JoinWithOr([]string{"a", "b", "c"}); got != "a, b or c" {
		t.Errorf("got %q", got)
	}
}

// Characters that could control the terminal are escaped. The JSON has the same value.
func TestWriteJSON(t *testing.T) {
	var out bytes.Buffer
	if err := WriteJSON(&out, map[string]any{"a": "\u009b1m\u202e<b>é", "list": NonNilSlice[[]int](nil)}); err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"a\": \"\\u009b1m\\u202e<b>é\",\n  \"list\": []\n}\n"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := WriteJSON(io.Discard, func() {}); err == nil {
		t.Error("a function was written")
	}
}

// A note or an error has one line without control characters, even if it quotes hostile text.
func TestNotesAreSafe(t *testing.T) {
	var out bytes.Buffer
	PrintNote(&out, "the spec %q\x1b[31m", "a")
	PrintMoreNote(&out, 2)
	if got := out.String(); strings.Contains(got, "\x1b") || strings.Count(got, "\n") != 2 || !strings.Contains(got, "2 seqs, more exist") {
		t.Errorf("got %q", got)
	}
	if got := OneLine(errors.New("a\n\tb\x1b")); strings.ContainsAny(got, "\n\t\x1b") || !strings.HasPrefix(got, "a b") {
		t.Errorf("got %q", got)
	}
}

// ShowProgress returns the result of the work. It writes no escape sequences to a file.
func TestShowProgress(t *testing.T) {
	var out bytes.Buffer
	work := func() int { time.Sleep(time.Millisecond); return 7 }
	got := ShowProgress(Streams{Err: &out}.WithoutTerminals(), work, func() string { return "50%" })
	if got != 7 || strings.Contains(out.String(), "\x1b") {
		t.Errorf("got %d, wrote %q", got, out.String())
	}
}
