package layout

import (
	"cmp"
	"slices"
)

// sweeps bounds the barycentre sweeps, patience those in a row that do not
// lower the number of crossings.
const (
	sweeps   = 24
	patience = 8
)

// effort is how often to repeat a step that visits every vertex: most times,
// but fewer for parts of very many vertices, which long lines across many
// layers can bring about, and which nobody reads as a whole.
func (p *part) effort(most int) int {
	const visits = 500_000
	return max(1, min(most, visits/len(p.verts)))
}

// order arranges every layer so that few lines cross, and keeps the best
// arrangement seen.
func (p *part) order() {
	p.firstOrder()
	best, kept := p.crossings(), p.copyLayers()
	limit := p.effort(sweeps)
	for s, idle := 0, 0; s < limit && idle < patience && best > 0 && p.ctx.Err() == nil; s++ {
		p.sweep(s%2 == 0, s%4 >= 2)
		p.swapNeighbours()
		idle++
		if c := p.crossings(); c < best {
			best, kept, idle = c, p.copyLayers(), 0
		}
	}
	p.layers = kept
	p.number()
}

// firstOrder follows the lines depth first from the sources, which puts trees
// in order without a crossing.
func (p *part) firstOrder() {
	seen := make([]bool, len(p.verts))
	layers := make([][]int, len(p.layers))
	var visit func(int)
	visit = func(v int) {
		seen[v] = true
		layers[p.verts[v].layer] = append(layers[p.verts[v].layer], v)
		for _, w := range p.verts[v].out {
			if !seen[w] {
				visit(w)
			}
		}
	}
	for _, sources := range []bool{true, false} {
		for v := range p.verts {
			if !seen[v] && (len(p.verts[v].in) == 0) == sources {
				visit(v)
			}
		}
	}
	p.layers = layers
	p.number()
}

func (p *part) number() {
	for _, layer := range p.layers {
		for i, v := range layer {
			p.verts[v].pos = i
		}
	}
}

func (p *part) copyLayers() [][]int {
	c := make([][]int, len(p.layers))
	for i, layer := range p.layers {
		c[i] = slices.Clone(layer)
	}
	return c
}

// sweep sorts each layer by the mean position of its neighbours in the layer
// before it, from the left or from the right. Vertices of equal mean keep
// their order, or change it when flip is set, so that sweeps do not repeat
// themselves.
func (p *part) sweep(fromLeft, flip bool) {
	key := make([]float64, len(p.verts))
	for i := range p.layers {
		layer := p.layers[i]
		if !fromLeft {
			layer = p.layers[len(p.layers)-1-i]
		}
		for _, v := range layer {
			near := p.verts[v].in
			if !fromLeft {
				near = p.verts[v].out
			}
			key[v] = p.meanPos(v, near)
		}
		if flip {
			slices.Reverse(layer)
		}
		slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(key[a], key[b]) })
		for i, v := range layer {
			p.verts[v].pos = i
		}
	}
}

func (p *part) meanPos(v int, near []int) float64 {
	if len(near) == 0 {
		return float64(p.verts[v].pos)
	}
	sum := 0
	for _, w := range near {
		sum += p.verts[w].pos
	}
	return float64(sum) / float64(len(near))
}

// swapNeighbours exchanges neighbours within each layer once wherever that
// takes away crossings, a step that barycentres alone do not make.
func (p *part) swapNeighbours() {
	for _, layer := range p.layers {
		ins, outs := make([][]int, len(layer)), make([][]int, len(layer))
		for i, v := range layer {
			ins[i], outs[i] = p.positions(p.verts[v].in), p.positions(p.verts[v].out)
		}
		for i := 1; i < len(layer); i++ {
			now := inversions(ins[i-1], ins[i]) + inversions(outs[i-1], outs[i])
			if inversions(ins[i], ins[i-1])+inversions(outs[i], outs[i-1]) < now {
				for _, s := range [][][]int{ins, outs} {
					s[i-1], s[i] = s[i], s[i-1]
				}
				layer[i-1], layer[i] = layer[i], layer[i-1]
			}
		}
		for i, v := range layer {
			p.verts[v].pos = i
		}
	}
}

// positions lists where the given vertices stand in their layer, ascending.
func (p *part) positions(vs []int) []int {
	pos := make([]int, len(vs))
	for i, v := range vs {
		pos[i] = p.verts[v].pos
	}
	slices.Sort(pos)
	return pos
}

// inversions counts the pairs of a number in above and a smaller one in
// below, both ascending: the crossings of their lines.
func inversions(above, below []int) int {
	n, smaller := 0, 0
	for _, a := range above {
		for smaller < len(below) && below[smaller] < a {
			smaller++
		}
		n += smaller
	}
	return n
}

// crossings counts the crossings of the steps between all layers, with a
// Fenwick tree over the positions seen so far (Barth, Juenger and Mutzel,
// "Simple and efficient bilayer cross counting", 2002).
func (p *part) crossings() int {
	total := 0
	for i := 0; i+1 < len(p.layers); i++ {
		tree := make([]int, len(p.layers[i+1])+1)
		for _, v := range slices.Backward(p.layers[i]) {
			pos := p.positions(p.verts[v].out)
			for _, at := range pos {
				for k := at; k > 0; k -= k & -k {
					total += tree[k]
				}
			}
			for _, at := range pos {
				for k := at + 1; k < len(tree); k += k & -k {
					tree[k]++
				}
			}
		}
	}
	return total
}
