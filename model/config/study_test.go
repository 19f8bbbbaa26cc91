package config_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
)

// seeds returns the seeds from 1 to n.
func seeds(n uint64) (all []uint64) {
	for s := uint64(1); s <= n; s++ {
		all = append(all, s)
	}
	return all
}

func TestStudy(t *testing.T) {
	got, err := config.ParseStudy([]byte(`
services:
  - {name: demo, demo: true, budgets: [10_000, 1000, {calls: 100_000, seeds: [7, 3]}]}
  - {name: flat, config: flat/sonde.yaml}
  - {name: deep, config: /deep/sonde.yaml, seeds: 1, budgets: 50}
smart: [0.6, 0]
white: [true, false]
sampling: {sequel: 0, edge: 0.2, echo: 0, pool: 0.5}
mutants: {sample: 60, seed: 2}
budgets: [2000]
seeds: 3
`))
	if err != nil {
		t.Fatal(err)
	}
	want := config.StudyConfig{
		Smart: []float64{0, 0.6},
		White: []bool{false, true},
		Sampling: model.Sampling{
			Invalid:      model.DefaultSampling().Invalid,
			Edge:         0.2,
			Pool:         0.5,
			Sweep:        model.DefaultSampling().Sweep,
			Negative:     model.DefaultSampling().Negative,
			Interactions: model.DefaultSampling().Interactions,
			Attempts:     model.DefaultSampling().Attempts,
			Refusals:     model.DefaultSampling().Refusals,
			Constants:    model.DefaultSampling().Constants,
			Operands:     model.DefaultSampling().Operands,
			Delay:        model.DefaultSampling().Delay,
			Extensions:   model.DefaultSampling().Extensions,
		},
		Sizes:   model.DefaultSizes(),
		Mutants: model.MutantSample{Size: 60, Seed: 2},
		Services: []config.StudiedService{
			{
				Name: "demo",
				Demo: true,
				Budgets: []config.Budget{
					{Calls: 1000, Seeds: seeds(3)},
					{Calls: 10_000, Seeds: seeds(3)},
					{Calls: 100_000, Seeds: []uint64{7, 3}},
				},
			},
			{Name: "flat", Config: "flat/sonde.yaml", Budgets: []config.Budget{{Calls: 2000, Seeds: seeds(3)}}},
			{Name: "deep", Config: "/deep/sonde.yaml", Budgets: []config.Budget{{Calls: 50, Seeds: seeds(1)}}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// The strategy determines the sampling, even if its key comes after the key sampling. The key sampling changes single
// settings of the strategy.
func TestStudyStrategy(t *testing.T) {
	const demo = "services: {name: demo, demo: true}\n"
	paper, ok := model.StrategyPaper.Sampling()
	if !ok || paper.Sweep != 0 || paper.Uniform != 1 {
		t.Fatalf("the paper's sampling is %+v", paper)
	}
	swept := paper
	swept.Sweep = 0.5
	for text, want := range map[string]model.Sampling{
		"strategy: paper":                         paper,
		"strategy: default":                       model.DefaultSampling(),
		"strategy: paper\nsampling: {sweep: 0.5}": swept,
		"sampling: {sweep: 0.5}\nstrategy: paper": swept,
	} {
		got, err := config.ParseStudy([]byte(demo + text))
		if err != nil || got.Sampling != want {
			t.Errorf("%q: got %+v and error %v, want %+v", text, got.Sampling, err, want)
		}
	}
}

// Sizes that the file does not name have their default values.
func TestStudySizes(t *testing.T) {
	got, err := config.ParseStudy([]byte("services: {name: demo, demo: true}\nstrategy: paper\nsizes: {max-calls: 4, unit-exponent: 0}"))
	want := model.DefaultSizes()
	want.Calls, want.UnitExponent = 4, 0
	if err != nil || got.Sizes != want {
		t.Errorf("got %+v and error %v, want %+v", got.Sizes, err, want)
	}
}

// A way starts from a strategy, or from the sampling of the file, even if the sampling comes after the ways in the
// file.
func TestStudyWays(t *testing.T) {
	paper, _ := model.StrategyPaper.Sampling()
	echo, swept, usual := paper, paper, model.DefaultSampling()
	swept.Sweep = 0.5
	echo.Sweep, echo.Echo = 0.5, 0.3
	usual.Pool = 0
	got, err := config.ParseStudy([]byte(`services: {name: demo, demo: true}
ways:
  - {name: file's}
  - {name: + echo, sampling: {echo: 0.3}}
  - {name: paper, strategy: paper}
  - {name: default - pool, sampling: {pool: 0}, strategy: default}
strategy: paper
sampling: {sweep: 0.5}
`))
	want := []config.Way{
		{Name: "file's", Sampling: swept},
		{Name: "+ echo", Sampling: echo},
		{Name: "paper", Sampling: paper},
		{Name: "default - pool", Sampling: usual},
	}
	if err != nil || !reflect.DeepEqual(got.Ways, want) || got.Sampling != swept {
		t.Errorf("got  %+v and error %v\nwant %+v", got.Ways, err, want)
	}
}

// A service has one command for all of its own tests, or one command for each group of them.
func TestStudyManual(t *testing.T) {
	got, err := config.ParseStudy([]byte(`services:
  - {name: a, config: a.yaml, manual: go test ./...}
  - {name: b, config: b.yaml, manual: {unit: [go, test, -short, ./...], http: go test ./e2e}}
white: true
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []config.ManualTests{
		{All: []string{"go", "test", "./..."}},
		{Unit: []string{"go", "test", "-short", "./..."}, HTTP: []string{"go", "test", "./e2e"}},
	}
	for i, s := range got.Services {
		if !reflect.DeepEqual(s.Manual, want[i]) {
			t.Errorf("got %+v, want %+v", s.Manual, want[i])
		}
	}
}

// The defaults of a study are those of the EvoMaster paper, except for fewer seeds.
func TestStudyDefaults(t *testing.T) {
	got, err := config.ParseStudy([]byte("services: {name: demo, demo: true}"))
	want := config.StudyConfig{
		Smart: []float64{0, 0.2, 0.4, 0.6, 0.8, 1}, Sampling: model.DefaultSampling(), Sizes: model.DefaultSizes(),
		Services: []config.StudiedService{{Name: "demo", Demo: true, Budgets: []config.Budget{{Calls: 10_000, Seeds: seeds(30)}}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v and error %v\nwant %+v", got, err, want)
	}
}

// A study of lists has one P, which has no effect.
func TestStudyLists(t *testing.T) {
	got, err := config.ParseStudy([]byte(`services: {name: demo, demo: true}
lists: [sc, dc, {rule: dc, min-share: true}, {rule: dc, links-only: true, min-evidence: place},
  {rule: sc, again: true}]
`))
	want := []config.SeqList{
		{Rule: "sc"},
		{Rule: "dc"},
		{Rule: "dc", RequiredOnly: true},
		{Rule: "dc", LinksOnly: true, MinEvidence: "place"},
		{Rule: "sc", Again: true},
	}
	if err != nil || !reflect.DeepEqual(got.Lists, want) || !reflect.DeepEqual(got.Smart, []float64{0}) {
		t.Errorf("got %+v, P %v, error %v", got.Lists, got.Smart, err)
	}
	for i, name := range []string{"sc", "dc", "dc, required only", "dc, links only, evidence place", "sc, again"} {
		if got := want[i].Name(); got != name {
			t.Errorf("list %d is %q, want %q", i, got, name)
		}
	}
}

func TestStudyErrors(t *testing.T) {
	const demo = "services: [{name: demo, demo: true}]\n"
	for text, want := range map[string]string{
		"":                                  "a study needs services",
		demo + "smrat: [0]":                 `line 2: unknown key "smrat" in a study: did you mean "smart"?`,
		"services: [{name: a, dmeo: true}]": `line 1: unknown key "dmeo" in a service: did you mean "demo"?`,
		"services:\n  - {demo: true}":       "line 2: a service needs a name",
		"services:\n  - name: a":            `line 2: service "a" takes one of config, the path of its sonde.yaml, and demo: true`,
		"services: [{name: a, demo: true, config: b}]":             `service "a" takes one of config`,
		"services: [{name: a, demo: true}, {name: a, demo: true}]": `there are two services "a": names are unique`,
		demo + "white: [true, true]":                               "line 2: true is here twice",
		demo + "smart: [0, 2]":                                     `line 2: a number from 0 to 1 belongs here, not "2"`,
		demo + "smart: [0.5, 0.50]":                                "line 2: 0.5 is here twice",
		demo + "budgets: [0]":                                      "line 2: a budget is at least 1 call",
		demo + "budgets: [10, {calls: 10}]":                        "line 2: the budget of 10 is here twice",
		demo + "budgets: [{seeds: 3}]":                             "a budget is at least 1 call",
		demo + "budgets: [{calls: 3, seds: 1}]":                    `unknown key "seds" in a budget: did you mean "seeds"?`,
		demo + "sampling: paper":                                   "changes of single settings, not paper: write strategy: paper",
		demo + "strategy: papr":                                    `line 2: the strategy is default or paper, not "papr"`,
		demo + "sampling: {pol: 1}":                                `unknown key "pol" in sampling: did you mean "pool"?`,
		demo + "sizes: {max-text: 0}":                              "line 2: max-text is 0: give a number from 1 to 8192",
		demo + "sizes: {max-cals: 1}":                              `unknown key "max-cals" in sizes: did you mean "max-calls"?`,
		demo + "ways: [{strategy: paper}]":                         "line 2: a way needs a name",
		demo + "ways: [{name: a}, {name: a}]":                      `line 2: there are two ways "a": names are unique`,
		demo + "ways: [{name: a, strategy: papr}]":                 `line 2: the strategy is default or paper, not "papr"`,
		demo + "ways: [{name: a, sampling: {pol: 1}}]":             `line 2: unknown key "pol" in sampling: did you mean "pool"?`,
		demo + "ways: [{name: a, smart: 1}]":                       `line 2: unknown key "smart" in a way`,
		"services: [{name: a, config: b, manual: go test .}]":      `manual of "a" needs statements to compare with`,
		"services: [{name: a, config: b, manual: make test}]":      `"make test" is no go test command, such as go test ./...`,
		"services: [{name: a, demo: true, manual: go test .}]":     "the demo has no tests of its own: remove manual",
		demo + "mutants: 3":                                        "mutants needs services that Sonde builds: say white: [false], [true]",
		demo + "white: true\nmutants: 0":                           "line 3: mutants is how many mutants of each service",
		demo + "white: true\nmutants: {seed: 1}":                   "line 3: mutants is how many mutants of each service",
		demo + "lists: dd":                                         `line 2: one of dc, sc belongs here, not "dd"`,
		demo + "lists: {links-only: true}":                         "line 2: a list needs a rule: dc or sc",
		demo + "lists: {rule: sc, links-only: true}":               "line 2: rule sc ignores shared values",
		demo + "lists: [dc, dc]":                                   `line 2: the list "dc" is here twice`,
		demo + "lists: {rule: dc, min-evidence: sure}":             `line 2: one of guess, name, place, declared belongs here, not "sure"`,
		demo + "lists: dc\nsmart: 0.6":                             "a study with lists calls seqs and makes no searches: remove smart",
		demo + "strategy: paper\nlists: dc":                        "a study with lists calls seqs and makes no searches: remove strategy",
		demo + "lists: dc\nwhite: false":                           "a study with lists calls seqs and makes no searches: remove white",
		demo + "seeds: 0":                                          "line 2: seeds is how many there are, at least 1",
		demo + "seeds: [1, 1]":                                     "line 2: the seed 1 is here twice",
		demo + "seeds: [-1]":                                       `line 2: a whole number from 0 belongs here, not "-1"`,
	} {
		if _, err := config.ParseStudy([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %s", text, err, want)
		}
	}
}

// Paths are relative to the file's folder.
func TestLoadStudy(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "study.yaml")
	if err := os.WriteFile(path, []byte("services: [{name: a, config: ../a/sonde.yaml}, {name: b, demo: true}]"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := config.LoadStudy(path)
	if err != nil || s.Services[0].Config != filepath.Join(filepath.Dir(dir), "a", "sonde.yaml") || s.Services[1].Config != "" {
		t.Errorf("got %+v and error %v", s, err)
	}
	if _, err := config.LoadStudy(path + "x"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "sonde study --help") {
		t.Errorf("got error %v", err)
	}
}
