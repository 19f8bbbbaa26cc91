package tui

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/ui/app/userdata"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// everywhere is the screen name in the preferences that means all screens.
const everywhere = "everywhere"

// campaigns is the name in the preferences for the screen of campaigns. This screen is not in the tab line.
const campaigns = "campaigns"

// keyRemap has the user's own keys for each screen. The key of the map is the lower-case name of the screen.
type keyRemap map[string][]keyPair

// keyPair is one of the user's own keys: when the user presses the first key, the app acts as if it were the second
// one. Both have bubbletea's names.
type keyPair struct{ pressed, meant string }

// newKeyRemap returns the valid key bindings of the preferences, and the problems of the invalid bindings.
func newKeyRemap(h screen.Preferences, all []screen.Screen) (keyRemap, []screen.FileProblem) {
	keys, places := keyRemap{}, []string{everywhere}
	for _, s := range all {
		places = append(places, strings.ToLower(s.Name()))
	}
	places = append(places, campaigns)
	var problems []screen.FileProblem
	for _, k := range h.Keys {
		if text := keyProblem(k, places); text != "" {
			problems = append(problems, screen.FileProblem{File: h.File, Problem: model.Problem{Line: k.Line, Text: text}})
			continue
		}
		keys[k.Screen] = append(keys[k.Screen], keyPair{pressed: bubbleteaName(k.Key), meant: bubbleteaName(k.As)})
	}
	return keys, problems
}

// keyProblem describes the problem of a user's key, "" if there is none.
func keyProblem(k userdata.KeyBinding, places []string) string {
	if !slices.Contains(places, k.Screen) {
		return fmt.Sprintf("keys: %.20q is no screen: there are %s", k.Screen, strings.Join(places, ", "))
	}
	for _, name := range []string{k.Key, k.As} {
		if msg := keyMessage(bubbleteaName(name)); msg.Type == tea.KeyRunes && len(msg.Runes) != 1 {
			return fmt.Sprintf("keys: %.20q is no key: write x, space, enter, ctrl+x, alt+left or f5", name)
		}
	}
	return ""
}

// bubbleteaName returns bubbletea's name of a key.
func bubbleteaName(name string) string {
	if name == "space" {
		return " "
	}
	return name
}

// on returns the user's own keys on a screen. Keys for this screen come before keys for all screens.
func (r keyRemap) on(s screen.Screen) []keyPair {
	return slices.Concat(r[strings.ToLower(s.Name())], r[everywhere])
}

// resolve returns the key that the user means by k: k itself, unless the user has rebound it on the screen.
func (r keyRemap) resolve(s screen.Screen, k tea.KeyMsg) tea.KeyMsg {
	for _, pair := range r.on(s) {
		if pair.pressed == k.String() {
			return keyMessage(pair.meant)
		}
	}
	return k
}

// named returns the bindings with the names of the user's own keys.
func (r keyRemap) named(s screen.Screen, all []key.Binding) []key.Binding {
	pairs := r.on(s)
	if len(pairs) == 0 {
		return all
	}
	out := slices.Clone(all)
	for i, b := range out {
		if name := remappedName(b, pairs); name != "" {
			out[i].SetHelp(name, b.Help().Desc)
		}
	}
	return out
}

// remappedName returns the name of the user's own key for a binding, or "" if the user has none.
func remappedName(b key.Binding, pairs []keyPair) (name string) {
	for _, pair := range pairs {
		if slices.Contains(b.Keys(), pair.meant) {
			name = strings.ReplaceAll(pair.pressed, " ", "space")
		}
	}
	return name
}

// during calls a function. While the function runs, the texts of the screen name the user's own keys.
func (r keyRemap) during(s screen.Screen, do func()) {
	if pairs := r.on(s); len(pairs) > 0 {
		widget.RenameKeys(func(b key.Binding) string { return remappedName(b, pairs) })
		defer widget.RenameKeys(nil)
	}
	do()
}
