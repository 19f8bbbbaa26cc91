package widget_test

import (
	"slices"
	"strings"
	"testing"

	"sonde/ui/theme"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// pet is edited by a form. Only a cat has a name.
type pet struct{ kind, name, pin string }

func petFields(p *pet) []widget.FormField[pet] {
	all := []widget.FormField[pet]{
		{
			Name: "kind", Choices: []string{"fish", "cat"},
			Chosen: func(p *pet) string { return p.kind },
			Choose: func(p *pet, c string) { p.kind = c },
		},
		{Name: "pin", Secret: true, Text: func(p *pet) *string { return &p.pin }},
	}
	if p.kind == "cat" {
		all = append(all, widget.FormField[pet]{
			Name: "name",
			Text: func(p *pet) *string { return &p.name },
			Complete: func(typed string) (fit []string) {
				for _, name := range []string{"Felix", "Minka"} {
					if strings.Contains(name, typed) {
						fit = append(fit, name)
					}
				}
				return fit
			},
		})
	}
	return all
}

func typeText(f *widget.Form[pet], text string) {
	for _, r := range text {
		f.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

func TestForm(t *testing.T) {
	f := widget.NewForm(pet{kind: "fish"}, petFields)
	typeText(f, "x")
	f.Choose(-1)
	if f.Typed.kind != "cat" || f.Rows() != 3 {
		t.Fatalf("the choice before the first is %q, with %d fields", f.Typed.kind, f.Rows())
	}
	f.Move(1)
	typeText(f, "1234")
	if shown := ansi.Strip(strings.Join(f.Lines(40, 3), "\n")); f.Typed.pin != "1234" || strings.Contains(shown, "1234") {
		t.Errorf("the pin is %q, shown as\n%s", f.Typed.pin, shown)
	}
	f.Move(1)
	if !f.OnLast() {
		t.Errorf("after two steps the cursor is on %q", f.Field().Name)
	}
	typeText(f, "in")
	if got := f.Completions(); !slices.Equal(got, []string{"Minka"}) {
		t.Errorf("completions %q", got)
	}
	f.Complete("Minka")
	if got := f.Completions(); f.Typed.name != "Minka" || len(got) > 0 {
		t.Errorf("completed to %q, which can be completed to %q", f.Typed.name, got)
	}
	f.Move(1)
	if !f.OnLast() {
		t.Error("the cursor leaves the form")
	}
	f.Move(-2)
	want := []string{"▸ kind         ◂ cat ▸", "  pin          ••••", "  name         Minka"}
	var got []string
	for _, line := range f.Lines(40, 3) {
		got = append(got, strings.TrimRight(ansi.Strip(line), " "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBoxFoot(t *testing.T) {
	keys := []key.Binding{
		key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "add")),
		key.NewBinding(key.WithKeys("b"), key.WithHelp("b", "begin")),
		key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "close")),
	}
	var got []string
	for _, line := range widget.BoxFoot("A few words for this box.", theme.Dim, keys, 16) {
		got = append(got, ansi.Strip(line))
	}
	if want := []string{"", " A few words for", " this box.", "", " a add   b begin", " c close"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
