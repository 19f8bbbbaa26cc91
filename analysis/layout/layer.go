package layout

import "slices"

// layering assigns a layer to each box of an acyclic part.
type layering struct {
	out   [][]int // for each box, the targets of its links
	in    []int   // for each box, the number of incoming links
	layer []int
}

// assignLayers returns the layer of each box, which is the length of the longest path from a source to the box. A box
// with more outgoing than incoming lines is moved to the right, to the layer before the nearest of its targets.
// Layers are numbered from 0, and no layer is empty.
func assignLayers(boxes int, links []link) []int {
	l := &layering{
		out:   make([][]int, boxes),
		in:    make([]int, boxes),
		layer: make([]int, boxes),
	}
	for _, k := range links {
		if k.from != k.to {
			l.out[k.left()] = append(l.out[k.left()], k.right())
			l.in[k.right()]++
		}
	}
	l.pullRight(l.longestPaths())
	l.closeRanks()
	return l.layer
}

// longestPaths sets the layer of each box, and returns the boxes in topological order.
func (l *layering) longestPaths() []int {
	waits := slices.Clone(l.in)
	var sorted []int
	for v := range waits {
		if waits[v] == 0 {
			sorted = append(sorted, v)
		}
	}
	for i := 0; i < len(sorted); i++ {
		v := sorted[i]
		for _, w := range l.out[v] {
			l.layer[w] = max(l.layer[w], l.layer[v]+1)
			waits[w]--
			if waits[w] == 0 {
				sorted = append(sorted, w)
			}
		}
	}
	return sorted
}

// pullRight moves each box with more outgoing than incoming lines to the layer before the nearest of its targets.
func (l *layering) pullRight(sorted []int) {
	for _, v := range slices.Backward(sorted) {
		if len(l.out[v]) <= l.in[v] {
			continue
		}
		nearest := l.layer[l.out[v][0]]
		for _, w := range l.out[v] {
			nearest = min(nearest, l.layer[w])
		}
		l.layer[v] = nearest - 1
	}
}

// closeRanks renumbers the layers, so that no number is left out.
func (l *layering) closeRanks() {
	used := slices.Compact(slices.Sorted(slices.Values(l.layer)))
	for v, layer := range l.layer {
		l.layer[v], _ = slices.BinarySearch(used, layer)
	}
}
