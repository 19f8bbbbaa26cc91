package tui

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"
)

// program runs the app in bubbletea's own loop, with commands in the background. It presses keys and waits
// for texts.
type program struct {
	t *testing.T
	*teatest.TestModel
}

func run(t *testing.T, e screen.Engine, width, height int) program {
	a := newApp(context.Background(), e, local, screen.Preferences{}, "shop.yaml")
	a.confirmPause = 0
	return program{t, teatest.NewTestModel(t, a, teatest.WithInitialTermSize(width, height))}
}

// patience is the time limit for waiting for a text.
const patience = time.Minute

// sees waits until the app writes a text.
func (p program) sees(text string) program {
	p.t.Helper()
	teatest.WaitFor(p.t, p.Output(), func(b []byte) bool { return bytes.Contains(b, []byte(text)) }, teatest.WithDuration(patience))
	return p
}

func (p program) press(names ...string) program {
	for _, n := range names {
		p.Send(keyMessage(n))
	}
	return p
}

// ends waits for the end of the program, and returns the app.
func (p program) ends() *app {
	p.t.Helper()
	return p.FinalModel(p.t, teatest.WithFinalTimeout(patience)).(*app)
}

// The user goes from an operation to its group, to the seqs with the operation, and exports tests of two of
// these seqs.
func TestProgramExploreGroupSeqExport(t *testing.T) {
	e := engine(shop(), nil)
	e.TestFiles.Preview = func(format, _ string, tests []model.Test) (string, error) {
		return "// a file in " + format + " with " + strings.Repeat("|", len(tests)), nil
	}
	e.Seqs.Realise = func(_ context.Context, seq model.Seq, _ usecase.Surroundings) (model.Test, error) {
		return model.Test{Calls: []model.Call{{Op: seq[0], Status: 200}}}, nil
	}
	p := run(t, e, 120, 36).sees("28 operations").press("/", "o", "r", "d", "e", "r", "s", "enter").sees("POST /orders")
	p.press("2").sees("Groups 5").press("3").sees("within 1 hop").press("4").sees("Seqs 226").press(" ", "down", " ").sees("2 picked")
	p.press("6").sees("2 seqs have no values yet").press("r").sees("a file in go with ||").press("q")
	if a := p.ends(); a.screens.tab != screen.TabExport {
		t.Errorf("it ended on %v", a.screens.tab)
	}
}

// The app handles keys while a spec is read. Then it shows the spec, at any size.
func TestProgramAnswersWhileItReads(t *testing.T) {
	read := make(chan struct{})
	e := engine(shop(), nil)
	e.Specs.Load = func(context.Context, string) (*model.Spec, error) { <-read; return shop(), nil }
	p := run(t, e, 120, 36).press("?").sees("Keys of Explore").press("esc")
	close(read)
	p.sees("28 operations").Send(tea.WindowSizeMsg{Width: 60, Height: 24})
	p.Send(halfway)
	p.press("5").sees("62%").press("q").sees("A search is running").press("y")
	if a := p.ends(); a.width != 60 || a.screens.tab != screen.TabSearch {
		t.Errorf("it ended on %v, %d columns wide, want Search and 60", a.screens.tab, a.width)
	}
}

// The app handles all keys even if they arrive faster than the results of earlier keys. No late message of
// a screen undoes the effect of a later key.
func TestProgramHeedsQuickKeys(t *testing.T) {
	const downs = 40
	want := open(shop(), nil).size(120, 36).press(":").press(slices.Repeat([]string{"down"}, downs)...).app
	p := run(t, engine(shop(), nil), 120, 36).sees("28 operations").press(":").press(slices.Repeat([]string{"down"}, downs)...)
	p.press("g", "4", " ", "down", " ", "down", " ").sees("Export 3").press("q")
	if a := p.ends(); a.nav.op != want.nav.op || a.picks != 3 || a.screens.tab != screen.TabSeqs {
		t.Errorf(
			"%s is selected, %d are picked and it ended on %v, want %s, 3 and %v",
			a.nav.op, a.picks, a.screens.tab, want.nav.op, screen.TabSeqs,
		)
	}
}
