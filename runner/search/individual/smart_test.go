package individual

import (
	"fmt"
	"slices"
	"testing"

	"sonde/model"
)

// A random path is drawn, and then one of its methods. If operations were drawn, paths with many
// operations would be preferred (the EvoMaster paper, section 5.2).
func TestPathThenMethod(t *testing.T) {
	single := func(op model.OpID) model.Template {
		return model.Template{Weight: 1, Steps: []model.TemplateStep{{Op: op, Min: 1, Max: 1}}}
	}
	p := New(model.Plan{
		Spec:      shop(),
		Templates: []model.Template{single("GET /things"), single("POST /things"), single("PATCH /things/{id}")},
	})
	r, count := chance(1), map[model.OpID]int{}
	for range 4000 {
		count[p.Sample(r, 1).Test().Calls[0].Op]++
	}
	for op, want := range map[model.OpID]int{"GET /things": 1000, "POST /things": 1000, "PATCH /things/{id}": 2000} {
		if got := count[op]; got < want*9/10 || got > want*11/10 {
			t.Errorf("%s is the target of %d of 4000 tests, want about %d", op, got, want)
		}
	}
}

// A test begins with k POSTs, before a GET of the collection. Mutations of the structure change only k
// (the EvoMaster paper, sections 5.2.1 and 5.2.8).
func TestMutationChangesOnlyK(t *testing.T) {
	p, r := problem(), chance(2)
	sampled, mutated := map[string]int{}, map[string]int{}
	for range 300 {
		ind := p.FollowTemplate(r, templates[0])
		sampled[fmt.Sprint(ind.Test().Seq())]++
		for range 20 {
			ind = p.Mutate(r, ind, 0.5, nil)
			mutated[fmt.Sprint(ind.Test().Seq())]++
		}
	}
	want := []string{
		"[POST /things GET /things]", "[POST /things POST /things GET /things]", "[POST /things POST /things POST /things GET /things]",
	}
	for name, seen := range map[string]map[string]int{"sampled": sampled, "mutated": mutated} {
		total := 0
		for seq, n := range seen {
			total += n
			if !slices.Contains(want, seq) {
				t.Errorf("%s: %s", name, seq)
			}
		}
		for _, seq := range want {
			if seen[seq] < total/6 {
				t.Errorf("%s: %s only %d of %d times", name, seq, seen[seq], total)
			}
		}
	}
}

// A test has one PATCH, or two PATCHes of the same resource (the EvoMaster paper, section 5.2.4).
func TestOneOrTwoPatches(t *testing.T) {
	p, r := problem(), chance(3)
	twice := 0
	for range 1000 {
		test := p.FollowTemplate(r, templates[1]).Test()
		for i := 1; i < len(test.Calls); i++ {
			if l := test.Links[i-1]; l.From != 0 || l.To != i || !l.IsOpen() {
				t.Fatalf("call %d has the link %+v", i, l)
			}
		}
		if len(test.Calls) == 3 {
			twice++
		}
	}
	if twice < 400 || twice > 600 {
		t.Errorf("%d of 1000 tests have two PATCHes, want about 500", twice)
	}
}
