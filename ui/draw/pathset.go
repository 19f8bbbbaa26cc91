package draw

import (
	"slices"
	"strings"
)

// pathSet maps each method to the paths that a list of operations has with this method. A path is a list of segments.
// The method shorten keeps the paths of one method distinct.
type pathSet map[string][][]string

func (s pathSet) add(l link) {
	segments := segmentsOf(nameless(l.path))
	if !slices.ContainsFunc(s[l.method], func(p []string) bool { return slices.Equal(p, segments) }) {
		s[l.method] = append(s[l.method], segments)
	}
}

// shorten returns the name of a call in at most width cells. If the name is from the spec, shorten truncates it in
// the middle. Otherwise the name is a path, and shorten replaces segments before the last ones by ellipses. As long
// as there is room, it keeps the segments that distinguish the path from the other paths of the method. If even the
// last segments do not fit, the result is the short name of the path, truncated in the middle.
func (s pathSet) shorten(l link, width int) string {
	name := wholeName(l)
	switch {
	case widthOf(name) <= width:
		return name
	case l.given:
		return CutMiddle(name, width)
	}
	p := newOutlinedPath(name)
	if p.width > width {
		return CutMiddle(short(l.path), width)
	}
	p.keepDifferences(s[l.method], width)
	p.fill(width)
	return p.text()
}

// leastRoom returns the minimum number of cells in which the name of a call is recognisable.
func leastRoom(l link) int {
	const given = 20
	name := wholeName(l)
	if l.given {
		return min(widthOf(name), given)
	}
	return min(widthOf(name), newOutlinedPath(name).width)
}

// outlinedPath is a path with only some of its segments.
type outlinedPath struct {
	segments []string
	kept     []bool
	width    int // width of the text in cells
}

// newOutlinedPath returns a path that keeps only its last segment that is not a parameter, and the parameters after
// this segment: "…/items/{}" for "/carts/{}/items/{}".
func newOutlinedPath(path string) *outlinedPath {
	p := &outlinedPath{segments: segmentsOf(path)}
	p.kept = make([]bool, len(p.segments))
	for i := len(p.kept) - 1; i >= 0; i-- {
		p.kept[i] = true
		if !strings.HasPrefix(p.segments[i], "{") {
			break
		}
	}
	p.width = widthOf(p.text())
	return p
}

// keepDifferences keeps segments that distinguish the path from other paths, as long as there is room.
func (p *outlinedPath) keepDifferences(others [][]string, width int) {
	alike := slices.DeleteFunc(slices.Clone(others), func(o []string) bool { return slices.Equal(o, p.segments) })
	for {
		alike = slices.DeleteFunc(alike, func(o []string) bool { return !p.matches(o) })
		best, left, before := -1, len(alike), p.width
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
			p.kept[i], p.width = false, before
		}
		if best < 0 {
			return
		}
		p.keep(best, width)
	}
}

// fill keeps more segments as long as there is room. It first keeps the segment before the last one, and then
// segments from the beginning of the path.
func (p *outlinedPath) fill(width int) {
	p.keep(len(p.kept)-2, width)
	for i := range p.kept {
		p.keep(i, width)
	}
}

// keep keeps segment i if there is room for it. It returns false if there is no room, if the segment is kept already,
// or if i is negative.
func (p *outlinedPath) keep(i, width int) bool {
	if i < 0 || p.kept[i] {
		return false
	}
	wider := p.width + 1 + widthOf(p.segments[i]) + p.gapsWith(i)
	if wider > width {
		return false
	}
	p.kept[i], p.width = true, wider
	return true
}

// gapsWith returns by how many cells all ellipses together become wider if segment i is kept, too. Segment i must not
// be the last one. An ellipsis at the beginning of the path is "…", and any other is "/…".
func (p *outlinedPath) gapsWith(i int) int {
	afterGap, beforeGap := i > 0 && !p.kept[i-1], !p.kept[i+1]
	switch {
	case afterGap && beforeGap:
		return 2
	case beforeGap && i == 0:
		return 1
	case afterGap || beforeGap:
		return 0
	case i == 0:
		return -1
	}
	return -2
}

// text returns the kept segments. An ellipsis takes the place of dropped segments.
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

// matches reports whether the text of p could also be that of another path. This is so if the other path has the kept
// segments in the same order, and has further segments only where p drops segments.
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
