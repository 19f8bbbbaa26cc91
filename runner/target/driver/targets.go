package driver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
)

// Target is something in the service's source that a test can cover, as a driver describes it. All
// fields but ID may be empty.
type Target struct {
	// ID is the same for the same position of the same source, in each copy of the service and
	// after each start. It has no spaces.
	ID string `json:"id"`
	// Kind is one of those in docs/driver.md; "" is a statement.
	Kind string `json:"kind"`
	// Package is the package or module of the file.
	Package string `json:"package"`
	File    string `json:"file"` // a path
	Line    int    `json:"line"` // from 1 on
	Column  int    `json:"column"`
	// EndLine, EndColumn and Statements are set for statements only.
	EndLine    int    `json:"end_line"`
	EndColumn  int    `json:"end_column"`
	Statements int    `json:"statements"`
	Label      string `json:"label"` // shown to the user
}

type targetList struct {
	Targets []Target `json:"targets"`
}

// maxTargets bounds the number of targets of a driver.
const maxTargets = 1_000_000

// Targets describes the targets with the ids. Those that the driver does not know are missing.
func (d *Driver) Targets(ctx context.Context, ids []string) ([]Target, error) {
	var list targetList
	err := d.ask(ctx, d.quick, "POST", "/targets", map[string][]string{"ids": ids}, &list)
	return d.validTargets("POST", list.Targets, err)
}

// AllTargets describes all targets that the driver knows.
func (d *Driver) AllTargets(ctx context.Context) ([]Target, error) {
	var list targetList
	err := d.ask(ctx, d.slow, "GET", "/targets", nil, &list)
	return d.validTargets("GET", list.Targets, err)
}

// validTargets returns the valid targets, each once.
func (d *Driver) validTargets(method string, all []Target, err error) ([]Target, error) {
	if err != nil {
		return nil, err
	}
	if len(all) > maxTargets {
		return nil, d.errorf(method, "/targets", "has more than %d targets: leave out libraries", maxTargets)
	}
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(t Target) bool {
		bad := !d.isID(t.ID) || seen[t.ID]
		seen[t.ID] = true
		return bad
	}), nil
}

// Sanitised returns the target with texts that are safe to print and with valid numbers.
func (t Target) Sanitised() Target {
	t.Kind, t.Package, t.File, t.Label = clean(t.Kind, maxID), clean(t.Package, maxName), clean(t.File, maxName), clean(t.Label, maxID)
	for _, n := range []*int{&t.Line, &t.Column, &t.EndLine, &t.EndColumn, &t.Statements} {
		*n = min(max(*n, 0), 1<<30)
	}
	return t
}

// BeginTest announces a test: what the driver saw before belongs to others.
func (d *Driver) BeginTest(ctx context.Context) error {
	return d.ask(ctx, d.quick, "POST", "/begin", struct{}{}, nil)
}

// Results are how near the service came to targets since the last BeginTest.
type Results struct {
	// Scores are those of targets that are newly covered or nearer than in any test before, and of
	// those that were asked for; sorted by ID.
	Scores []model.Score
	// Busy is true while the service still works for the test.
	Busy bool
}

// Results returns the results of a test: the targets that improved, and always those with the ids.
// It has no effect on the driver.
func (d *Driver) Results(ctx context.Context, ids []string) (Results, error) {
	var said struct {
		Targets []struct {
			ID string  `json:"id"`
			H  float64 `json:"h"`
		} `json:"targets"`
		Busy bool `json:"busy"`
	}
	r := Results{}
	err := d.ask(ctx, d.quick, "POST", "/results", map[string][]string{"ids": append([]string{}, ids...)}, &said)
	if err != nil {
		return r, err
	}
	if len(said.Targets) > maxTargets {
		return r, d.errorf("POST", "/results", "reports more than %d targets", maxTargets)
	}
	for _, t := range said.Targets {
		if d.isID(t.ID) && d.isScore(t.ID, t.H) && t.H > 0 {
			r.Scores = append(r.Scores, model.Score{Target: t.ID, H: t.H})
		}
	}
	slices.SortFunc(r.Scores, func(a, b model.Score) int { return strings.Compare(a.Target, b.Target) })
	r.Busy = said.Busy
	return r, nil
}

// ignoredItems counts what is ignored in the driver's answers.
type ignoredItems struct {
	ids, scores int
	first       string
}

// IgnoredSummary describes what was ignored in the driver's answers, "" if nothing was.
func (d *Driver) IgnoredSummary() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ignored.first == "" {
		return ""
	}
	return fmt.Sprintf("driver %q: %d IDs and %d scores were left out, first %s", d.base, d.ignored.ids, d.ignored.scores, d.ignored.first)
}

// isID reports whether a text can be an ID. With spaces it could equal a target of another kind,
// such as "GET /orders 200".
func (d *Driver) isID(id string) bool {
	if id != "" && len(id) <= maxID && !strings.ContainsFunc(id, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ignored.ids++
	if d.ignored.first == "" {
		d.ignored.first = fmt.Sprintf("the ID %q: an ID has 1 to %d printable bytes without spaces", clean(id, maxID), maxID)
	}
	return false
}

func (d *Driver) isScore(id string, h float64) bool {
	if h >= 0 && h <= 1 {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ignored.scores++
	if d.ignored.first == "" {
		d.ignored.first = fmt.Sprintf("h %v of %q: it must be from 0 to 1", h, id)
	}
	return false
}
