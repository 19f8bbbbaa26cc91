package layout

import (
	"cmp"
	"context"
	"slices"
)

// sweeps is the maximum number of barycentre sweeps. patience is the maximum number of consecutive sweeps that do not
// reduce the number of crossings.
const (
	sweeps   = 24
	patience = 8
)

// effort returns how often to repeat a step that visits each vertex. The result is most, or less if there are very
// many vertices. A part has very many vertices if long lines pass many layers. The figure of such a part is too large
// to be read as a whole, so a worse order does no harm.
func effort(most, vertices int) int {
	const visits = 500_000
	return max(1, min(most, visits/vertices))
}

// ordering orders the vertices in each layer so that few lines cross.
type ordering struct {
	ctx     context.Context // best is slow, and stops early when ctx is done
	out, in [][]int         // for each vertex, its neighbours in the next and in the previous layer
	layer   []int           // for each vertex, its layer
	pos     []int           // for each vertex, its index in its layer
	layers  [][]int
}

func newOrdering(ctx context.Context, m *mesh) *ordering {
	o := &ordering{ctx: ctx, layers: make([][]int, len(m.layers)), pos: make([]int, len(m.verts))}
	for _, v := range m.verts {
		o.out = append(o.out, v.out)
		o.in = append(o.in, v.in)
		o.layer = append(o.layer, v.layer)
	}
	return o
}

// best returns the layers in the best order that it finds, which is the one with the fewest crossings.
func (o *ordering) best() [][]int {
	o.firstOrder()
	least, best := o.crossings(), o.copyLayers()
	limit := effort(sweeps, len(o.pos))
	for s, idle := 0, 0; s < limit && idle < patience && least > 0 && o.ctx.Err() == nil; s++ {
		o.sweep(s%2 == 0, s%4 >= 2)
		o.swapNeighbours()
		idle++
		if c := o.crossings(); c < least {
			least, best, idle = c, o.copyLayers(), 0
		}
	}
	return best
}

// firstOrder orders the vertices by a depth-first search from the sources. In this order, a tree has no crossings.
func (o *ordering) firstOrder() {
	seen := make([]bool, len(o.pos))
	var visit func(int)
	visit = func(v int) {
		seen[v] = true
		o.pos[v] = len(o.layers[o.layer[v]])
		o.layers[o.layer[v]] = append(o.layers[o.layer[v]], v)
		for _, w := range o.out[v] {
			if !seen[w] {
				visit(w)
			}
		}
	}
	for _, sources := range []bool{true, false} {
		for v := range seen {
			if !seen[v] && (len(o.in[v]) == 0) == sources {
				visit(v)
			}
		}
	}
}

func (o *ordering) copyLayers() [][]int {
	c := make([][]int, len(o.layers))
	for i, layer := range o.layers {
		c[i] = slices.Clone(layer)
	}
	return c
}

// renumber updates the positions of a layer's vertices.
func (o *ordering) renumber(layer []int) {
	for i, v := range layer {
		o.pos[v] = i
	}
}

// sweep sorts the vertices of each layer by the mean position of their neighbours in the layer that was sorted
// before. It starts with the leftmost layer if fromLeft is set, otherwise with the rightmost. Vertices with equal
// means keep their order. If flip is set, their order is reversed instead, so that sweeps do not repeat themselves.
func (o *ordering) sweep(fromLeft, flip bool) {
	key := make([]float64, len(o.pos))
	for i := range o.layers {
		layer := o.layers[i]
		if !fromLeft {
			layer = o.layers[len(o.layers)-1-i]
		}
		for _, v := range layer {
			near := o.in[v]
			if !fromLeft {
				near = o.out[v]
			}
			key[v] = o.meanPos(v, near)
		}
		if flip {
			slices.Reverse(layer)
		}
		slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(key[a], key[b]) })
		o.renumber(layer)
	}
}

// meanPos returns the mean position of the vertices in near, which are neighbours of v. If near is empty, it returns
// the position of v.
func (o *ordering) meanPos(v int, near []int) float64 {
	if len(near) == 0 {
		return float64(o.pos[v])
	}
	sum := 0
	for _, w := range near {
		sum += o.pos[w]
	}
	return float64(sum) / float64(len(near))
}

// swapNeighbours goes once through each layer, and swaps adjacent vertices if this reduces the number of crossings.
// Sorting by barycentres does not find these swaps.
func (o *ordering) swapNeighbours() {
	for _, layer := range o.layers {
		ins, outs := make([][]int, len(layer)), make([][]int, len(layer))
		for i, v := range layer {
			ins[i], outs[i] = o.positions(o.in[v]), o.positions(o.out[v])
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
		o.renumber(layer)
	}
}

// positions returns the positions of the given vertices in their layer, in ascending order.
func (o *ordering) positions(vs []int) []int {
	pos := make([]int, len(vs))
	for i, v := range vs {
		pos[i] = o.pos[v]
	}
	slices.Sort(pos)
	return pos
}

// inversions returns the number of crossings between the lines of two adjacent vertices. above and below are the
// positions of the neighbours of the upper and of the lower vertex, ascending. Each pair of a number in above and a
// smaller number in below is a crossing.
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

// crossings returns the number of crossings between all layers. It counts them with a Fenwick tree of positions
// (Barth, Juenger and Mutzel, "Simple and efficient bilayer cross counting", 2002).
func (o *ordering) crossings() int {
	total := 0
	for i := 0; i+1 < len(o.layers); i++ {
		tree := make([]int, len(o.layers[i+1])+1)
		for _, v := range slices.Backward(o.layers[i]) {
			pos := o.positions(o.out[v])
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
