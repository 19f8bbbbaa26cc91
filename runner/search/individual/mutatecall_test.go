package individual

import (
	"reflect"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

// MutateCall changes only the given call. The other calls, the links and the original individual do
// not change.
func TestMutateCall(t *testing.T) {
	p := New(model.Plan{
		Spec:      shop(),
		Templates: templates,
		Users:     []model.User{{Name: "ann"}, {Name: "bob"}},
		Sampling:  model.DefaultSampling(),
		Constants: []model.Constant{{Text: "gift"}},
	})
	changed, mutations := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := chance(rapid.Uint64().Draw(t, "seed"))
		ind := p.Sample(r, 0.5)
		before := ind.Test()
		call := rapid.IntRange(0, ind.Len()-1).Draw(t, "call")
		next := p.MutateCall(r, ind, call, r.Float64(), nil)
		if !reflect.DeepEqual(before, ind.Test()) {
			t.Fatal("the parent was changed")
		}
		if next == nil {
			return
		}
		mutations++
		after := next.Test()
		if next.Change() == "" || len(after.Calls) != len(before.Calls) || !reflect.DeepEqual(after.Links, before.Links) {
			t.Fatalf("the structure was changed: %v", after)
		}
		for i := range before.Calls {
			switch same := reflect.DeepEqual(before.Calls[i], after.Calls[i]); {
			case i != call && !same:
				t.Fatalf("call %d should change, but call %d did:\n%+v\n%+v", call, i, before.Calls[i], after.Calls[i])
			case !same:
				changed++
			}
		}
	})
	if 2*changed < mutations {
		t.Errorf("%d of %d mutations changed the call, want at least half", changed, mutations)
	}
}
