package markup

import (
	"html"
	"regexp"
	"strconv"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()

// longest is the maximum number of bytes that are read from a text.
const longest = 64 << 10

// read parses a text into paragraphs.
func read(s string) []paragraph {
	s = strings.ToValidUTF8(s[:min(len(s), longest)], "")
	if hasTags(s) {
		s = fromHTML(s)
	}
	source := []byte(strings.TrimSpace(draw.CleanLines(s)))
	w := &writer{source: source}
	w.blocks(markdown.Parse(text.NewReader(source)), "")
	return w.all
}

// writer converts the blocks of a document to paragraphs.
type writer struct {
	source []byte
	all    []paragraph
	bullet string // bullet of the item whose first paragraph is next; "" for none
	tight  bool   // no blank lines, as in a list
}

// blocks writes the blocks that parent contains. Each of their lines begins with indent.
func (w *writer) blocks(parent ast.Node, indent string) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.List:
			w.list(n, indent)
		case *ast.Blockquote:
			w.blocks(n, indent+"│ ")
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			w.code(n.Lines(), indent)
		case *ast.HTMLBlock:
			w.add(indent, []piece{{text: strings.TrimSpace(string(n.Lines().Value(w.source)))}})
		case *ast.Heading:
			w.add(indent, w.inline(n, look{strong: true}))
		case *table.Table:
			w.table(n, indent)
		case *ast.ThematicBreak:
		default:
			w.add(indent, w.inline(n, look{}))
		}
	}
}

// add adds a paragraph. If a bullet is pending, the paragraph begins with it.
func (w *writer) add(indent string, pieces []piece) {
	p := paragraph{first: indent, rest: indent, pieces: pieces, apart: !w.tight}
	if w.bullet != "" {
		p.first, p.rest = indent+w.bullet, indent+strings.Repeat(" ", len([]rune(w.bullet)))
		w.bullet = ""
	}
	w.all = append(w.all, p)
}

func (w *writer) list(l *ast.List, indent string) {
	was := w.tight
	w.tight = was || l.Parent().Kind() == ast.KindListItem
	for n, i := l.FirstChild(), l.Start; n != nil; n, i = n.NextSibling(), i+1 {
		w.bullet = theme.Untried + " "
		if l.IsOrdered() {
			w.bullet = strconv.Itoa(i) + ". "
		}
		deeper := len(w.all)
		w.blocks(n, indent)
		w.bullet = ""
		for j := deeper + 1; j < len(w.all); j++ { // the rest of the item is below its text
			w.all[j].first, w.all[j].rest = "  "+w.all[j].first, "  "+w.all[j].rest
		}
		w.tight = true
	}
	w.tight = was
}

func (w *writer) code(lines *text.Segments, indent string) {
	code := strings.TrimRight(string(lines.Value(w.source)), "\n")
	w.add(indent, []piece{{code, look{code: true}}})
	w.all[len(w.all)-1].fixed = true
}

// table writes each row as a line.
func (w *writer) table(t *table.Table, indent string) {
	was := w.tight
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var pieces []piece
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if len(pieces) > 0 {
				pieces = append(pieces, piece{text: " │ "})
			}
			_, head := row.(*table.TableHeader)
			pieces = append(pieces, w.inline(cell, look{strong: head})...)
		}
		w.add(indent, pieces)
		w.tight = true
	}
	w.tight = was
}

// inline returns the text inside a block as pieces, which differ in style.
func (w *writer) inline(parent ast.Node, style look) (all []piece) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		all = append(all, w.piece(n, style)...)
	}
	return all
}

func (w *writer) piece(n ast.Node, style look) []piece {
	switch n := n.(type) {
	case *ast.Text:
		text := string(n.Segment.Value(w.source))
		if !n.IsRaw() {
			text = unescaped(text)
		}
		return []piece{{text + lineEnd(n), style}}
	case *ast.String:
		return []piece{{string(n.Value), style}}
	case *ast.CodeSpan:
		style.code = true
	case *ast.Emphasis:
		style.strong, style.emphatic = style.strong || n.Level > 1, style.emphatic || n.Level == 1
	case *ast.AutoLink:
		style.link = true
		return []piece{{string(n.Label(w.source)), style}}
	case *ast.Link:
		return w.link(n, style)
	case *ast.RawHTML: // an unknown tag
		return []piece{{string(n.Segments.Value(w.source)), style}}
	}
	return w.inline(n, style)
}

// entity matches a character reference. escape matches a character reference, or a backslash with the
// punctuation character that it escapes.
var (
	entity = regexp.MustCompile(`&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);`)
	escape = regexp.MustCompile(`\\[!-/:-@\[-\x60{-~]|` + entity.String())
)

// unescaped returns a text with Markdown's escapes and the character references replaced by their
// characters. The characters are safe for a terminal.
func unescaped(text string) string {
	if !strings.ContainsAny(text, `\&`) {
		return text
	}
	return escape.ReplaceAllStringFunc(text, func(found string) string {
		if plain, ok := strings.CutPrefix(found, `\`); ok {
			return plain
		}
		return draw.Clean(html.UnescapeString(found))
	})
}

// lineEnd returns the text after a text node: a newline for a hard line break, a blank for a soft one,
// otherwise "".
func lineEnd(n *ast.Text) string {
	switch {
	case n.HardLineBreak():
		return "\n"
	case n.SoftLineBreak():
		return " "
	}
	return ""
}

// link returns the text of a link. The target follows if it is a URL and differs from the text.
func (w *writer) link(n *ast.Link, style look) []piece {
	style.link = true
	all := w.inline(n, style)
	if to := string(n.Destination); strings.Contains(to, "://") && (paragraph{pieces: all}).text() != to {
		all = append(all, piece{text: " (" + to + ")"})
	}
	return all
}
