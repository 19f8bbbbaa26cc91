package export

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"sonde/model"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	markdowntext "github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
	"pgregory.net/rapid"
)

func markdownOf(t failer, r Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteMarkdown(&b, r); err != nil {
		t.Fatalf("%v", err)
	}
	return b.String()
}

func TestMarkdownGolden(t *testing.T) {
	for name, r := range map[string]Report{"outcome": outcome(), "vile": vile(), "none": {}} {
		golden(t, name+".md", []byte(markdownOf(t, r)))
	}
}

// markdownParts returns how often each kind of node and of HTML tag occurs in a text of GitHub Flavored Markdown,
// except for nodes of mere text.
func markdownParts(t failer, source string) string {
	t.Helper()
	count := map[string]int{}
	count["code lines"] = 0
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(markdowntext.NewReader([]byte(source)))
	var raw strings.Builder
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text, *ast.String:
			return ast.WalkContinue, nil
		case *ast.RawHTML:
			raw.Write(n.Segments.Value([]byte(source)))
			return ast.WalkContinue, nil
		case *ast.HTMLBlock:
			raw.Write(n.Lines().Value([]byte(source)))
		}
		count[n.Kind().String()]++
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	for z := html.NewTokenizer(strings.NewReader(raw.String())); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return fmt.Sprint(count)
		}
		if kind != html.TextToken && kind != html.CommentToken {
			name, _ := z.TagName()
			count[kind.String()+" "+string(name)]++
		}
	}
}

// No text of the service or the spec can add Markdown or HTML to a summary, or take some away.
func TestMarkdownHoldsAnyText(t *testing.T) {
	evil := rapid.OneOf(rapid.String(), rapid.StringMatching("[`~<>|\\\\*_#&!\\[\\]()@.:\n a-]{1,30}"), rapid.SampledFrom([]string{
		"```\n# free", "````````", "</code></summary></details><script>alert(1)</script>", "a|b", `a\|b`, "[x](https://evil.example)",
		"![x](https://evil.example/pixel)", "https://evil.example", "www.evil.example", "ann@evil.example", "@ann", "\n\n# x",
		"<!--", "-->", "&lt;img src=x&gt;", "&#60;b&#62;", "\r# x", "\u2028# x", "\xff", "~~a~~", "|---|", "<details>",
	}))
	rapid.Check(t, func(t *rapid.T) {
		want := markdownParts(t, markdownOf(t, told("plain")))
		word := "x " + evil.Draw(t, "text")
		if got := markdownParts(t, markdownOf(t, told(word))); got != want {
			t.Fatalf("%q\ngot  %s\nwant %s\n%s", word, got, want, markdownOf(t, told(word)))
		}
	})
}

// told returns the report of a run in which all texts of the service and the spec are the same.
func told(word string) Report {
	r := outcome()
	r.Title, r.Command, r.Trouble = word, word, []string{word}
	r.Reproduce = func(model.Fault) string { return word }
	test := model.Test{Calls: []model.Call{{
		Op: model.OpID("GET /" + word), User: word, Body: &model.Payload{Media: word, Data: word},
		Args: []model.Arg{{In: model.InQuery, Name: word, Value: word}},
	}}}
	for i := range r.Faults {
		f := &r.Faults[i]
		f.Op, f.Oracle, f.Expected, f.Text, f.Unrepeated = model.OpID("GET /"+word), word, word, word, word
		f.Test = &test
		f.Exchanges = []model.ExchangeExcerpt{
			{URL: "/" + word, Status: 200, Header: map[string][]string{word: {word}}, Body: word},
		}
	}
	return r
}

// A fence is longer than all runs of backticks in its block.
func TestFenced(t *testing.T) {
	for text, want := range map[string]string{
		"a":              "```sh\na\n```\n",
		"```":            "````sh\n```\n````\n",
		"a\n`````b\n``":  "``````sh\na\n`````b\n``\n``````\n",
		"a\r\n\x1b[2J\n": "```sh\na \n [2J\n```\n",
	} {
		if got := fenced("sh", text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestMarkdownCode(t *testing.T) {
	for text, want := range map[string]string{
		"GET /orders/{id}":      "GET /orders/{id}",
		"ann@shop.example":      "ann&#64;<!-- -->shop&#46;example",
		"<b>&amp;|`":            "&#60;b&#62;&#38;amp&#59;&#124;&#96;",
		" a\nb\x1b\u202ec\xff ": "a b  c\ufffd",
		"é2345678901234567890x": "é234567890123456789…",
	} {
		if got := MarkdownCode(text, 20); got != "<code>"+want+"</code>" {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// A summary of many faults has at most 1 MiB and says what was left out. A fault that is too large does not hide
// smaller ones after it.
func TestMarkdownLimit(t *testing.T) {
	r := outcome()
	f := r.Faults[0]
	f.Exchanges = nil
	r.Faults = nil
	for i := range 20000 {
		f.ID, f.Signature, f.Op = model.FaultID(i), fmt.Sprintf("%05d", i), model.OpID(fmt.Sprintf("GET /%05d", i))
		r.Faults = append(r.Faults, f)
	}
	r.Reproduce = func(f model.Fault) string {
		if f.ID == "f1" {
			return strings.Repeat("x", maxMarkdown)
		}
		return "curl"
	}
	got := markdownOf(t, r)
	rows, details := strings.Count(got, "\n| <code>error"), strings.Count(got, "<details>")
	if len(got) > maxMarkdown || len(got) < maxMarkdown-5*closingBytes || rows == 0 || details == 0 {
		t.Errorf("%d bytes, %d rows, %d details", len(got), rows, details)
	}
	want := fmt.Sprintf("the details of %d faults, and the rows of %d. `sonde faults RUN` prints all.\n", 20000-details, 20000-rows)
	if !strings.HasSuffix(got, want) {
		t.Errorf("the end is %q, want %q", got[len(got)-len(want):], want)
	}
	if strings.Contains(got, "<details><summary><code>GET /00000</code>") {
		t.Error("the details of a fault are larger than the summary may be")
	}
	if whole := markdownOf(t, outcome()); strings.Contains(whole, "Left out") {
		t.Error("a small summary says that something was left out")
	}
}
