package draw

import (
	"slices"
	"strings"
)

// pathSet has the paths of a list by their methods, each as its segments. Paths are shortened so that
// they stay distinct in the list.
type pathSet map[string][][]string

func (s pathSet) add(l link) {
	segments := segmentsOf(nameless(l.path))
	if !slices.ContainsFunc(s[l.method], func(p []string) bool { return slices.Equal(p, segments) }) {
		s[l.method] = append(s[l.method], segments)
	}
}

// shorten returns the path of a call in at most width cells. It leaves out segments in the middle that are
// not needed to distinguish the path from the others of the method. A name that the document gives to the operation is cut
// in the middle.
func (s pathSet) shorten(l link, width int) string {
	name := wholeName(l)
	switch {
	case widthOf(name) <= width:
		return name
	case l.given:
		return CutMiddle(name, width)
	}
	p := newOutlinedPath(name)
	if widthOf(p.text()) > width {
		return CutMiddle(short(l.path), width)
	}
	p.keepDifferences(s[l.method], width)
	p.fill(width)
	return p.text()
}

// leastRoom returns the number of cells in which the name of a call can be recognised.
func leastRoom(l link) int {
	const given = 20
	name := wholeName(l)
	if l.given {
		return min(widthOf(name), given)
	}
	return min(widthOf(name), widthOf(newOutlinedPath(name).text()))
}

// outlinedPath is a path of which only some segments are kept.
type outlinedPath struct {
	segments []string
	kept     []bool
}

// newOutlinedPath returns a path of which only the last segment that is not a parameter, and the parameters
// after it, are kept.
func newOutlinedPath(path string) *outlinedPath {
	p := &outlinedPath{segments: segmentsOf(path)}
	p.kept = make([]bool, len(p.segments))
	for i := len(p.kept) - 1; i >= 0; i-- {
		p.kept[i] = true
		if !strings.HasPrefix(p.segments[i], "{") {
			break
		}
	}
	return p
}

// keepDifferences keeps the segments that tell the path from others, as far as there is room.
func (p *outlinedPath) keepDifferences(others [][]string, width int) {
	alike := slices.DeleteFunc(slices.Clone(others), func(o []string) bool { return slices.Equal(o, p.segments) })
	for {
		alike = slices.DeleteFunc(alike, func(o []string) bool { return !p.matches(o) })
		best, left := -1, len(alike)
		for i := len(p.kept) - 1; i >= 0; i-- {
			if !p.keep(i, width) {
				continue
			}
			n := 0
			for _, o := range alike {
				if p.matches(o) {
					n++
				}
			}
			if n < left {
				best, left = i, n
			}
			p.kept[i] = false
		}
		if best < 0 {
			return
		}
		p.kept[best] = true
	}
}

// fill keeps as many other segments as there is room for: the one before the last, then the first ones.
func (p *outlinedPath) fill(width int) {
	p.keep(len(p.kept)-2, width)
	for i := range p.kept {
		p.keep(i, width)
	}
}

// keep keeps a segment if the path then still fits. It reports whether it did.
func (p *outlinedPath) keep(i, width int) bool {
	if i < 0 || p.kept[i] {
		return false
	}
	p.kept[i] = true
	p.kept[i] = widthOf(p.text()) <= width
	return p.kept[i]
}

// text returns the kept segments, with an ellipsis for those between them.
func (p *outlinedPath) text() string {
	var b strings.Builder
	for i, s := range p.segments {
		switch {
		case p.kept[i] && (i == 0 || p.kept[i-1]):
			b.WriteString("/" + s)
		case p.kept[i] && b.Len() == 0:
			b.WriteString(more + "/" + s)
		case p.kept[i]:
			b.WriteString("/" + more + "/" + s)
		}
	}
	return b.String()
}

// matches reports whether another path could be meant: it has the kept segments in their order, and others
// only where some are left out.
func (p *outlinedPath) matches(other []string) bool { return p.matchesFrom(0, other) }

func (p *outlinedPath) matchesFrom(i int, other []string) bool {
	for i < len(p.kept) && p.kept[i] {
		if len(other) == 0 || other[0] != p.segments[i] {
			return false
		}
		i, other = i+1, other[1:]
	}
	if i == len(p.kept) {
		return len(other) == 0
	}
	for i < len(p.kept) && !p.kept[i] {
		i++
	}
	for n := 1; n <= len(other); n++ {
		if p.matchesFrom(i, other[n:]) {
			return true
		}
	}
	return false
}
