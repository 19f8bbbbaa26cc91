package layout

// assignLayers gives every box the layer of its longest path from a source,
// then pulls boxes that feed more lines than they take to the right, as near
// as possible to their takers.
func (p *part) assignLayers() {
	out := make([][]int, len(p.nodes))
	in := make([]int, len(p.nodes))
	for _, l := range p.links {
		if l.from != l.to {
			out[l.left()] = append(out[l.left()], l.right())
			in[l.right()]++
		}
	}
	sorted := p.longestPaths(out, in)
	for i := len(sorted) - 1; i >= 0; i-- {
		v := sorted[i]
		if len(out[v]) <= in[v] {
			continue
		}
		nearest := p.verts[out[v][0]].layer
		for _, w := range out[v] {
			nearest = min(nearest, p.verts[w].layer)
		}
		p.verts[v].layer = nearest - 1
	}
	p.closeRanks()
}

// longestPaths sets the layers and returns the boxes in topological order.
func (p *part) longestPaths(out [][]int, in []int) []int {
	waits := make([]int, len(in))
	copy(waits, in)
	var sorted []int
	for v := range in {
		if in[v] == 0 {
			sorted = append(sorted, v)
		}
	}
	for i := 0; i < len(sorted); i++ {
		v := sorted[i]
		for _, w := range out[v] {
			p.verts[w].layer = max(p.verts[w].layer, p.verts[v].layer+1)
			waits[w]--
			if waits[w] == 0 {
				sorted = append(sorted, w)
			}
		}
	}
	return sorted
}

// closeRanks renumbers the layers without gaps and fills them.
func (p *part) closeRanks() {
	last := 0
	for _, v := range p.verts {
		last = max(last, v.layer)
	}
	used := make([]int, last+1)
	for _, v := range p.verts {
		used[v.layer] = 1
	}
	n := 0
	for i, u := range used {
		used[i] = n
		n += u
	}
	p.layers = make([][]int, n)
	for i := range p.verts {
		v := &p.verts[i]
		v.layer = used[v.layer]
		p.layers[v.layer] = append(p.layers[v.layer], i)
	}
}
