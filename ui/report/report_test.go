package report_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"sonde/analysis/distil"
	"sonde/analysis/survey"
	"sonde/model/match"
	"sonde/ui/report"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hostile is a name with characters that have a special meaning in one of the formats.
const hostile = "</title><script>alert(1)</script>,\"'&\x1b[31m\u202e=1+1\n{{.}}"

func listing(seqs, touched, covered int) survey.Listing {
	return survey.Listing{Seqs: seqs, Touched: touched, Covered: covered}
}

// small returns a survey with a case of each kind.
func small() report.Report { return smallWithout(survey.OmitCase) }

// smallWithout returns a survey with a case of each kind. omission selects what its tables leave out where a listing
// gave up: the case, or all cases of the service.
func smallWithout(omission survey.Omission) report.Report {
	gaveUp := survey.Case{
		Service: "e/swagger.yaml", Operations: 14, Groups: 14,
		DC: listing(14, 14, 14), SC: listing(2001, 4000, 14), Needed: listing(14, 14, 14),
	}
	gaveUp.SC.GaveUp = true
	return report.Report{
		Options: survey.Options{Mode: match.PaperMode, Omission: omission}, Specs: 5, SkippedFiles: 2,
		Survey: survey.Summarize([]survey.Case{
			{
				Service:    "a/swagger.yaml",
				Tag:        "pets",
				Operations: 3,
				Groups:     2,
				DC:         listing(4, 4, 3),
				SC:         listing(15, 25, 3),
				Needed:     listing(3, 3, 3),
			},
			{
				Service:    "a/swagger.yaml",
				Tag:        "",
				Operations: 1,
				Groups:     1,
				DC:         listing(1, 1, 1),
				SC:         listing(1, 1, 1),
				Needed:     listing(1, 1, 1),
			},
			{Service: "b, with a comma.json", Tag: "none", Operations: 2, Groups: 1},
			{
				Service:    hostile,
				Tag:        hostile,
				Operations: 6,
				Groups:     4,
				DC:         listing(7, 7, 5),
				SC:         listing(156, 390, 6),
				Needed:     listing(7, 7, 5),
			},
			{
				Service:    "d/swagger.yaml",
				Tag:        "one group",
				Operations: 5,
				Groups:     1,
				DC:         listing(60, 60, 5),
				SC:         listing(85, 85, 5),
				Needed:     listing(20, 20, 5),
			},
			gaveUp,
		}, omission),
		Problems: []report.Problem{{Service: "broken.yaml", Text: `"broken.yaml" cannot be read: ` + hostile}},
	}
}

func written(t *testing.T, f report.Format, r report.Report, width int) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteReport(&b, f, r, width); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	tests := []struct {
		file   string
		format report.Format
		width  int
	}{
		{"small.60.txt", report.TextFormat, 60},
		{"small.80.txt", report.TextFormat, 80},
		{"small.140.txt", report.TextFormat, 140},
		{"small.csv", report.CSVFormat, 0},
		{"small.json", report.JSONFormat, 0},
		{"small.html", report.HTMLFormat, 0},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			golden(t, test.file, written(t, test.format, small(), test.width))
		})
	}
	t.Run("empty.txt", func(t *testing.T) {
		golden(t, "empty.txt", written(t, report.TextFormat, report.Report{Options: survey.Options{Mode: match.DefaultMode}}, 80))
	})
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("other than %s (look at it, then run with -update), want and got (-+):\n%s", path, diff)
	}
}

// If a listing gave up, the tables leave out this case, or all cases of its service (survey.Omission). The report
// says how many cases they leave out, and how many cases they would count with the other setting.
func TestReportSaysWhatIsLeftOut(t *testing.T) {
	for omission, want := range map[survey.Omission]string{
		survey.OmitCase: "Listing gave up 1 case in 1 service. The tables count the other 6; without all cases of such " +
			"services, as the paper counts, they would count 5 of 4 services (--gave-up service).",
		survey.OmitService: "Listing gave up 1 case in 1 service. The tables leave out all 2 cases of such services, as the " +
			"paper's do, and count the other 5; by case they would count 6 (--gave-up case).",
	} {
		r := smallWithout(omission)
		another := survey.Case{Service: "e/swagger.yaml", Tag: "another", Operations: 1, Groups: 1}
		r.Survey = survey.Summarize(append(r.Survey.Cases, another), omission)
		text := strings.ReplaceAll(written(t, report.TextFormat, r, 100), "\n", " ")
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %q", omission, want, text)
		}
	}
}

