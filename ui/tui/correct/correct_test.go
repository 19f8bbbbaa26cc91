package correct

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

func TestMain(m *testing.M) {
	lipgloss.SetColorProfile(termenv.Ascii)
	os.Exit(m.Run())
}

// teams is an API with ids of teams and of the people in the teams.
const teams = `openapi: 3.0.3
info: {title: Teams, version: "1"}
paths:
  /teams:
    post:
      requestBody: {content: {application/json: {schema: {properties: {name: {type: string}, leadId: {type: string}}}}}}
      responses: {"201": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Team"}}}}}
  /teams/{teamId}:
    get:
      parameters: [{name: teamId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Team"}}}}}
  /teams/{teamId}/people:
    get:
      parameters: [{name: teamId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {properties: {personId: {type: string}}}}}}}
components:
  schemas:
    Team: {type: object, properties: {id: {type: string}, leadId: {type: string}, name: {type: string}}}
`

// driver has the box for a value, and records which corrections the box put and removed.
type driver struct {
	t            *testing.T
	box          *Box
	open         bool
	put, removed []model.ValueCorrection
	kept         []Kept
	err          error // returned by Put and Remove
}

// drive opens the box for the value with a name, in the operation GET /teams/{teamId}.
func drive(t *testing.T, name string, corrections ...model.ValueCorrection) *driver {
	t.Helper()
	spec, err := openapi.Parse(t.Context(), "teams.yaml", []byte(teams), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	spec.Corrections = corrections
	analyzed, err := screen.AnalyzeSpec(t.Context(), spec, match.DefaultMode)
	if err != nil {
		t.Fatal(err)
	}
	op := spec.Operations[slices.IndexFunc(spec.Operations, func(op *model.Operation) bool { return op.ID == "GET /teams/{teamId}" })]
	uses := analyzed.Matcher.UsesOf(op)
	i := slices.IndexFunc(uses, func(u match.ValueUse) bool { return u.Name == name })
	if i < 0 {
		t.Fatalf("no %q in %v", name, uses)
	}
	d := &driver{t: t, open: true}
	keep := func(to *[]model.ValueCorrection) func(model.ValueCorrection) (string, error) {
		return func(c model.ValueCorrection) (string, error) {
			if d.err == nil {
				*to = append(*to, c)
			}
			return "sonde.yaml", d.err
		}
	}
	box, cmd := New(
		usecase.ValueCorrections{Put: keep(&d.put), Remove: keep(&d.removed)},
		Subject{Analyzed: analyzed, Op: op, Use: uses[i]},
	)
	d.box = box
	return d.send(cmd())
}

func (d *driver) send(msg tea.Msg) *driver {
	if k, ok := msg.(Kept); ok {
		d.kept = append(d.kept, k)
	}
	open, cmd := d.box.Update(msg)
	d.open = open
	if cmd != nil {
		return d.send(cmd())
	}
	return d
}

var special = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"tab": tea.KeyTab, "save": tea.KeyCtrlS, "matched": tea.KeyCtrlO, "empty": tea.KeyCtrlU,
}

// press presses keys. A text that is not the name of a key is typed.
func (d *driver) press(keys ...string) *driver {
	for _, k := range keys {
		if typ, ok := special[k]; ok {
			d.send(tea.KeyMsg{Type: typ})
			continue
		}
		for _, r := range k {
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
	}
	return d
}

func (d *driver) view(width, height int) string {
	return ansi.Strip(d.box.Over(draw.FitLines("", width, height), width, height))
}

func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if view := d.view(80, 24); !strings.Contains(view, text) {
			d.t.Errorf("%q is missing in\n%s", text, view)
		}
	}
	return d
}

// wrote fails the test unless the box is closed and wrote exactly one correction.
func (d *driver) wrote(want model.ValueCorrection) {
	d.t.Helper()
	kept := []Kept{{Correction: want, Path: "sonde.yaml"}}
	if !slices.Equal(d.put, []model.ValueCorrection{want}) || d.open || !slices.Equal(d.kept, kept) {
		d.t.Errorf("put %+v, sent %+v, open: %v, want %+v", d.put, d.kept, d.open, want)
	}
}

func TestKindIsCorrected(t *testing.T) {
	d := drive(t, "teamId").sees("Correct teamId", "is now       team.id", "identifier: a path has it", "this collection and below")
	d.press("left").sees("◂ attribute ▸").press("save").
		wrote(model.ValueCorrection{Value: "team.id", In: "/teams", Kind: model.KindAttribute})
}

