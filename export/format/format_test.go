package format_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
)

// shop returns a suite of one test, which creates an order and then reads it by its id.
func shop() export.Suite {
	return export.Suite{
		Title:   "Shop",
		BaseURL: "http://127.0.0.1:8080",
		Reset:   &model.Reset{Method: "POST", Path: "/reset"},
		Tests: []model.Test{{
			ID: "t1",
			Calls: []model.Call{
				{Op: "POST /orders", Status: 201, Body: &model.Payload{Media: "application/json", Data: `{"sku":"it's"}`}},
				{Op: "GET /orders/{id}", Status: 200, Args: []model.Arg{{In: model.InPath, Name: "id", Value: "7"}}},
			},
			Links:  []model.Link{{From: 0, To: 1, Pointer: "/id", In: model.InPath, Name: "id"}},
			Checks: []model.Check{{Call: 1, Pointer: "/sku", Equals: []byte(`"it's"`)}},
		}},
	}
}

func named(t *testing.T, name string) format.Format {
	t.Helper()
	f, err := format.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// shopTexts are texts that the file for shop must have in each format: the two calls, the status of each,
// the captured id and the check.
var shopTexts = map[string][]string{
	"go": {
		`call(t, "POST", "/orders", withJSON(`, `.want(201)`, `orderID := order.field("/id")`,
		`call(t, "GET", "/orders/"+orderID.path())`, "wantJSON(\"/sku\", `\"it's\"`)",
	},
	"go-table": {
		`method: "POST", path: "/orders"`, "status: 201", `{name: "orderID", pointer: "/id", header: ""}`,
		`path: "/orders/${orderID.path}"`, "{\"/sku\", `\"it's\"`}",
	},
	"hurl": {
		"POST {{base_url}}/orders", "HTTP 201", `order_id_escaped: jsonpath "$.id" toString`,
		"GET {{base_url}}/orders/{{order_id_escaped}}", `jsonpath "$.sku" == "it's"`,
	},
	"pytest": {
		`send("POST", "/orders", `, "reply.want(201)", `order_id = reply.field("/id")`,
		`send("GET", "/orders/" + order_id.path())`, `reply.holds("/sku", "\"it's\"")`,
	},
	"node": {
		`await send("POST", "/orders", `, "reply.want(201);", `const orderID = reply.field("/id");`,
		`await send("GET", "/orders/" + orderID.path())`, `reply.holds("/sku", "\"it's\"");`,
	},
	"k6": {
		`tests.CreateOrderThenGetOrder_200 = () => {`, `send("POST", "/orders", `, `const orderID = reply.field("/id");`,
		`send("GET", "/orders/" + orderID.path())`, `reply.holds("/sku", "\"it's\"");`,
	},
	"junit5": {
		"void createOrderThenGetOrder_200() {", `send("POST", "/orders", `, `Value orderID = reply.field("/id");`,
		`send("GET", "/orders/" + orderID.path())`, `reply.holds("/sku", "\"it's\"");`,
	},
	"postman": {
		`"url": "{{base_url}}/orders/{{order_id_path}}"`, `pm.expect(pm.response.code).to.equal(201)`,
		`pm.collectionVariables.set(\"order_id_path\", segment(at(\"/id\")));`, `to.eql(JSON.parse(\"\\\"it's\\\"\"))`,
	},
	"bruno": {
		`"type": "collection"`, "post {\n  url: {{base_url}}/orders\n  body: text\n", "test(\"the status is 201\", ",
		`bru.setVar("order_id_path", segment(at("/id")));`, "url: {{base_url}}/orders/{{order_id_path}}",
		`expect(at("/sku")).to.eql(JSON.parse("\"it's\""));`,
	},
	"http": {
		"POST {{base_url}}/orders\n", "client.assert(response.status === 201, ",
		`client.global.set("order_id_path", segment(at("/id")));`, "GET {{base_url}}/orders/{{order_id_path}}\n",
		`client.assert(same(at("/sku"), JSON.parse("\"it's\"")), `,
	},
	"har": {
		`"method": "POST"`, `"url": "http://127.0.0.1:8080/orders/7"`, `"status": 201`,
		`\"7\" is /id of the body in answer 1 of the test`,
	},
	"curl": {
		"send POST /orders", "want 201", "order_id=$(field /id) || exit 1", `send GET /orders/"$(path "$order_id")"`,
		`equals /sku '"it'\''s"'`,
	},
	"arazzo": {
		`"workflowId": "CreateOrderThenGetOrder_200"`, `"condition": "$statusCode == 201"`,
		`"orderID": "$response.body#/id"`, `"value": "$steps.call1.outputs.orderID"`,
		`"condition": "$response.body#/sku == 'it''s'"`,
	},
}

func TestFormatsWriteTheTest(t *testing.T) {
	for _, f := range format.Formats {
		t.Run(f.Name, func(t *testing.T) {
			wants := shopTexts[f.Name]
			if wants == nil {
				t.Fatal("the format is not in shopTexts: add what it writes for shop")
			}
			made, err := f.Generate(shop())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(made.Tests, []string{"t1"}) || len(made.Faults) > 0 {
				t.Errorf("got the tests %q and faults %q, want t1", made.Tests, made.Faults)
			}
			for _, want := range wants {
				if !strings.Contains(string(made.Text), want) {
					t.Errorf("no %s in\n%s", want, made.Text)
				}
			}
			again, err := f.Generate(shop())
			if err != nil || string(again.Text) != string(made.Text) {
				t.Errorf("generated again it differs (%v):\n%s", err, again.Text)
			}
		})
	}
}

func TestNames(t *testing.T) {
	names := format.Names()
	if len(names) != len(format.Formats) || names[0] != "go" {
		t.Errorf("got %q, want all names, Go first", names)
	}
	files := map[string]string{}
	for _, f := range format.Formats {
		for _, name := range []string{f.TestsFile, f.FaultsFile} {
			if other := files[name]; other != "" {
				t.Errorf("%s and %s have the same file %q", other, f.Name, name)
			}
			files[name] = f.Name
		}
	}
	if _, err := format.Named("cobol"); err == nil || !strings.Contains(err.Error(), "use one of go, go-table") {
		t.Errorf("got error %v for an unknown format, want the known ones", err)
	}
}

// commentLines are comments in the syntax of each format, "" for a format whose files cannot have lines of
// the user.
var commentLines = map[string]string{
	"go": "// mine\n", "go-table": "// mine\n", "hurl": "# mine\n", "pytest": "# mine\n", "node": "// mine\n",
	"junit5": "// mine\n", "k6": "// mine\n", "curl": "# mine\n", "http": "# mine\n", "postman": "", "bruno": "", "har": "", "arazzo": "",
}

// An update changes the regions of a file and keeps the user's lines between them.
func TestUpdatesKeepOtherLines(t *testing.T) {
	for _, f := range format.Formats {
		line, known := commentLines[f.Name]
		if !known {
			t.Errorf("%s is not in commentLines: add a comment of its files", f.Name)
		}
		if line == "" {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			dir := t.TempDir()
			path, made, err := f.Write(dir, shop(), false)
			if err != nil {
				t.Fatal(err)
			}
			edited := strings.Replace(string(made.Text), "201", "299", 1) + line
			if err := os.WriteFile(path, []byte(edited), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, _, err := f.Write(dir, shop(), false); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if want := string(made.Text) + line; err != nil || string(got) != want {
				t.Errorf("got, %v,\n%s\nwant\n%s", err, got, want)
			}
			if _, _, err := f.Write(dir, shop(), true); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != string(made.Text) {
				t.Errorf("with force: got, %v,\n%s\nwant\n%s", err, got, made.Text)
			}
		})
	}
}

// If an existing file has no regions, an export without force changes neither this file nor any other file.
func TestFilesWithoutRegionsRemain(t *testing.T) {
	for _, f := range format.Formats {
		t.Run(f.Name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, f.TestsFile)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, _, err := f.Write(dir, shop(), false); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "--force") {
				t.Errorf("got error %v, want fs.ErrExist with --force", err)
			}
			entries, err := os.ReadDir(dir)
			if text, _ := os.ReadFile(path); string(text) != "mine" || err != nil || len(entries) != 1 {
				t.Errorf("got %q and %d files, %v, want the file as it was", text, len(entries), err)
			}
			if _, _, err := f.Write(dir, shop(), true); err != nil {
				t.Errorf("with force: %v", err)
			}
		})
	}
}