// With the options in AsPrinted, listings follow a line of the paper's pseudo-code literally. The report names these
// lines.
func TestReportNamesPrintedLines(t *testing.T) {
	r := small()
	r.AsPrinted = distil.AsPrinted{Repeats: true, FedOnly: true}
	for format, want := range map[report.Format]string{
		report.TextFormat: "match name, line 40 as printed, line 50 as printed\n",
		report.HTMLFormat: "; the paper’s pseudo-code has <em>line 40 as printed</em>" +
			"; the paper’s pseudo-code has <em>line 50 as printed</em>.",
		report.JSONFormat: "\"repeats\": true,\n  \"fed_only\": true,\n",
	} {
		if got := written(t, format, r, 100); !strings.Contains(got, want) {
			t.Errorf("%s has no %q", format, want)
		}
	}
}

// A hostile name in a spec is shown as text in the HTML page, and adds no elements to the page.
func TestPageIsSafe(t *testing.T) {
	page := written(t, report.HTMLFormat, small(), 0)
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	elements := map[string]int{}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			elements[n.Data]++
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" {
				t.Errorf("%s has the attribute %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
	// There is one title for the page, and one title for each bar, point and box.
	figures := small().Survey.Figures
	titles := 1 + len(figures.Points) + 2 + figures.Groups[len(figures.Groups)-1].Groups
	if elements["script"] != 1 || elements["style"] != 1 || elements["svg"] != 3 || elements["title"] != titles {
		t.Errorf("got %v, want 1 script, 1 style, 3 svg and %d title", elements, titles)
	}
}

// A report as text is not wider than requested, and has no control characters.
func TestTextFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var cases []survey.Case
		draw := func() survey.Listing {
			n := rapid.IntRange(0, 2001).Draw(t, "seqs")
			return survey.Listing{
				Seqs:    n,
				Touched: n * rapid.IntRange(1, 4).Draw(t, "touched"),
				Covered: rapid.IntRange(0, 1_000_000).Draw(t, "covered"),
			}
		}
		for range rapid.IntRange(0, 8).Draw(t, "cases") {
			cases = append(cases, survey.Case{
				Operations: 1_000_000,
				Groups:     rapid.SampledFrom([]int{1, 2, 7, 19, 20, 21, 5000}).Draw(t, "groups"),
				DC:         draw(),
				SC:         draw(),
				Needed:     draw(),
			})
		}
		width := rapid.IntRange(0, 240).Draw(t, "width")
		var b bytes.Buffer
		r := report.Report{Survey: survey.Summarize(cases, survey.OmitCase), Specs: 3}
		if err := report.WriteReport(&b, report.TextFormat, r, width); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if got := ansi.StringWidth(line); got > max(60, width) {
				t.Fatalf("%d cells for %d: %q", got, width, line)
			}
		}
	})
}

func TestTextIsClean(t *testing.T) {
	text := written(t, report.TextFormat, small(), 80)
	if !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\u202e\r\t") {
		t.Errorf("control characters in %q", text)
	}
}

func TestParseFormat(t *testing.T) {
	for _, name := range []string{"text", "csv", "json", "html"} {
		if f, err := report.ParseFormat(name); err != nil || string(f) != name {
			t.Errorf("%q: got %q and error %v", name, f, err)
		}
	}
	const want = `"pdf" is not a format; use text, csv, json or html`
	if _, err := report.ParseFormat("pdf"); err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// failing is a writer that always fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("full") }

func TestWriteFails(t *testing.T) {
	for _, f := range []report.Format{report.TextFormat, report.CSVFormat, report.JSONFormat, report.HTMLFormat} {
		if err := report.WriteReport(failing{}, f, small(), 80); err == nil {
			t.Errorf("%s: no error", f)
		}
	}
}
