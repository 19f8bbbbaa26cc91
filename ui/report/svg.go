package report

import (
	"fmt"
	"math"
	"strings"

	"sonde/analysis/survey"
	"sonde/ui/words"
)

// frame is the area of a plot inside a drawing, in units of about a pixel. y grows downwards.
type frame struct {
	Width, Height            int
	Left, Right, Top, Bottom float64
}

func newFrame(width, height int, left, bottom float64) frame {
	return frame{Width: width, Height: height, Left: left, Right: float64(width) - 28, Top: 28, Bottom: float64(height) - bottom}
}

// x returns the position for a fraction of the plot's width.
func (f frame) x(share float64) float64 { return f.Left + share*(f.Right-f.Left) }
func (f frame) y(share float64) float64 { return f.Bottom - share*(f.Bottom-f.Top) }

// tick is a number on an axis.
type tick struct {
	At    float64
	Label string
}

// barPlot is Figure 2 of the distiller paper.
type barPlot struct {
	frame
	Y    []tick
	Bars []svgBar
}

type svgBar struct {
	X, Y, Width, Height, Middle float64
	Number                      int
	Label, Title                string
}

func newBarPlot(all []survey.GroupBin) barPlot {
	p := barPlot{frame: newFrame(560, 300, 48, 52)}
	shown, more := bins(all, maxBars)
	most := 0
	for _, b := range shown {
		most = max(most, b.Cases)
	}
	step := evenStep(most)
	top := max(step, (most+step-1)/step*step)
	for n := 0; n <= top; n += step {
		p.Y = append(p.Y, tick{p.y(float64(n) / float64(top)), words.Count(n)})
	}
	slot := (p.Right - p.Left) / float64(max(1, len(shown)))
	for i, b := range shown {
		bar := svgBar{
			X: p.Left + (float64(i)+0.15)*slot, Y: p.y(float64(b.Cases) / float64(top)), Width: 0.7 * slot,
			Middle: p.Left + (float64(i)+0.5)*slot, Number: b.Cases,
			Label: words.Count(b.Groups), Title: words.Plural(b.Cases, "case") + " with " + words.Plural(b.Groups, "group"),
		}
		if more && i == len(shown)-1 {
			bar.Label, bar.Title = bar.Label+"+", bar.Title+" or more"
		}
		bar.Height = p.Bottom - bar.Y
		p.Bars = append(p.Bars, bar)
	}
	return p
}

// evenStep returns a round step between ticks: the smallest one for which five steps reach top.
func evenStep(top int) int {
	for unit := 1; ; unit *= 10 {
		for _, n := range []int{1, 2, 5} {
			if n*unit*5 >= top {
				return n * unit
			}
		}
	}
}

// scatterPlot is the first half of Figure 3 of the distiller paper.
type scatterPlot struct {
	frame
	X, Y   []tick
	Points []svgPoint
}

type svgPoint struct {
	X, Y, Radius float64
	Title        string
}

func newScatterPlot(points []survey.ScatterPoint) scatterPlot {
	p := scatterPlot{frame: newFrame(1100, 560, 64, 56)}
	s := newScale(points)
	for _, n := range s.ticks() {
		p.X = append(p.X, tick{p.x(s.at(n)), words.Count(n)})
		p.Y = append(p.Y, tick{p.y(s.at(n)), words.Count(n)})
	}
	for _, at := range points {
		radius := min(22, 3*math.Sqrt(math.Sqrt(float64(len(at.Cases)))))
		p.Points = append(p.Points, svgPoint{X: p.x(s.at(at.SC)), Y: p.y(s.at(at.DC)), Radius: radius, Title: pointTitle(at)})
	}
	return p
}

// named is the maximum number of cases in the title of a point.
const named = 8

func pointTitle(p survey.ScatterPoint) string {
	lines := []string{fmt.Sprintf("SC %s, DC %s: %s", words.Count(p.SC), words.Count(p.DC), words.Plural(len(p.Cases), "case"))}
	for _, c := range p.Cases[:min(named, len(p.Cases))] {
		lines = append(lines, strings.TrimSuffix(c.Service+" · "+c.Tag, " · "))
	}
	if rest := len(p.Cases) - named; rest > 0 {
		lines = append(lines, "and "+words.Count(rest)+" more")
	}
	return strings.Join(lines, "\n")
}

// boxPlot is the second half of Figure 3 of the distiller paper.
type boxPlot struct {
	frame
	X     []tick
	Boxes []svgBox
}

// svgBox is one box of the box plot. It is not drawn if Title is "".
type svgBox struct {
	Name, Title                            string
	Low, Lower, Median, Upper, High, Mean  float64
	Top, Middle, Bottom, CapTop, CapBottom float64
}

// Wide returns the width of the box in the units of the drawing.
func (b svgBox) Wide() float64 { return b.Upper - b.Lower }
func (b svgBox) Tall() float64 { return b.Bottom - b.Top }

func newBoxPlot(f survey.Figures) boxPlot {
	p := boxPlot{frame: newFrame(560, 300, 48, 52)}
	end := span(f)
	at := func(n float64) float64 { return p.x((n - 1) / float64(end-1)) }
	for n := 1; n <= end; n++ {
		p.X = append(p.X, tick{at(float64(n)), fmt.Sprint(n)})
	}
	for i, b := range []survey.BoxPlot{f.SC, f.DC} {
		middle := p.y(0.78 - 0.48*float64(i))
		box := svgBox{
			Name:      []string{"SC", "DC"}[i],
			Middle:    middle,
			Top:       middle - 26,
			Bottom:    middle + 26,
			CapTop:    middle - 12,
			CapBottom: middle + 12,
		}
		if b.Count > 0 {
			box.Title = numbers(b)
			box.Low, box.Lower, box.Median = at(b.Low), at(b.Lower), at(b.Median)
			box.Upper, box.High, box.Mean = at(b.Upper), at(b.Top), at(b.Mean)
		}
		p.Boxes = append(p.Boxes, box)
	}
	return p
}
