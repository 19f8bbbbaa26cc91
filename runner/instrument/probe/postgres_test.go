package probe

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/instrument/probedata"
	"sonde/runner/testdata/dbserver"

	"github.com/google/go-cmp/cmp"
)

// clinicService is the folder of a service that only reads from empty tables of PostgreSQL.
const clinicService = "../../testdata/databases/clinic"

// builtClinic builds the service, and starts a PostgreSQL. It skips the test if there is no PostgreSQL, or if the module
// cache lacks the drivers.
func builtClinic(t *testing.T) (r *Result, database string) {
	t.Helper()
	needsBuild(t)
	c := exec.Command("go", "list", "-deps", ".")
	c.Dir, c.Env = clinicService, append(os.Environ(), "GOPROXY=off")
	if out, err := c.CombinedOutput(); err != nil {
		t.Skipf("needs drivers, which go mod download in %s fetches: %v\n%s", clinicService, err, out)
	}
	database = "postgres://postgres@" + dbserver.Postgres(t) + "/postgres"
	return built(t, Options{Dir: clinicService, SQL: true}), database
}

// rowsInBox makes a folder for rows. The service gets the path of the folder in its environment.
func rowsInBox(t *testing.T) *probedata.RowBox {
	t.Helper()
	box, err := probedata.NewRowBox()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	t.Setenv(probedata.RowsVariable, strings.TrimPrefix(box.EnvVariable(), probedata.RowsVariable+"="))
	return box
}

// patientID is the key of a patient.
const patientID = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"

// clinicRows returns a doctor, a patient, a visit of this patient to this doctor, and a drug whose price the database
// does not permit. The first cell of each is its key.
func clinicRows() []model.Row {
	rows := []model.Row{
		{Table: "doctors", Cells: []model.Cell{cell("id", "5"), cell("name", `"O'Hara"`), cell("active", "true")}},
		{Table: "patients", Cells: []model.Cell{
			cell("id", `"`+patientID+`"`), cell("name", `"x"`), cell("born", `"2001-02-03"`), cell("level", `"plus"`),
			cell("settings", `"{}"`),
		}},
		{Table: "visits", Cells: []model.Cell{
			cell("id", "1"), cell("doctor", "5"), cell("patient", `"`+patientID+`"`), cell("at", `"2026-01-02T10:00:00Z"`),
			cell("fee", "12.5"), cell("state", `"done"`),
		}},
		{Table: "drugs", Cells: []model.Cell{cell("code", `"c"`), cell("title", `"t"`), cell("price", "-1"), cell("labels", `"{}"`)}},
	}
	for _, r := range rows {
		r.Cells[0].Key = true
	}
	rows[0].Cells[0].Identity = true
	return rows
}

// With PostgreSQL, the service inserts rows, reports queries without rows, and measures distances, with both drivers. No
// transaction of the service is aborted by what Sonde executes.
func TestPostgres(t *testing.T) {
	r, database := builtClinic(t)
	for _, driver := range []string{"pgx", "postgres"} {
		t.Run(driver, func(t *testing.T) {
			box, w := rowsInBox(t), watch(t, r)
			call := w.served("-driver", driver, "-database", database)
			checkClinicRows(t, box, call)
			checkClinicDistances(t, w, box, call)
		})
	}
	t.Run("network", func(t *testing.T) { // which would take statements of Sonde for those of the service
		t.Setenv("SONDE_NET", "table")
		box := rowsInBox(t)
		call := watch(t, r).served("-database", database)
		if err := box.Begin(clinicRows()); err != nil {
			t.Fatal(err)
		}
		answer := call("GET", "/specials", "")
		inserted, empty, err := box.End()
		if answer[:3] != "404" || len(inserted) > 0 || len(empty) > 0 || err != nil {
			t.Errorf("answer %s, inserted %v, empty %v, error %v", answer, inserted, empty, err)
		}
	})
}