// Long evidence is wrapped.
func TestEvidenceIsWrapped(t *testing.T) {
	d := drive(t, "teamId")
	d.box.subject.Use.Why = strings.Repeat("because of this ", 6) + "and that"
	got := strings.Join(strings.Fields(strings.ReplaceAll(d.view(60, 24), "│", " ")), " ")
	if want := "is now team.id: " + d.box.subject.Use.Why + " identifier:"; !strings.Contains(got, want) {
		t.Errorf("%q is missing in\n%s", want, d.view(60, 24))
	}
}

// The user can choose an existing identity from the completions, or type a new identity.
func TestIdentityIsCorrected(t *testing.T) {
	d := drive(t, "leadId").press("down", "empty", "person").sees("person.id", "tab complete")
	d.press("tab", "tab", "right", "right")
	d.sees("this field, at this path and below", "leadId at /teams/{teamId} and below:").press("enter").
		wrote(model.ValueCorrection{Value: "lead.id", In: "/teams/{teamId}", Field: "leadId", Is: "person.id"})

	d = drive(t, "leadId").press("down", "empty", "captain.id").sees("a new identity")
	d.press("down", "left").sees("◂ everywhere ▸", "in 2 operations")
	d.press("save").wrote(model.ValueCorrection{Value: "lead.id", Is: "captain.id"})
}

func TestWhatCannotBeSaved(t *testing.T) {
	d := drive(t, "teamId").press("save").sees("the value has this kind and identity already")
	d.press("down", "empty", "save").sees("the identity is empty").press("a b", "save").sees("no blanks")
	d.press("empty", "a.b")
	d.err = errors.New("sonde.yaml stays as it is")
	d.press("save").sees("✗ sonde.yaml stays as it is")
	if len(d.put) > 0 || !d.open {
		t.Errorf("put %v, open: %v", d.put, d.open)
	}
	if d.press("esc"); d.open || len(d.kept) > 0 {
		t.Errorf("esc: open %v, sent %v", d.open, d.kept)
	}
}

// The box of a corrected value shows the value without the correction. The user can change the correction in the
// scope that it already has, or remove it.
func TestCorrectionIsChanged(t *testing.T) {
	now := model.ValueCorrection{Value: "team.id", In: "/teams/{teamId}", Kind: model.KindAttribute}
	open := func() *driver {
		return drive(t, "teamId", now).sees("as matched   team.id", "identifier: a path has it", "ctrl+o remove the correction")
	}
	d := open().press("right", "right").sees("◂ reference ▸").press("save")
	d.wrote(model.ValueCorrection{Value: "team.id", In: "/teams/{teamId}", Kind: model.KindReference})
	for name, keys := range map[string][]string{"its key": {"matched"}, "what was matched": {"right", "save"}} {
		d := open().press(keys...)
		if d.open || !slices.Equal(d.removed, []model.ValueCorrection{now}) || len(d.put) > 0 || !d.kept[0].Removed {
			t.Errorf("%s: removed %+v, put %+v, open: %v", name, d.removed, d.put, d.open)
		}
	}
	open().press("up", "down", "down", "right").sees("this field").press("up", "up", "left", "save").
		wrote(model.ValueCorrection{Value: "team.id", In: "/teams/{teamId}", Field: "teamId", Kind: model.KindCredential})
	open().press("down", "down", "left").sees("this collection").press("save").
		wrote(model.ValueCorrection{Value: "team.id", In: "/teams", Kind: model.KindAttribute})
}

// A correction that the user wrote into the file may have a scope that the box does not offer. The box can change
// such a correction, too.
func TestCorrectionByHandIsChanged(t *testing.T) {
	hand := model.ValueCorrection{Value: "team.id", In: "/", Field: "teamId", Is: "group.id"}
	d := drive(t, "teamId", hand).press("down", "down")
	d.sees("◂ as in the configuration ▸", "teamId at / and below: team.id in 2 operations")
	if d.press("matched"); !slices.Equal(d.removed, []model.ValueCorrection{hand}) {
		t.Errorf("removed %+v", d.removed)
	}
}

func TestSizes(t *testing.T) {
	d := drive(t, "teamId", model.ValueCorrection{Value: "team.id", Is: "group.id"})
	for _, size := range [][2]int{{40, 9}, {60, 20}, {80, 24}, {200, 50}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			rows := strings.Split(d.view(size[0], size[1]), "\n")
			for i, row := range rows {
				if len(rows) != size[1] || ansi.StringWidth(row) != size[0] {
					t.Fatalf("row %d of %d has %d cells", i, len(rows), ansi.StringWidth(row))
				}
			}
			if text := strings.Join(rows, "\n"); !strings.Contains(text, "▸ kind") {
				t.Errorf("no field in\n%s", text)
			}
		})
	}
}
