package explore

import (
	"strings"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// correcting is a screen with corrections of values. It reloads its spec when the screen asks for it.
type correcting struct {
	*Screen
	t           *testing.T
	corrections []model.ValueCorrection
	status      screen.StatusMessage // the last status message
}

func (c *correcting) put(v model.ValueCorrection) (string, error) {
	c.remove(v)
	c.corrections = append(c.corrections, v)
	return "sonde.yaml", nil
}

func (c *correcting) remove(v model.ValueCorrection) (string, error) {
	var rest []model.ValueCorrection
	for _, old := range c.corrections {
		if !old.HasScopeOf(v) {
			rest = append(rest, old)
		}
	}
	c.corrections = rest
	return "sonde.yaml", nil
}

func (c *correcting) read() screen.SpecOpened {
	spec, err := openapi.Parse(c.t.Context(), "test.yaml", demo.Specification(), openapi.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	spec.Corrections = c.corrections
	analyzed, err := screen.AnalyzeSpec(c.t.Context(), spec, match.DefaultMode)
	if err != nil {
		c.t.Fatal(err)
	}
	return screen.SpecOpened{Spec: analyzed}
}

func (c *correcting) send(msg tea.Msg) {
	_, cmd := c.Update(msg)
	c.do(cmd)
}

func (c *correcting) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, one := range msg {
			c.do(one)
		}
	case screen.StatusMessage:
		c.status = msg
	case screen.ReadSpecAgain:
		c.send(c.read())
	case nil:
	default:
		c.send(msg)
	}
}

// openCorrecting opens POST /orders with the cursor on the value cartId.
func openCorrecting(t *testing.T) *correcting {
	t.Helper()
	c := &correcting{t: t}
	c.Screen = New(screen.Engine{Corrections: usecase.ValueCorrections{Put: c.put, Remove: c.remove}}, screen.Service{})
	c.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	c.send(c.read())
	c.send(screen.ShowScreen{Tab: screen.TabExplore, Op: "POST /orders"})
	for i, r := range c.page.rows {
		if r.value != nil && r.value.use.Name == "cartId" && !r.value.use.Out {
			c.page.stops.Go(i)
			return c
		}
	}
	t.Fatalf("no cartId in\n%s", text(c.Screen))
	return nil
}

func (c *correcting) press(keys ...tea.KeyType) {
	for _, k := range keys {
		c.send(tea.KeyMsg{Type: k})
	}
}

func (c *correcting) openBox() { c.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("c")}) }

// The cursor stays on a value that is corrected. The value has a mark until its correction is removed.
func TestValueIsCorrected(t *testing.T) {
	c := openCorrecting(t)
	before := c.page.currentValue().use
	c.openBox()
	if got := text(c.Screen); !c.Typing() || !strings.Contains(got, "Correct cartId") {
		t.Fatalf("no box in\n%s", got)
	}
	c.press(tea.KeyLeft, tea.KeyLeft, tea.KeyCtrlS)
	v := c.page.currentValue()
	if v == nil || v.use.Name != "cartId" || v.use.Kind != model.KindAttribute || !v.corrected {
		t.Fatalf("the cursor is on %+v, want cartId as an attribute; the corrections are %+v", v, c.corrections)
	}
	if got := text(c.Screen); c.Typing() || !strings.Contains(got, "≠● cartId") || c.page.op != "POST /orders" {
		t.Errorf("%s shows\n%s", c.page.op, got)
	}
	if want := before.ID + " is corrected in sonde.yaml, at /orders"; c.status.Text != want {
		t.Errorf("status %+v, want %q", c.status, want)
	}
	c.openBox()
	c.press(tea.KeyCtrlO)
	if v := c.page.currentValue(); v == nil || v.use.ID != before.ID || v.use.Kind != before.Kind || v.corrected || len(c.corrections) > 0 {
		t.Errorf("without the correction the cursor is on %+v; the corrections are %+v", v, c.corrections)
	}
	if !strings.Contains(c.status.Text, "as matched again") {
		t.Errorf("status %+v", c.status)
	}
}

