package survey

import (
	"cmp"
	"math"
	"slices"
)

// Figures are Figures 2 and 3 of the paper, for the cases that the tables count.
type Figures struct {
	// Groups is Figure 2: the number of cases for each number of groups. It is sorted by the number of groups.
	Groups []GroupBin
	// Points is the scatter plot of Figure 3. The points are sorted by SC, then by DC.
	Points []ScatterPoint
	// SC and DC are the box plots of Figure 3, which show the groups per seq.
	SC, DC BoxPlot
}

// GroupBin is the number of cases with the same number of groups.
type GroupBin struct {
	Groups int `json:"groups"`
	Cases  int `json:"cases"`
}

// ScatterPoint has the cases for which rule SC lists SC seqs and rule DC lists DC seqs.
type ScatterPoint struct {
	SC, DC int
	Cases  []Case
}

// BoxPlot has the numbers of a box plot. A quartile that lies between two values is interpolated.
type BoxPlot struct {
	Count  int     `json:"count"` // number of values; if it is 0, the other fields are 0, too
	Low    float64 `json:"min"`
	Lower  float64 `json:"q1"`
	Median float64 `json:"median"`
	Upper  float64 `json:"q3"`
	Top    float64 `json:"max"`
	Mean   float64 `json:"mean"`
}

func newFigures(examined []Case) Figures {
	var f Figures
	bins := map[int]int{}
	points := map[[2]int][]Case{}
	var sc, dc []float64
	for _, c := range examined {
		bins[c.Groups]++
		at := [2]int{c.SC.Seqs, c.DC.Seqs}
		points[at] = append(points[at], c)
		sc, dc = appendMean(sc, c.SC), appendMean(dc, c.DC)
	}
	for groups, n := range bins {
		f.Groups = append(f.Groups, GroupBin{groups, n})
	}
	slices.SortFunc(f.Groups, func(a, b GroupBin) int { return a.Groups - b.Groups })
	for at, cases := range points {
		f.Points = append(f.Points, ScatterPoint{SC: at[0], DC: at[1], Cases: cases})
	}
	slices.SortFunc(f.Points, func(a, b ScatterPoint) int { return cmp.Or(a.SC-b.SC, a.DC-b.DC) })
	f.SC, f.DC = newBox(sc), newBox(dc)
	return f
}

func appendMean(to []float64, l Listing) []float64 {
	if mean, ok := l.GroupsPerSeq(); ok {
		return append(to, mean)
	}
	return to
}

func newBox(numbers []float64) BoxPlot {
	n := len(numbers)
	if n == 0 {
		return BoxPlot{}
	}
	slices.Sort(numbers)
	sum := 0.0
	for _, x := range numbers {
		sum += x
	}
	return BoxPlot{
		Count:  n,
		Low:    numbers[0],
		Lower:  quantile(numbers, 0.25),
		Median: quantile(numbers, 0.5),
		Upper:  quantile(numbers, 0.75),
		Top:    numbers[n-1],
		Mean:   sum / float64(n),
	}
}

// quantile returns the quantile of sorted numbers at a share from 0 to 1. It interpolates between the two nearest
// numbers.
func quantile(sorted []float64, share float64) float64 {
	at := share * float64(len(sorted)-1)
	below := int(math.Floor(at))
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}
