package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sonde/model/match"
)

const (
	// fullScoreShare is the share of a cluster's operations that must have a name's noun for the name to get its full score.
	fullScoreShare = 0.5
	// minNoun is the share of the operations that must have a noun for it to be in a name of several.
	minNoun = 0.12
	// maxNouns is the maximum number of nouns in a name.
	maxNouns = 3
	// longName is by what the score of a name of several segments is multiplied if the first one says little.
	longName = 0.85
)

// namer finds names for clusters. A cluster gets the candidate that says the most about it: the highest F1
// score of the operations with the candidate and those of the cluster. If that is about less than half of the
// cluster, the name lists several: "issues, pulls". If these are also about less than half of it, or are names of other
// clusters, it is named after a noun that has such a name already: "users (other)".
type namer struct {
	*candidates
	names map[*member]string
	taken map[string]bool // what readsLike returns for the names that were given
}

// nameAll names members, and then those in them. outer is the name of the member around them, "" for the
// outermost ones. Better names are given first, and each name is given only once. A member that gets none is called by its first path.
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
		}
	}
}

// give names a member, and reports whether the name was free.
func (n *namer) give(m *member, name string) bool {
	key := readsLike(name)
	if n.taken[key] {
		return false
	}
	n.names[m], n.taken[key] = name, true
	return true
}

// readsLike returns a text that is equal for two names that a reader would take for the same: "Issue
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
	no     int // the index of the member among its siblings
	name   string
	tier   int // 0 if it is about at least fullScoreShare of the operations, else 1
	score  float64
	rank   int // among names with the same score, the lowest is the best
	number int // among names with the same rank, the lowest is the best
}

// proposals returns the names for some members in one called outer, the best first. Names that are about less than
// fullScoreShare of a member come last.
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

// broad returns the noun that says the most about some operations, of those that at least fullScoreShare of them have,
// "" if there is none. It may be the name of another cluster.
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

// several returns a name that lists several nouns of some operations, the most frequent first, and the score of
// the name. outer is the name of the cluster around the operations. If there are not two nouns other than
// outer, it returns "".
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

// within reports whether a name has the nouns of another one, in this order: "received_events" those of "events".
func within(name, other string) bool {
	return strings.Contains(" "+readsLike(name)+" ", " "+readsLike(other)+" ")
}

// best returns the candidate that says the most about some operations, and how many of them have it. Pairs and
// candidates that read like outer do not count.
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
