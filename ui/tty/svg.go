package tty

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/hinshun/vt10x"
)

// The size of a cell in the picture, the margin around the cells, and the colours of a cell without a
// style.
const (
	cellWidth  = 8.4
	lineHeight = 17
	margin     = 14
	paper      = "#16181d"
	ink        = "#d7dae0"
)

// fonts are the fonts of the picture, with one for every system.
const fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

// WriteSVG draws the screen as an SVG picture.
func (s *Session) WriteSVG(w io.Writer) error {
	s.screen.Lock()
	defer s.screen.Unlock()
	width, height := s.screen.Size()
	var b strings.Builder
	fmt.Fprintf(
		&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="%s" font-size="14">`+"\n",
		float64(width)*cellWidth+2*margin, height*lineHeight+2*margin, fonts,
	)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", paper)
	for y := range height {
		s.row(&b, y, width)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// row draws one line as runs of cells in the same style.
func (s *Session) row(b *strings.Builder, y, width int) {
	for x := 0; x < width; {
		from, g := x, s.screen.Cell(x, y)
		var text strings.Builder
		for ; x < width && alike(g, s.screen.Cell(x, y)); x++ {
			text.WriteRune(visible(s.screen.Cell(x, y).Char))
		}
		drawRun(b, from, y, x-from, text.String(), g)
	}
}

func alike(a, b vt10x.Glyph) bool {
	return a.FG == b.FG && a.BG == b.BG && drawn(a.Char) == drawn(b.Char)
}

// drawn reports whether a character may be missing in the font of the picture. Another font, perhaps with wider
// characters, then draws it. Therefore each such character gets its own x position.
func drawn(r rune) bool { return r > '~' }

func drawRun(b *strings.Builder, x, y, cells int, text string, g vt10x.Glyph) {
	left, top := margin+float64(x)*cellWidth, margin+y*lineHeight
	if back := colour(g.BG, paper); back != paper {
		fmt.Fprintf(
			b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", left, top,
			float64(cells)*cellWidth, lineHeight, back,
		)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	// Trailing blanks draw nothing, so they are left out.
	text = strings.TrimRight(text, " ")
	place := fmt.Sprintf(`x="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs"`, left, float64(len(text))*cellWidth)
	if drawn(g.Char) {
		place = fmt.Sprintf(`x="%s"`, columns(left, cells))
	}
	fmt.Fprintf(
		b, `<text %s y="%d" fill="%s" xml:space="preserve">%s</text>`+"\n", place, top+13, colour(g.FG, ink),
		html.EscapeString(text),
	)
}

// columns returns the x positions of the characters of a run, one for each cell.
func columns(left float64, cells int) string {
	var xs []string
	for i := range cells {
		xs = append(xs, fmt.Sprintf("%.1f", left+float64(i)*cellWidth))
	}
	return strings.Join(xs, " ")
}

var base = [16]string{
	"#1e2127", "#e06c75", "#98c379", "#d19a66", "#61afef", "#c678dd", "#56b6c2", "#abb2bf",
	"#5c6370", "#ff7b86", "#b5e890", "#ffc777", "#7cc4ff", "#e29bf5", "#7fdbe6", "#ffffff",
}

// colour returns a terminal colour in HTML form. If the colour is unknown, it returns the colour standard.
func colour(c vt10x.Color, standard string) string {
	switch {
	case c == vt10x.DefaultFG:
		return ink
	case c == vt10x.DefaultBG:
		return paper
	case c < 16:
		return base[c]
	case c >= 232 && c < 256:
		v := 8 + 10*(int(c)-232)
		return fmt.Sprintf("#%02x%02x%02x", v, v, v)
	case c < 232:
		n := int(c) - 16
		return fmt.Sprintf("#%02x%02x%02x", step(n/36), step(n/6%6), step(n%6))
	case c < 1<<24:
		return fmt.Sprintf("#%06x", uint32(c))
	}
	return standard
}

// step returns one of the six levels of the colour cube.
func step(n int) int {
	if n == 0 {
		return 0
	}
	return 55 + 40*n
}
