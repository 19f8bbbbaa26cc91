package cli

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"
	"sonde/model/config"
	"sonde/model/openapi"
	"sonde/runner/testdata/dbserver"
	"sonde/ui/app/service"
	"sonde/ui/app/suite"
)

var (
	sqlSeeds = flag.Int("sql", 0, "number of seeds for measuring what a search reaches after queries")
	sqlCalls = flag.Int("sql-calls", 20_000, "the calls of each of these searches")
)

// probedSQLite builds a service with SQLite, whose answers do not reveal the rows of its tables. If watched is set, its
// SQL queries have probes.
func probedSQLite(t *testing.T, name string, watched bool) probed {
	t.Helper()
	return probedDatabase(t, name, "../../runner/testdata/services/"+name, watched)
}

// probedPostgres builds a service that only reads from PostgreSQL, and starts a PostgreSQL for it.
func probedPostgres(t *testing.T) probed {
	t.Helper()
	database := "postgres://postgres@" + dbserver.Postgres(t) + "/postgres"
	p := probedDatabase(t, "clinic", "../../runner/testdata/databases/clinic", true)
	p.plan.Service.Command = append(p.plan.Service.Command, "--database", database)
	return p
}

// probedDatabase builds the service in a folder. It skips the test if the driver of its database is not in the module
// cache.
func probedDatabase(t *testing.T, name, dir string, watched bool) probed {
	t.Helper()
	list := exec.Command("go", "list", "-deps", ".")
	list.Dir, list.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly")
	if out, err := list.CombinedOutput(); err != nil {
		t.Skipf("needs a driver, which go mod download in %s fetches: %v\n%s", dir, err, out)
	}
	c, err := config.Load(filepath.Join(dir, config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := openapi.Load(context.Background(), c.Spec, openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Service.Build.SQL {
		t.Fatal("its configuration does not have its queries watched")
	}
	c.Service.Build.SQL = watched
	return newProbed(t, name, spec, service.Configuration{Config: c}.ServiceAt("", spec), target{name: name})
}

// With 5,000 calls, a search that watches queries makes at least seven of eight queries return rows, in the median of
// three searches. A search that only sees the Go source makes at most one query return rows. TestSQL measures the
// same with more seeds.
func TestGoalBehindQueries(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a service twice, and searches it six times")
	}
	t.Parallel()
	seen := probedSQLite(t, "sqlite", true).searches(t, false, model.DefaultSampling(), 5000, 3).guards
	unseen := probedSQLite(t, "sqlite", false).searches(t, false, model.DefaultSampling(), 5000, 3).guards
	if median(seen) < 7 || median(unseen) > 1 {
		t.Errorf("%v of 8 queries return rows, and %v by chance", seen, unseen)
	}
}

// rowsSampling is the default sampling with rows.
func rowsSampling() model.Sampling {
	s := model.DefaultSampling()
	s.Rows = 0.15
	return s
}

// The service only reads from its tables, which are empty. Eleven parts of its code run only if a query returns rows.
// With 1,000 calls, a search whose tests insert rows reaches at least nine of these parts, in the median of three
// searches. A search that only watches the queries reaches none.
func TestGoalOfRows(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a service, and searches it four times")
	}
	t.Parallel()
	p := probedSQLite(t, "readonly", true)
	with := p.searches(t, false, rowsSampling(), 1000, 3)
	without := p.searches(t, false, model.DefaultSampling(), 1000, 1).guards
	if median(with.guards) < 9 || median(without) > 0 {
		t.Errorf("%v of 11 parts are reached with rows, and %v without", with.guards, without)
	}
	wantExportedRows(t, p, with.tests[0])
}

// wantExportedRows exports the tests of a search, and checks that they pass. It then removes a row from one of the
// tests, and checks that exactly one test fails.
func wantExportedRows(t *testing.T, p probed, tests []model.Test) {
	t.Helper()
	kept, _ := suite.IndependentTests(tests)
	s := suite.FromRun(codec.RunHeader{
		BaseURL: p.plan.BaseURL, Service: &model.Service{Command: []string{"go", "run", ".", "--addr", "127.0.0.1:{port}"}},
		Build: &model.GoBuild{Package: "."},
	}, kept, "")
	dir := t.TempDir()
	path, made, err := suite.WriteFiles(dir, suite.DefaultFormat, s, false)
	if err != nil || len(made.Tests) != len(kept) || len(made.Omissions) > 0 {
		t.Fatalf("%d of %d tests in %q, without %q, error %v", len(made.Tests), len(kept), path, made.Omissions, err)
	}
	run := func() (string, error) {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		test := exec.Command("go", append([]string{"test", "-count=1"}, files...)...)
		test.Env = append(os.Environ(), "SONDE_BASE_URL=", "SONDE_BINARY="+p.plan.Probes.Binary)
		out, err := test.CombinedOutput()
		return string(out), err
	}
	if out, err := run(); err != nil {
		t.Errorf("the exported tests fail: %v\n%s", err, out)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`\t\ttableRow\{.*\n`).FindIndex(text)
	if line == nil {
		t.Fatalf("no test inserts rows:\n%s", text)
	}
	if err := os.WriteFile(path, slices.Delete(text, line[0], line[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := run(); err == nil || strings.Count(out, "--- FAIL") != 1 {
		t.Errorf("the exported tests without a row: %v\n%s", err, out)
	}
}

// The service with PostgreSQL also only reads from empty tables. Of its twelve parts after queries, a search of 1,000
// calls whose tests insert rows reaches at least nine. A search that only watches the queries reaches none.
func TestGoalOfRowsInPostgreSQL(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a service, starts a database, and searches twice")
	}
	t.Parallel()
	p := probedPostgres(t)
	with := p.searches(t, false, rowsSampling(), 1000, 1).guards
	without := p.searches(t, false, model.DefaultSampling(), 300, 1).guards
	if with[0] < 9 || without[0] > 0 {
		t.Errorf("%v of 12 parts are reached with rows, and %v without", with, without)
	}
}

// TestRowsOfTests measures how many parts searches reach whose tests insert rows, and searches whose tests do not: of
// the eleven parts in TestGoalOfRows, and of the twelve parts in TestGoalOfRowsInPostgreSQL. Run it by:
//
//	go test ./ui/cli -run 'TestRowsOfTests$' -sql 5 -sql-calls 1000 -v -timeout 1h
func TestRowsOfTests(t *testing.T) {
	if *sqlSeeds == 0 {
		t.Skip("measures only with -sql SEEDS")
	}
	t.Run("SQLite", func(t *testing.T) { measureRows(t, probedSQLite(t, "readonly", true)) })
	t.Run("PostgreSQL", func(t *testing.T) { measureRows(t, probedPostgres(t)) })
}

// measureRows compares searches of a service that only reads from empty tables: without probes, with probes, and with
// rows.
func measureRows(t *testing.T, p probed) {
	t.Helper()
	black := p.searches(t, true, model.DefaultSampling(), *sqlCalls, *sqlSeeds)
	seen := p.searches(t, false, model.DefaultSampling(), *sqlCalls, *sqlSeeds)
	rows := p.searches(t, false, rowsSampling(), *sqlCalls, *sqlSeeds)
	for _, way := range []struct {
		name string
		probedFigures
	}{{"black", black}, {"white + sql", seen}, {"white + rows", rows}} {
		compare(t, p.name, way.name, "parts after queries", way.guards, seen.guards)
		compare(t, p.name, way.name, "statements, %", way.statements, seen.statements)
	}
}

// TestSQL measures how many of eight queries return rows in a search that watches them, and in
// searches that do not. Run it by:
//
//	go test ./ui/cli -run 'TestSQL$' -sql 3 -v -timeout 1h
func TestSQL(t *testing.T) {
	if *sqlSeeds == 0 {
		t.Skip("measures only with -sql SEEDS")
	}
	plain, watched := probedSQLite(t, "sqlite", false), probedSQLite(t, "sqlite", true)
	black := plain.searches(t, true, model.DefaultSampling(), *sqlCalls, *sqlSeeds)
	white := plain.searches(t, false, model.DefaultSampling(), *sqlCalls, *sqlSeeds)
	seen := watched.searches(t, false, model.DefaultSampling(), *sqlCalls, *sqlSeeds)
	for _, way := range []struct {
		name string
		probedFigures
	}{{"black", black}, {"white", white}, {"white + sql", seen}} {
		compare(t, "sqlite", way.name, "queries with rows", way.guards, white.guards)
		compare(t, "sqlite", way.name, "statements, %", way.statements, white.statements)
	}
}
