// Package theme has all colours and glyphs. No meaning depends on colour alone: every state
// also has a glyph or a word.
package theme

// Styles by role.
const (
	Plain    Style = 0
	Dim            = grey
	Strong         = bold
	Accent         = cyan
	Active         = cyan | bold
	Selected       = reverse
	Good           = green
	Warn           = amber
	Bad            = red
	Value          = amber
	Border         = grey
	Focused        = cyan
)

// Glyphs that carry meaning without colour.
const (
	Cursor   = "▸"
	Open     = "▾"
	Closed   = "▸"
	Picked   = "✓"
	Required = "●"
	Optional = "○"

	Corrected = "≠"
	Untried   = "·"
	Ok        = "✓"
	Refused   = "△"
	Failed    = "✗"
	Running   = "▶"
	Paused    = "‖"
	Barred    = "⊘"
	Live      = "●"
	Injected  = "◆"
	AtStart   = "▴"
	Sent      = "→"
	Received  = "←"
	Said      = "›" // before a message of the app
)

var methods = map[string]Style{"GET": blue, "POST": green, "PUT": amber, "PATCH": violet, "DELETE": red}

// Method returns the style of an HTTP method, Dim for a method without a colour of its own.
func Method(m string) Style {
	if s, ok := methods[m]; ok {
		return s
	}
	return Dim
}

// Class returns the glyph and style of an HTTP status: 2xx, 4xx, 5xx, other.
func Class(status int) (string, Style) {
	switch status / 100 {
	case 2:
		return Ok, Good
	case 4:
		return Refused, Warn
	case 5:
		return Failed, Bad
	}
	return Untried, Dim
}
