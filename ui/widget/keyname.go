package widget

import (
	"sync/atomic"

	"sonde/ui/theme"

	"github.com/charmbracelet/bubbles/key"
)

// KeyAndHelp is a key and what it does, for a text.
func KeyAndHelp(b key.Binding) string { return theme.Accent.Render(KeyName(b)) + " " + b.Help().Desc }

// named has the names that keys were given on the screen that speaks.
var named atomic.Pointer[func(key.Binding) string]

// RenameKeys lets Key and Does call keys as a person has them; name returns "" for those that
// are as they were. Nil takes that back.
func RenameKeys(name func(key.Binding) string) {
	if name == nil {
		named.Store(nil)
		return
	}
	named.Store(&name)
}

// KeyName is a key's name, as a person has it. What no key is bound to is a sign of a legend, not a name.
func KeyName(b key.Binding) string {
	if len(b.Keys()) == 0 {
		return b.Help().Key
	}
	if name := named.Load(); name != nil && (*name)(b) != "" {
		return theme.Spell((*name)(b))
	}
	return theme.Spell(b.Help().Key)
}
