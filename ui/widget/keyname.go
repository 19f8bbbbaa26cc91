package widget

import (
	"sync/atomic"

	"sonde/ui/theme"

	"github.com/charmbracelet/bubbles/key"
)

// KeyAndHelp returns the name of a key and its help, styled.
func KeyAndHelp(b key.Binding) string { return theme.Accent.Render(KeyName(b)) + " " + b.Help().Desc }

// named holds the function that returns the names of rebound keys, or nil.
var named atomic.Pointer[func(key.Binding) string]

// RenameKeys sets the names of rebound keys for KeyName and KeyAndHelp. name returns "" for
// keys that are not rebound. Nil resets all names.
func RenameKeys(name func(key.Binding) string) {
	if name == nil {
		named.Store(nil)
		return
	}
	named.Store(&name)
}

// KeyName returns the name of a key. If the key is rebound, it returns the name of the user's own key. Legends use
// bindings without keys for their signs, such as ✓; for such a binding KeyName returns the sign.
func KeyName(b key.Binding) string {
	if len(b.Keys()) == 0 {
		return b.Help().Key
	}
	if name := named.Load(); name != nil && (*name)(b) != "" {
		return theme.Spell((*name)(b))
	}
	return theme.Spell(b.Help().Key)
}
