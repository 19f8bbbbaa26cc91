package model_test

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

var threeOps = []*model.Operation{{ID: "GET /a"}, {ID: "GET /b"}, {ID: "GET /c"}}

func TestWithPriority(t *testing.T) {
	priority := func(kind model.PriorityKind, ops ...model.OpID) model.Priority {
		return model.Priority{Kind: kind, Ops: ops}
	}
	tests := []struct {
		name    string
		changes []model.Priority
		want    model.Weights
	}{
		{"none", nil, nil},
		{
			"mute one",
			[]model.Priority{priority(model.PriorityMuted, "GET /a")},
			model.Weights{"GET /a": 0},
		},
		{
			"boost two",
			[]model.Priority{priority(model.PriorityBoosted, "GET /a", "GET /b")},
			model.Weights{"GET /a": model.BoostedWeight, "GET /b": model.BoostedWeight},
		},
		{
			"only one, although it was muted",
			[]model.Priority{priority(model.PriorityMuted, "GET /a"), priority(model.PriorityOnly, "GET /a")},
			model.Weights{"GET /b": 0, "GET /c": 0},
		},
		{
			"others keep their weights",
			[]model.Priority{priority(model.PriorityBoosted, "GET /a"), priority(model.PriorityMuted, "GET /b")},
			model.Weights{"GET /a": model.BoostedWeight, "GET /b": 0},
		},
		{
			"reset one",
			[]model.Priority{priority(model.PriorityMuted, "GET /a", "GET /b"), priority(model.PriorityNormal, "GET /a")},
			model.Weights{"GET /b": 0},
		},
		{
			"reset all",
			[]model.Priority{priority(model.PriorityOnly, "GET /c"), priority(model.PriorityNormal)},
			model.Weights{},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got model.Weights
			for _, change := range tt.changes {
				got = got.WithPriority(change, threeOps)
			}
			if !maps.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// A change of priority does not modify the old weights. Resetting all operations restores the initial
// weights.
func TestWithPriorityProperties(t *testing.T) {
	kinds := []model.PriorityKind{
		model.PriorityMuted, model.PriorityBoosted, model.PriorityOnly, model.PriorityNormal,
	}
	rapid.Check(t, func(rt *rapid.T) {
		var w model.Weights
		for range rapid.IntRange(1, 5).Draw(rt, "changes") {
			p := model.Priority{Kind: rapid.SampledFrom(kinds).Draw(rt, "kind")}
			for _, op := range threeOps {
				if rapid.Bool().Draw(rt, "named") {
					p.Ops = append(p.Ops, op.ID)
				}
			}
			before := maps.Clone(w)
			next := w.WithPriority(p, threeOps)
			if !maps.Equal(w, before) {
				rt.Fatalf("%v changed the weights before it to %v", p, w)
			}
			for _, op := range threeOps {
				if got := next.WeightOf(op.ID); got != 0 && got != 1 && got != model.BoostedWeight {
					rt.Fatalf("%s has the weight %v", op.ID, got)
				}
			}
			w = next
		}
		if w = w.WithPriority(model.Priority{Kind: model.PriorityNormal}, threeOps); len(w) > 0 {
			rt.Fatalf("after a reset of all: %v", w)
		}
	})
}

func TestWithChange(t *testing.T) {
	start := model.DefaultTuning()
	tests := []struct {
		knob  model.Knob
		value float64
		want  model.Tuning
	}{
		{model.KnobSmart, 0.1, model.Tuning{Smart: 0.1, Random: 0.5, Focus: 0.5, Population: 10, Mutations: 1}},
		{model.KnobRandom, 0.2, model.Tuning{Smart: 0.6, Random: 0.2, Focus: 0.5, Population: 10, Mutations: 1}},
		{model.KnobFocus, 0.3, model.Tuning{Smart: 0.6, Random: 0.5, Focus: 0.3, Population: 10, Mutations: 1}},
		{model.KnobPopulation, 4, model.Tuning{Smart: 0.6, Random: 0.5, Focus: 0.5, Population: 4, Mutations: 1}},
		{model.KnobMutations, 5, model.Tuning{Smart: 0.6, Random: 0.5, Focus: 0.5, Population: 10, Mutations: 5}},
		{"unknown", 6, start},
	}
	for _, tt := range tests {
		if got := start.WithChange(model.TuningChange{Knob: tt.knob, Value: tt.value}); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.knob, got, tt.want)
		}
	}
}

func TestTemplateTarget(t *testing.T) {
	template := model.Template{Steps: []model.TemplateStep{{Op: "POST /a", Min: 1, Max: 1}, {Op: "GET /a/{id}", Min: 1, Max: 1}}}
	if got := template.Target(); got != "GET /a/{id}" {
		t.Errorf("got %q, want the last step", got)
	}
}
