package seqs

import (
	"testing"

	"sonde/model"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"
)

// The values of a call are its arguments and the known parameters that are not sent, but
// not those that a call before it provides.
func TestValuesOf(t *testing.T) {
	op := operation("GET /carts/{cartId}", "cartId page size", "")
	spec := &model.Spec{Operations: []*model.Operation{op}}
	call := model.Call{Op: op.ID, Args: []model.Arg{
		{In: model.InQuery, Name: "cartId", Value: "1"},
		{In: model.InQuery, Name: "size", Value: "20"},
	}}
	got := valuesOf(spec, call, []need{{in: model.InQuery, name: "cartId"}})
	want := []callValue{
		{in: model.InQuery, name: "size", arg: 1, text: "20"},
		{in: model.InQuery, name: "page", arg: -1},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(callValue{})); d != "" {
		t.Error(d)
	}
	if got := valuesOf(&model.Spec{}, call, nil); len(got) != 2 {
		t.Errorf("of an unknown operation: got %+v, want its two arguments", got)
	}
}

func TestApplyTo(t *testing.T) {
	call := model.Call{
		Args: []model.Arg{{In: model.InQuery, Name: "size", Value: "20"}},
		Body: &model.Payload{Media: "text/plain", Data: "old"},
	}
	for name, c := range map[string]struct {
		value callValue
		args  []model.Arg
		body  string
	}{
		"an argument": {
			value: callValue{in: model.InQuery, name: "size", arg: 0},
			args:  []model.Arg{{In: model.InQuery, Name: "size", Value: "new"}},
			body:  "old",
		},
		"an argument by its name": {
			value: callValue{in: model.InQuery, name: "size", arg: -1},
			args:  []model.Arg{{In: model.InQuery, Name: "size", Value: "new"}},
			body:  "old",
		},
		"a new argument": {
			value: callValue{in: model.InHeader, name: "X-A", arg: -1},
			args: []model.Arg{
				{In: model.InQuery, Name: "size", Value: "20"},
				{In: model.InHeader, Name: "X-A", Value: "new"},
			},
			body: "old",
		},
		"the body": {
			value: callValue{in: model.InBody},
			args:  []model.Arg{{In: model.InQuery, Name: "size", Value: "20"}},
			body:  "new",
		},
	} {
		got := c.value.applyTo(call, "new")
		if d := cmp.Diff(c.args, got.Args); d != "" || got.Body.Data != c.body {
			t.Errorf("%s: body %q, arguments %s", name, got.Body.Data, d)
		}
		if call.Args[0].Value != "20" || call.Body.Data != "old" {
			t.Fatalf("%s: the call was changed to %+v", name, call)
		}
	}
}

func TestEditIsAcceptedOrCanceled(t *testing.T) {
	enter, esc := tea.KeyMsg{Type: tea.KeyEnter}, tea.KeyMsg{Type: tea.KeyEsc}
	e := newEdit(1, callValue{in: model.InQuery, name: "size", text: "20"})
	if text, accepted := e.press(pressed("0")); accepted || text != "" {
		t.Errorf("a letter accepts %q", text)
	}
	if text, accepted := e.press(enter); !accepted || text != "200" {
		t.Errorf("enter: got %q and %t, want 200", text, accepted)
	}
	if _, accepted := e.press(esc); accepted || e.open() {
		t.Error("esc does not cancel the edit")
	}
	body := newEdit(0, callValue{in: model.InBody, text: `{"a":1}`})
	if _, accepted := body.press(enter); accepted {
		t.Error("enter accepts a body, which may have several lines")
	}
	if len(body.keys()) != 2 || body.keys()[0].Help().Key != "ctrl+s" {
		t.Errorf("keys %v", body.keys())
	}
}
