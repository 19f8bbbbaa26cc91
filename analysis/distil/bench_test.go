package distil_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
)

const specs = "../../../shared/specs"

// largest is the real spec with the most operations: 355.
const largest = "oas2/magento.com/2.1/swagger.yaml"

var shallow = match.Mode{Values: match.ShallowReading, Match: match.MatchByName}

// BenchmarkList lists seqs up to the paper's limit. It lists those of the largest real spec, not divided by tags, and
// of synthetic specs of several sizes. It also measures the paper's own algorithm, line by line. Both are measured in
// two readings: the pseudo-code as printed, and the default.
func BenchmarkList(b *testing.B) {
	for _, rule := range []distil.Rule{distil.RuleDC, distil.RuleSC} {
		b.Run(fmt.Sprintf("%s/largest", rule), func(b *testing.B) { list(b, largestTable(b), rule) })
		for _, n := range []int{100, 1000, 10000} {
			b.Run(fmt.Sprintf("%s/%d", rule, n), func(b *testing.B) { list(b, synthetic(n), rule) })
		}
	}
}

func list(b *testing.B, t *match.ValuesTable, rule distil.Rule) {
	for name, printed := range map[string]distil.AsPrinted{"default": {}, "printed": {Repeats: true, FedOnly: true}} {
		o := distil.Options{Rule: rule, AsPrinted: printed, Length: distil.DefaultLength, Limit: distil.DefaultLimit}
		b.Run("sonde/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := distil.ListSeqs(context.Background(), t, o); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("naive/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				naive(t, o)
			}
		})
	}
}

// BenchmarkAll iterates over seqs of the largest real spec without storing them. For several numbers of seqs, it
// reports the seqs per second and the allocated bytes.
func BenchmarkAll(b *testing.B) {
	t := largestTable(b)
	for _, n := range []int{10_000, 1_000_000, 10_000_000} {
		b.Run(fmt.Sprintf("sc/%d", n), func(b *testing.B) { all(b, t, distil.RuleSC, n) })
	}
	b.Run("dc/whole", func(b *testing.B) { all(b, t, distil.RuleDC, math.MaxInt) })
}

// BenchmarkCount counts seqs of the largest real spec and of a synthetic one without visiting them.
func BenchmarkCount(b *testing.B) {
	for name, t := range map[string]*match.ValuesTable{"largest": largestTable(b), "10000": synthetic(10000)} {
		for _, rule := range []distil.Rule{distil.RuleDC, distil.RuleSC} {
			b.Run(fmt.Sprintf("%s/%s", rule, name), func(b *testing.B) {
				for b.Loop() {
					if _, _, err := distil.CountSeqs(context.Background(), t, distil.Options{Rule: rule}, 5_000_000); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func all(b *testing.B, t *match.ValuesTable, rule distil.Rule, n int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.ReportAllocs()
	seqs := 0
	for b.Loop() {
		seqs += take(ctx, t, distil.Options{Rule: rule}, n)
	}
	b.ReportMetric(float64(seqs)/float64(b.N), "seqs/op")
	b.ReportMetric(float64(seqs)/b.Elapsed().Seconds(), "seqs/s")
}

// take iterates over at most n seqs and returns their number.
func take(ctx context.Context, t *match.ValuesTable, o distil.Options, n int) int {
	got := 0
	for range distil.AllSeqs(ctx, t, o) {
		got++
		if got == n {
			break
		}
	}
	return got
}

// largestTable returns the table of the largest real spec.
func largestTable(b *testing.B) *match.ValuesTable {
	b.Helper()
	spec, err := openapi.Load(context.Background(), filepath.Join(specs, largest), openapi.Options{})
	if err != nil {
		b.Skip("the folder with real specs is not beside the repository")
	}
	return match.NewValuesTable(spec.Operations, shallow)
}

// synthetic returns n operations in groups of ten. The operations of a group pass values to each other.
func synthetic(n int) *match.ValuesTable {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	t := &match.ValuesTable{}
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
