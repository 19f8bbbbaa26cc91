package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model/match"
)

const (
	// fullScoreShare is the share of a cluster's operations that must have a noun, so that the noun gets its full
	// score as a name.
	fullScoreShare = 0.5
	// minNoun is the minimum share of the operations that must have a noun, so that the noun can be in a name of
	// several nouns.
	minNoun = 0.12
	// maxNouns is the maximum number of nouns in a name.
	maxNouns = 3
	// longName is a factor that lowers the score of a name of three segments, and of a name of two segments if the
	// first of them is common in the API.
	longName = 0.85
)

// namer finds names for clusters. The name of a cluster is the candidate with the highest F1 score. The score
// compares the operations that have the candidate with the operations of the cluster. There are three special cases:
//   - If fewer than half of the operations have the best candidate, or if several candidates together have a higher
//     F1 score, the name lists several candidates: "issues, pulls".
//   - If all names that at least half of the operations have are taken, the name is one of them with an addition:
//     "users (other)".
//   - If the name is the noun of a scope, it says little. The names of the largest parts are then appended: "users,
//     packages, projects".
type namer struct {
	*candidates
	names map[*member]string
	taken map[string]bool // the given names, in the form of readsLike
}

// nameAll names members, and then their parts. outer is the name of the enclosing member, "" at the top level. Names
// with the best scores are given first. Each name is given only once. If no name is left for a member, it is named
// after its first path.
func (n *namer) nameAll(members []*member, outer string) {
	for _, p := range n.proposals(members, outer) {
		if n.names[p.of] == "" {
			n.give(p.of, p.name)
		}
	}
	for _, m := range members {
		path := n.ops[m.ops[0]].Path
		name := path
		for k := 2; n.names[m] == "" && !n.give(m, name); k++ {
			name = fmt.Sprintf("%s (%d)", path, k)
		}
	}
	for _, m := range members {
		if m.divided() {
			n.nameAll(m.parts, n.names[m])
			n.addParts(m)
		}
	}
}

// addParts appends the names of up to two of the member's largest parts to its name, if this name is the noun of a
// scope.
func (n *namer) addParts(m *member) {
	if !n.scopes[readsLike(n.names[m])] {
		return
	}
	parts := slices.DeleteFunc(slices.Clone(m.parts), func(p *member) bool {
		return float64(len(p.ops)) < minNoun*float64(len(m.ops)) || within(n.names[p], n.names[m]) || strings.Contains(n.names[p], ",")
	})
	slices.SortStableFunc(parts, func(a, b *member) int { return len(b.ops) - len(a.ops) })
	names := []string{n.names[m]}
	for _, p := range parts[:min(len(parts), maxNouns-1)] {
		names = append(names, n.names[p])
	}
	n.give(m, strings.Join(names, ", "))
}

// give gives a name to a member. It returns false if the name is already taken.
func (n *namer) give(m *member, name string) bool {
	key := readsLike(name)
	if n.taken[key] {
		return false
	}
	n.names[m], n.taken[key] = name, true
	return true
}

// readsLike returns a normal form of a name. Names that look the same to a reader have the same form, such as "Issue
// properties" and "issue/property".
func readsLike(name string) string {
	if nouns := match.Nouns(name); len(nouns) > 0 {
		return strings.Join(nouns, " ")
	}
	return name
}

// proposal is a name that is proposed for a member.
type proposal struct {
	of     *member
	no     int // index of the member in the list of members that are named together
	name   string
	tier   int // 0 if at least fullScoreShare of the operations have the name, else 1
	score  float64
	rank   int // if scores are equal, the lowest rank is best
	number int // if ranks are equal, too, the lowest number is best
}

// proposals returns the possible names of some members, the best first. A name comes last if less than fullScoreShare
// of a member's operations have it. outer is the name of the enclosing member.
func (n *namer) proposals(members []*member, outer string) []proposal {
	var all []proposal
	for no, m := range members {
		propose := func(name string, share, score float64, rank, number int) {
			tier := 0
			if share < fullScoreShare {
				tier = 1
			}
			all = append(all, proposal{m, no, name, tier, score * min(1, share/fullScoreShare), rank, number})
		}
		for c, both := range n.has(m.ops) {
			score := n.f1(both, len(m.ops), c)
			if c.source == fromTriple || c.source == fromPair && c.upper == "" {
				score *= longName
			}
			propose(c.name, float64(both)/float64(len(m.ops)), score, c.rank(outer), n.order[c])
		}
		if name, share, score := n.several(m.ops, outer); name != "" {
			propose(name, share, score, 0, 0)
		}
		if name := n.broad(m.ops); name != "" {
			propose(name+" (other)", 1, 0, 0, 0)
		}
	}
	slices.SortFunc(all, func(a, b proposal) int {
		return cmp.Or(a.tier-b.tier, cmp.Compare(b.score, a.score), a.rank-b.rank, a.number-b.number, a.no-b.no)
	})
	return all
}

// broad returns the noun with the best F1 score, "" if there is none. At least fullScoreShare of the operations must
// have the noun. The noun may already be the name of another cluster.
func (n *namer) broad(ops []int) string {
	var best candidate
	score := 0.0
	for c, has := range n.has(ops) {
		if c.source >= fromPair || float64(has) < fullScoreShare*float64(len(ops)) {
			continue
		}
		if s := n.f1(has, len(ops), c); s > score || s == score && n.order[c] < n.order[best] {
			best, score = c, s
		}
	}
	return best.name
}

// several returns a name that lists several nouns, the most frequent first. share is the share of the operations that
// have at least one of the nouns. score is the score of the name. outer is the name of the enclosing cluster, which
// does not count as a noun. If there are fewer than two nouns, name is "".
func (n *namer) several(ops []int, outer string) (name string, share, score float64) {
	type part struct {
		name string
		ops  int
	}
	var parts []part
	left, all := ops, 0
	for len(parts) < maxNouns {
		c, both := n.best(left, outer)
		if float64(both) < minNoun*float64(len(ops)) {
			break
		}
		left = slices.DeleteFunc(slices.Clone(left), func(i int) bool { return slices.Contains(n.of[i], c) })
		all += n.countOf(c)
		if !slices.ContainsFunc(parts, func(p part) bool { return within(p.name, c.name) || within(c.name, p.name) }) {
			parts = append(parts, part{c.name, both})
		}
	}
	if len(parts) < 2 {
		return "", 0, 0
	}
	slices.SortStableFunc(parts, func(a, b part) int { return b.ops - a.ops })
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	covered, size := float64(len(ops)-len(left)), float64(len(ops))
	return strings.Join(names, ", "), covered / size, 2 * covered / (size + float64(all))
}

// within reports whether a name contains the words of another name, one after the other, as "received_events"
// contains "events".
func within(name, other string) bool {
	return strings.Contains(" "+readsLike(name)+" ", " "+readsLike(other)+" ")
}

// best returns the candidate with the best F1 score for some operations. both is the number of these operations that
// have the candidate. best leaves out pairs, triples and candidates that look like outer.
func (n *namer) best(ops []int, outer string) (best candidate, both int) {
	score := 0.0
	for c, has := range n.has(ops) {
		if c.source >= fromPair || readsLike(c.name) == readsLike(outer) {
			continue
		}
		s := n.f1(has, len(ops), c)
		if s > score || s == score && cmp.Or(int(c.source-best.source), n.order[c]-n.order[best]) < 0 {
			best, both, score = c, has, s
		}
	}
	return best, both
}
