package generate

import (
	"encoding/json"
	"slices"

	"sonde/model"
	"sonde/model/pointer"
)

// unknownText is a text that no service answers, and unknownStatus is a status that no service answers.
const (
	unknownText   = "\u0000 not known yet"
	unknownStatus = 999
)

// WithoutAnswers returns copies of tests that expect answers which no service gives. So if such a test is played, its
// differences contain everything in the service's answer that tests compare. ExpectAnswers makes tests that expect this
// answer.
func WithoutAnswers(tests []model.Test) []model.Test {
	return changedOutput(tests, func(_ model.Test, e model.Expectation) (model.Expectation, bool) {
		if e.In == model.InBody && e.Name != "" {
			return e, false
		}
		return model.Expectation{In: e.In, Name: e.Name, Comparison: model.CompareEquals, Value: jsonText(unknownText)}, true
	}, unknownStatus)
}

// changedOutput returns copies of tests that expect other answers. They expect the given status of the call under test.
// The function change returns the replacement of each other expectation; if keep is false, the expectation is removed.
func changedOutput(
	tests []model.Test, change func(model.Test, model.Expectation) (e model.Expectation, keep bool), status int,
) []model.Test {
	var all []model.Test
	for _, t := range tests {
		m := *t.Mock
		m.Output = nil
		for _, e := range t.Mock.Output {
			if e.In == model.InStatus {
				m.Output = append(m.Output, model.Expectation{In: e.In, Comparison: model.CompareEquals, Value: encoded(status)})
			} else if changed, keep := change(t, e); keep {
				m.Output = append(m.Output, changed)
			}
		}
		t.Mock, t.Calls = &m, slices.Clone(t.Calls)
		t.Calls[m.Call].Status = status
		all = append(all, t)
	}
	return all
}

// ExpectAnswers returns copies of tests that expect the answers of a replay. The replay must be of the tests that
// WithoutAnswers returned. A value that was compared loosely is still compared loosely, if the answer has it.
// Expectations on binary bodies, and on fields that the answer does not have, are left out. Tests that got no answer,
// or whose set-up failed, are left out.
func ExpectAnswers(tests []model.Test, replay ReplayRun) []model.Test {
	got := map[string]map[string]json.RawMessage{} // differing values by their places, by the ID of the test
	failed := map[string]bool{}
	for _, d := range replay.Differences {
		switch {
		case d.Begin:
		case d.Oracle == SetUpOracle:
			failed[d.ID] = true
		case d.Oracle == model.OutputOracle:
			if got[d.ID] == nil {
				got[d.ID] = map[string]json.RawMessage{}
			}
			got[d.ID][string(d.In)+" "+d.Name] = d.Got
		}
	}
	var all []model.Test
	for _, t := range tests {
		var status int
		answer := got[t.ID]
		if failed[t.ID] || json.Unmarshal(answer[string(model.InStatus)+" "], &status) != nil || status < 200 {
			continue
		}
		body, _ := decode(answer[string(model.InBody)+" "])
		all = append(all, changedOutput([]model.Test{t}, func(_ model.Test, e model.Expectation) (model.Expectation, bool) {
			value, known := answer[string(e.In)+" "+e.Name]
			switch {
			case e.In == model.InBody && e.Name != "":
				_, has := pointer.Lookup(body, e.Name)
				return e, has
			case !known || value == nil || e.Bytes != nil:
				return e, false
			case e.Comparison != model.CompareEquals:
				return e, true
			}
			e.Value = value
			return e, true
		}, status)...)
	}
	return all
}
