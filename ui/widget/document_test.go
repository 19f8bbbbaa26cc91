package widget_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sonde/ui/widget"

	"pgregory.net/rapid"
)

func linesOf(d *widget.Payload) (out []string) {
	for i := range d.Len() {
		out = append(out, strings.TrimPrefix(d.Line(i).Text(), " "))
	}
	return out
}

func TestDocIsAsIndented(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.StringMatching(`(\[|\{"[a-c:,{}]":|"x\\"y"|[1-9]|,|\]|\}|null|\{\}|\[\]| ){1,20}`).Draw(t, "said")
		said = strings.TrimSpace(said) // json.Indent keeps blanks after a text
		if !json.Valid([]byte(said)) {
			said = `{"a":[1,{"b":"x:{"},[]],"c":{},"d":` + "[" + `{"e":null}]}`
		}
		want := widget.PayloadLines([]byte(said))
		if got := linesOf(widget.ReadPayload([]byte(said))); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", said, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

const nested = `{"id":7,"items":[{"sku":"x"},{"sku":"y"}],"to":{"city":"Bern"}}`

func TestDocFolds(t *testing.T) {
	d := widget.ReadPayload([]byte(nested))
	if at := d.Fold(4); at != 3 { // the line of "sku" is inside an object: Fold folds this object
		t.Errorf("folded at line %d", at)
	}
	want := []string{
		"{", `  "id": 7,`, `  "items": [`, "    { 1 value … },", "    {", `      "sku": "y"`, "    }", "  ],",
		`  "to": {`, `    "city": "Bern"`, "  }", "}",
	}
	if got := linesOf(d); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if at := d.Fold(3); at != 3 || d.Len() != 14 {
		t.Errorf("unfolded at %d: %q", at, linesOf(d))
	}
	d.FoldAll(true)
	want = []string{"{", `  "id": 7,`, `  "items": [ 2 values … ],`, `  "to": { 1 value … }`, "}"}
	if got := linesOf(d); !slices.Equal(got, want) || !d.AnyFolded() || !d.Folded(2) || d.Folded(1) {
		t.Errorf("got %q", got)
	}
	d.FoldAll(false)
	if d.AnyFolded() || d.Len() != 14 {
		t.Errorf("got %q", linesOf(d))
	}
}

// A search finds texts in folded parts, unfolds these parts, and wraps around.
func TestDocIsSearched(t *testing.T) {
	d := widget.ReadPayload([]byte(nested))
	d.FoldAll(true)
	if n := d.Seek("SKU"); n != 2 {
		t.Fatalf("found %d", n)
	}
	at, number := d.Next(0, 0)
	if number != 1 || !strings.Contains(d.Line(at).Text(), `"sku": "x"`) {
		t.Errorf("%d at %q", number, d.Line(at).Text())
	}
	for _, c := range []struct {
		step, number int
		text         string
	}{{1, 2, `"y"`}, {1, 1, `"x"`}, {-1, 2, `"y"`}} {
		at, number = d.Next(at, c.step)
		if number != c.number || !strings.Contains(d.Line(at).Text(), c.text) {
			t.Errorf("step %d: %d at %q", c.step, number, d.Line(at).Text())
		}
	}
	if d.Seek("nowhere") != 0 {
		t.Error("found what is not there")
	}
	if at, number := d.Next(3, 1); at != 3 || number != 0 {
		t.Errorf("went to %d of nothing", at)
	}
}

func TestDocOfWhatIsNoJSON(t *testing.T) {
	for said, kind := range map[string]string{
		`{"a":`:        "broken JSON",
		"[1,2":         "broken JSON",
		"hello\nyou":   "text",
		"\x00\x01\xff": "binary",
		"7":            "JSON",
	} {
		d := widget.ReadPayload([]byte(said))
		if d.Kind != kind || d.Len() == 0 {
			t.Errorf("%q: %s in %d lines", said, d.Kind, d.Len())
		}
		if kind != "JSON" && (d.Foldable(0) || d.Fold(0) != 0 || d.Deep()) {
			t.Errorf("%q folds", said)
		}
	}
}

// A body of megabytes has few lines and no long lines, in any form.
func TestDocOfMuch(t *testing.T) {
	const much = 5 << 20
	for name, said := range map[string]string{
		"numbers":  "[" + strings.Repeat("1,", much/2) + "1]",
		"a string": `{"a":"` + strings.Repeat("é", much/2) + `"}`,
		"a line":   strings.Repeat("x", much),
		"lines":    strings.Repeat("x\n", much/2),
		"deep":     strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"broken":   strings.Repeat(`{"a":`, much/5),
		"bytes":    strings.Repeat("\x00", much),
	} {
		t.Run(name, func(t *testing.T) {
			d := widget.ReadPayload([]byte(said))
			if d.Len() == 0 || d.Len() > 110_000 {
				t.Fatalf("%d lines", d.Len())
			}
			d.Seek("x")
			d.Next(0, 1)
			d.FoldAll(d.Deep())
			for _, i := range []int{0, d.Len() / 2, d.Len() - 1} {
				i = min(i, d.Len()-1)
				if n := len(d.Line(i).Text()); n > 20_000 {
					t.Errorf("line %d has %d bytes", i, n)
				}
				d.Fold(i)
				d.Line(min(i, d.Len()-1))
			}
		})
	}
}

func FuzzDoc(f *testing.F) {
	f.Add([]byte(nested), "sku")
	f.Add([]byte(`[[],{},"\"",1e3]`), "1")
	f.Fuzz(func(_ *testing.T, said []byte, text string) {
		d := widget.ReadPayload(said)
		d.Seek(text)
		at, _ := d.Next(0, 1)
		d.Fold(at)
		d.FoldAll(true)
		for i := range min(d.Len(), 100) {
			d.Line(i)
		}
	})
}

// XML is indented, and elements can be folded. Text that is not well formed stays as it is.
func TestXML(t *testing.T) {
	d := widget.ReadPayload([]byte(`<?xml version="1.0"?><parcel a="1"><id>k 1</id><empty/><to><city>Bern</city>` + "\n" +
		`<zip>3000</zip></to></parcel>`))
	var lines []string
	for i := range d.Len() {
		lines = append(lines, d.Line(i).Text())
	}
	want := []string{
		` <?xml version="1.0"?>`, ` <parcel a="1">`, `   <id>k 1</id>`, `   <empty/>`, `   <to>`, `     <city>Bern</city>`,
		`     <zip>3000</zip>`, `   </to>`, ` </parcel>`,
	}
	if d.Kind != "XML" || !slices.Equal(lines, want) {
		t.Errorf("%s: got\n%s", d.Kind, strings.Join(lines, "\n"))
	}
	if got := d.Value(4); got != "<to>\n  <city>Bern</city>\n  <zip>3000</zip>\n</to>" {
		t.Errorf("an element: got %q", got)
	}
	if d.Fold(4); d.Len() != 6 || d.Line(4).Text() != "   <to> 2 values … </to>" {
		t.Errorf("folded: %d lines, %q", d.Len(), d.Line(4).Text())
	}
	for _, text := range []string{"<p>one<br>two</p>", "<a></b>", "<", "<!-- only a comment -->", "<a>" + strings.Repeat("<b>", 5000)} {
		if d := widget.ReadPayload([]byte(text)); d.Kind != "text" {
			t.Errorf("%.20q is %s", text, d.Kind)
		}
	}
}
