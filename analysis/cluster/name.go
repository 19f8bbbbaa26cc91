package cluster

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/match"
	"sonde/model/resource"
)

// namer finds names for clusters. A candidate is a tag, a segment of a path, or the last two segments of a
// resource. A cluster gets the candidate that says the most about it: the highest F1 score of the operations
// with the candidate and those of the cluster.
type namer struct {
	ops     []*model.Operation
	of      [][]string      // the candidates of each operation, each once
	count   map[string]int  // the number of operations of each candidate
	order   map[string]int  // the order of candidates that say equally much
	members []*member       // the clusters to name
	depth   map[*member]int // the number of clusters around each
	names   map[*member]string
	taken   map[string]bool // names that were given, in lower case
}

func newNamer(m *match.Matcher, ops []*model.Operation) *namer {
	n := &namer{
		ops:   ops,
		count: map[string]int{},
		order: map[string]int{},
		depth: map[*member]int{},
		names: map[*member]string{},
		taken: map[string]bool{},
	}
	for _, op := range ops {
		list := candidates(op, m.ResourceOf(op))
		n.of = append(n.of, list)
		for _, name := range list {
			n.count[name]++
			if _, known := n.order[name]; !known {
				n.order[name] = len(n.order)
			}
		}
	}
	return n
}

// candidates returns the names that an operation of a resource proposes, each once.
func candidates(op *model.Operation, at *resource.Resource) []string {
	var list []string
	add := func(name string) {
		if name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, tag := range op.Tags {
		add(tag)
	}
	for r := at; r != nil; r = above(r) {
		if canName(r) {
			add(resource.Element(r.Segment))
		}
	}
	for r := at; r != nil; r = above(r) {
		if up := above(r); canName(r) && up != nil && canName(up) {
			add(resource.Element(up.Segment) + "/" + resource.Element(r.Segment))
		}
	}
	return list
}

// version matches a path segment that is the version of an API, such as "v1" or "2".
var version = regexp.MustCompile(`^v?\d+([._]\d+)*((alpha|beta|preview)\d*)?$`)

// canName reports whether the segment of a resource can name a cluster: it is neither a parameter nor a
// version.
func canName(r *resource.Resource) bool {
	return r.Parent != nil && !r.Param && !version.MatchString(r.Segment)
}

// above returns the nearest resource above r that is no parameter, nil if that is the root.
func above(r *resource.Resource) *resource.Resource {
	up := r.Parent
	for up != nil && up.Param {
		up = up.Parent
	}
	if up == nil || up.Parent == nil {
		return nil
	}
	return up
}

// addAll adds members and those in them, if they are clusters. depth is the number of clusters around members.
func (n *namer) addAll(members []*member, depth int) {
	for _, m := range members {
		n.members = append(n.members, m)
		n.depth[m] = depth
		if m.divided() {
			n.addAll(m.parts, depth+1)
		}
	}
}

// proposal is a candidate for the name of a cluster.
type proposal struct {
	of    *member
	depth int // the number of clusters around the cluster
	no    int // the index of the cluster in members
	name  string
	score float64
}

// nameAll gives each cluster a name. Outer clusters and better names go first, and each name is given only
// once. A cluster that gets none is called by its first path.
func (n *namer) nameAll() {
	for _, p := range n.proposals() {
		if n.names[p.of] == "" {
			n.give(p.of, p.name)
		}
	}
	for _, m := range n.members {
		path := n.ops[m.ops[0]].Path
		name := path
		for k := 2; n.names[m] == "" && !n.give(m, name); k++ {
			name = fmt.Sprintf("%s (%d)", path, k)
		}
	}
}

// give names a cluster, and reports whether the name was free.
func (n *namer) give(m *member, name string) bool {
	key := strings.ToLower(name)
	if n.taken[key] {
		return false
	}
	n.names[m], n.taken[key] = name, true
	return true
}

// proposals returns all candidates for all clusters, in the order in which names are given.
func (n *namer) proposals() []proposal {
	var all []proposal
	for no, m := range n.members {
		has := map[string]int{}
		for _, i := range m.ops {
			for _, name := range n.of[i] {
				has[name]++
			}
		}
		for name, both := range has {
			all = append(all, proposal{m, n.depth[m], no, name, 2 * float64(both) / float64(len(m.ops)+n.count[name])})
		}
	}
	slices.SortFunc(all, func(a, b proposal) int {
		return cmp.Or(a.depth-b.depth, cmp.Compare(b.score, a.score), n.order[a.name]-n.order[b.name], a.no-b.no)
	})
	return all
}
