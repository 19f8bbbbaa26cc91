package model_test

import (
	"testing"

	"sonde/model"
)

// serverError returns a fault of a message, as a run may find it.
func serverError(signature string) model.Fault {
	return model.Fault{Op: "POST /things/{id}", Oracle: model.ServerErrorOracle, Status: 500, Signature: signature}
}

// The wordings are those of one service in runs with five seeds.
func TestFaultKeyOfWordings(t *testing.T) {
	for _, c := range []struct {
		name     string
		wordings []string
		want     string
	}{
		{"an unrecognized value", []string{"500 the name F is too short", "500 the name <value> is too short"}, "500 name too short"},
		{"a value that is empty", []string{"500 the name is too short", "500 the name U is too short"}, "500 name too short"},
		{
			"a word masked by chance",
			[]string{"500 size <value> is out of range", "500 size <value> is out <value> range"},
			"500 size out range",
		},
		{
			"a list",
			[]string{"500 unknown tags: <value>", "500 unknown tags: , <value>, x", "500 unknown tags: <value>, D, D, <value>"},
			"500 unknown tags",
		},
		{
			"a long value",
			[]string{`500 parsing "<value>xxxxxxxxxxxxxxxxxxxxx`, "500 parsing <value>", "500 parsing <value>ab.cd(e"},
			"500 parsing",
		},
		{"a word that no message has", []string{"500 parsing aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}, "500 parsing"},
		{"a row of PostgreSQL", []string{"500 Key (name)=(<value>) already exists"}, "500 Key name already exists"},
		{"no message", []string{"500 ", "500"}, "500"},
		{"another alphabet", []string{"500 ошибка: имя <value>"}, "500 ошибка имя"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, text := range c.wordings {
				got := serverError(text).Key()
				want := model.FaultKey{Operation: "POST /things/{}", Oracle: "server-error", Message: c.want}
				if got != want || got.Hash() != want.Hash() {
					t.Errorf("%q: got %+v, want %+v", text, got, want)
				}
			}
		})
	}
}

// Faults that are not the same have other keys.
func TestFaultKeysDiffer(t *testing.T) {
	all := []model.Fault{
		serverError("500 missing name"),
		serverError("500 missing date"),
		serverError("503 missing date"),
		{Op: "GET /things/{id}", Oracle: model.ServerErrorOracle, Signature: "500 missing date"},
		{Op: "POST /things/{id}", Oracle: "schema", Signature: "500 missing date"},
		{Op: "POST /things/{id}", Oracle: "schema", Signature: "200 /a is of type string"},
		{Op: "POST /things/{id}", Oracle: "schema", Signature: "200 /b is of type string"},
	}
	seen := map[string]model.Fault{}
	for _, f := range all {
		hash := f.Key().Hash()
		if other, ok := seen[hash]; ok || len(hash) != 64 {
			t.Errorf("%+v has the hash %q of %+v", f, hash, other)
		}
		seen[hash] = f
	}
}

// The names of path parameters do not matter, neither in the operation nor in a signature that names one.
func TestFaultKeyWithoutParameterNames(t *testing.T) {
	a := model.Fault{Op: "GET /things/{id}", Oracle: "leak", Signature: "script of POST /things/{id}"}
	b := model.Fault{Op: "GET /things/{thingId}", Oracle: "leak", Signature: "script of POST /things/{thingId}"}
	if a.Key() != b.Key() || a.Key().Operation != "GET /things/{}" {
		t.Errorf("got %+v and %+v", a.Key(), b.Key())
	}
}
