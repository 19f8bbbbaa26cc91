package distributed

import (
	"math"
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	start := time.Now()
	for name, c := range map[string]struct {
		counts []int // one a second
		want   float64
	}{
		"too few":                {[]int{0, 100}, 0},
		"steady":                 {[]int{10, 12, 14, 16}, 2},
		"nothing":                {[]int{10, 10, 10, 10}, 0},
		"a coordinator resumes":  {[]int{80, 82, 84, 0, 40, 86, 88, 90, 92}, 1.5},
		"only the last are used": {append([]int{0, 0, 0}, growing(maxSamples)...), 1},
	} {
		var p pace
		for i, n := range c.counts {
			at := start.Add(time.Duration(i) * time.Second)
			p.add(at, n)
			p.add(at.Add(time.Second/2), n+1000) // too early for a sample
		}
		if got := p.rate(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v units/s, want %v", name, got, c.want)
		}
	}
}

func growing(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}