// Both Go formats declare the same helpers, so a folder can have only one of them.
func TestFormatsForGoExcludeEachOther(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := named(t, "go").Write(dir, shop(), false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := named(t, "go-table").Write(dir, shop(), false); err == nil || !strings.Contains(err.Error(), "name another folder") {
		t.Errorf("got error %v, want another folder to be asked for", err)
	}
	if _, _, err := named(t, "hurl").Write(dir, shop(), false); err != nil {
		t.Errorf("Hurl beside Go: %v", err)
	}
}

// Tests of faults are written to a separate file. FaultMode decides whether they are skipped.
func TestFaultsHaveTheirFile(t *testing.T) {
	s := shop()
	failing := s.Tests[0]
	failing.Calls = append(failing.Calls[:1:1], model.Call{Op: "GET /orders/{id}", Status: 500, Args: failing.Calls[1].Args})
	failing.Checks = nil
	s.Faults = []model.Fault{{
		Op: "GET /orders/{id}", Oracle: model.ServerErrorOracle, Severity: model.SeverityError, Status: 500,
		Verdict: model.VerdictReproducible, Expected: "a status below 500", Test: &failing,
	}}
	s.FaultMode = export.SkipFaults
	for name, want := range map[string]string{
		"go":     `t.Skip("a fault of the service: server-error")`,
		"hurl":   "skip: true",
		"pytest": `@pytest.mark.skip(reason="a fault of the service: server-error")`,
		"node":   `{ skip: "a fault of the service: server-error" }`,
		"junit5": `@Disabled("a fault of the service: server-error")`,
		"curl":   "skip 'a fault of the service: server-error'",
		"http":   "# @disabled",
	} {
		t.Run(name, func(t *testing.T) {
			f := named(t, name)
			made, err := f.Generate(s)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(made.Files, func(file export.OutputFile) bool { return file.Name == f.FaultsFile })
			if i < 0 || len(made.Faults) != 1 {
				t.Fatalf("got the faults %q in %d files, want one in %s", made.Faults, len(made.Files), f.FaultsFile)
			}
			if text := string(made.Files[i].Text); !strings.Contains(text, want) {
				t.Errorf("no %s in\n%s", want, text)
			}
		})
	}
}
