package draw_test

import (
	"fmt"
	"testing"

	"sonde/model"
	"sonde/ui/draw"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// texts returns the rows of seqs without their styles.
func texts(names draw.SeqNames, width int, seqs ...model.Seq) (all []string) {
	for _, l := range names.Rows(seqs, width) {
		all = append(all, l.Text())
	}
	return all
}

func TestRows(t *testing.T) {
	const hpa = "/apis/autoscaling/%s/namespaces/{namespace}/horizontalpodautoscalers/{name}"
	get := func(version string) model.OpID { return model.OpID("GET " + fmt.Sprintf(hpa, version)) }
	for name, c := range map[string]struct {
		width int
		seqs  []model.Seq
		want  []string
	}{
		"what the row above has is a sign": {
			width: 60,
			seqs: []model.Seq{
				{"POST /carts"},
				{"POST /carts", "GET /carts/{id}"},
				{"POST /carts", "DELETE /carts/{id}"},
				{"POST /carts", "DELETE /carts/{id}", "GET /carts"},
				{"GET /carts"},
			},
			want: []string{
				"POST /carts", "″ › GET /carts/{}", "″ › DELETE /carts/{}", "″ › ″ › GET /carts", "GET /carts",
			},
		},
		"equal rows show their last call": {
			width: 60,
			seqs:  []model.Seq{{"POST /carts", "GET /carts"}, {"POST /carts", "GET /carts"}, {"POST /carts"}, {"POST /carts"}},
			want:  []string{"POST /carts › GET /carts", "″ › GET /carts", "POST /carts", "POST /carts"},
		},
		"calls in a row are counted": {
			width: 60,
			seqs:  []model.Seq{{"POST /a", "POST /a"}, {"POST /a", "POST /a", "GET /a"}, {"POST /a", "GET /a"}},
			want:  []string{"POST /a ×2", "″ › GET /a", "POST /a › GET /a"},
		},
		"many shared calls": {
			width: 60,
			seqs: []model.Seq{
				{"GET /a", "GET /b", "GET /c", "GET /d", "GET /e"},
				{"GET /a", "GET /b", "GET /c", "GET /d", "GET /f"},
			},
			want: []string{"GET /a › GET /b › GET /c › GET /d › GET /e", "… › ″ › GET /f"},
		},
		"a seq without calls begins anew": {
			width: 60,
			seqs:  []model.Seq{{"POST /carts"}, nil, {"POST /carts", "GET /carts"}},
			want:  []string{"POST /carts", "", "POST /carts › GET /carts"},
		},
		"earlier calls are shortened first": {
			width: 46,
			seqs:  []model.Seq{{"POST /shops/{shop}/carts", "POST /shops/{shop}/carts/{cart}/items"}},
			want:  []string{"POST carts › POST /shops/{}/carts/{}/items"},
		},
		"then the middle of the last path": {
			width: 36,
			seqs:  []model.Seq{{"POST /shops/{shop}/carts", "POST /shops/{shop}/carts/{cart}/items"}},
			want:  []string{"POST carts › POST /shops/…/{}/items"},
		},
		"then calls between the first and the last are left out": {
			width: 40,
			seqs:  []model.Seq{{"POST /carts", "POST /carts/{id}/items", "PUT /carts/{id}/address", "POST /carts/{id}/checkout"}},
			want:  []string{"POST carts › … › POST /carts/{}/checkout"},
		},
		"and then all others": {
			width: 22,
			seqs:  []model.Seq{{"POST /carts", "POST /carts/{id}/items", "PUT /carts/{id}/address", "POST /carts/{id}/checkout"}},
			want:  []string{"… › POST …/{}/checkout"},
		},
		"paths that differ in the middle": {
			width: 50,
			seqs:  []model.Seq{{get("v1")}, {get("v2")}, {get("v2beta1")}},
			want: []string{
				"GET /apis/…/v1/…/{}/horizontalpodautoscalers/{}", "GET /apis/…/v2/…/{}/horizontalpodautoscalers/{}",
				"GET /apis/…/v2beta1/…/horizontalpodautoscalers/{}",
			},
		},
		"calls that differ before the last": {
			width: 30,
			seqs: []model.Seq{
				{"POST /warehouses", "GET /warehouses/stock", "POST /orders/{id}/shipments"},
				{"POST /repositories", "GET /repositories/stock", "POST /orders/{id}/shipments"},
			},
			want: []string{"POST w…s › GET s…k › POST s…s", "POST r…s › GET s…k › POST s…s"},
		},
	} {
		if d := cmp.Diff(c.want, texts(byEnd, c.width, c.seqs...)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Rows are never wider than their room, for any paths of a spec.
func TestRowsFit(t *testing.T) {
	path := rapid.StringMatching(`(GET|POST|界)( /(a|b|carts|\{id\}|longer-than-most-names|世)){1,6}`)
	rapid.Check(t, func(t *rapid.T) {
		var seqs []model.Seq
		var ops []*model.Operation
		for range rapid.IntRange(0, 8).Draw(t, "rows") {
			var seq model.Seq
			for _, s := range rapid.SliceOfN(path, 0, 4).Draw(t, "seq") {
				seq = append(seq, model.OpID(s))
				ops = append(ops, &model.Operation{ID: model.OpID(s)})
			}
			seqs = append(seqs, seq)
		}
		width := rapid.IntRange(0, 80).Draw(t, "width")
		for i, l := range draw.NewSeqNames(ops).Rows(seqs, width) {
			if got := l.Width(); got > width {
				t.Fatalf("row %d has %d cells, want at most %d", i, got, width)
			}
		}
	})
}

// In 50 cells, pairs of calls with long paths look different, regardless of where they differ.
func TestRowsOfLongPathsDiffer(t *testing.T) {
	var seqs []model.Seq
	for _, area := range []string{"orgs/{org}", "repos/{owner}/{repo}", "enterprises/{enterprise}"} {
		for _, kind := range []string{"secrets", "variables", "runners"} {
			for _, end := range []string{"repositories", "repositories/{repository_id}", "permissions/selected-actions"} {
				op := model.OpID("PUT /" + area + "/actions/" + kind + "/{name}/" + end)
				seqs = append(seqs, model.Seq{"GET /installation/repositories", op})
			}
		}
	}
	seen := map[string]bool{}
	for _, row := range texts(byEnd, 50, seqs...) {
		if seen[row] {
			t.Errorf("two rows are %q", row)
		}
		seen[row] = true
	}
}
