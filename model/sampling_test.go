package model_test

import (
	"reflect"
	"testing"

	"sonde/model"
)

// Each setting of sampling has a flag.
func TestSamplingFieldsAreComplete(t *testing.T) {
	if n := reflect.TypeFor[model.Sampling]().NumField(); n != len(model.SamplingFields) {
		t.Errorf("there are %d fields for %d settings", len(model.SamplingFields), n)
	}
	seen := map[*float64]bool{}
	var same model.Sampling
	for _, f := range model.SamplingFields {
		seen[f.Value(&same)] = true
	}
	if len(seen) != len(model.SamplingFields) {
		t.Error("two flags are for the same setting")
	}
}
