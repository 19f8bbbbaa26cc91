package driver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
)

// Target is a place in the service's source that a test can cover, such as a statement or a branch. All
// fields but ID may be empty.
type Target struct {
	// ID is the same in each copy of the service and after each start, unless the source changes. It
	// has no spaces.
	ID string `json:"id"`
	// Kind is one of the kinds in docs/driver.md; "" is a statement.
	Kind string `json:"kind"`
	// Package is the package or module of the file.
	Package string `json:"package"`
	File    string `json:"file"` // a path
	Line    int    `json:"line"` // from 1 on
	Column  int    `json:"column"`
	// EndLine, EndColumn and Statements are set only for statements.
	EndLine    int    `json:"end_line"`
	EndColumn  int    `json:"end_column"`
	Statements int    `json:"statements"`
	Label      string `json:"label"` // shown to the user
}

type targetList struct {
	Targets []Target `json:"targets"`
}

// maxTargets is the maximum number of targets in an answer of a driver.
const maxTargets = 1_000_000

// Targets returns the targets with the given IDs, without those that the driver does not know.
func (d *Driver) Targets(ctx context.Context, ids []string) ([]Target, error) {
	var list targetList
	err := d.ask(ctx, d.quick, "POST", "/targets", map[string][]string{"ids": ids}, &list)
	return d.validTargets("POST", list.Targets, err)
}

// AllTargets returns all targets that the driver knows.
func (d *Driver) AllTargets(ctx context.Context) ([]Target, error) {
	var list targetList
	err := d.ask(ctx, d.slow, "GET", "/targets", nil, &list)
	return d.validTargets("GET", list.Targets, err)
}

// validTargets returns the targets that have valid IDs, without duplicates. It returns an error if there
// are more than maxTargets. method and err are the method and the error of the request for the targets.
func (d *Driver) validTargets(method string, all []Target, err error) ([]Target, error) {
	if err != nil {
		return nil, err
	}
	if len(all) > maxTargets {
		return nil, d.errorf(method, "/targets", "has more than %d targets: leave out libraries", maxTargets)
	}
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(t Target) bool {
		bad := !d.checkID(t.ID) || seen[t.ID]
		seen[t.ID] = true
		return bad
	}), nil
}

// Sanitised returns the target with texts that are safe to print, and with numbers from 0 to 1<<30.
func (t Target) Sanitised() Target {
	t.Kind, t.Package, t.File, t.Label = clean(t.Kind, maxID), clean(t.Package, maxName), clean(t.File, maxName), clean(t.Label, maxID)
	for _, n := range []*int{&t.Line, &t.Column, &t.EndLine, &t.EndColumn, &t.Statements} {
		*n = min(max(*n, 0), 1<<30)
	}
	return t
}

// BeginTest notifies the driver that a test begins. The scores so far belong to earlier tests.
func (d *Driver) BeginTest(ctx context.Context) error {
	return d.ask(ctx, d.quick, "POST", "/begin", struct{}{}, nil)
}

// Results are the scores of a test.
type Results struct {
	// Scores are sorted by the targets' IDs. A target has a score here if the test came nearer to it
	// than all earlier tests, or if its score was asked for and is not 0.
	Scores []model.Score
	// Busy is true while the service still works for the test.
	Busy bool
}

// Results returns the results of the test that BeginTest began. It asks for the scores of the targets
// with the given IDs, even if the test did not improve them. It does not change the driver's state.
func (d *Driver) Results(ctx context.Context, ids []string) (Results, error) {
	var answer struct {
		Targets []struct {
			ID string  `json:"id"`
			H  float64 `json:"h"`
		} `json:"targets"`
		Busy bool `json:"busy"`
	}
	r := Results{}
	err := d.ask(ctx, d.quick, "POST", "/results", map[string][]string{"ids": append([]string{}, ids...)}, &answer)
	if err != nil {
		return r, err
	}
	if len(answer.Targets) > maxTargets {
		return r, d.errorf("POST", "/results", "reports more than %d targets", maxTargets)
	}
	for _, t := range answer.Targets {
		if d.checkID(t.ID) && d.checkScore(t.ID, t.H) && t.H > 0 {
			r.Scores = append(r.Scores, model.Score{Target: t.ID, H: t.H})
		}
	}
	slices.SortFunc(r.Scores, func(a, b model.Score) int { return strings.Compare(a.Target, b.Target) })
	r.Busy = answer.Busy
	return r, nil
}

// ignoredItems counts the parts of a driver's answers that are ignored because they are invalid.
type ignoredItems struct {
	ids, scores int
	first       string // describes the first ignored part
}

// IgnoredSummary describes the parts of the driver's answers that were ignored because they are invalid.
// It is "" if there are none.
func (d *Driver) IgnoredSummary() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ignored.first == "" {
		return ""
	}
	return fmt.Sprintf("driver %q: %d IDs and %d scores were left out, first %s", d.base, d.ignored.ids, d.ignored.scores, d.ignored.first)
}

// checkID reports whether a text is a valid ID, and counts it as ignored if it is not. An ID with spaces
// could equal a target of another kind, such as "GET /orders 200".
func (d *Driver) checkID(id string) bool {
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

// checkScore reports whether h is a valid score of a target, and counts it as ignored if it is not.
func (d *Driver) checkScore(id string, h float64) bool {
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
