package results

import (
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/app/adequacy"
	"sonde/ui/console"
)

// AdequacyReport is the JSON of sonde adequacy. Groups have the same numbers as in sonde groups.
type AdequacyReport struct {
	Seqs       []reachReport          `json:"seqs"`
	Groups     partReport[int]        `json:"groups"`
	Operations partReport[model.OpID] `json:"operations"`
	Values     partReport[string]     `json:"values"`
	PassedOn   partReport[string]     `json:"passed_on"`
	Unmatched  []adequacy.Request     `json:"unmatched"`
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

// restReport has the seqs that would cover missing operations, and the operations that they cannot cover.
type restReport struct {
	Seqs       []model.Seq  `json:"seqs"`
	Fewest     bool         `json:"fewest"`
	Operations []model.OpID `json:"missing"`
	GaveUp     bool         `json:"gave_up"`
}

// NewAdequacyReport returns the JSON of an assessment.
func NewAdequacyReport(a *adequacy.Assessment) AdequacyReport {
	r := AdequacyReport{
		Seqs:       []reachReport{},
		Groups:     partReport[int]{Covered: a.Groups.Covered, Of: a.Groups.Total, Missing: fromOne(a.Groups.Missing)},
		Operations: newPartReport(a.Operations),
		Values:     newPartReport(a.Values),
		PassedOn:   newPartReport(a.Passed),
		Unmatched:  console.NonNilSlice(a.Unmatched),
		OtherHosts: a.OtherHosts,
		TakenHosts: console.NonNilSlice(a.AssumedHosts),
		OtherTags:  a.OtherTags,
		Unread:     a.Unread,
		Rest: restReport{
			Seqs:       console.NonNilSlice(a.Rest.Seqs),
			Fewest:     a.Rest.IsMinimum,
			Operations: console.NonNilSlice(a.Rest.Operations),
			GaveUp:     a.Rest.GaveUp,
		},
	}
	for i, f := range a.Seqs {
		reach := a.Scopes[i]
		r.Seqs = append(
			r.Seqs,
			reachReport{
				File:       f.File,
				Name:       f.Name,
				Operations: console.NonNilSlice(f.Seq),
				Groups:     fromOne(reach.Groups),
				Unknown:    console.NonNilSlice(reach.Unknown),
				Best:       reach.InOneGroup(),
			},
		)
	}
	return r
}

func newPartReport[T any](p valuegroup.Coverage[T]) partReport[T] {
	return partReport[T]{Covered: p.Covered, Of: p.Total, Missing: console.NonNilSlice(p.Missing)}
}

func fromOne(indexes []int) []int {
	numbers := []int{}
	for _, i := range indexes {
		numbers = append(numbers, i+1)
	}
	return numbers
}
