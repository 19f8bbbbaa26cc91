package send

import (
	"errors"
	"strings"
	"testing"

	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

const nested = `{"id":7,"items":[{"sku":"x"},{"sku":"y"}],"to":{"city":"Bern"}}`

// answeredWith sends a request that is answered with a body, and moves the focus to the answer.
func answeredWith(t *testing.T, body string) *driver {
	d := drive(t, demo)
	d.answer = paid(200, body)
	return d.press("r", "v")
}

// The user can fold one part of an answer, or all parts.
func TestAnswerFolds(t *testing.T) {
	d := answeredWith(t, nested).sees("Answer · JSON", `"sku": "x"`)
	d.press("F").sees(`"items": [ 2 values … ],`, `"to": { 1 value … }`).misses(`"sku"`)
	d.press("end", "up", "enter").sees(`"city": "Bern"`).misses(`"sku"`)
	d.press("down", "enter").sees(`▸  "to": { 1 value … }`)
	d.press("F").sees(`"sku": "x"`).press("end").sees(`"city": "Bern"`)
}

// A search finds a text in an answer, even in a folded part, and moves the cursor there.
func TestAnswerIsSearched(t *testing.T) {
	d := answeredWith(t, nested).press("F", "/").write("SKU").sees("Answer / SKU")
	if !d.pane.Typing() {
		t.Error("the search field does not have the focus")
	}
	d.press("enter").sees(`▸      "sku": "x"`, `Answer · "SKU": 1 of 2 lines`)
	d.press("n").sees(`▸      "sku": "y"`, "2 of 2").press("n").sees("1 of 2").press("N").sees("2 of 2")
	d.press("/").write("?").press("enter").sees(`"SKU?" is not in it`)
	d.press("esc").sees("Answer · JSON")
	if !d.pane.Open() {
		t.Error("esc closed the request")
	}
	d.press("esc")
	if d.pane.Open() {
		t.Error("esc does not close the request")
	}
}

// The title has the kind of a body that is not JSON. Large bodies are drawn without delay.
func TestAnswersOfAllSorts(t *testing.T) {
	answeredWith(t, `{"a":[1,`).sees("Answer · broken JSON", `{"a":[1,`)
	answeredWith(t, "\x00\xff\x01").sees("Answer · binary", "00 ff 01")
	d := answeredWith(t, `{"all":[`+strings.Repeat(`{"sku":"x"},`, 5<<20/12)+`7]}`).sees("Answer · JSON", "100,0")
	d.press("end").sees("bytes more").press("home", "F").sees(`"all": [`)
	d.press("/").write("zzz").press("enter").sees("is not in it")
}

// If a request fails after an earlier request had an answer, the earlier answer is neither shown nor searched.
func TestNoAnswerToFold(t *testing.T) {
	d := answeredWith(t, nested)
	d.err = errors.New("gone")
	d.press("r").sees("gone").misses(`"sku"`, "Answer · JSON").press("/")
	if d.pane.Typing() {
		t.Error("the search opened without an answer")
	}
	d.take(tea.MouseMsg{X: 1, Y: 1, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}).take(screen.RunStarting(false))
}
