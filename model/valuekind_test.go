package model_test

import (
	"testing"

	"sonde/model"
)

// Values of every kind except the last, KindAttribute, link operations. A value without a kind does not.
func TestValueKindLinks(t *testing.T) {
	last := len(model.ValueKinds) - 1
	for i, k := range model.ValueKinds {
		if got, want := k.Links(), i < last; got != want {
			t.Errorf("%s: got %v, want %v", k, got, want)
		}
	}
	if model.ValueKind("").Links() {
		t.Error("a value without a kind links operations")
	}
}
