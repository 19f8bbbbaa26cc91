package report

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// runCurve is a plot of covered targets by calls, with a line for each command of the user.
type runCurve struct {
	frame
	X, Y     []tick
	Points   string
	All      float64 // the y position of all targets
	AllLabel string
	Marks    []curveMark
	Rows     []curveRow
	Text     string // the curve in words
}

// curveMark is a vertical line. Number leads to the row that describes it; it is 0 if the line before it is so close
// that there is no room for the number.
type curveMark struct {
	At     float64
	Number int
}

// curveRow describes a command that took effect.
type curveRow struct {
	Number int
	Call   string
	Text   string
}

// maxCommands is the maximum number of commands that a page describes.
const maxCommands = 500

// newRunCurve returns the plot of a run, nil if the run has no events.
func newRunCurve(r Run) *runCurve {
	calls, covered := r.Summary.Calls, 0
	for _, p := range r.Curve {
		calls, covered = max(calls, p.Calls), max(covered, p.Covered)
	}
	if covered == 0 || calls == 0 {
		return nil
	}
	targets := max(covered, r.Summary.Targets)
	p := runCurve{frame: newFrame(760, 320, 48, 52), Text: curveText(r.Curve, calls)}
	step := evenStep(targets)
	top := float64((targets + step - 1) / step * step)
	for n := 0; n <= int(top); n += step {
		p.Y = append(p.Y, tick{p.y(float64(n) / top), words.Count(n)})
	}
	for i := range 5 {
		p.X = append(p.X, tick{p.x(float64(i) / 4), words.Count(calls * i / 4)})
	}
	if r.Summary.Targets > 0 {
		p.All, p.AllLabel = p.y(float64(targets)/top), words.Plural(targets, "target")
	}
	p.Points = p.steps(r.Curve, calls, top)
	p.addMarks(r.Commands, r.Tuning, calls)
	return &p
}

// steps returns the points of the curve, which rises at the calls that cover targets.
func (p runCurve) steps(curve []model.CurvePoint, calls int, top float64) string {
	points := []string{fmt.Sprintf("%.1f,%.1f", p.Left, p.Bottom)}
	x, y := p.Left, p.Bottom
	for _, c := range curve {
		nextX, nextY := p.x(float64(c.Calls)/float64(calls)), p.y(float64(c.Covered)/top)
		if nextX-x < 0.4 && nextY > y-0.4 {
			continue // it would not be visible
		}
		points = append(points, fmt.Sprintf("%.1f,%.1f %.1f,%.1f", nextX, y, nextX, nextY))
		x, y = nextX, nextY
	}
	return strings.Join(append(points, fmt.Sprintf("%.1f,%.1f", p.Right, y)), " ")
}

// addMarks adds a line and a row for each command.
func (p *runCurve) addMarks(commands []model.AppliedCommand, before model.Tuning, calls int) {
	last := -100.0
	for i, c := range commands[:min(maxCommands, len(commands))] {
		m := curveMark{At: p.x(min(1, float64(c.Call)/float64(calls)))}
		if m.At-last > 14 {
			m.Number, last = i+1, m.At
		}
		p.Marks = append(p.Marks, m)
		p.Rows = append(p.Rows, curveRow{Number: i + 1, Call: words.Count(c.Call), Text: commandText(before, c)})
		before = c.Tuning
	}
}

// commandText describes a command that took effect. before is the tuning before it.
func commandText(before model.Tuning, c model.AppliedCommand) string {
	switch {
	case c.Change != nil:
		return fmt.Sprintf("%s: %s → %s", draw.Clean(string(c.Change.Knob)), knobText(before, c.Change.Knob), number(c.Change.Value))
	case c.Priority != nil:
		return draw.Clean(string(c.Priority.Kind) + " " + c.Priority.Label)
	case c.Try != nil:
		return "try a sequence of " + words.Plural(len(c.Try.Steps), "call")
	case c.Stub != nil:
		return draw.Clean(c.Stub.Host + " " + c.Stub.Summary())
	}
	return "a command of a newer Sonde"
}

// knobText returns the value of a knob.
func knobText(t model.Tuning, k model.Knob) string {
	switch k {
	case model.KnobSmart:
		return number(t.Smart)
	case model.KnobRandom:
		return number(t.Random)
	case model.KnobFocus:
		return number(t.Focus)
	case model.KnobPopulation:
		return number(float64(t.Population))
	case model.KnobMutations:
		return number(float64(t.Mutations))
	}
	return "?"
}

func number(f float64) string { return fmt.Sprintf("%.4g", f) }

// curveText says how many targets were covered after each quarter of the calls.
func curveText(curve []model.CurvePoint, calls int) string {
	var parts []string
	for quarter := 1; quarter <= 4; quarter++ {
		limit, covered := calls*quarter/4, 0
		for _, p := range curve {
			if p.Calls <= limit {
				covered = p.Covered
			}
		}
		parts = append(parts, fmt.Sprintf("%s after %s", words.Count(covered), words.Count(limit)))
	}
	return "Covered targets by calls: " + strings.Join(parts, ", ") + "."
}
