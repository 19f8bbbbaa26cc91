package draw

import "strings"

// difference has the segments in which some paths differ: those between the common beginning and the common
// end of all paths.
type difference struct {
	segments [][]string // the segments of each path
	from, to []int      // index: path; the range of its segments that differ
	most     int        // the length of the longest range
}

func newDifference(paths []string) difference {
	var d difference
	for _, path := range paths {
		d.segments = append(d.segments, strings.Split(strings.Trim(nameless(path), "/"), "/"))
	}
	prefix, suffix := 0, 0
	for d.alike(func([]string) int { return prefix }) {
		prefix++
	}
	for d.alike(func(s []string) int { return len(s) - 1 - suffix }) {
		suffix++
	}
	for _, s := range d.segments {
		// If a path has no segment that differs, its range is the last segment before the common end.
		to := max(len(s)-suffix, 1)
		from := max(0, min(prefix, to-1))
		d.from, d.to, d.most = append(d.from, from), append(d.to, to), max(d.most, to-from)
	}
	return d
}

// alike reports whether all paths have the same segment at the index that the function index returns for each of
// them.
func (d difference) alike(index func([]string) int) bool {
	first := d.segments[0]
	for _, s := range d.segments {
		i, of := index(s), index(first)
		if i < 0 || i >= len(s) || of < 0 || of >= len(first) || s[i] != first[of] {
			return false
		}
	}
	return true
}

// form returns path i in at most width cells. It keeps one of the segments that differ, the one with index k, and as
// much of the end of the path as fits: "…/watch/…/pods/{}" keeps "watch".
func (d difference) form(i, k, width int) string {
	s := d.segments[i]
	shown := min(d.from[i]+k, d.to[i]-1)
	head := "…/" + s[shown]
	if shown == 0 {
		head = "/" + s[shown]
	}
	best, tail := -1, 0 // tail is the width of the segments from rest on, each with its slash
	for rest := len(s) - 1; rest > shown && widthOf(head)+tail <= width; rest-- {
		tail += 1 + widthOf(s[rest])
		switch {
		case rest == shown+1 && widthOf(head)+tail <= width:
			return head + "/" + strings.Join(s[rest:], "/")
		case rest > shown+1 && widthOf(head+"/…")+tail <= width:
			best = rest
		}
	}
	if best > 0 {
		return head + "/…/" + strings.Join(s[best:], "/")
	}
	const least = 8 // minimum number of letters of a shortened segment
	last := s[len(s)-1]
	switch room := width - widthOf(head+"/…/"); {
	case shown+1 == len(s) && width-2 >= least:
		return "…/" + CutMiddle(last, width-2)
	case shown+1 < len(s) && room >= least:
		return head + "/…/" + CutMiddle(last, room)
	}
	return ShortPath("/"+strings.Join(s, "/"), width)
}
