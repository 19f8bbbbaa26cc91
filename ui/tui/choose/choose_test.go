package choose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sonde/ui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

var some = []SpecEntry{
	{Source: "/a/shop.yaml", Name: "Shop", Description: "2026-01-02  /a/shop.yaml"},
	{Source: "https://example.com/api.json", Name: "Example", Description: "2026-01-01  https://example.com/api.json"},
	{Source: "demo", Name: "the built-in demo", Description: "a shop"},
}

// folder returns a folder with a document, a subfolder that has another document, and a file that cannot be
// chosen.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"api.yaml", "notes.txt", filepath.Join("inside", "deep.json")} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

type person struct {
	*model
	quit bool
}

func begin(t *testing.T, entries []SpecEntry) *person {
	p := &person{model: newModel(entries, folder(t))}
	p.do(p.Init())
	return p.send(tea.WindowSizeMsg{Width: 80, Height: 20})
}

func (p *person) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		p.quit = true
	default:
		p.send(msg)
	}
}

func (p *person) send(msg tea.Msg) *person {
	_, cmd := p.Update(msg)
	p.do(cmd)
	return p
}

func (p *person) press(keys ...string) *person {
	types := map[string]tea.KeyType{
		"enter":  tea.KeyEnter,
		"down":   tea.KeyDown,
		"up":     tea.KeyUp,
		"left":   tea.KeyLeft,
		"tab":    tea.KeyTab,
		"ctrl+c": tea.KeyCtrlC,
	}
	for _, k := range keys {
		if kind, ok := types[k]; ok {
			p.send(tea.KeyMsg{Type: kind})
		} else {
			p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
		}
	}
	return p
}

func (p *person) sees(t *testing.T, texts ...string) *person {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(p.View(), text) {
			t.Fatalf("no %q in\n%s", text, p.View())
		}
	}
	return p
}

// Keys in quick succession arrive as one message. Each of them has its effect.
func TestBursts(t *testing.T) {
	burst := func(keys string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(keys)} }
	if p := begin(t, some).send(burst("jl")); p.chosen != some[1].Source {
		t.Errorf("jl chose %q", p.chosen)
	}
	if p := begin(t, some).send(burst("enter")); p.chosen != "" {
		t.Errorf("the letters of enter chose %q", p.chosen)
	}
}

func TestChoose(t *testing.T) {
	p := begin(t, some).sees(t, "▸ Shop", "Example", "the built-in demo", "f pick a file").press("down", "enter")
	if !p.quit || p.chosen != some[1].Source {
		t.Errorf("chose %q, left %t", p.chosen, p.quit)
	}
	if p := begin(t, some).press("q"); !p.quit || p.chosen != "" {
		t.Errorf("q chose %q, left %t", p.chosen, p.quit)
	}
	if p := begin(t, some).send(tea.MouseMsg{
		X:      5,
		Y:      top + 2,
		Button: tea.MouseButtonLeft,
		Action: tea.MouseActionPress,
	}); p.chosen != "demo" {
		t.Errorf("a click chose %q", p.chosen)
	}
}

func TestPickAFile(t *testing.T) {
	p := begin(t, some).press("f").sees(t, "api.yaml", "inside", "f to the list").press("f").sees(t, "▸ Shop").press("tab", "enter")
	p.sees(t, "deep.json").press("left").sees(t, "api.yaml").press("down", "enter")
	if !p.quit || filepath.Base(p.chosen) != "api.yaml" {
		t.Errorf("chose %q, left %t", p.chosen, p.quit)
	}
	if p := begin(t, nil).sees(t, "api.yaml").press("down", "down", "enter"); p.quit {
		t.Errorf("chose %q", p.chosen)
	}
}

// The view has the size of the terminal. In ASCII mode it has only ASCII characters.
func TestSizes(t *testing.T) {
	theme.UseASCII(true)
	t.Cleanup(func() { theme.UseASCII(false) })
	for _, picking := range []string{"", "f"} {
		for _, size := range [][2]int{{40, 12}, {60, 20}, {120, 36}, {200, 60}} {
			p := begin(t, some).press(picking).send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			lines := strings.Split(p.View(), "\n")
			if len(lines) != size[1] {
				t.Errorf("%d lines in %v", len(lines), size)
			}
			for _, l := range lines {
				if ansi.StringWidth(l) != size[0] || strings.IndexFunc(l, func(r rune) bool { return r > '~' }) >= 0 {
					t.Errorf("%v: %q", size, l)
				}
			}
		}
	}
}
