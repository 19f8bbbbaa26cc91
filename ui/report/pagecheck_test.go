package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// checkedPage returns a page after a check of its structure: IDs, labels, headings, tables, references, and that it
// needs nothing from elsewhere.
func checkedPage(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	c := pageCheck{t: t, ids: map[string]bool{}}
	c.visit(root)
	c.finish()
	return b.String()
}

// pageCheck checks the elements of a page.
type pageCheck struct {
	t          *testing.T
	ids        map[string]bool
	references []string // IDs that attributes refer to
	scripts    []string
	policy     string
	heading    int // the level of the last heading
	landmarks  []string
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (c *pageCheck) visit(n *html.Node) {
	if n.Type == html.ElementNode {
		c.attributes(n)
		c.element(n)
	}
	for child := range n.ChildNodes() {
		c.visit(child)
	}
}

func (c *pageCheck) attributes(n *html.Node) {
	c.t.Helper()
	for _, a := range n.Attr {
		switch {
		case strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc":
			c.t.Errorf("<%s> has the attribute %s=%q", n.Data, a.Key, a.Val)
		case a.Key == "src" || a.Key == "action" || a.Key == "formaction" || a.Key == "data" || a.Key == "srcset" || a.Key == "background":
			c.t.Errorf("<%s> loads %s=%q", n.Data, a.Key, a.Val)
		case strings.HasSuffix(a.Key, "href"):
			fragment, ok := strings.CutPrefix(a.Val, "#")
			if !ok {
				c.t.Errorf("<%s> leads to %q", n.Data, a.Val)
			}
			c.references = append(c.references, fragment)
		case a.Key == "id":
			if c.ids[a.Val] || a.Val == "" || strings.ContainsAny(a.Val, " \t\n") {
				c.t.Errorf("the ID %q of <%s> is used twice, or is no ID", a.Val, n.Data)
			}
			c.ids[a.Val] = true
		case a.Key == "aria-labelledby" || a.Key == "aria-describedby" || a.Key == "data-copy" || a.Key == "for" || a.Key == "form":
			c.references = append(c.references, strings.Fields(a.Val)...)
		}
	}
}

// allowed are the elements of pages, besides those of SVG. Nothing else can come from a text.
var allowed = strings.Fields(`html head meta title style script body a header div span nav ul li small button main section h1 h2 h3 p b
	dl dt dd pre details summary ol table thead tbody tr th td figure figcaption form label input select option output kbd footer code wbr
	svg g path rect line text tspan polyline defs marker title`)

func (c *pageCheck) element(n *html.Node) {
	c.t.Helper()
	if !slices.Contains(allowed, n.Data) {
		c.t.Errorf("the page has an element <%s>", n.Data)
	}
	switch n.Data {
	case "script":
		c.scripts = append(c.scripts, textOf(n))
	case "meta":
		if attribute(n, "http-equiv") == "Content-Security-Policy" {
			c.policy = attribute(n, "content")
		}
	case "h1", "h2", "h3":
		level := int(n.Data[1] - '0')
		if level > c.heading+1 {
			c.t.Errorf("the heading %q of level %d follows one of level %d", textOf(n), level, c.heading)
		}
		c.heading = level
	case "header", "nav", "main", "footer":
		c.landmarks = append(c.landmarks, n.Data)
	case "th":
		if scope := attribute(n, "scope"); scope != "col" && scope != "row" {
			c.t.Errorf("the header %q of a table has no scope", textOf(n))
		}
	case "label":
		if find(n, "input") == nil && find(n, "select") == nil {
			c.t.Errorf("the label %q has no control", textOf(n))
		}
	case "input", "select":
		if n.Parent.Data != "label" {
			c.t.Errorf("<%s> has no label", n.Data)
		}
	case "button":
		if attribute(n, "type") == "" || textOf(n) == "" {
			c.t.Errorf("a button has no type or no text: %v", n.Attr)
		}
	case "svg":
		if attribute(n, "aria-hidden") == "" && (attribute(n, "role") != "img" || attribute(n, "aria-label") == "") {
			c.t.Errorf("a picture has no text: %v", n.Attr)
		}
	case "details":
		if first := n.FirstChild.NextSibling; first == nil || first.Data != "summary" {
			c.t.Error("details without a summary")
		}
	}
}

// finish checks the page as a whole.
func (c *pageCheck) finish() {
	c.t.Helper()
	for _, id := range c.references {
		if !c.ids[id] {
			c.t.Errorf("the page refers to %q, which it does not have", id)
		}
	}
	if want := []string{"header", "nav", "main", "footer"}; !slices.Equal(c.landmarks, want) {
		c.t.Errorf("landmarks %v, want %v", c.landmarks, want)
	}
	if len(c.scripts) != 1 {
		c.t.Fatalf("the page has %d scripts, want 1", len(c.scripts))
	}
	sum := sha256.Sum256([]byte(c.scripts[0]))
	want := "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
	if c.policy != want {
		c.t.Errorf("the policy is %q, want %q", c.policy, want)
	}
}

func find(n *html.Node, name string) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == name {
			return d
		}
	}
	return nil
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
