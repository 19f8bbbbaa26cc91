package cluster

import (
	"maps"
	"math"
	"slices"

	"sonde/model"
	"sonde/model/match"
)

// TagAgreement returns how well the smallest clusters agree with the first tags of operations. The measure is the
// adjusted mutual information of the two divisions (Vinh, Epps and Bailey 2010, normalized by the mean of the
// entropies). It is 1 if both divide the operations in the same way. It is about 0 if they agree no better than random
// divisions. Operations without tags count as operations with one common tag. ok is false if no operation has a tag,
// or if all have the same tag.
func TagAgreement(all []*Cluster, ops []*model.Operation) (ami float64, ok bool) {
	tag := map[model.OpID]string{}
	for _, op := range ops {
		if len(op.Tags) > 0 {
			tag[op.ID] = op.Tags[0]
		}
	}
	t := contingency{joint: map[[2]int]int{}, rows: map[int]int{}, columns: map[int]int{}}
	number := map[string]int{}
	for row, c := range Leaves(all) {
		for _, op := range c.Operations {
			column, known := number[tag[op]]
			if !known {
				column = len(number)
				number[tag[op]] = column
			}
			t.add(row, column)
		}
	}
	if len(number) < 2 {
		return 0, false
	}
	return t.adjustedMutualInformation(), true
}

// NameAgreement counts the clusters, at this level and below, whose names agree with the tags of their operations. A
// cluster is compared with the most frequent first tag of its operations. Its name agrees if a noun of this tag is in
// the name, or in the name of an enclosing cluster. Nouns that are in more than half of all tags do not count. total
// is the number of clusters with at least one tagged operation.
func NameAgreement(all []*Cluster, ops []*model.Operation) (agree, total int) {
	y := newTagYardstick(ops)
	return y.nameAgreement(all, nil)
}

// tagYardstick has the first tag of each operation, and the nouns of each of these tags. Nouns that are in more than
// half of the tags are left out.
type tagYardstick struct {
	tag   map[model.OpID]string
	nouns map[string][]string
}

func newTagYardstick(ops []*model.Operation) *tagYardstick {
	y := &tagYardstick{map[model.OpID]string{}, map[string][]string{}}
	count := map[string]int{}
	for _, op := range ops {
		if len(op.Tags) == 0 {
			continue
		}
		tag := op.Tags[0]
		y.tag[op.ID] = tag
		if _, known := y.nouns[tag]; known {
			continue
		}
		nouns := slices.Compact(slices.Sorted(slices.Values(match.Nouns(tag))))
		y.nouns[tag] = nouns
		for _, noun := range nouns {
			count[noun]++
		}
	}
	for tag, nouns := range y.nouns {
		y.nouns[tag] = slices.DeleteFunc(nouns, func(noun string) bool { return 2*count[noun] > len(y.nouns) })
	}
	return y
}

// nameAgreement returns the result of NameAgreement for the parts of a cluster. around are the nouns in the names of
// the enclosing clusters.
func (y *tagYardstick) nameAgreement(all []*Cluster, around []string) (agree, total int) {
	for _, c := range all {
		nouns := append(match.Nouns(c.Name), around...)
		if tag := y.mostFrequent(c.Operations); tag != "" {
			total++
			if slices.ContainsFunc(y.nouns[tag], func(noun string) bool { return slices.Contains(nouns, noun) }) {
				agree++
			}
		}
		a, t := y.nameAgreement(c.Parts, nouns)
		agree, total = agree+a, total+t
	}
	return agree, total
}

// mostFrequent returns the most frequent first tag of some operations. If several tags are equally frequent, it
// returns the first of them. It returns "" if none of the operations has a tag.
func (y *tagYardstick) mostFrequent(ops []model.OpID) (most string) {
	count := map[string]int{}
	for _, op := range ops {
		if tag := y.tag[op]; tag != "" {
			count[tag]++
		}
	}
	for _, op := range ops {
		if count[y.tag[op]] > count[most] {
			most = y.tag[op]
		}
	}
	return most
}

// contingency is the contingency table of two partitions. For each part of the first partition and each part of the
// second, it counts the elements that are in both parts.
type contingency struct {
	joint         map[[2]int]int
	rows, columns map[int]int
	total         int
}

func (t *contingency) add(row, column int) {
	t.joint[[2]int{row, column}]++
	t.rows[row]++
	t.columns[column]++
	t.total++
}

func (t *contingency) adjustedMutualInformation() float64 {
	n := float64(t.total)
	information := 0.0
	for at, count := range t.joint {
		c := float64(count)
		information += c / n * math.Log(n*c/float64(t.rows[at[0]]*t.columns[at[1]]))
	}
	expected := t.expectedInformation()
	most := (t.entropy(t.rows) + t.entropy(t.columns)) / 2
	if most == expected {
		return 1
	}
	return (information - expected) / (most - expected)
}

func (t *contingency) entropy(parts map[int]int) (h float64) {
	for _, count := range parts {
		p := float64(count) / float64(t.total)
		h -= p * math.Log(p)
	}
	return h
}

// expectedInformation returns the mean mutual information of two random partitions whose parts have the sizes in t.
func (t *contingency) expectedInformation() (sum float64) {
	n := t.total
	for _, a := range slices.Sorted(maps.Values(t.rows)) {
		for _, b := range slices.Sorted(maps.Values(t.columns)) {
			for both := max(1, a+b-n); both <= min(a, b); both++ {
				share := float64(both) / float64(n)
				p := logFactorial(a) + logFactorial(b) + logFactorial(n-a) + logFactorial(n-b) -
					logFactorial(n) - logFactorial(both) - logFactorial(a-both) - logFactorial(b-both) - logFactorial(n-a-b+both)
				sum += share * math.Log(float64(n*both)/float64(a*b)) * math.Exp(p)
			}
		}
	}
	return sum
}

func logFactorial(n int) float64 {
	l, _ := math.Lgamma(float64(n + 1))
	return l
}
