package explore

import (
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
)

// Legend says what the screen's signs mean.
func (s *Screen) Legend() []screen.Sign {
	return []screen.Sign{
		{theme.Required, "required"},
		{theme.Optional, "may be left out"},
		{"← →", "who gives the value, who takes it"},
		{"✓ △ ✗", "2xx, only 4xx, some 5xx in the search"},
	}
}
