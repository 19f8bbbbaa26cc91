package distil_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"sonde/analysis/distil"
	"sonde/analysis/share"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
)

// largest is the spec with the most operations of the real ones.
const largest = "oas2/magento.com/2.1/swagger.yaml"

var shallow = match.Way{Values: match.Shallow, Match: match.ByName}

// BenchmarkList lists up to the paper's limit: the largest real spec as one
// case, and synthetic ones of growing size.
func BenchmarkList(b *testing.B) {
	for _, rule := range []distil.Rule{distil.DC, distil.SC} {
		b.Run(fmt.Sprintf("%s/largest", rule), func(b *testing.B) {
			spec, err := openapi.Load(context.Background(), filepath.Join(specs, largest), openapi.Options{})
			if err != nil {
				b.Skip("the folder with real specs is not beside the repository")
			}
			list(b, match.NewTable(spec.Operations, shallow), rule)
		})
		for _, n := range []int{100, 1000, 10000} {
			b.Run(fmt.Sprintf("%s/%d", rule, n), func(b *testing.B) { list(b, synthetic(n), rule) })
		}
	}
}

func list(b *testing.B, t *match.Table, rule distil.Rule) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := distil.List(context.Background(), t, distil.Options{Rule: rule}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAll reports how many seqs a second are listed of the largest real
// spec, when none is kept.
func BenchmarkAll(b *testing.B) {
	spec, err := openapi.Load(context.Background(), filepath.Join(specs, largest), openapi.Options{})
	if err != nil {
		b.Skip("the folder with real specs is not beside the repository")
	}
	t := match.NewTable(spec.Operations, shallow)
	for _, rule := range []distil.Rule{distil.DC, distil.SC} {
		b.Run(string(rule), func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				for range distil.All(context.Background(), t, distil.Options{Rule: rule}) {
					if n++; n%1_000_000 == 0 {
						break
					}
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "seqs/s")
		})
	}
}

// synthetic returns operations in groups of ten that pass values to each other.
func synthetic(n int) *match.Table {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	t := &match.Table{}
	for v := range 5 * n {
		t.Names = append(t.Names, fmt.Sprintf("v%d", v))
	}
	for op := range n {
		group := op / 10 * 50
		var in, need, out []int
		for _, v := range r.Perm(50)[:5] {
			in = append(in, group+v)
		}
		for _, v := range r.Perm(50)[:5] {
			out = append(out, group+v)
		}
		if op%10 > 0 {
			need = in[:r.IntN(3)]
		}
		t.Ops = append(t.Ops, &model.Operation{ID: model.OpID(fmt.Sprintf("GET /%d", op))})
		t.In, t.Need, t.Out = append(t.In, in), append(t.Need, need), append(t.Out, out)
	}
	return t
}

// BenchmarkFolder analyses every case of the 251 real specs: values, groups,
// and seqs by both rules. Loading is not part of it.
func BenchmarkFolder(b *testing.B) {
	var cases [][]*model.Operation
	for _, file := range specFiles(b) {
		spec, err := openapi.Load(context.Background(), filepath.Join(specs, "oas2", file), openapi.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, tag := range spec.Tags() {
			cases = append(cases, spec.Tagged(tag))
		}
	}
	for b.Loop() {
		for _, ops := range cases {
			t := match.NewTable(ops, match.AsPaper)
			share.Groups(t)
			for _, rule := range []distil.Rule{distil.DC, distil.SC} {
				if _, err := distil.List(context.Background(), t, distil.Options{Rule: rule}); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
