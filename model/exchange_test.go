package model_test

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestExcerpt(t *testing.T) {
	tests := []struct {
		name, body, want string
	}{
		{"empty", "", ""},
		{"short", "not found", "not found"},
		{"white space", "{\n  \"error\":\t\"x\"\r\n}", `{ "error": "x" }`},
		{"escape sequence", "\x1b[31mred", "[31mred"},
		{"long", strings.Repeat("a", 200), strings.Repeat("a", 160)},
		{"long, of several bytes each", strings.Repeat("ü", 200), strings.Repeat("ü", 160)},
		{"not UTF-8", "a\xff\xfeb", "ab"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := model.Excerpt([]byte(tt.body)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b]0;title\x07b", 100)
	f.Add("ünïcödé", 2)
	f.Add("\xff\u0085", 3)
	f.Fuzz(func(t *testing.T, text string, most int) {
		if most < 0 {
			t.Skip()
		}
		got := model.Printable(text, most)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, unicode.IsControl) {
			t.Errorf("%q of %q cannot be printed", got, text)
		}
		if len(got) > most {
			t.Errorf("%q has %d bytes, want at most %d", got, len(got), most)
		}
	})
}

func TestEndTime(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	x := model.Exchange{At: start, Took: 2 * time.Second}
	if got, want := x.EndTime(), start.Add(2*time.Second); !got.Equal(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSpecMismatch(t *testing.T) {
	spec := &model.Spec{Title: "Shop 2", Hash: "b"}
	if got := (model.Recording{Title: "Shop 1", SpecHash: "a"}).SpecMismatch(spec); !strings.Contains(got, `"Shop 1"`) ||
		!strings.Contains(got, `"Shop 2"`) || strings.Contains(got, "\n") {
		t.Errorf("got %q, want one line with both titles", got)
	}
	for _, same := range []string{"b", ""} {
		if got := (model.Recording{Title: "Shop", SpecHash: same}).SpecMismatch(spec); got != "" {
			t.Errorf("a recording with the hash %q: got %q, want none", same, got)
		}
	}
}

func TestAttribution(t *testing.T) {
	tests := map[model.Attribution]bool{
		model.AttributedByTrace:   true,
		model.AttributedByContext: true,
		model.AttributedBySerial:  true,
		model.AttributedByTime:    false,
		"":                        false,
	}
	for attribution, want := range tests {
		if got := attribution.Certain(); got != want {
			t.Errorf("%q: got %t, want %t", attribution, got, want)
		}
	}
}

// Any value in a path is one segment of the path.
func TestEscapedPathIsOneSegment(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.String().Draw(rt, "value")
		escaped := model.Arg{In: model.InPath, Name: "id", Value: value}.Encoded()
		if strings.ContainsAny(escaped, "/?#") || escaped != "" && strings.Trim(escaped, ".") == "" {
			rt.Fatalf("%q becomes %q, which is not one segment", value, escaped)
		}
		plain := model.Arg{In: model.InPath, Name: "id", Value: escaped, Escaped: true}
		if plain.Prefix() == "" && plain.PlainValue() != value {
			rt.Fatalf("%q is read back as %q", value, plain.PlainValue())
		}
	})
}

// WithValue keeps the prefix of the argument.
func TestWithValue(t *testing.T) {
	tests := map[string]struct {
		arg  model.Arg
		want string
	}{
		"plain":  {model.Arg{In: model.InPath, Name: "id", Value: "1"}, "a%2Fb"},
		"matrix": {model.Arg{In: model.InPath, Name: "id", Value: ";id=1", Escaped: true}, ";id=a%2Fb"},
		"label":  {model.Arg{In: model.InPath, Name: "id", Value: ".1", Escaped: true}, ".a%2Fb"},
		"query":  {model.Arg{In: model.InQuery, Name: "id", Value: "1"}, "a%2Fb"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := tt.arg.WithValue("a/b")
			if got.Encoded() != tt.want || got.PlainValue() != "a/b" {
				t.Errorf("got %q with the value %q, want %q", got.Encoded(), got.PlainValue(), tt.want)
			}
		})
	}
}
