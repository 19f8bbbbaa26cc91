package valuegroup_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
)

// BenchmarkGroups finds the groups of the largest real spec, and of synthetic specs with five values for each
// operation. naive is the algorithm as printed in the paper.
func BenchmarkGroups(b *testing.B) {
	spec, err := openapi.Load(context.Background(), "../../../shared/specs/oas2/magento.com/2.1/swagger.yaml", openapi.Options{})
	if err == nil {
		b.Run("largest", func(b *testing.B) { groups(b, match.NewValuesTable(spec.Operations, shallow)) })
		b.Run("largest/naive", func(b *testing.B) {
			t := match.NewValuesTable(spec.Operations, shallow)
			for b.Loop() {
				naive(t)
			}
		})
	}
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { groups(b, synthetic(n)) })
	}
	b.Run("1000/naive", func(b *testing.B) {
		t := synthetic(1000)
		for b.Loop() {
			naive(t)
		}
	})
}

var shallow = match.Mode{Values: match.ShallowReading, Match: match.MatchByName}

func groups(b *testing.B, t *match.ValuesTable) {
	b.ReportAllocs()
	for b.Loop() {
		valuegroup.FindGroups(t)
	}
}

// synthetic returns n operations in groups of about ten.
func synthetic(n int) *match.ValuesTable {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	t := &match.ValuesTable{}
	for v := range 5 * n {
		t.Names = append(t.Names, fmt.Sprintf("v%d", v))
	}
	for op := range n {
		group := op / 10 * 50
		var in, out []int
		for _, v := range r.Perm(50)[:5] {
			in = append(in, group+v)
		}
		for _, v := range r.Perm(50)[:5] {
			out = append(out, group+v)
		}
		t.Ops = append(t.Ops, &model.Operation{ID: model.OpID(fmt.Sprintf("GET /%d", op))})
		t.In, t.Need, t.Out = append(t.In, in), append(t.Need, nil), append(t.Out, out)
	}
	return t
}
