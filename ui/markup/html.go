package markup

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// tag matches the HTML tags that are common in descriptions.
var tag = regexp.MustCompile(
	`(?i)</?(p|br|b|strong|i|em|code|tt|pre|a|ul|ol|li|dl|dt|dd|h[1-6]|div|span|title|table|tr|td|th|blockquote)(\s[^<>]*)?/?>`,
)

func hasTags(s string) bool { return tag.MatchString(s) }

// marks has the Markdown for the beginning and the end of each element.
var marks = map[string][2]string{
	"p":          {"\n\n", "\n\n"},
	"div":        {"\n\n", "\n\n"},
	"ul":         {"\n\n", "\n\n"},
	"ol":         {"\n\n", "\n\n"},
	"dl":         {"\n\n", "\n\n"},
	"table":      {"\n\n", "\n\n"},
	"br":         {"  \n", ""},
	"b":          {"**", "**"},
	"strong":     {"**", "**"},
	"i":          {"*", "*"},
	"em":         {"*", "*"},
	"code":       {"`", "`"},
	"tt":         {"`", "`"},
	"pre":        {"\n```\n", "\n```\n"},
	"li":         {"\n- ", "\n"},
	"dt":         {"\n\n**", "**\n"},
	"dd":         {"\n- ", "\n"},
	"tr":         {"\n- ", "\n"},
	"td":         {" ", " "},
	"th":         {" ", " "},
	"blockquote": {"\n\n> ", "\n\n"},
	"title":      {"\n\n**", "**\n\n"},
	"h1":         {"\n\n## ", "\n\n"},
	"h2":         {"\n\n## ", "\n\n"},
	"h3":         {"\n\n## ", "\n\n"},
	"h4":         {"\n\n## ", "\n\n"},
	"h5":         {"\n\n## ", "\n\n"},
	"h6":         {"\n\n## ", "\n\n"},
}

// blocks matches tags of paragraphs, lists and tables. A text with such a tag is HTML as a whole, so its line ends
// have no meaning.
var blocks = regexp.MustCompile(`(?i)<(p|div|ul|ol|dl|table)[\s>]`)

// blanks matches blanks that HTML collapses into one.
var blanks = regexp.MustCompile(`\s+`)

// fromHTML converts HTML to Markdown. It keeps unknown tags, such as <id>, as text.
func fromHTML(s string) string {
	c := converter{Tokenizer: html.NewTokenizer(strings.NewReader(s)), whole: blocks.MatchString(s)}
	for c.step() {
	}
	return string(c.out)
}

// converter converts HTML tokens to Markdown.
type converter struct {
	*html.Tokenizer
	whole bool // line ends have no meaning, except in pre
	pre   bool
	code  bool   // inside code, whose text is not Markdown
	to    string // target of the current link
	out   []byte
	// out[opened:openedEnd] has the last marks that begin elements, such as ** or `. If openedEnd is the length of
	// out, no text follows the marks yet.
	opened, openedEnd int
}

func (c *converter) step() bool {
	kind, raw := c.Next(), string(c.Raw())
	t := c.Token()
	mark, known := marks[t.Data]
	switch {
	case kind == html.ErrorToken: // the end
		return false
	case kind == html.TextToken:
		c.text(t.Data)
	case !known && t.Data != "a" && t.Data != "span":
		c.out = append(c.out, raw...)
	case kind == html.EndTagToken:
		c.end(t.Data, mark[1])
	default:
		c.begin(t, mark[0])
	}
	return true
}

func (c *converter) text(text string) {
	if c.whole && !c.pre {
		text = blanks.ReplaceAllString(text, " ")
	}
	if !c.code && !c.pre {
		text = entity.ReplaceAllString(text, `\$0`) // the tokenizer has replaced the references of HTML; those that are left are text
	}
	inside := c.opened < len(c.out) && c.openedEnd == len(c.out)
	// Markdown ignores a beginning mark that is followed by a blank.
	if bare := strings.TrimLeft(text, " "); inside && len(bare) < len(text) {
		c.out, text = spaced(c.out, c.opened), bare
	}
	if c.whole && bytes.HasSuffix(c.out, []byte(" ")) {
		text = strings.TrimLeft(text, " ")
	}
	c.out = append(c.out, text...)
}

// spaced inserts a blank into text at a position, unless a blank or the beginning of a line is before the
// position.
func spaced(text []byte, at int) []byte {
	if at == 0 || text[at-1] == ' ' || text[at-1] == '\n' {
		return text
	}
	return slices.Insert(text, at, ' ')
}

func (c *converter) begin(t html.Token, mark string) {
	c.pre = c.pre || t.Data == "pre"
	if t.Data == "a" {
		c.to = href(t)
		if c.to != "" {
			mark = "["
		}
	}
	if bytes.HasSuffix(c.out, []byte("- ")) { // the first paragraph of an item begins beside the bullet
		mark = strings.TrimLeft(mark, "\n")
	}
	c.code = c.code || mark == "`"
	start := len(c.out)
	c.out = append(c.out, mark...)
	if strings.HasSuffix(mark, "*") || strings.HasSuffix(mark, "`") {
		if c.openedEnd < start {
			c.opened = start
		}
		c.openedEnd = len(c.out)
	}
}

func (c *converter) end(name, mark string) {
	c.pre, c.code = c.pre && name != "pre", c.code && mark != "`"
	if name == "a" && c.to != "" {
		mark, c.to = "](<"+c.to+">)", ""
	}
	// Markdown ignores an ending mark that is preceded by a blank.
	if bare := bytes.TrimRight(c.out, " "); strings.ContainsAny(mark, "*`") && len(bare) < len(c.out) {
		c.out, mark = bare, mark+" "
	}
	c.out = append(c.out, mark...)
}

// href returns the target of a link, "" if Markdown cannot express it.
func href(t html.Token) string {
	for _, a := range t.Attr {
		if a.Key == "href" && !strings.ContainsAny(a.Val, "<>\n") {
			return a.Val
		}
	}
	return ""
}
