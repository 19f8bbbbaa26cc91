package theme

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// grounds maps the background colours white and black to the shades that a palette has for them.
func grounds(p palette) map[rgb][7]shade {
	return map[rgb][7]shade{{1, 1, 1}: p.light, {}: p.dark}
}

// Every shade has the contrast that WCAG 2 requires on its background: 4.5 to 1, or 7 to 1 (AAA) in the theme with high
// contrast. The 16 basic colours depend on the terminal. Those of VGA and xterm must have the contrast for large text,
// 3 to 1.
func TestContrast(t *testing.T) {
	for name, p := range palettes {
		least := 4.5
		if name == HighContrast {
			least = 7
		}
		if name == Dark || name == Light {
			continue // Auto has the palettes of Dark and Light
		}
		for ground, shades := range grounds(p) {
			for i, s := range shades {
				check := func(what string, c rgb, least float64) {
					if got := contrast(c, ground); got < least {
						t.Errorf("%s, ink %d on %v, %s %v: contrast %.2f, want %v", name, i, ground, what, c, got, least)
					}
				}
				check("true colour", hex(s.TrueColor), least)
				check("of 256", indexed(s.ANSI256), least)
				check("of 16, VGA", sixteen(vga, s.ANSI), 3)
				check("of 16, xterm", sixteen(xterm, s.ANSI), 3)
			}
		}
	}
}

// The colour-blind theme has colours for good, warning and bad that differ also for users who cannot distinguish red
// from green, or blue from yellow. The colours of the usual theme do not differ for these users.
func TestColourBlind(t *testing.T) {
	const apart = 15 // distance by CIE 1976; 2.3 is just noticeable
	for kind, sight := range sights {
		for ground, shades := range grounds(palettes[ColourBlind]) {
			for depth, of := range map[string]func(shade) rgb{
				"true colour": func(s shade) rgb { return hex(s.TrueColor) },
				"256":         func(s shade) rgb { return indexed(s.ANSI256) },
			} {
				if got := nearest(shades, of, sight); got < apart {
					t.Errorf("%s, %s, on %v: two states are %.1f apart, want %d", kind, depth, ground, got, apart)
				}
			}
		}
	}
	usual := nearest(usualDark, func(s shade) rgb { return hex(s.TrueColor) }, sights["deuteranopia"])
	if usual >= apart {
		t.Errorf("the usual theme does, too (%.1f): the measure tells nothing", usual)
	}
}

// nearest returns the smallest distance between the colours of good, warning and bad.
func nearest(shades [7]shade, of func(shade) rgb, sight matrix) float64 {
	good, warn, bad := of(shades[1]).transformed(sight), of(shades[2]).transformed(sight), of(shades[4]).transformed(sight)
	return min(distance(good, warn), distance(warn, bad), distance(good, bad))
}

// All themes differ. A change of the theme applies to existing styles, too.
func TestUse(t *testing.T) {
	lipgloss.SetColorProfile(termenv.TrueColor)
	t.Cleanup(func() {
		Use(Auto)
		lipgloss.SetColorProfile(termenv.Ascii)
		lipgloss.SetHasDarkBackground(true)
	})
	lipgloss.SetHasDarkBackground(true)
	copied := Good
	seen := map[string]string{}
	for _, name := range []string{Dark, Light, HighContrast, ColourBlind} {
		Use(name)
		text := copied.Render("x") + Method("POST").Render("x")
		if before := seen[text]; before != "" {
			t.Errorf("%s looks like %s", name, before)
		}
		seen[text] = name
	}
	for name, twin := range map[bool]string{true: Dark, false: Light} {
		lipgloss.SetHasDarkBackground(name)
		Use(Auto)
		auto := Good.Render("x")
		Use(twin)
		if Good.Render("x") != auto {
			t.Errorf("auto is not %s on such a background", twin)
		}
	}
	if Check("drak") == nil || Check(ColourBlind) != nil {
		t.Error("Check does not tell which themes there are")
	}
}

type rgb [3]float64

type matrix [3][3]float64

// sights maps each kind of colour blindness to a matrix. The matrix converts a colour in linear RGB to the colour
// that a person with this colour blindness sees (Machado, Oliveira, Fernandes 2009, at full severity).
var sights = map[string]matrix{
	"full":         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

var (
	vga = [16]string{
		"#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
		"#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff",
	}
	xterm = [16]string{
		"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
		"#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
	}
)

func sixteen(all [16]string, index string) rgb {
	n, err := strconv.Atoi(index)
	if err != nil {
		panic(err)
	}
	return hex(all[n])
}

// indexed returns a colour of the 256-colour palette. The index must be 16 or more: these colours, the colour cube
// and the greys, are the same in all terminals.
func indexed(index string) rgb {
	n, err := strconv.Atoi(index)
	if err != nil || n < 16 {
		panic(fmt.Sprintf("%q is none of the fixed colours", index))
	}
	if n >= 232 {
		v := linear(8 + 10*(n-232))
		return rgb{v, v, v}
	}
	step := func(k int) float64 { return linear(min(k, 1)*55 + 40*k) }
	n -= 16
	return rgb{step(n / 36), step(n / 6 % 6), step(n % 6)}
}

func hex(s string) (c rgb) {
	for i := range c {
		v, err := strconv.ParseUint(s[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(err)
		}
		c[i] = linear(int(v))
	}
	return c
}

// linear converts a component of an sRGB colour to linear RGB, by the formula of WCAG.
func linear(v int) float64 {
	c := float64(v) / 255
	if c <= 0.03928 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

func (c rgb) luminance() float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

func contrast(a, b rgb) float64 {
	light, dark := max(a.luminance(), b.luminance()), min(a.luminance(), b.luminance())
	return (light + 0.05) / (dark + 0.05)
}

func (c rgb) transformed(m matrix) (out rgb) {
	for i, row := range m {
		out[i] = min(1, max(0, row[0]*c[0]+row[1]*c[1]+row[2]*c[2]))
	}
	return out
}

// distance returns the distance of two colours by CIE 1976, in L*a*b*.
func distance(a, b rgb) float64 {
	x, y := lab(a), lab(b)
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}

func lab(c rgb) [3]float64 {
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.95047)
	y := f(c.luminance())
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}
