package upload

import (
	"strings"
	"testing"
)

func TestDefects(t *testing.T) {
	picture, document := fileNamed(t, "photo.png"), fileNamed(t, "document.pdf")
	for d, c := range map[Defect]struct{ name, start, end string }{
		Empty:      {"photo.png", "", ""},
		Half:       {"photo.png", picture.Data[:len(picture.Data)/2], ""},
		TextBehind: {"photo.png", picture.Data[:headSize] + notes, notes},
		OtherKind:  {"photo.png", "%PDF", "%%EOF\n"},
		NoName:     {"", "\x89PNG", picture.Data},
		ParentName: {"../photo.png", "\x89PNG", picture.Data},
		LongName:   {strings.Repeat("x", 296) + ".png", "\x89PNG", picture.Data},
		OddName:    {"{{7*7}}.png", "\x89PNG", picture.Data},
		Missing:    {"photo.png", "\x89PNG", picture.Data},
	} {
		got := d.Apply(picture, "{{7*7}}")
		if got.Name != c.name || got.Media != "image/png" || !strings.HasPrefix(got.Data, c.start) || !strings.HasSuffix(got.Data, c.end) ||
			d == Empty && got.Data != "" || d == Half && len(got.Data) != len(picture.Data)/2 {
			t.Errorf("%s: got %q", d, got)
		}
	}
	if got := OtherKind.Apply(document, ""); got.Data != picture.Data || got.Media != "application/pdf" {
		t.Errorf("the other kind of a PDF is %q", got)
	}
	if got := TextBehind.Apply(File{Data: "ab"}, ""); !strings.HasPrefix(got.Data, "aFirst line") {
		t.Errorf("a short file with text behind is %q", got.Data)
	}
}
