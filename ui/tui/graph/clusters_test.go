package graph

import (
	"fmt"
	"slices"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// city returns an API of three areas with 25 operations each. Roads take the id of a park.
func city(t *testing.T) *screen.AnalyzedSpec {
	var ops []*model.Operation
	for _, area := range []string{"parks", "roads", "schools"} {
		id := "/" + area + "/{" + area[:len(area)-1] + "Id}"
		for i := range 25 {
			op := operation(fmt.Sprintf("%s/%c%d", area, area[0], i), nil, nil)
			if i == 0 {
				op = operation(area, nil, []string{area[:len(area)-1] + "Id"})
			}
			if i == 1 {
				op = &model.Operation{ID: model.OpID("GET " + id), Method: "GET", Path: id}
				name := area[:len(area)-1] + "Id"
				op.Params = []model.Parameter{{Name: name, In: model.InPath, Required: true, Schema: &model.Schema{Type: "string"}}}
			}
			if area == "roads" && i > 1 {
				op = operation(fmt.Sprintf("roads/r%d", i), []string{"parkId"}, nil)
			}
			ops = append(ops, op)
		}
	}
	return analyze(t, ops...)
}

// The picture of a large API shows its clusters and the values that pass between them. Key f unfolds a cluster, and
// then one of its parts. On an operation of the cluster, f folds the cluster again.
func TestPictureOfClusters(t *testing.T) {
	s := shown(t, city(t))
	s.key("w")
	boxes := func() (all []string) {
		count := 0
		for _, nd := range s.display.picture.nodes {
			all = append(all, nd.name)
			count += len(nd.ops)
		}
		if count != 75 {
			t.Errorf("%d operations are in boxes, want 75", count)
		}
		return all
	}
	folded := boxes()
	at := slices.IndexFunc(s.display.picture.nodes, func(nd node) bool { return len(nd.ops) > 10 })
	if len(folded) >= 75 || at < 0 {
		t.Fatalf("got %q, want clusters", folded)
	}
	carriesPark := func(f flow) bool { return slices.Equal(f.ids, []string{"park.id"}) }
	if f := s.display.picture.flows; len(f) == 0 || slices.ContainsFunc(f, func(f flow) bool { return !carriesPark(f) }) {
		t.Errorf("got flows %v, want the id of a park", f)
	}
	s.display.choose(at)
	s.key("enter")
	if got := boxes(); len(got) <= len(folded) || slices.Contains(got, folded[at]) {
		t.Errorf("%q is unfolded: got %q", folded[at], got)
	}
	for _, key := range []string{"F", "f"} {
		s.key(key)
		if got := boxes(); key == "F" && !slices.Equal(got, folded) || key == "f" && len(got) <= len(folded) {
			t.Errorf("%s: got %q", key, got)
		}
	}
}

// Another screen can show an area, which is unfolded in the picture of the whole API. Going back returns to
// the operation before.
func TestShowArea(t *testing.T) {
	s := shown(t, city(t))
	before := s.op()
	areas := s.analyzed.Analysis.Clusters()
	area := areas[len(areas)-1]
	if _, cmd := s.Update(screen.ShowArea{Name: "nowhere"}); cmd != nil {
		t.Error("an unknown area is drawn")
	}
	_, cmd := s.Update(screen.ShowArea{Name: area.Name})
	s.Update(cmd())
	if got := s.op(); got != area.Operations[0] || !s.whole {
		t.Errorf("the cursor is on %s, want %s", got, area.Operations[0])
	}
	single := 0
	for _, nd := range s.display.picture.nodes {
		if len(nd.ops) == 1 && slices.Contains(area.Operations, nd.lead()) {
			single++
		}
	}
	if want := len(area.Operations); area.Parts == nil && single != want {
		t.Errorf("%d operations of %s have a box, want %d", single, area.Name, want)
	}
	s.back()
	if s.centre != before || s.whole {
		t.Errorf("back shows %s, want %s", s.centre, before)
	}
}

// A picture of a small API shows its operations.
func TestSmallPicturesHaveNoClusters(t *testing.T) {
	s := shown(t, chained(t))
	s.key("w")
	if n := len(s.display.picture.nodes); n != 4 {
		t.Errorf("got %d boxes, want 4", n)
	}
}
