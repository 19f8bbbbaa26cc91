package cli

import (
	"sonde/analysis/share"
	"sonde/model"
)

// adequacyReport is the JSON of adequacy. Groups are numbered from 1, in the
// order of sonde groups.
type adequacyReport struct {
	Seqs       []reachReport          `json:"seqs"`
	Groups     partReport[int]        `json:"groups"`
	Operations partReport[model.OpID] `json:"operations"`
	Values     partReport[string]     `json:"values"`
	PassedOn   partReport[string]     `json:"passed_on"`
	Unmatched  []stranger             `json:"unmatched"`
	OtherHosts map[string]int         `json:"other_hosts"`
	TakenHosts []string               `json:"taken_hosts"`
	OtherTags  int                    `json:"other_tags"`
	Unread     int                    `json:"unread"`
	Rest       restReport             `json:"rest"`
}

type reachReport struct {
	File       string       `json:"file"`
	Name       string       `json:"name"`
	Operations model.Seq    `json:"operations"`
	Groups     []int        `json:"groups"`
	Unknown    []model.OpID `json:"unknown"`
	Best       bool         `json:"best"`
}

type partReport[T any] struct {
	Covered int `json:"covered"`
	Of      int `json:"of"`
	Missing []T `json:"missing"`
}

// restReport is the seqs that would cover the rest, and what they cannot.
type restReport struct {
	Seqs       []model.Seq  `json:"seqs"`
	Fewest     bool         `json:"fewest"`
	Operations []model.OpID `json:"missing"`
	GaveUp     bool         `json:"gave_up"`
}

func (a *assessment) report() adequacyReport {
	r := adequacyReport{
		Seqs:       []reachReport{},
		Groups:     partReport[int]{Covered: a.Groups.Covered, Of: a.Groups.Of, Missing: fromOne(a.Groups.Missing)},
		Operations: newPartReport(a.Operations), Values: newPartReport(a.Values), PassedOn: newPartReport(a.Passed),
		Unmatched: some(a.strangers), OtherHosts: a.elsewhere, TakenHosts: some(a.taken), OtherTags: a.outside, Unread: a.unread,
		Rest: restReport{Seqs: some(a.rest.Seqs), Fewest: a.rest.Fewest, Operations: some(a.rest.Operations), GaveUp: a.rest.GaveUp},
	}
	for i, f := range a.finds {
		reach := a.Reaches[i]
		r.Seqs = append(r.Seqs, reachReport{File: f.file, Name: f.name, Operations: some(f.seq), Groups: fromOne(reach.Groups), Unknown: some(reach.Unknown), Best: reach.Best()})
	}
	return r
}

func newPartReport[T any](p share.Part[T]) partReport[T] {
	return partReport[T]{Covered: p.Covered, Of: p.Of, Missing: some(p.Missing)}
}

// some is a list that is [] in JSON where it is empty.
func some[S ~[]T, T any](list S) S { return append(S{}, list...) }

func fromOne(indexes []int) []int {
	numbers := []int{}
	for _, i := range indexes {
		numbers = append(numbers, i+1)
	}
	return numbers
}
