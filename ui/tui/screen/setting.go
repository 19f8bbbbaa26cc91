package screen

import "github.com/charmbracelet/bubbles/key"

// Setting is a part of a screen's state that the user can undo: a filter, the picks, or a parameter of a running
// search.
type Setting struct {
	// ID is the same for all values of the part, and differs from those of other parts of the screen.
	ID string
	// Value is the value, in a form that only the screen reads.
	Value string
	// Text describes the value for the user, such as "filter cart".
	Text string
}

// RestoreSetting is sent to the screen of a setting, to give the setting a value that it had before. The screen ignores
// a setting that it does not have any more.
type RestoreSetting struct{ Setting }

// FilterID is the ID of the setting that FilterSetting returns.
const FilterID = "filter"

// FilterSetting returns the filter of a list as a setting.
func FilterSetting(text string) Setting {
	s := Setting{ID: FilterID, Value: text, Text: "filter " + text}
	if text == "" {
		s.Text = "no filter"
	}
	return s
}

// The keys that undo a change of a setting on any screen, and that make it again.
var (
	KeyUndo = key.NewBinding(key.WithKeys("u"), key.WithHelp("u", "undo: filter, picks, tuning"))
	KeyRedo = key.NewBinding(key.WithKeys("ctrl+y"), key.WithHelp("ctrl+y", "do it again"))
)
