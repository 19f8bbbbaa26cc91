package tui

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	"github.com/charmbracelet/bubbles/key"
)

// find opens the palette and types a text.
func find(d *driver, text string) *driver {
	return d.press("ctrl+p").write(text)
}

func TestPaletteGoesPlaces(t *testing.T) {
	d := open(shop(), nil).size(120, 36)
	find(d, "ordpay get").press("enter").sees(t, tabs[0], "╭─ GET /orders/{orderId}/payments/{paymentId} ─")
	find(d, "moveOrder").press("enter").sees(t, tabs[0], "╭─ PATCH /orders/{orderId} ─")
	find(d, "group 3").press("enter").sees(t, tabs[1], "3  coupons", "› GET /coupons/{code}")
	find(d, "graph").press("enter").sees(t, tabs[2])
	find(d, "coupons group").sees(t, "group 3  coupons").press("esc").misses(t, "What to do")
	find(d, "xyzzy").sees(t, "nothing is called that").press("enter").sees(t, "nothing is called that")
}

// The operation that the words describe comes first, as on Explore. An operation that deletes an element comes before
// an operation that deletes everything inside the element.
func TestPaletteSortsOperations(t *testing.T) {
	spec := &model.Spec{}
	for _, id := range []string{
		"DELETE /spaces/{space}/pods", "DELETE /spaces/{space}/pods/{pod}", "GET /spaces/{space}", "DELETE /spaces/{name}", "POST /spaces",
	} {
		method, path, _ := strings.Cut(id, " ")
		spec.Operations = append(spec.Operations, &model.Operation{ID: model.OpID(id), Method: method, Path: path})
	}
	spec.Operations[3].Name = "deleteSpace"
	d := open(spec, nil).size(120, 36)
	for text, want := range map[string]string{"delete a space": "/spaces/{name} ", "delete a pod": "/spaces/{space}/pods/{pod} "} {
		lines := strings.Split(find(d, text).app.View(), "\n")
		first := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, " operation ") })
		if first < 0 || !strings.Contains(lines[first], "DELETE "+want) {
			t.Errorf("%s: the first operation is not %s in\n%s", text, want, strings.Join(lines, "\n"))
		}
		d.press("esc")
	}
}

// An action of another screen runs on that screen.
func TestPaletteRunsActions(t *testing.T) {
	d := open(shop(), nil).size(120, 36)
	find(d, "groups d by SC").press("enter").sees(t, tabs[1], "Seqs by SC")
	find(d, "seqs pick").press("enter").sees(t, tabs[3], "1 picked")
	find(d, "send req").press("enter").sees(t, tabs[0], "send GET /products")
	find(d, "seqs filter").press("enter").write("health").sees(t, tabs[3], "/ health")
	d.press("enter")
	if !find(d, "sonde quit").press("enter").quit {
		t.Error("the line that quits did not")
	}
	open(shop(), nil).press("2").press(":").sees(t, "What to do").write("keys").press("enter").sees(t, "Keys of Groups")
	open(shop(), nil).press("ctrl+p").click(t, "its group").sees(t, tabs[1])
	start(engine(shop(), nil), local).press("ctrl+p").sees(t, "read the spec again").misses(t, "send a request")
}

// An action that is not available is listed with the reason, and does nothing.
func TestPaletteSaysWhyNot(t *testing.T) {
	d := open(shop(), nil).size(120, 36)
	for action, why := range map[string]string{
		"pause":         "no search is running",
		"mimic report":  "no tests were generated yet",
		"back explore":  "there was no operation before",
		"inject":        "needs a virtual network",
		"why it is one": "needs a value of the group",
	} {
		find(d, action).sees(t, why).press("enter").sees(t, why).press("esc")
	}
	d.press("/").click(t, "4 Seqs")
	find(d, "explore graph").sees(t, "a filter is being typed").press("esc")
}

// Every action of every screen is in the palette, once, with its key.
func TestPaletteHasAll(t *testing.T) {
	d := open(shop(), nil).size(120, 36)
	all := d.app.paletteEntries()
	for _, s := range d.app.screens.all {
		for _, b := range slices.DeleteFunc(withHelp(s.Keys()), movesCursor) {
			same := slices.DeleteFunc(slices.Clone(all), func(e *paletteEntry) bool {
				return e.where != s.Name() || e.name != b.Help().Desc || e.key != b.Help().Key || e.do == nil
			})
			if len(same) != 1 {
				t.Errorf("%s on %s is there %d times", b.Help().Desc, s.Name(), len(same))
			}
		}
	}
}

// If the visible screen and the frame use the same key, the screen receives it.
func TestScreensKeysGoFirst(t *testing.T) {
	d := open(shop(), nil).size(120, 36)
	if !key.Matches(keyMessage(":"), keyPalette) {
		t.Fatal("the palette has no : any more")
	}
	d.press(":").misses(t, "What to do").sees(t, "▾ carts") // Explore unfolds all
	d.press("enter", ":").sees(t, "What to do").press("esc")
}

// While a text field has the focus, all keys of the frame are typed into it.
func TestFieldsTakeAllKeys(t *testing.T) {
	for _, tab := range []string{"1", "2", "4"} {
		d := open(shop(), nil).size(120, 36).press(tab, "/").press(":", "ctrl+p", "q", "?", "!", "[", "]", "F", "1")
		d.misses(t, "What to do", "Keys of", "Problems").sees(t, "/ :q?![]F1")
		if d.quit {
			t.Error("typing quit the app")
		}
	}
}

// An action does not run if the screen has changed and the key now has another action.
func TestPaletteIsLate(t *testing.T) {
	d := open(shop(), nil).size(120, 36)
	all := d.app.paletteEntries()
	send := all[slices.IndexFunc(all, func(e *paletteEntry) bool { return e.name == "send a request" })]
	d.press("/")
	d.do(send.do(d.app))
	if !strings.Contains(d.app.View(), "that can't be done any more") ||
		d.app.screens.all[screen.TabExplore].(interface{ Typing() bool }).Typing() == false {
		t.Errorf("it was done to the filter:\n%s", d.app.View())
	}
	d.misses(t, "/ r")
}
