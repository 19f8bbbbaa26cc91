package search

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// settings returns the filter of the events, and the knobs and the weights of a running search.
func settings(m Model) []screen.Setting {
	all := []screen.Setting{screen.FilterSetting(m.events.Filter())}
	if !m.run.steerable() || m.analyzed == nil {
		return all
	}
	all = append(all, m.run.weightSetting(m.analyzed.Spec.Operations))
	for _, k := range knobs {
		value := k.get(m.run.tuning)
		all = append(all, screen.Setting{
			ID:    m.run.settingID(string(k.id)),
			Value: strconv.FormatFloat(value, 'g', -1, 64),
			Text:  "tuning " + k.symbol + " " + k.short(value),
		})
	}
	return all
}

// settingID returns the ID of a setting of this run. The settings of other runs have other IDs.
func (r *trackedRun) settingID(name string) string {
	return fmt.Sprintf("%s of run %d", name, r.generation)
}

// weightsName is the name of the setting with the weights of all operations.
const weightsName = "weights"

// weightSetting returns the weights once all commands have taken effect, as a setting.
func (r *trackedRun) weightSetting(all []*model.Operation) screen.Setting {
	weights := r.snap.Weights
	for _, c := range r.waiting() {
		if c.Priority != nil {
			weights = weights.WithPriority(*c.Priority, all)
		}
	}
	text := "no muted or boosted operations"
	if len(weights) > 0 {
		text = "weights of " + words.Plural(len(weights), "operation")
	}
	value, err := json.Marshal(weights)
	if err != nil || len(weights) == 0 {
		value = []byte("{}")
	}
	return screen.Setting{ID: r.settingID(weightsName), Value: string(value), Text: text}
}

// restoreSetting restores an earlier filter of the events, or earlier knobs or weights of the run.
func restoreSetting(m *Model, to screen.Setting) {
	if to.ID == screen.FilterID {
		m.events.SetFilter(to.Value)
		return
	}
	m.run.restore(to)
}

// restore gives a knob or the weights of the run an earlier value, by commands. It ignores settings of other runs.
func (r *trackedRun) restore(to screen.Setting) {
	if !r.steerable() {
		return
	}
	for _, k := range knobs {
		if value, err := strconv.ParseFloat(to.Value, 64); err == nil && to.ID == r.settingID(string(k.id)) {
			c := model.TuningChange{Knob: k.id, Value: value}
			r.tuning = r.tuning.WithChange(c)
			r.apply(model.Command{Change: &c})
		}
	}
	var weights model.Weights
	if to.ID == r.settingID(weightsName) && json.Unmarshal([]byte(to.Value), &weights) == nil {
		r.applyWeights(weights)
	}
}

// applyWeights sets the weights of all operations, by commands.
func (r *trackedRun) applyWeights(weights model.Weights) {
	r.apply(model.Command{Priority: &model.Priority{Kind: model.PriorityNormal, Label: "all"}})
	r.applyPriority(model.PriorityMuted, operationsWith(weights, 0))
	r.applyPriority(model.PriorityBoosted, operationsWith(weights, model.BoostedWeight))
}

// operationsWith returns the operations with a weight, in order.
func operationsWith(weights model.Weights, weight float64) (ops []model.OpID) {
	for _, op := range slices.Sorted(maps.Keys(weights)) {
		if weights[op] == weight {
			ops = append(ops, op)
		}
	}
	return ops
}

func (r *trackedRun) applyPriority(kind model.PriorityKind, ops []model.OpID) {
	if len(ops) > 0 {
		r.apply(model.Command{Priority: &model.Priority{Kind: kind, Ops: ops, Label: words.Plural(len(ops), "operation")}})
	}
}
