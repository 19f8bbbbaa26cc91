package tui

import (
	"slices"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// jump paints letters on all that can be pointed at; who types them points there.
type jump struct {
	on     func() screen.Screen // as it is now
	at     []screen.PointAt     // when it was painted
	labels []string
	typed  string
}

// newJump returns nil where there is nothing to jump to.
func newJump(on func() screen.Screen) overlay {
	at := targets(on())
	if len(at) == 0 {
		return nil
	}
	return &jump{on: on, at: at, labels: labels(len(at))}
}

// targets are what can be pointed at on a screen.
func targets(s screen.Screen) []screen.PointAt {
	if p, ok := s.(screen.PointTargeter); ok {
		return p.Targets()
	}
	return nil
}

// letters are those of labels, the easiest to reach first.
const letters = "asdfghjklqwertyuiopzxcvbnm"

// labels returns n different labels, of one letter each if there are enough of
// them, of two otherwise. What is more than those can name has none.
func labels(n int) []string {
	var out []string
	for _, a := range letters {
		if n <= len(letters) {
			out = append(out, string(a))
			continue
		}
		for _, b := range letters {
			out = append(out, string(a)+string(b))
		}
	}
	return out[:min(n, len(out))]
}

func (j *jump) update(msg tea.Msg) (overlay, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return j.press(msg)
	case tea.MouseMsg:
		return nil, nil
	}
	if !slices.Equal(j.at, targets(j.on())) { // the letters would stand on something else
		return nil, nil
	}
	return j, nil
}

// press takes a letter. One with which no label goes on is passed over.
func (j *jump) press(k tea.KeyMsg) (overlay, tea.Cmd) {
	if key.Matches(k, keyClose) {
		return nil, nil
	}
	typed := j.typed + strings.ToLower(string(k.Runes))
	for i, l := range j.labels {
		if l == typed {
			to := j.at[i]
			return nil, func() tea.Msg { return to }
		}
		if strings.HasPrefix(l, typed) {
			j.typed = typed
			return j, nil
		}
	}
	return j, nil
}

func (j *jump) over(picture string, _, _ int) string {
	rows := strings.Split(picture, "\n")
	for i, l := range j.labels {
		at := j.at[i]
		if rest, fits := strings.CutPrefix(l, j.typed); fits && at.Y < len(rows) {
			rows[at.Y] = draw.Overlay(rows[at.Y], theme.Selected.Render(rest), at.X, 0)
		}
	}
	return strings.Join(rows, "\n")
}

func (j *jump) keys() []key.Binding { return []key.Binding{keyClose} }
