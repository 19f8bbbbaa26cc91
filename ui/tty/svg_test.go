package tty

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"
)

// screenOf returns a session without a program. Its terminal has received the output.
func screenOf(t *testing.T, output string) *Session {
	t.Helper()
	s := &Session{screen: vt10x.New(vt10x.WithSize(20, 2))}
	if _, err := s.screen.Write([]byte(output)); err != nil {
		t.Fatal(err)
	}
	return s
}

// texts returns the texts of a picture by their fill colour, and the fill colours of its rectangles.
func texts(t *testing.T, picture string) (byFill map[string]string, rectangles []string) {
	t.Helper()
	byFill = map[string]string{}
	d, fill := xml.NewDecoder(strings.NewReader(picture)), ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return byFill, rectangles
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
		switch token := token.(type) {
		case xml.StartElement:
			fill = ""
			for _, a := range token.Attr {
				if a.Name.Local == "fill" {
					fill = a.Value
				}
			}
			if token.Name.Local == "rect" {
				rectangles = append(rectangles, fill)
			}
		case xml.CharData:
			if text := string(token); strings.TrimSpace(text) != "" {
				byFill[fill] += text
			}
		}
	}
}

// The picture is valid XML, whatever the screen shows. Each run of cells in one colour is a text element, and blanks
// draw no text.
func TestWriteSVG(t *testing.T) {
	s := screenOf(t, "plain\x1b[31m<b>&\"\x1b[0m \x1b[38;5;46mok \x1b[0m\r\n\x1b[44m  \x1b[0m▸é")
	var b strings.Builder
	if err := s.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	got, rectangles := texts(t, b.String())
	for fill, want := range map[string]string{ink: "plain▸é", base[1]: `<b>&"`, "#00ff00": "ok"} {
		if got[fill] != want {
			t.Errorf("in %s: got %q, want %q", fill, got[fill], want)
		}
	}
	if len(rectangles) != 2 || rectangles[0] != paper || rectangles[1] != base[4] {
		t.Errorf("rectangles %q, want the paper and one of %s", rectangles, base[4])
	}
	if want := `width="196" height="62"`; !strings.Contains(b.String(), want) {
		t.Errorf("%s is not in\n%s", want, b.String())
	}
	// A font may draw these characters wider, so each has its own x position.
	if want := `x="30.8 39.2"`; !strings.Contains(b.String(), want) {
		t.Errorf("%s is not in\n%s", want, b.String())
	}
}

// failing is a writer that always fails.
type failing struct{}

var errFull = errors.New("full")

func (failing) Write([]byte) (int, error) { return 0, errFull }

func TestWriteSVGReturnsTheErrorOfItsWriter(t *testing.T) {
	if err := screenOf(t, "x").WriteSVG(failing{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}

func TestColour(t *testing.T) {
	for name, c := range map[string]struct {
		colour vt10x.Color
		want   string
	}{
		"default text":           {vt10x.DefaultFG, ink},
		"default background":     {vt10x.DefaultBG, paper},
		"first of the palette":   {vt10x.Black, base[0]},
		"last of the palette":    {vt10x.White, base[15]},
		"first of the cube":      {16, "#000000"},
		"lowest blue":            {17, "#00005f"},
		"last of the cube":       {231, "#ffffff"},
		"first grey":             {232, "#080808"},
		"last grey":              {255, "#eeeeee"},
		"true colour":            {0x123456, "#123456"},
		"no colour of a program": {vt10x.DefaultCursor, "standard"},
	} {
		if got := colour(c.colour, "standard"); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}
