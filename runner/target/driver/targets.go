package driver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sonde/model"
)

// Target is what a driver says of something in the service's source that a test
// can cover. All but ID may be missing.
type Target struct {
	// ID is the same for the same place of the same source, in each copy of the
	// service and after each start. It has no spaces.
	ID string `json:"id"`
	// Kind is one of those in docs/driver.md; "" is a statement.
	Kind string `json:"kind"`
	// Package is what the file belongs to.
	Package string `json:"package"`
	File    string `json:"file"` // a path
	Line    int    `json:"line"` // from 1 on
	Column  int    `json:"column"`
	// EndLine, EndColumn and Statements are a statement's.
	EndLine    int    `json:"end_line"`
	EndColumn  int    `json:"end_column"`
	Statements int    `json:"statements"`
	Label      string `json:"label"` // what a person calls it
}

type targetList struct {
	Targets []Target `json:"targets"`
}

// mostTargets bounds how many targets a driver may have.
const mostTargets = 1_000_000

// Targets asks what some IDs mean. Those that the driver does not know are
// missing.
func (d *Driver) Targets(ctx context.Context, ids []string) ([]Target, error) {
	var list targetList
	err := d.ask(ctx, d.quick, "POST", "/targets", map[string][]string{"ids": ids}, &list)
	return d.sound("POST", list.Targets, err)
}

// AllTargets asks for all targets that the driver knows.
func (d *Driver) AllTargets(ctx context.Context) ([]Target, error) {
	var list targetList
	err := d.ask(ctx, d.slow, "GET", "/targets", nil, &list)
	return d.sound("GET", list.Targets, err)
}

// sound are the targets that can be used, each once.
func (d *Driver) sound(method string, all []Target, err error) ([]Target, error) {
	if err != nil {
		return nil, err
	}
	if len(all) > mostTargets {
		return nil, d.errorf(method, "/targets", "has more than %d targets: leave out libraries", mostTargets)
	}
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(t Target) bool {
		bad := !d.isID(t.ID) || seen[t.ID]
		seen[t.ID] = true
		return bad
	}), nil
}

// Sanitised is the target with texts that are safe to print and numbers that can be.
func (t Target) Sanitised() Target {
	t.Kind, t.Package, t.File, t.Label = clean(t.Kind, mostID), clean(t.Package, mostName), clean(t.File, mostName), clean(t.Label, mostID)
	for _, n := range []*int{&t.Line, &t.Column, &t.EndLine, &t.EndColumn, &t.Statements} {
		*n = min(max(*n, 0), 1<<30)
	}
	return t
}

// BeginTest tells that a test begins: what was seen before is of others.
func (d *Driver) BeginTest(ctx context.Context) error {
	return d.ask(ctx, d.quick, "POST", "/begin", struct{}{}, nil)
}

// Results are how near the service came to targets since the last Begin.
type Results struct {
	// Scores are of targets that are newly covered or nearer than in any test
	// before, and of those that were asked for; in the order of their IDs.
	Scores []model.Score
	// Busy tells that the service still does something.
	Busy bool
}

// Results asks what came of a test: the paper's "only what improved", and, however
// near they were before, the targets with the ids. It changes nothing.
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
	if len(said.Targets) > mostTargets {
		return r, d.errorf("POST", "/results", "told of more than %d targets", mostTargets)
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

// odd counts what of the answers is left out.
type odd struct {
	ids, scores int
	first       string
}

// IgnoredSummary says what of a driver's answers was left out, "" for nothing.
func (d *Driver) IgnoredSummary() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.odd.first == "" {
		return ""
	}
	return fmt.Sprintf("driver %q: %d IDs and %d scores were left out, first %s", d.base, d.odd.ids, d.odd.scores, d.odd.first)
}

// isID reports whether a text can be an ID: with spaces it could be taken for what
// is sought besides, such as "GET /orders 200".
func (d *Driver) isID(id string) bool {
	if id != "" && len(id) <= mostID && !strings.ContainsFunc(id, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.odd.ids++
	if d.odd.first == "" {
		d.odd.first = fmt.Sprintf("the ID %q: one is of 1 to %d bytes that can be printed, without spaces", clean(id, mostID), mostID)
	}
	return false
}

func (d *Driver) isScore(id string, h float64) bool {
	if h >= 0 && h <= 1 {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.odd.scores++
	if d.odd.first == "" {
		d.odd.first = fmt.Sprintf("h %v of %q: it is from 0 to 1", h, id)
	}
	return false
}
