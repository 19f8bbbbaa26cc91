package tui

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"sonde/model"
	"sonde/ui/theme"

	"pgregory.net/rapid"
)

func withASCII(t *testing.T) {
	theme.UseASCII(true)
	t.Cleanup(func() { theme.UseASCII(false) })
}

// In ASCII mode, all screens consist of ASCII bytes if the spec does. The demo's spec does.
func TestASCII(t *testing.T) {
	for name, state := range states {
		if name == "health" {
			continue // the spec of this state has letters that are not ASCII
		}
		for _, size := range [][2]int{{40, 12}, {120, 36}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				withASCII(t)
				onlyASCII(t, state(t).size(size[0], size[1]).app.View())
			})
		}
	}
}

// After any keys, the view has only ASCII and keeps its size.
func TestASCIIWhateverIsPressed(t *testing.T) {
	leaveOutIfShort(t)
	withASCII(t)
	keys := append(
		strings.Split("12345678v?/:gGptds+-hjklq eixnwozZcCfFmNVb", ""), "up", "down", "left", "right", "enter",
		"esc", "tab", "pgdown", "end", "backspace",
	)
	rapid.Check(t, func(t *rapid.T) {
		d := open([]*model.Spec{shop(), large(40)}[rapid.IntRange(0, 1).Draw(t, "spec")], nil)
		d.size(rapid.IntRange(MinWidth, 200).Draw(t, "width"), rapid.IntRange(MinHeight, 60).Draw(t, "height"))
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			d.press(rapid.SampledFrom(keys).Draw(t, "key"))
			whole(t, d)
			onlyASCII(t, d.app.View())
		}
	})
}

// With ASCII only, keys are named in words instead of glyphs.
func TestASCIIKeys(t *testing.T) {
	withASCII(t)
	open(shop(), nil).sees(t, "enter open").press("?").sees(t, "enter      open").write("requ").sees(
		t, "*          required",
	).press("backspace", "backspace", "backspace", "backspace").write("enter").press("enter").misses(t, "Keys of")
}

func onlyASCII(t interface {
	Helper()
	Fatalf(string, ...any)
}, picture string,
) {
	t.Helper()
	for _, r := range picture {
		if r >= utf8.RuneSelf {
			t.Fatalf("%q is in\n%s", r, picture)
		}
	}
}
