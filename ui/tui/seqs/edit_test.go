package seqs

import (
	"testing"

	"sonde/model"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"
)

// The values of a call are its arguments and the known parameters that are not sent. Values that an earlier
// call provides are left out.
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

func TestTypeInEdit(t *testing.T) {
	e := newEdit(1, callValue{in: model.InQuery, name: "size", text: "20"})
	if e.typeKey(pressed("0")); e.text() != "200" {
		t.Errorf("typed %q, want 200", e.text())
	}
	body := newEdit(0, callValue{in: model.InBody, text: `{"a":1}`})
	before := body.text()
	if body.typeKey(tea.KeyMsg{Type: tea.KeyEnter}); body.text() == before || !body.open() {
		t.Errorf("enter leaves the body %q, open %t: a body may have several lines", body.text(), body.open())
	}
}

// A body that is not text is shown by its description. Its bytes stay unless the description is changed.
func TestEditOfBytes(t *testing.T) {
	call := model.Call{Body: &model.Payload{Media: "image/png", Data: "\x89PNG"}}
	e := newEdit(0, callValue{in: model.InBody, text: call.Body.Describe()})
	if e.text() != "image/png, 4 bytes" || !e.unchangedBytes(call) {
		t.Errorf("the area has %q, unchanged %t", e.text(), e.unchangedBytes(call))
	}
	if e.typeKey(pressed("0")); e.unchangedBytes(call) {
		t.Errorf("the area with %q counts as unchanged", e.text())
	}
}
