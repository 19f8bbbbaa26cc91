package cluster

import (
	"cmp"
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// Border has the values that pass from the operations of one cluster to the operations of another.
type Border struct {
	From, To int // indices of the clusters
	// Values are the identities of the values, the rarest first.
	Values []string
}

// Borders returns the borders between clusters of operations, ordered by To and then by From. A value is on a border
// under these conditions:
//   - The value identifies elements of a resource, and operations of From on this resource emit the value.
//   - Operations of To take the value.
//   - To itself has no operations on such a resource that emit the value.
func Borders(m *match.Matcher, ops []*model.Operation, all []*Cluster) []Border {
	in := map[model.OpID]int{}
	for k, c := range all {
		for _, op := range c.Operations {
			in[op] = k
		}
	}
	homes := map[string][]int{}        // for each value, the clusters that emit it on its own resource
	takers := map[string]map[int]int{} // for each value, the number of its takers in each cluster
	for _, op := range ops {
		k := in[op.ID]
		for _, u := range m.UsesOf(op) {
			switch {
			case !u.Kind.Links():
			case !u.Out:
				if takers[u.ID] == nil {
					takers[u.ID] = map[int]int{}
				}
				takers[u.ID][k]++
			case slices.Contains(m.EntityResources(&u), m.ResourceOf(op)) && !slices.Contains(homes[u.ID], k):
				homes[u.ID] = append(homes[u.ID], k)
			}
		}
	}
	return bordersOf(homes, takers)
}

func bordersOf(homes map[string][]int, takers map[string]map[int]int) []Border {
	values, total := map[[2]int][]string{}, map[string]int{}
	for v, from := range homes {
		for to, count := range takers[v] {
			total[v] += count
			if slices.Contains(from, to) {
				continue // this cluster emits the value itself
			}
			for _, k := range from {
				values[[2]int{k, to}] = append(values[[2]int{k, to}], v)
			}
		}
	}
	var list []Border
	for ends, crossing := range values {
		slices.SortFunc(crossing, func(a, b string) int { return cmp.Or(total[a]-total[b], cmp.Compare(a, b)) })
		list = append(list, Border{From: ends[0], To: ends[1], Values: crossing})
	}
	slices.SortFunc(list, func(a, b Border) int { return cmp.Or(a.To-b.To, a.From-b.From) })
	return list
}
