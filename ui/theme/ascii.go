package theme

import (
	"strings"
	"unicode/utf8"
)

// plain maps glyphs to the ASCII characters that replace them. A glyph and its replacement take one cell each, so
// that the layout does not change.
var plain = map[rune]byte{
	'│': '|', '┃': '#', '┆': ':', '┇': '#', '▎': '|',
	'─': '-', '━': '#', '╌': '.', '╍': '#', '┄': '.', '╸': '#',
	'╭': '+', '╮': '+', '╰': '+', '╯': '+', '┌': '+', '┐': '+', '└': '+', '┘': '+', '┏': '#', '┓': '#', '┗': '#', '┛': '#',
	'├': '+', '┤': '+', '┬': '+', '┴': '+', '┼': '+', '╂': '#', '┠': '#', '┨': '#', '┯': '#', '┷': '#', '╋': '#',
	'░': ':', '█': '#', '▪': 'o',
	'║': '%', '═': '=', '╔': '%', '╗': '%', '╚': '%', '╝': '%', '╟': '%', '╢': '%', '╤': '=', '╧': '=', '╬': '%',
	'▸': '>', '▾': 'v', '◂': '<', '▴': '^', '→': '>', '←': '<', '↑': '^', '↓': 'v', '↔': '=', '↺': '@', '›': '>',
	'✓': '+', '△': '!', '✗': 'x', '≠': '!', '·': '-', '●': '*', '•': '*', '○': 'o', '◆': '#', '■': '#', '▶': '>', '‖': '=', '⊘': '0',
	'…': '~', '″': '"', '—': '-', '×': 'x', '−': '-', '≈': '~', '≥': '>', '≤': '<', '⇄': '=', '⇒': '>', '⏎': '&', '⌫': '<', '⇧': '^',
}

// spelled replaces glyphs by ASCII words or signs, which may be longer.
var spelled = strings.NewReplacer("⏎", "enter", "⌫", "bksp", "⇧←", "S-left", "⇧→", "S-right", "⇧↑", "S-up", "⇧↓", "S-down",
	"←→", "<>", "↑↓", "^v", "←", "left", "→", "right", "↑", "up", "↓", "down", "≥", ">=", "≤", "<=", "…", "..")

var ascii bool

// UseASCII switches drawing with ASCII characters on or off for everything that is drawn later.
func UseASCII(on bool) { ascii = on }

// Spell replaces the glyphs of a text, such as the name of a key, by words if only ASCII is drawn. The text
// may become longer, so Spell must be called before the layout.
func Spell(text string) string {
	if !ascii {
		return text
	}
	return spelled.Replace(text)
}

// Draw replaces the glyphs of a finished picture by ASCII characters, if only ASCII is drawn. This includes glyphs in
// the text of a spec. Other characters, such as letters with accents, stay.
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

// braille is the first of the 256 braille characters. The low bits of a character are its dots.
const braille = '\u2800'

// dots returns the ASCII character for braille dots: in the upper half of a cell, the lower half, or both.
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
