package layout

import (
	"strings"
	"unicode"
)

// wide has the runes that take two terminal cells: runes of East Asian Width W and F, and runes that are emojis by
// default.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1},
		{Lo: 0x231a, Hi: 0x231b, Stride: 1},
		{Lo: 0x2329, Hi: 0x232a, Stride: 1},
		{Lo: 0x23e9, Hi: 0x23ec, Stride: 1},
		{Lo: 0x23f0, Hi: 0x23f3, Stride: 3},
		{Lo: 0x25fd, Hi: 0x25fe, Stride: 1},
		{Lo: 0x2614, Hi: 0x2615, Stride: 1},
		{Lo: 0x2630, Hi: 0x2637, Stride: 1},
		{Lo: 0x2648, Hi: 0x2653, Stride: 1},
		{Lo: 0x267f, Hi: 0x267f, Stride: 1},
		{Lo: 0x268a, Hi: 0x268f, Stride: 1},
		{Lo: 0x2693, Hi: 0x2693, Stride: 1},
		{Lo: 0x26a1, Hi: 0x26aa, Stride: 9},
		{Lo: 0x26ab, Hi: 0x26bd, Stride: 18},
		{Lo: 0x26be, Hi: 0x26c4, Stride: 6},
		{Lo: 0x26c5, Hi: 0x26ce, Stride: 9},
		{Lo: 0x26d4, Hi: 0x26ea, Stride: 22},
		{Lo: 0x26f2, Hi: 0x26f3, Stride: 1},
		{Lo: 0x26f5, Hi: 0x26fa, Stride: 5},
		{Lo: 0x26fd, Hi: 0x2705, Stride: 8},
		{Lo: 0x270a, Hi: 0x270b, Stride: 1},
		{Lo: 0x2728, Hi: 0x274c, Stride: 36},
		{Lo: 0x274e, Hi: 0x2753, Stride: 5},
		{Lo: 0x2754, Hi: 0x2755, Stride: 1},
		{Lo: 0x2757, Hi: 0x2795, Stride: 62},
		{Lo: 0x2796, Hi: 0x2797, Stride: 1},
		{Lo: 0x27b0, Hi: 0x27bf, Stride: 15},
		{Lo: 0x2b1b, Hi: 0x2b1c, Stride: 1},
		{Lo: 0x2b50, Hi: 0x2b55, Stride: 5},
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1},
		{Lo: 0x3041, Hi: 0x3247, Stride: 1},
		{Lo: 0x3250, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xa960, Hi: 0xa97c, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe10, Hi: 0xfe19, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff01, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x16fe0, Hi: 0x18dff, Stride: 1},
		{Lo: 0x1aff0, Hi: 0x1b2fb, Stride: 1},
		{Lo: 0x1d300, Hi: 0x1d376, Stride: 1},
		{Lo: 0x1f004, Hi: 0x1f0cf, Stride: 203},
		{Lo: 0x1f18e, Hi: 0x1f191, Stride: 3},
		{Lo: 0x1f192, Hi: 0x1f19a, Stride: 1},
		{Lo: 0x1f1e6, Hi: 0x1f1ff, Stride: 1},
		{Lo: 0x1f200, Hi: 0x1f320, Stride: 1},
		{Lo: 0x1f32d, Hi: 0x1f335, Stride: 1},
		{Lo: 0x1f337, Hi: 0x1f37c, Stride: 1},
		{Lo: 0x1f37e, Hi: 0x1f393, Stride: 1},
		{Lo: 0x1f3a0, Hi: 0x1f3ca, Stride: 1},
		{Lo: 0x1f3cf, Hi: 0x1f3d3, Stride: 1},
		{Lo: 0x1f3e0, Hi: 0x1f3f0, Stride: 1},
		{Lo: 0x1f3f4, Hi: 0x1f3f8, Stride: 4},
		{Lo: 0x1f3f9, Hi: 0x1f43e, Stride: 1},
		{Lo: 0x1f440, Hi: 0x1f442, Stride: 2},
		{Lo: 0x1f443, Hi: 0x1f4fc, Stride: 1},
		{Lo: 0x1f4ff, Hi: 0x1f53d, Stride: 1},
		{Lo: 0x1f54b, Hi: 0x1f54e, Stride: 1},
		{Lo: 0x1f550, Hi: 0x1f567, Stride: 1},
		{Lo: 0x1f57a, Hi: 0x1f595, Stride: 27},
		{Lo: 0x1f596, Hi: 0x1f5a4, Stride: 14},
		{Lo: 0x1f5fb, Hi: 0x1f64f, Stride: 1},
		{Lo: 0x1f680, Hi: 0x1f6c5, Stride: 1},
		{Lo: 0x1f6cc, Hi: 0x1f6d0, Stride: 4},
		{Lo: 0x1f6d1, Hi: 0x1f6d2, Stride: 1},
		{Lo: 0x1f6d5, Hi: 0x1f6d7, Stride: 1},
		{Lo: 0x1f6dc, Hi: 0x1f6df, Stride: 1},
		{Lo: 0x1f6eb, Hi: 0x1f6ec, Stride: 1},
		{Lo: 0x1f6f4, Hi: 0x1f6fc, Stride: 1},
		{Lo: 0x1f7e0, Hi: 0x1f7eb, Stride: 1},
		{Lo: 0x1f7f0, Hi: 0x1f90c, Stride: 284},
		{Lo: 0x1f90d, Hi: 0x1f93a, Stride: 1},
		{Lo: 0x1f93c, Hi: 0x1f945, Stride: 1},
		{Lo: 0x1f947, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x1fa70, Hi: 0x1faff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

// TextWidth returns the number of terminal cells of s. A wide rune takes two cells, combining marks and
// format and control characters take none, and other runes take one.
func TextWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r >= ' ' && r < 0x7f:
		return 1
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// TruncateText shortens s to at most width cells. If s is longer, its end is replaced by an ellipsis.
func TruncateText(s string, width int) string {
	if TextWidth(s) <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	n := 0
	for i, r := range s {
		n += runeWidth(r)
		if n > width-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}