// If the user removes the correction of a value, the value may become an attribute, and attributes may be folded. The
// page then unfolds the attributes, so that the cursor stays on the value.
func TestCursorStaysOnAFoldedValue(t *testing.T) {
	c := openCorrecting(t)
	var last flow
	for _, op := range c.analyzed.Spec.Operations {
		f := factsOf(c.analyzed, op, c.ops, false).emits
		if n := len(f); n > fewFlows+1 && f[n-1].use.Kind == model.KindAttribute {
			last = f[n-1]
			c.send(screen.ShowScreen{Tab: screen.TabExplore, Op: op.ID})
			break
		}
	}
	if last.use.Name == "" || c.page.goToValue(&last) {
		t.Fatalf("no operation of the demo has a folded attribute: %+v", last.use)
	}
	id := last.use.ID
	c.corrections = []model.ValueCorrection{{Value: id, Kind: model.KindReference}}
	c.send(c.read())
	if !c.page.goToValue(&last) {
		t.Fatalf("the corrected %s is folded in\n%s", id, text(c.Screen))
	}
	c.openBox()
	c.press(tea.KeyCtrlO)
	if v := c.page.currentValue(); v == nil || v.use.ID != id || v.corrected {
		t.Errorf("the cursor is on %+v, want %s", v, id)
	}
}

// The user makes a correction. If an older correction then matches no value, a message says so.
func TestCorrectionFitsNothing(t *testing.T) {
	c := openCorrecting(t)
	id := c.page.currentValue().use.ID
	c.corrections = []model.ValueCorrection{{Value: id, Is: "basket.id"}, {Value: "basket.id", Kind: model.KindCursor}}
	c.send(c.read())
	if c.status != (screen.StatusMessage{}) {
		t.Fatalf("status %+v", c.status)
	}
	c.corrections = c.corrections[:1]
	c.send(c.read())
	c.openBox()
	c.corrections = append(c.corrections, model.ValueCorrection{Value: "basket.id", Kind: model.KindCursor})
	c.press(tea.KeyDown, tea.KeyCtrlU)
	c.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("trolley.id")})
	c.press(tea.KeyCtrlS)
	if c.status.Err == nil || !strings.Contains(c.status.Err.Error(), `no operation has the value "basket.id" that sonde.yaml corrects`) {
		t.Errorf("status %+v, corrections %+v", c.status, c.corrections)
	}
}

// A correction that matches no value is reported once, when the spec is opened.
func TestUnfittingCorrectionIsReported(t *testing.T) {
	c := openCorrecting(t)
	c.corrections = []model.ValueCorrection{{Value: "nothing.id", In: "/orders", Kind: model.KindCursor}}
	c.send(c.read())
	want := `no operation has the value "nothing.id" that the configuration corrects, at /orders`
	if c.status.Err == nil || c.status.Err.Error() != want {
		t.Errorf("status %+v", c.status)
	}
	c.status = screen.StatusMessage{}
	c.send(c.read())
	if c.status != (screen.StatusMessage{}) {
		t.Errorf("the second time: status %+v", c.status)
	}
}

// The key that corrects a value is active only on a value whose kind is known.
func TestWhatCannotBeCorrected(t *testing.T) {
	c := openCorrecting(t)
	c.page.stops.Go(0)
	c.openBox()
	if c.Typing() || !strings.Contains(c.status.Text, "needs a value") {
		t.Errorf("on the summary: status %+v", c.status)
	}
	for i, r := range c.page.rows {
		if r.value != nil && r.value.use.Kind == "" {
			c.page.stops.Go(i)
			if c.page.currentValue() != nil {
				t.Errorf("%s of kind %q can be corrected", r.value.use.Name, r.value.use.Kind)
			}
		}
	}
}
