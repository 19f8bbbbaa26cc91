package cluster

import (
	"math"
	"slices"
)

// joiner joins similar clusters into larger ones (agglomerative clustering). Each cluster has a vector of features.
// The similarity of two clusters is the cosine of the angle between their vectors, divided by the total number of
// their operations. Small clusters are therefore joined first.
type joiner struct {
	members  []*member   // nil for a member that was joined to another one
	products [][]float64 // for each pair of members, the inner product of their vectors
	largest  int         // maximum number of operations of a joined member
}

func newJoiner(f *features, members []*member, largest int) *joiner {
	j := &joiner{members: slices.Clone(members), largest: largest}
	vectors := f.vectors(members)
	for i := range members {
		j.products = append(j.products, make([]float64, len(members)))
		for k := range i + 1 {
			p := innerProduct(vectors[i], vectors[k])
			j.products[i][k], j.products[k][i] = p, p
		}
	}
	return j
}

// minCosine is the minimum cosine of two members that are joined because there are too many members. Two members with
// a cosine of at least alikeCosine are joined in any case.
const minCosine, alikeCosine = 0.005, 0.5

// joinTo joins members until at most count are left or no two members are similar. After that, it still joins members
// that are very similar. It returns the members in the order of their first operations.
func (j *joiner) joinTo(count int) []*member {
	for left := len(j.members); ; left-- {
		least := alikeCosine
		if left > count {
			least = minCosine
		}
		a, b := j.nearest(least)
		if a < 0 {
			break
		}
		j.join(a, b)
	}
	left := slices.DeleteFunc(j.members, func(m *member) bool { return m == nil })
	slices.SortFunc(left, byFirst)
	return left
}

// nearest returns the indices of the two most similar members that may be joined. Their cosine must not be smaller
// than least. Both indices are -1 if there are no such members.
func (j *joiner) nearest(least float64) (first, second int) {
	first, second = -1, -1
	best := 0.0
	for a, m := range j.members {
		for b := range a {
			if m == nil || j.members[b] == nil {
				continue
			}
			size := len(m.ops) + len(j.members[b].ops)
			cosine := j.products[a][b] / math.Sqrt(j.products[a][a]*j.products[b][b])
			if likeness := cosine / float64(size); size <= j.largest && cosine >= least && likeness > best {
				first, second, best = b, a, likeness
			}
		}
	}
	return first, second
}

// join replaces the members a and b by a member that consists of both.
func (j *joiner) join(a, b int) {
	j.members[a] = joined(j.members[a], j.members[b])
	j.members[b] = nil
	j.products[a][a] += j.products[b][b] + 2*j.products[a][b]
	for k := range j.products {
		if k != a {
			j.products[a][k] += j.products[b][k]
			j.products[k][a] = j.products[a][k]
		}
	}
}

// entry is the weight of a feature in a vector.
type entry struct {
	feature int
	weight  float64
}

// vectors returns the vector of each member. The entries are in the order of the features. An entry is the weight of
// a feature times the number of the member's operations that have it.
func (f *features) vectors(members []*member) [][]entry {
	at := memberOf(members)
	vectors := make([][]entry, len(members))
	for k, feature := range f.list {
		for _, op := range feature.ops {
			v := &vectors[at[op]]
			if n := len(*v); n > 0 && (*v)[n-1].feature == k {
				(*v)[n-1].weight += feature.weight
			} else {
				*v = append(*v, entry{k, feature.weight})
			}
		}
	}
	return vectors
}

func innerProduct(a, b []entry) (sum float64) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].feature < b[0].feature:
			a = a[1:]
		case a[0].feature > b[0].feature:
			b = b[1:]
		default:
			sum += a[0].weight * b[0].weight
			a, b = a[1:], b[1:]
		}
	}
	return sum
}
