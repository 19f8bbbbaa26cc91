package model

import (
	"encoding/json"
	"testing"
)

func TestStatementsOfRows(t *testing.T) {
	row := func(key bool) Row {
		return Row{Table: `my "t"`, Cells: []Cell{
			{Column: "id", Value: json.RawMessage("7"), Key: key},
			{Column: "name", Value: json.RawMessage(`"it's\u0000"`)},
			{Column: "on", Value: json.RawMessage("true")},
			{Column: "at", Value: json.RawMessage("null")},
		}}
	}
	for _, c := range []struct{ got, want string }{
		{row(true).InsertStatement(), `INSERT INTO "my ""t""" ("id", "name", "on", "at") VALUES (7, 'it''s', TRUE, NULL)`},
		{row(true).DeleteStatement(), `DELETE FROM "my ""t""" WHERE "id" = 7`},
		{row(false).DeleteStatement(), ""}, // other rows may have the same values
		{
			Row{Table: "t", Cells: []Cell{{Column: "a", Value: json.RawMessage(`["); DROP TABLE t; --"]`)}}}.InsertStatement(),
			`INSERT INTO "t" ("a") VALUES (NULL)`,
		},
		{
			Row{Table: "t", Cells: []Cell{{Column: "a", Value: json.RawMessage("1"), Identity: true}}}.InsertStatement(),
			`INSERT INTO "t" ("a") OVERRIDING SYSTEM VALUE VALUES (1)`,
		},
		{Row{Table: "t"}.InsertStatement(), `INSERT INTO "t" DEFAULT VALUES`},
		{Row{Table: "t"}.DeleteStatement(), ""},
		{row(true).String(), `my "t"(id: 7, name: "it's\u0000", on: true, at: null)`},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}
