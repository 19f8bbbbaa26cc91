package model_test

import (
	"strings"
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

func TestDatabaseReplyText(t *testing.T) {
	for reply, want := range map[string]string{
		`{"columns": [{"name": "id"}], "rows": [["1"], ["2"]]}`:      "2 rows",
		`{"columns": [{"name": "id"}], "rows": [["1"]], "tag": "x"}`: "1 row",
		`{"columns": [{"name": "id"}]}`:                              "0 rows",
		`{"parameters": [25], "tag": "INSERT 0 1"}`:                  "INSERT 0 1",
		`{"affected": 3}`: "3 rows changed",
		`{"error": {"code": "23505", "message": "duplicate key"}}`: "error 23505 duplicate key",
		`{"error": {"code": 1062, "message": "Duplicate entry"}}`:  "error 1062 Duplicate entry",
		`{"error": "WRONGTYPE Operation"}`:                         "error WRONGTYPE Operation",
		`{"error": [1]}`:                                           "error [1]",
		`"two pears"`:                                              `"two pears"`,
		`[1, 2]`:                                                   "[1, 2]",
		`{"status": "OK"}`:                                         "OK",
		`what`:                                                     "what",
	} {
		text, failed := model.DatabaseReplyText([]byte(reply))
		if text != want || failed != strings.HasPrefix(want, "error") {
			t.Errorf("%s: %q, failed %t, want %q", reply, text, failed, want)
		}
	}
}
