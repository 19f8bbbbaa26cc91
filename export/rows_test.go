package export

import (
	"strings"
	"testing"

	"sonde/model"
)

// withRows returns a suite that starts its service, with a test that inserts a row.
func withRows() Suite {
	key := model.Cell{Column: "id", Value: []byte("5"), Key: true}
	return Suite{
		Title: "Shop", BaseURL: "http://127.0.0.1:{port}", RowsBuild: []string{"sonde", "build", "--rows", "./cmd/shop"},
		Service: &model.Service{Command: []string{"go", "run", "./cmd/shop", "--port", "{port}"}},
		Tests: []model.Test{{
			ID: "t1", Calls: []model.Call{{Op: "GET /books/{id}", Args: []model.Arg{inPath("id", "5")}, Status: 200}},
			Rows: []model.Row{{Table: "books", Cells: []model.Cell{key, {Column: "title", Value: []byte(`"it's"`)}}}},
		}},
	}
}

// Tests insert their rows after a reset and before the first call. The tests build the service for it, or the virtual
// network does. Only suites with such tests have the helpers.
func TestRowsAreDeclared(t *testing.T) {
	const inserted = "\tdatabase.insert(\n\t\tt,\n\t\ttableRow{table: \"books\", " +
		"insert: `INSERT INTO \"books\" (\"id\", \"title\") VALUES (5, 'it''s')`, remove: `DELETE FROM \"books\" WHERE \"id\" = 5`},\n\t)\n"
	restarted, cleaned, isolated, plain := withRows(), withRows(), withRows(), withRows()
	restarted.Reset = &model.Reset{Restart: true}
	cleaned.Reset, cleaned.Tests[0].Rows = &model.Reset{Clean: true}, nil
	isolated.Net, isolated.Build = &model.VirtualNetwork{}, []string{"sonde", "build", "--net", "."}
	plain.Tests[0].Rows = nil
	for name, c := range map[string]struct {
		suite Suite
		want  []string
		not   string
	}{
		"plain": {withRows(), []string{
			"// sonde build --rows ./cmd/shop, unless SONDE_BINARY names the built binary.\n",
			"var database = probedDatabase{build: []string{\"sonde\", \"build\", \"--rows\", \"./cmd/shop\"}}\n",
			"os.Exit(database.runTests(&service, func() int { return service.runTests(m) }))",
			"\tservice.begin(t)\n\n" + inserted,
		}, "virtual"},
		"after a restart": {restarted, []string{"\treset(t)\n\n" + inserted}, ""},
		"reset by clean": {cleaned, []string{
			"\tservice.begin(t)\n\tdatabase.clean(t)\n}\n", "\treset(t)\n", "var database = probedDatabase{build: ",
		}, "database.insert("},
		"in a virtual network": {isolated, []string{
			"var database = probedDatabase{}\n", "build: []string{\"sonde\", \"build\", \"--rows\", \"./cmd/shop\"}",
			"os.Exit(database.runTests(&service, func() int { return network.runTests(m, &service) }))",
			"\tbegin(t)\n\n" + inserted,
		}, ""},
		"without rows": {plain, []string{"os.Exit(service.runTests(m))"}, "atabase"},
	} {
		t.Run(name, func(t *testing.T) {
			wantSound(t, c.suite)
			got, err := GoFile(c.suite)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if !strings.Contains(string(got), want) {
					t.Errorf("there is no %q in\n%s", want, got)
				}
			}
			if c.not != "" && strings.Contains(string(got), c.not) {
				t.Errorf("there is %q in\n%s", c.not, got)
			}
		})
	}
}
