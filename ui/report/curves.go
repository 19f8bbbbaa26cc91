package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sonde/runner/lab/study"
	"sonde/ui/words"
)

// curvePlot is a plot of covered targets by calls, with a line for each P.
type curvePlot struct {
	frame
	Title string
	X, Y  []tick
	Lines []svgLine
}

type svgLine struct {
	Style        int // one of lineStyles
	Points       string
	End, LabelAt float64 // y positions of the end of the line and of its name
	Label, Title string
}

const (
	lineStyles = 6
	// labelRoom is the width for the names of lines. labelStep is the minimum vertical distance between two
	// names.
	labelRoom = 40
	labelStep = 12
)

func newCurvePlot(r study.TableRow, smart []float64) curvePlot {
	p := curvePlot{frame: newFrame(560, 300, 48, 52), Title: labelled(r) + ", " + thousands(r.Budget) + " calls"}
	p.Right -= labelRoom
	top := 1.0
	for _, s := range r.Settings {
		top = max(top, slices.Max(s.Curve))
	}
	step := evenStep(int(math.Ceil(top)))
	top = math.Ceil(top/float64(step)) * float64(step)
	for n := 0; n <= int(top); n += step {
		p.Y = append(p.Y, tick{p.y(float64(n) / top), words.Count(n)})
	}
	for i := range 5 {
		p.X = append(p.X, tick{p.x(float64(i) / 4), words.Count(r.Budget * i / 4)})
	}
	for i, s := range r.Settings {
		p.Lines = append(p.Lines, p.line(i, smart[i], s, top))
	}
	spread(p.Lines, p.Top, p.Bottom)
	return p
}

func (p curvePlot) line(i int, smart float64, s study.Setting, top float64) svgLine {
	l := svgLine{Style: i % lineStyles, Label: fmt.Sprintf("P=%v", smart), Title: fmt.Sprintf("P=%v: %.1f targets", smart, s.Covered)}
	var points []string
	for j, n := range s.Curve {
		l.End = p.y(n / top)
		points = append(points, fmt.Sprintf("%.1f,%.1f", p.x(float64(j)/study.CurveSteps), l.End))
	}
	l.Points = strings.Join(points, " ")
	return l
}

// spread places the names of lines near their ends, without overlaps.
func spread(lines []svgLine, top, bottom float64) {
	order := make([]*svgLine, len(lines))
	for i := range lines {
		order[i] = &lines[i]
	}
	slices.SortStableFunc(order, func(a, b *svgLine) int { return cmp.Compare(a.End, b.End) })
	at := top
	for _, l := range order {
		l.LabelAt = max(at, l.End)
		at = l.LabelAt + labelStep
	}
	at = bottom
	for _, l := range slices.Backward(order) {
		l.LabelAt = min(at, l.LabelAt)
		at = l.LabelAt - labelStep
	}
}
