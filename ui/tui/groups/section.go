package groups

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/analysis/cluster"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/screen"
	"sonde/ui/words"
)

// section is the content of a row of the table: a value-sharing group, or a cluster of operations of a
// large group.
type section struct {
	group int // index of the group
	depth int // 0 for a group, 1 for its clusters, 2 for their parts
	name  string
	// ops are the operations. If most operations of a cluster are in the group, ops also has the cluster's operations
	// in other groups. The cluster then has the same number of operations on all screens.
	ops []model.OpID
	// values are the identities of the group's values. It is nil for a cluster.
	values []string
	parts  []int    // the sections into which the operations are divided
	about  string   // the parts or the resources of a cluster, with their numbers of operations
	shared []string // identities of a cluster's most characteristic values
}

// sections are the groups of a spec, followed by the clusters of the large groups. A group has the same
// index as in the spec.
type sections struct {
	list []section
	open map[int]bool // unfolded sections
}

func newSections(analyzed *screen.AnalyzedSpec) *sections {
	s := &sections{open: map[int]bool{}}
	names := screen.GroupNames(analyzed.Groups)
	for i, g := range analyzed.Groups {
		s.list = append(s.list, section{group: i, name: names[i], ops: g.Operations, values: g.Values})
	}
	return s
}

// large reports whether a group is divided into clusters because it does not fit into a figure.
func (s *section) large() bool { return len(s.ops) > maxOps }

// anyLarge reports whether some group is large.
func (s *sections) anyLarge() bool {
	return slices.ContainsFunc(s.list, func(of section) bool { return of.large() })
}

// divide adds the clusters of the large groups below their groups. The name of a large group is the number of its
// areas, because a large group has no common subject.
func (s *sections) divide(clusters []*cluster.Cluster, profiler *cluster.Profiler) {
	for g := range len(s.list) {
		if s.list[g].large() {
			parts := s.add(s.list[g], clusters, profiler)
			s.list[g].parts, s.list[g].name = parts, words.Plural(len(parts), "area")
			s.open[g] = true
		}
	}
}

// areas returns the number of outermost clusters of the large groups.
func (s *sections) areas() (n int) {
	for _, of := range s.list {
		if of.depth == 1 {
			n++
		}
	}
	return n
}

// add adds the clusters that have operations of a section. It returns their indices.
func (s *sections) add(within section, clusters []*cluster.Cluster, profiler *cluster.Profiler) []int {
	in := map[model.OpID]bool{}
	for _, op := range within.ops {
		in[op] = true
	}
	var added []int
	for _, c := range clusters {
		ops := slices.DeleteFunc(slices.Clone(c.Operations), func(op model.OpID) bool { return !in[op] })
		switch {
		case len(ops) == 0:
			continue
		case 2*len(ops) > len(c.Operations):
			ops = c.Operations
		}
		no := len(s.list)
		s.list = append(s.list, section{group: within.group, depth: within.depth + 1, name: draw.Clean(c.Name), ops: ops})
		s.list[no].parts = s.add(s.list[no], c.Parts, profiler)
		p := profiler.Profile(ops)
		if parts := s.list[no].parts; len(parts) > 0 {
			p.Resources = s.sizes(parts)
		}
		s.list[no].about, s.list[no].shared = sizesText(p.Resources), p.Values
		added = append(added, no)
	}
	return added
}

// of returns the section to show for an operation of a group: the first of these that exists
//   - the section that is shown now, if it is a cluster that has the operation; its index is shown, or -1 if there is none
//   - the outermost cluster of the group that has the operation
//   - the group
func (s *sections) of(group int, op model.OpID, shown int) int {
	if shown >= 0 && s.list[shown].depth > 0 && slices.Contains(s.list[shown].ops, op) {
		return shown
	}
	for _, part := range s.list[group].parts {
		if slices.Contains(s.list[part].ops, op) {
			return part
		}
	}
	return group
}

// unfolded reports whether the parts of a section are listed. A filter unfolds all groups.
func (s *sections) unfolded(section int, filtering bool) bool {
	return s.open[section] || filtering && s.list[section].depth == 0
}

// order returns the sections to list, each followed by its parts if it is unfolded. fits reports whether a
// section is listed, and size returns its size. If bySize is true, the sections of each level are sorted by
// size, the largest first.
func (s *sections) order(fits func(section int) bool, size func(section int) int, bySize, filtering bool) []int {
	var groups []int
	for i := range s.list {
		if s.list[i].depth == 0 {
			groups = append(groups, i)
		}
	}
	var out []int
	var add func([]int)
	add = func(level []int) {
		level = slices.Clone(level)
		if bySize {
			slices.SortStableFunc(level, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
		}
		for _, i := range level {
			if fits(i) {
				out = append(out, i)
				if s.unfolded(i, filtering) {
					add(s.list[i].parts)
				}
			}
		}
	}
	add(groups)
	return out
}

// bySize compares two sections by size, the larger one first.
func (s *sections) bySize(a, b int) int { return cmp.Compare(len(s.list[b].ops), len(s.list[a].ops)) }

// title returns the full name of a section: "group 2", or the name of the cluster.
func (s section) title() string {
	if s.depth == 0 {
		return fmt.Sprintf("group %d", s.group+1)
	}
	return s.name
}

// scope returns the section as a scope of seqs.
func (s section) scope() screen.ScopeSeqs {
	name := "cluster:" + s.name
	if s.depth == 0 {
		name = fmt.Sprintf("group:%d", s.group+1)
	}
	return screen.ScopeSeqs{Name: name, Operations: s.ops}
}

// fileName returns the proposed file name for the figure, without an extension.
func (s section) fileName() string {
	if s.depth == 0 {
		return fmt.Sprintf("group-%d", s.group+1)
	}
	return notInFileNames.ReplaceAllString(s.name, "-")
}

// notInFileNames matches the characters that are replaced in file names.
var notInFileNames = regexp.MustCompile(`[^\pL\pN._-]+`)

// sizes returns the names and sizes of sections, the largest first.
func (s *sections) sizes(of []int) (list []cluster.Resource) {
	for _, part := range slices.SortedStableFunc(slices.Values(of), s.bySize) {
		list = append(list, cluster.Resource{Noun: s.list[part].name, Operations: len(s.list[part].ops)})
	}
	return list
}

// sizesText lists nouns with their numbers of operations.
func sizesText(all []cluster.Resource) string {
	var list []string
	for _, r := range all {
		list = append(list, fmt.Sprintf("%s %d", draw.Clean(r.Noun), r.Operations))
	}
	return strings.Join(list, " · ")
}
