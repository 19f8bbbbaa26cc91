package theme

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/lipgloss"
)

// shade is a colour for terminals with true colour, 256 and 16 colours.
type shade = lipgloss.CompleteColor

// palette has the shades for light and for dark backgrounds: one for each ink (blue, green, amber and so on, see
// style.go), in the same order.
type palette struct{ light, dark [7]shade }

// The names of the themes. Dark and Light are for dark and light backgrounds. The others adapt to the
// terminal's background.
const (
	Auto         = "auto"
	Dark         = "dark"
	Light        = "light"
	HighContrast = "high-contrast"
	ColourBlind  = "colour-blind"
)

// Names returns the names of the themes.
func Names() []string { return []string{Auto, Dark, Light, HighContrast, ColourBlind} }

// The shades of the themes. The 16 ANSI colours look different in each terminal. For a light background, the themes
// avoid the ANSI colours that are too pale in many terminals.
var (
	usualLight = [7]shade{
		{TrueColor: "#005faf", ANSI256: "25", ANSI: "4"},
		{TrueColor: "#008000", ANSI256: "28", ANSI: "0"},
		{TrueColor: "#a85800", ANSI256: "130", ANSI: "5"},
		{TrueColor: "#8700af", ANSI256: "91", ANSI: "5"},
		{TrueColor: "#af0000", ANSI256: "124", ANSI: "1"},
		{TrueColor: "#707070", ANSI256: "243", ANSI: "8"},
		{TrueColor: "#007878", ANSI256: "23", ANSI: "4"},
	}
	usualDark = [7]shade{
		{TrueColor: "#5fafff", ANSI256: "75", ANSI: "12"},
		{TrueColor: "#87d787", ANSI256: "114", ANSI: "10"},
		{TrueColor: "#d7af5f", ANSI256: "179", ANSI: "11"},
		{TrueColor: "#d787ff", ANSI256: "177", ANSI: "13"},
		{TrueColor: "#ff5f5f", ANSI256: "203", ANSI: "9"},
		{TrueColor: "#8a8a8a", ANSI256: "245", ANSI: "7"},
		{TrueColor: "#5fd7d7", ANSI256: "80", ANSI: "14"},
	}
	strongLight = [7]shade{
		{TrueColor: "#000087", ANSI256: "18", ANSI: "4"},
		{TrueColor: "#005f00", ANSI256: "22", ANSI: "0"},
		{TrueColor: "#5f3f00", ANSI256: "52", ANSI: "0"},
		{TrueColor: "#5f0087", ANSI256: "54", ANSI: "4"},
		{TrueColor: "#870000", ANSI256: "88", ANSI: "0"},
		{TrueColor: "#444444", ANSI256: "238", ANSI: "0"},
		{TrueColor: "#005050", ANSI256: "23", ANSI: "4"},
	}
	strongDark = [7]shade{
		{TrueColor: "#87d7ff", ANSI256: "117", ANSI: "14"},
		{TrueColor: "#87ff87", ANSI256: "120", ANSI: "10"},
		{TrueColor: "#ffd75f", ANSI256: "221", ANSI: "11"},
		{TrueColor: "#ffafff", ANSI256: "219", ANSI: "15"},
		{TrueColor: "#ff8787", ANSI256: "210", ANSI: "15"},
		{TrueColor: "#d0d0d0", ANSI256: "252", ANSI: "7"},
		{TrueColor: "#87ffff", ANSI256: "123", ANSI: "14"},
	}
	// blindLight uses blue for good and yellow for warnings. Its red for bad also differs from both in
	// lightness (after Okabe and Ito).
	blindLight = [7]shade{
		{TrueColor: "#005050", ANSI256: "23", ANSI: "0"},
		{TrueColor: "#0068b0", ANSI256: "25", ANSI: "4"},
		{TrueColor: "#806000", ANSI256: "94", ANSI: "5"},
		{TrueColor: "#870087", ANSI256: "90", ANSI: "5"},
		{TrueColor: "#7a0000", ANSI256: "88", ANSI: "1"},
		{TrueColor: "#707070", ANSI256: "243", ANSI: "8"},
		{TrueColor: "#005050", ANSI256: "23", ANSI: "4"},
	}
	blindDark = [7]shade{
		{TrueColor: "#9ad7f5", ANSI256: "153", ANSI: "14"},
		{TrueColor: "#56b4e9", ANSI256: "74", ANSI: "12"},
		{TrueColor: "#f0e442", ANSI256: "227", ANSI: "11"},
		{TrueColor: "#cc79a7", ANSI256: "175", ANSI: "13"},
		{TrueColor: "#d55e00", ANSI256: "166", ANSI: "9"},
		{TrueColor: "#8a8a8a", ANSI256: "245", ANSI: "7"},
		{TrueColor: "#9ad7f5", ANSI256: "153", ANSI: "14"},
	}
)

var palettes = map[string]palette{
	Auto:         {usualLight, usualDark},
	Dark:         {usualDark, usualDark},
	Light:        {usualLight, usualLight},
	HighContrast: {strongLight, strongDark},
	ColourBlind:  {blindLight, blindDark},
}

// Check returns an error that lists the themes if name is not a theme.
func Check(name string) error {
	if !slices.Contains(Names(), name) {
		return fmt.Errorf("there is no theme %q: take %s", name, strings.Join(Names(), ", "))
	}
	return nil
}

// inForce is the palette of the current theme.
var inForce atomic.Pointer[palette]

func init() { Use(Auto) }

// Use sets the theme for everything that is drawn later. name must be valid; see Check.
func Use(name string) {
	p := palettes[name]
	inForce.Store(&p)
}
