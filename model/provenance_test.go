package model_test

import (
	"encoding/json"
	"testing"

	"sonde/model"
)

// A derived test keeps the recording and the network of its original, but not the run.
func TestDerivedTest(t *testing.T) {
	kept := model.Test{ID: "t1", Provenance: model.Provenance{Run: "/run", Recording: "/rec", Virtual: true}}
	got := kept.Derived()
	if want := (model.Provenance{Recording: "/rec", Parent: "t1", Virtual: true}); got.Provenance != want || got.ID != "t1" {
		t.Errorf("got test %s with %+v, want %+v", got.ID, got.Provenance, want)
	}
	if kept.Provenance.Run != "/run" {
		t.Error("the test that was kept has changed")
	}
}

// Equal tests have equal encodings, regardless of their provenance.
func TestProvenanceIsNotWritten(t *testing.T) {
	for name, values := range map[string][2]any{
		"test":  {model.Test{ID: "t1"}, model.Test{ID: "t1", Provenance: model.Provenance{Run: "/run", Recording: "/rec", Parent: "t0"}}},
		"fault": {model.Fault{ID: "f1"}, model.Fault{ID: "f1", Run: "/run"}},
	} {
		want, err1 := json.Marshal(values[0])
		got, err2 := json.Marshal(values[1])
		if string(got) != string(want) || err1 != nil || err2 != nil {
			t.Errorf("%s: got %s, want %s, errors %v, %v", name, got, want, err1, err2)
		}
	}
}
