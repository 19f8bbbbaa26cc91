package searchrun

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sonde/analysis"
	"sonde/model"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/runner/search"
	"sonde/ui/app/service"
)

const statementsSpec = `openapi: 3.0.3
info: {title: Statements, version: "1"}
paths:
  /:
    post:
      requestBody: {content: {text/plain: {schema: {type: string}}}}
      responses: {"200": {description: done}, "409": {description: refused}}
`

// A service that is built for rows inserts the rows of a test that is replayed, and a reset by clean deletes them and what
// the calls created. A service that is not built for it has no such reset.
func TestReplayWithRows(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a service")
	}
	dir, err := filepath.Abs("../../../runner/testdata/services/cleaned")
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", ".")
	list.Dir, list.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly")
	if out, err := list.CombinedOutput(); err != nil {
		t.Skipf("needs modernc.org/sqlite, which go mod download in %s fetches: %v\n%s", dir, err, out)
	}
	spec, err := openapi.Parse(context.Background(), "statements.yaml", []byte(statementsSpec), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := config.Config{Reset: &model.Reset{Clean: true}, Service: &model.Service{
		Dir: dir, Command: []string{model.BinaryPlaceholder, ":memory:"}, Build: &model.GoBuild{Package: "."},
	}}
	set := Settings{Service: service.Configuration{Config: c}.ServiceAt("", spec), Minimise: model.DefaultMinimise}
	ctx := context.Background()
	a := analysis.Analyze(spec, analysis.Options{})
	plan := set.PlanForAnalysis(a)
	if _, err := search.NewManualSession(ctx, plan, a.SeqConnector()); err == nil {
		t.Error("a service that is not built has a reset by clean")
	}
	plan.InsertRows = true
	end, err := set.BuildForRows(ctx, &plan)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	s, err := search.NewManualSession(ctx, plan, a.SeqConnector())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	create := model.Test{ID: "t1", Calls: []model.Call{{
		Op: "POST /", Body: &model.Payload{Media: "text/plain", Data: "INSERT INTO authors (name) VALUES ('Cid')"},
	}}}
	refused := create
	refused.Rows = []model.Row{{Table: "authors", Cells: []model.Cell{
		{Column: "id", Value: []byte("7"), Key: true}, {Column: "name", Value: []byte(`"Cid"`)},
	}}}
	for i, step := range []struct {
		test   model.Test
		status int
	}{{create, 200}, {refused, 409}, {create, 200}} {
		got, err := s.Replay(ctx, step.test)
		if err != nil || got.Calls[0].Status != step.status || got.Flaky != "" || len(got.Rows) != len(step.test.Rows) {
			t.Errorf("replay %d: %+v, error %v, want status %d", i, got, err, step.status)
		}
	}
}
