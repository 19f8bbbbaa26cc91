package theme

import (
	"strings"
	"unicode/utf8"
)

// plain is what stands for each glyph that Sonde draws where there is ASCII only:
// one cell for one cell, so that nothing moves.
var plain = map[rune]byte{
	'│': '|', '┃': '#', '┆': ':', '┇': '#', '▎': '|',
	'─': '-', '━': '#', '╌': '.', '╍': '#', '┄': '.', '╸': '#',
	'╭': '+', '╮': '+', '╰': '+', '╯': '+', '┌': '+', '┐': '+', '└': '+', '┘': '+', '┏': '#', '┓': '#', '┗': '#', '┛': '#',
	'├': '+', '┤': '+', '┬': '+', '┴': '+', '┼': '+', '╂': '#', '┠': '#', '┨': '#', '┯': '#', '┷': '#', '╋': '#',
	'░': ':', '█': '#', '▪': 'o',
	'║': '%', '═': '=', '╔': '%', '╗': '%', '╚': '%', '╝': '%', '╟': '%', '╢': '%', '╤': '=', '╧': '=', '╬': '%',
	'▸': '>', '▾': 'v', '◂': '<', '▴': '^', '→': '>', '←': '<', '↑': '^', '↓': 'v', '↔': '=', '↺': '@', '›': '>',
	'✓': '+', '△': '!', '✗': 'x', '≠': '!', '·': '-', '●': '*', '•': '*', '○': 'o', '◆': '#', '■': '#', '▶': '>', '‖': '=',
	'…': '~', '—': '-', '×': 'x', '≈': '~', '≥': '>', '≤': '<', '⇄': '=', '⇒': '>', '⏎': '&', '⌫': '<', '⇧': '^',
}

// spelled are glyphs that mean more than one cell can say.
var spelled = strings.NewReplacer("⏎", "enter", "⌫", "bksp", "⇧←", "S-left", "⇧→", "S-right", "⇧↑", "S-up", "⇧↓", "S-down",
	"←→", "<>", "↑↓", "^v", "←", "left", "→", "right", "↑", "up", "↓", "down", "≥", ">=", "≤", "<=", "…", "..")

var ascii bool

// UseASCII has all that is drawn from now on drawn with ASCII only, or not.
func UseASCII(on bool) { ascii = on }

// Spell returns a text, such as a key's name, as it is said with ASCII only. It may be
// longer then: it is for what is laid out afterwards.
func Spell(text string) string {
	if !ascii {
		return text
	}
	return spelled.Replace(text)
}

// Draw is the last thing that is done to a picture: it puts ASCII for the glyphs where that
// was asked for. Other letters, such as a spec may have, stay.
func Draw(picture string) string {
	if !ascii {
		return picture
	}
	var b strings.Builder
	b.Grow(len(picture))
	for i := 0; i < len(picture); {
		r, size := utf8.DecodeRuneInString(picture[i:])
		if c, ok := inASCII(r); ok {
			b.WriteByte(c)
		} else {
			b.WriteString(picture[i : i+size])
		}
		i += size
	}
	return b.String()
}

func inASCII(r rune) (byte, bool) {
	if r < utf8.RuneSelf {
		return byte(r), true
	}
	if r >= braille && r <= braille+0xff {
		return dots(r - braille), true
	}
	c, ok := plain[r]
	return c, ok
}

// braille is the first of the 256 characters whose bits are dots.
const braille = '\u2800'

// dots says whether dots are set in the upper half of a cell, in the lower, or in both.
func dots(bits rune) byte {
	const upper, lower = 0x01 | 0x02 | 0x08 | 0x10, 0x04 | 0x20 | 0x40 | 0x80
	switch {
	case bits&upper != 0 && bits&lower != 0:
		return ':'
	case bits&upper != 0:
		return '\''
	case bits != 0:
		return '.'
	}
	return ' '
}
