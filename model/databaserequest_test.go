package model_test

import (
	"testing"

	"sonde/model"
)

func TestDatabaseRequest(t *testing.T) {
	for request, want := range map[string][3]string{
		`{"command":"GET","1":"cart:17"}`: {"GET", "GET cart:17", `{"command":"GET"}`},
		`{"query":"SELECT a\n  FROM b WHERE c = $1","1":"17","2":null,"3":{"base64":"AA=="}}`: {
			"SELECT a FROM b WHERE c = $1", `SELECT a FROM b WHERE c = $1 17 null {"base64":"AA=="}`,
			`{"query":"SELECT a\n  FROM b WHERE c = $1"}`,
		},
		`{"query":"SELECT 1"}`: {"SELECT 1", "SELECT 1", `{"query":"SELECT 1"}`},
		`{`:                    {"", "{", `{"command":""}`},
	} {
		got := [3]string{
			model.DatabaseCommand([]byte(request)), model.DatabaseText([]byte(request)), model.AnyArguments([]byte(request)).JSON,
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", request, got, want)
		}
	}
}
