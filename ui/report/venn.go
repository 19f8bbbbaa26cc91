package report

import (
	"fmt"

	"sonde/runner/lab/mutate"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// vennPlot is Figure 5 of the RICK paper for one service: three circles, and a number in each region.
type vennPlot struct {
	Name    string
	Circles []vennCircle
	Numbers []svgText
	Rest    string
}

type vennCircle struct {
	X, Y, Radius float64
	Label        svgText
}

type svgText struct {
	X, Y float64
	Text string
}

// vennAt has the place of the number of each region, in the order of mutate.NewVenn.
var vennAt = [][2]float64{{105, 95}, {255, 95}, {180, 225}, {180, 80}, {128, 165}, {232, 165}, {180, 138}}

func newVennPlot(c CaseStudy) vennPlot {
	t := c.Mutants.Tally
	p := vennPlot{
		Name: draw.Clean(c.Name),
		Rest: fmt.Sprintf("%s judged, %s killed, %s of them without an oracle, %s survived",
			words.Count(t.Judged), words.Count(t.Dead), words.Count(t.Dead-t.Together), words.Count(t.Status[mutate.Survived])),
		Circles: []vennCircle{
			{130, 110, 85, svgText{40, 30, "OO"}}, {230, 110, 85, svgText{320, 30, "PO"}}, {180, 190, 85, svgText{180, 298, "CO"}},
		},
	}
	for i, v := range c.Mutants.Venn {
		p.Numbers = append(p.Numbers, svgText{X: vennAt[i][0], Y: vennAt[i][1], Text: words.Count(v.Mutants)})
	}
	return p
}