func checkClinicRows(t *testing.T, box *probedata.RowBox, call func(method, target, body string) string) {
	t.Helper()
	rows := clinicRows()
	for i, step := range []struct {
		rows            []model.Row
		target, answer  string
		inserted, empty string
	}{
		{nil, "/patients/" + patientID, "404", "", `patients[{patients id == "` + patientID + `"  }]`},
		{rows, "/patients/" + patientID, "200", "doctors patients visits", ""},
		{rows[:2], "/doctors/5/visits", "404", "doctors patients", `doctors visits[{visits doctor == null doctors id} ` +
			`{doctors id == 5  } {doctors active == "true"  }]`},
		{rows, "/doctors/5/visits", "200", "doctors patients visits", ""},
		{
			rows, "/patients/" + patientID + "/unpaid?after=2026-01-02T11:00:00%2B02:00", "200", "doctors patients visits",
			`visits[{visits current_role == "x"  }]`,
		},
		{nil, "/patients/" + patientID + "/unpaid?after=2026-01-02T11:00:00%2B02:00", "404", "", `patients[{patients id == "` +
			patientID + `"  }]visits patients[` +
			`{patients id == null visits patient} {patients id == "` + patientID + `"  } {visits at > "2026-01-02T09:00:00Z"  } ` +
			`{visits paid == null  } {visits state == "planned"  }]visits[{visits current_role == "x"  }]`},
		{nil, "/patients?born=2001-02-03", "404", "", `patients[{patients born == "2001-02-03"  } {patients blocked != "true"  }]`},
		{rows, "/patients?born=2001-02-03", "200", "doctors patients visits", ""},
		{nil, "/drugs?title=abc", "404", "", `drugs[{drugs title == "abc"  } {drugs state != "withdrawn"  }]`},
		{nil, "/patients/none", "400", "", ""},
	} {
		if err := box.Begin(step.rows); err != nil {
			t.Fatal(err)
		}
		answer := call("GET", step.target, "")
		box.EndCall(0)
		inserted, empty, err := box.End()
		if err != nil {
			t.Fatal(err)
		}
		var tables []string
		for _, r := range inserted {
			tables = append(tables, r.Table)
		}
		reported := ""
		for _, q := range empty {
			reported += strings.Join(q.Tables, " ") + fmt.Sprintf("%s", q.Facts)
		}
		want := []string{step.answer, step.inserted, step.empty}
		if diff := cmp.Diff(want, []string{answer[:3], strings.Join(tables, " "), reported}); diff != "" {
			t.Errorf("step %d: %s", i, diff)
		}
	}
	want := model.Table{
		Name: "visits", Definition: "state IN ('planned', 'done', 'missed')",
		Columns: []model.TableColumn{
			{Name: "id", Type: "int4", NotNull: true, HasDefault: true, Key: true},
			{Name: "doctor", Type: "int8", NotNull: true, RefTable: "doctors", RefColumn: "id"},
			{Name: "patient", Type: "uuid", NotNull: true, RefTable: "patients", RefColumn: "id"},
			{Name: "at", Type: "timestamp with time zone", NotNull: true},
			{Name: "fee", Type: "numeric(8,2)", NotNull: true},
			{Name: "state", Type: "enum", NotNull: true},
			{Name: "paid", Type: "timestamp with time zone"},
		},
	}
	got, _ := box.Table("visits")
	got.Definition = got.Definition[strings.LastIndex(got.Definition, "\n")+1:]
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	doctors, _ := box.Table("doctors")
	if c := doctors.Columns[0]; !c.Key || !c.Identity {
		t.Errorf("%+v", c)
	}
}

// checkClinicDistances checks that the score of a query rises with each step towards a row, and is 1 only at the last.
func checkClinicDistances(t *testing.T, w *watched, box *probedata.RowBox, call func(method, target, body string) string) {
	t.Helper()
	if err := box.Begin(clinicRows()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		target, line string // %v is replaced by the step
		steps        []string
	}{
		{"/patients?born=%v", "NOT blocked", []string{"1950-01-01", "2001-02-01", "2001-02-02", "2001-02-03"}},
		{"/doctors/%v/visits", "query, id", []string{"500", "7", "6", "5"}},
		{"/patients/" + patientID + "/unpaid?after=%v", "SELECT v.fee", []string{
			"2030-01-01T00:00:00Z", "2026-01-02T10:00:00Z", "2026-01-02T09:59:59Z",
		}},
		{"/patients/%v/unpaid?after=2026-01-01T00:00:00Z", "UPDATE patients", []string{
			"00000000-0000-4000-8000-000000000000", "a0eebc99-9c0b-4ef8-bb6d-000000000000", patientID,
		}},
		{"/patients/%v", "FROM patients WHERE id", []string{
			"00000000-0000-4000-8000-000000000000", "a0eebc99-9c0b-4ef8-bb6d-000000000000", patientID,
		}},
	} {
		last := 0.0
		for i, step := range c.steps {
			w.Reset()
			answer := call("GET", strings.ReplaceAll(c.target, "%v", step), "")
			near := w.nearRows(c.line)
			if !(last < near) || (near == 1) != (i == len(c.steps)-1) {
				t.Errorf("%s %s: %s, score %v, was %v", c.line, step, answer, near, last)
			}
			last = near
		}
	}
}
