package export

import (
	"slices"
	"strings"
	"testing"

	"sonde/ui/app/usecase"

	tea "github.com/charmbracelet/bubbletea"
)

// withFormats gives the screen some formats.
func (d *driver) withFormats() *driver {
	d.screen.destination.formats = []usecase.TestFormat{
		{Name: "go", File: "sonde_test.go", Run: "go test", Text: "Go, the standard library alone", Needs: "Go 1.18 or later"},
		{Name: "pytest", File: "test_sonde.py", Run: "pytest", Text: "Python with pytest and requests", Needs: "pytest and requests"},
		{Name: "hurl", File: "sonde.hurl", Text: "Hurl", Needs: "Hurl 7 or later"},
		{Name: "har", File: "sonde.har", Text: "an HTTP archive, version 1.2"},
		{Name: "curl", File: "sonde.sh", Run: "sh", Text: "a shell script with curl and jq", Needs: "curl and jq"},
	}
	return d
}

// Key o opens the list of formats. The preview follows its cursor, ⏎ chooses a format, and esc restores the one before.
func TestFormats(t *testing.T) {
	d := drive(t, demo).withFormats().pick(carts, health).sees("format  go", "o formats")
	d.press("o").sees("Formats 5", "▸ go", "Go, the standard library alone", "needs Go 1.18", "✓ all")
	d.press("down").sees("▸ pytest", "# sonde:begin CreateCart_1", "needs pytest and requests", "comparing …")
	d.press("enter").sees("format  pytest", "Picked 2", "✓ GetHealth_2").press("w")
	d.sees("✓ written: pytest ./sonde-tests/test_sonde.py")

	d.press("o", "end").sees("▸ curl").press("esc").sees("format  pytest", "✓ written: pytest", "Picked 2")
	d.press("o", "esc").sees("✓ written: pytest")
	d.press("o", "end", "up", "enter").sees("format  har", "POST carts").press("w").sees("✓ written: ./sonde-tests/sonde.har")
	d.press("o", "home", "enter", "w").wrote("pytest sonde-tests t1 t2 false", "har sonde-tests t1 t2 false", "sonde-tests t1 t2 false")

	d.hold = true
	d.press("w", "o", "down", "enter").release()
	if d.screen.destination.written.path != "" {
		t.Error("what came of another format is shown")
	}
}

// The list says which formats leave out picked tests, and the pane below says why. The formats are compared again only
// if the tests have changed.
func TestFormatsThatLeaveOutTests(t *testing.T) {
	d := drive(t, demo).withFormats().pick(carts, health).press("o", "down", "down")
	d.sees("△ 1 of 2 left out", "✗ none", "1 of 2 tests left out. Left out: GetHealth_2, because Hurl cannot ask")
	d.press("down").sees("2 of 2 tests left out. no test can be written in this format", "it is only read")
	d.press("esc", "o")
	if d.comparisons != 1 {
		t.Errorf("%d comparisons, want 1", d.comparisons)
	}
	d.press("esc").pick(carts).press("o")
	if d.comparisons != 2 {
		t.Errorf("%d comparisons after other picks, want 2", d.comparisons)
	}
}

func TestComparisonsOfEarlierTestsAreDropped(t *testing.T) {
	d := drive(t, demo).withFormats()
	d.hold = true
	d.pick(carts, health).press("o").pick(carts)
	slices.Reverse(d.held) // the older result arrives last
	d.release().press("down", "down").sees("1 of 1 test left out")
}

func TestFilterOfFormats(t *testing.T) {
	d := drive(t, demo).withFormats().pick(carts, health)
	d.press("o", "/", "p", "y", "t", "h", "o", "n").sees("/ python", "▸ pytest", "CreateCart_1")
	if !d.screen.Typing() || strings.Contains(d.screen.View(120, 33), "HTTP archive") {
		t.Error("the filter has no focus, or hides nothing")
	}
	d.press("enter", "enter").sees("format  pytest")

	d.press("o", "/", "z", "z", "enter", "enter").sees("no format is called that", "Formats 5")
	d.press("/", "esc").sees("▸ go", "HTTP archive").press("esc").sees("format  pytest")
}

// A click moves the cursor of the list, another click chooses the format, and the wheel moves by one format.
func TestMouseInFormats(t *testing.T) {
	d := drive(t, demo).withFormats().pick(carts).press("o")
	click := tea.MouseMsg{X: 5, Y: 4, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	d.send(click).sees("▸ har").send(tea.MouseMsg{X: 5, Y: 4, Button: tea.MouseButtonWheelDown}).sees("▸ curl")
	d.send(click).send(click).sees("format  har", "Picked 1")
}

// On a narrow screen, v shows the preview of the format under the cursor.
func TestFormatsOnANarrowScreen(t *testing.T) {
	d := drive(t, demo).withFormats().pick(carts).size(60, 21).press("o", "down").sees("▸ pytest", "✓ all", "needs pytest and requests")
	d.press("v").sees("Preview", "sonde:begin CreateCart_1").press("esc").sees("Formats 5").press("enter").sees("format  pytest")
}
