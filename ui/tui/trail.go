package tui

import (
	"sonde/model"
	"sonde/ui/tui/screen"
)

// spot is a position in the app: a screen and the operation selected there.
type spot struct {
	tab screen.Tab
	op  model.OpID
}

// trail holds the spots that the user visited. It works like the history of a browser: a visit after going
// back removes the spots ahead. The zero value is a trail that begins at the first screen.
type trail struct {
	before, after []spot
	here          spot
}

// maxTrail is the maximum number of spots before the current one.
const maxTrail = 200

// visit moves to a spot, and removes the spots ahead. It does nothing if the spot is the current one.
func (t *trail) visit(to spot) {
	if to == t.here {
		return
	}
	t.before = append(t.before, t.here)
	t.before = t.before[max(0, len(t.before)-maxTrail):]
	t.here, t.after = to, nil
}

// back moves to the previous spot that differs from the current one, and reports whether there is such a spot.
// forward moves to the next such spot in the same way.
func (t *trail) back() bool    { return t.step(&t.before, &t.after) }
func (t *trail) forward() bool { return t.step(&t.after, &t.before) }

func (t *trail) step(from, to *[]spot) bool {
	n := len(*from)
	for n > 0 && (*from)[n-1] == t.here {
		n--
	}
	*from = (*from)[:n]
	if n == 0 {
		return false
	}
	*to = append(*to, t.here)
	t.here, *from = (*from)[n-1], (*from)[:n-1]
	return true
}
