package tui

import (
	"context"
	"strings"
	"testing"

	"sonde/ui/app/userdata"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	"github.com/charmbracelet/bubbles/key"
)

// A key of the user's preferences has the effect of another key, on the screens that the preferences name. It is
// shown in place of the other key. Invalid keys are listed as problems.
func TestRebind(t *testing.T) {
	all := []userdata.KeyBinding{
		{Screen: "seqs", Key: "x", As: "space", Line: 2},
		{Screen: "everywhere", Key: "ctrl+g", As: "?", Line: 3},
		{Screen: "seq", Key: "x", As: "y", Line: 4},
		{Screen: "graph", Key: "hyper+x", As: "y", Line: 5},
	}
	app := newApp(context.Background(), engine(shop(), nil), local, screen.Preferences{Keys: all, File: "config.yaml"}, "shop.yaml")
	app.Init()
	d := (&driver{app: app}).size(120, 36).send(specRead{no: app.spec.no, spec: analyzedDemo()}).press("4")
	if !strings.Contains(d.app.View(), " x pick  a ") {
		t.Errorf("the keys are\n%s", d.app.View())
	}
	d.press("x")
	if !strings.Contains(d.app.View(), "1 picked") {
		t.Errorf("x picks nothing:\n%s", d.app.View())
	}
	d.press("1", "x")
	if strings.Contains(d.app.View(), "picked") {
		t.Error("x picks on another screen")
	}
	d.press("ctrl+g").write("keys")
	if !strings.Contains(d.app.View(), "Keys of Explore") || !strings.Contains(d.app.View(), "ctrl+g") {
		t.Errorf("no help:\n%s", d.app.View())
	}
	d.press("esc", "1")
	d.app.View()
	if widget.KeyName(key.NewBinding(key.WithKeys(" "), key.WithHelp("space", "x"))) != "space" {
		t.Error("the names of one screen are those of another")
	}
	var wrong []string
	for _, w := range d.app.problems() {
		wrong = append(wrong, w.Text)
	}
	want := `keys: "seq" is no screen: there are everywhere, explore, groups, graph, seqs, search, ` +
		"export, network, record, campaigns\n" +
		`keys: "hyper+x" is no key: write x, space, enter, ctrl+x, alt+left or f5`
	if got := strings.Join(wrong, "\n"); !strings.HasPrefix(got, want) {
		t.Errorf("wrong: %s", got)
	}
}

// The texts of a screen name the user's own keys.
func TestTextsNameReboundKeys(t *testing.T) {
	all := []userdata.KeyBinding{{Screen: "search", Key: "f5", As: "s"}, {Screen: "seqs", Key: "x", As: "f"}}
	app := newApp(context.Background(), engine(shop(), nil), local, screen.Preferences{Keys: all}, "shop.yaml")
	app.Init()
	d := (&driver{app: app}).size(120, 36).send(specRead{no: app.spec.no, spec: analyzedDemo()})
	d.press("5").sees(t, "f5 starts from any row").misses(t, "; s starts")
	d.press("4").sees(t, "x origin: ").misses(t, "f origin: ")
}
