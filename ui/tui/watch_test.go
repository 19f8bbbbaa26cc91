package tui

import (
	"context"
	"errors"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// A spec is read again when its files change. The user's place and picks stay. If the spec is invalid, an
// error is shown, and the spec is read as soon as it is valid.
func TestWatch(t *testing.T) {
	stamp, reads, load := "1", 0, func() (*model.Spec, error) { return shop(), nil }
	e := engine(nil, nil)
	e.Specs.FileStamp = func([]string) string { return stamp }
	e.Specs.Load = func(context.Context, string) (*model.Spec, error) { reads++; return load() }
	d := start(e, local).size(120, 36)
	d.app.spec.interval = time.Nanosecond
	take := func(cmd tea.Cmd) { // unlike the driver, take does not run the command that checks the files again
		msg := cmd().(specRead)
		d.app.Update(msg)
		if msg.analyze != nil {
			d.app.Update(msg.analyze())
		}
	}
	look := func() *driver {
		if _, cmd := d.app.Update(filesChecked{d.app.spec.no, stamp}); stamp != "" && stamp != d.app.spec.stamp {
			take(cmd)
		}
		return d
	}
	take(d.app.spec.read())
	d.app.Update(screen.ShowScreen{Tab: screen.TabExplore, Op: "POST /orders"})
	look()
	if reads != 1 {
		t.Errorf("read %d times though nothing changed", reads)
	}
	stamp, load = "2", func() (*model.Spec, error) { return nil, errors.New("line 3: a tab") }
	look().sees(t, "✗ line 3: a tab", "POST /orders", "1 problem").app.Update(keyMessage("!"))
	d.sees(t, "1 of 1 problem", "line 3: a tab")
	stamp = ""
	look()
	if reads != 2 {
		t.Errorf("read %d times though the file is gone for a moment", reads)
	}
	stamp, load = "3", func() (*model.Spec, error) { return shop(), nil }
	look().sees(t, "Nothing is wrong").app.Update(keyMessage("esc"))
	d.sees(t, "╭─ POST /orders ─")
	d.app.Update(filesChecked{0, "4"})
	if reads != 3 {
		t.Errorf("read %d times after a late look", reads)
	}
}

func TestFileOf(t *testing.T) {
	for pointer, want := range map[string]string{
		"/paths/~1a#b":                  "specs/shop.yaml",
		"":                              "specs/shop.yaml",
		"parts/pet.yaml#/Pet":           "specs/parts/pet.yaml",
		"https://example.com/x.json#/a": "https://example.com/x.json",
	} {
		if got := fileOf("specs/shop.yaml", pointer); got != want {
			t.Errorf("%q: got %q, want %q", pointer, got, want)
		}
	}
}
