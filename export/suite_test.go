package export

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"sonde/model"
)

// shop returns a suite such as a search of a shop produces.
func shop() Suite {
	return Suite{
		Title:   "Outdoor Gear Shop",
		BaseURL: "http://127.0.0.1:8080",
		Reset:   &model.Reset{Method: "POST", Path: "/__reset"},
		Users: []model.User{
			{Name: "ann", Header: "Authorization", Env: "SHOP_ANN", Public: "Bearer ann-demo"},
			{Name: "admin", Header: "Authorization", Env: "SHOP_ADMIN"},
			{Name: "idle", Header: "Authorization", Env: "SHOP_IDLE"},
		},
		Command: "sonde export run --pick t1,t2,t3,t4,t5 -o sonde-tests",
		Tests:   []model.Test{priced(), paid(), refused(), stocked(), {ID: "t5", Calls: []model.Call{{Op: "GET /orders"}}}},
	}
}

func priced() model.Test {
	return model.Test{
		ID: "t1",
		Calls: []model.Call{
			{Op: "POST /products", Body: jsonBody(`{"name":"Tent","price":12.50}`), User: "admin", Status: 201},
			{Op: "GET /products/{id}/price", Args: []model.Arg{inPath("id", "1"), inQuery("currency", "EUR")}, Status: 404},
		},
		Links: []model.Link{{From: 0, To: 1, Header: "Location", In: model.InPath, Name: "id"}},
		Checks: []model.Check{
			present(0, "/id"), equal(0, "/name", `"Tent"`), equal(0, "/price", `12.50`), present(0, "/created"),
			equal(1, "", `{"error":"no price in EUR"}`),
		},
	}
}

func paid() model.Test {
	return model.Test{
		ID: "t2",
		Calls: []model.Call{
			{Op: "POST /customers", Status: 201, Body: jsonBody(`{"name":"Ann","email":"ann@example.com",
				"address":{"street":"Main Street 1","city":"Springfield","country":"US"},"tags":["new","vip"]}`)},
			{Op: "POST /products", Body: jsonBody(`{"name":"Tent","price":12.50}`), User: "admin", Status: 201},
			{Op: "POST /products", Body: jsonBody(`{"name":"Rope","price":3}`), User: "admin", Status: 201},
			{Op: "POST /carts", Body: jsonBody(`{"customer":7}`), User: "ann", Status: 201},
			{
				Op: "POST /carts/{cartId}/items", User: "ann", Status: 201,
				Args: []model.Arg{inPath("cartId", "1"), {In: model.InHeader, Name: "Idempotency-Key", Value: "k-1"}},
				Body: jsonBody(`{"product":1,"count":2}`),
			},
			{Op: "POST /orders", Body: jsonBody(`{"cart":1}`), User: "ann", Status: 201},
			{
				Op: "POST /orders/{id}/pay", User: "ann", Status: 500,
				Args: []model.Arg{inPath("id", "1")},
				Body: jsonBody(`{"method":"card","amount":25.00}`),
			},
			{Op: "GET /orders/{id}", Args: []model.Arg{inPath("id", "1")}},
		},
		Links: []model.Link{
			{From: 0, To: 3, Pointer: "/id", In: model.InBody, Name: "/customer"},
			{From: 3, To: 4, Header: "Location", In: model.InPath, Name: "cartId"},
			{From: 1, To: 4, Pointer: "/id", In: model.InBody, Name: "/product"},
			{From: 3, To: 5, Header: "Location", In: model.InBody, Name: "/cart"},
			{From: 5, To: 6, Pointer: "/id", In: model.InPath, Name: "id"},
			{From: 5, To: 7, Pointer: "/id", In: model.InPath, Name: "id"},
		},
		Checks: []model.Check{equal(5, "/state", `"open"`), present(7, "/id")},
	}
}

func refused() model.Test {
	return model.Test{ID: "t3", Calls: []model.Call{
		{Op: "GET /products", Args: []model.Arg{inQuery("limit", "-1"), inQuery("sort", "name desc")}, Status: 400},
	}}
}

func stocked() model.Test {
	sku := []model.Arg{inPath("sku", "TENT/2")}
	return model.Test{
		ID: "t4",
		Calls: []model.Call{
			{Op: "PUT /stock/{sku}", Args: sku, Body: jsonBody(`{"count":3}`), User: "admin", Status: 204},
			{Op: "DELETE /stock/{sku}", Args: []model.Arg{inPath("sku", "x")}, User: "admin", Status: 204},
			{Op: "GET /stock/{sku}", Args: []model.Arg{inPath("sku", "x")}, Status: 404},
		},
		Links: []model.Link{
			{From: 0, To: 1, Param: "sku", In: model.InPath, Name: "sku"},
			{From: 1, To: 2, Param: "sku", In: model.InPath, Name: "sku"},
		},
	}
}

func jsonBody(data string) *model.Payload {
	return &model.Payload{Media: "application/json", Data: data}
}

func inPath(name, value string) model.Arg {
	return model.Arg{In: model.InPath, Name: name, Value: value}
}

func inQuery(name, value string) model.Arg {
	return model.Arg{In: model.InQuery, Name: name, Value: value}
}

func equal(call int, pointer, value string) model.Check {
	return model.Check{Call: call, Pointer: pointer, Equals: json.RawMessage(value)}
}

func present(call int, pointer string) model.Check {
	return model.Check{Call: call, Pointer: pointer}
}

func TestEmptySuites(t *testing.T) {
	unplayed := model.Test{ID: "t1", Calls: []model.Call{{Op: "GET /a"}}}
	for name, tests := range map[string][]model.Test{
		"no test": nil, "no call": {{ID: "t1"}}, "no call reached": {unplayed, unplayed},
	} {
		if _, err := GoFile(Suite{Tests: tests}); !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: got error %v, want %v", name, err, ErrEmpty)
		}
	}
}

func TestSuitesThatDoNotFitTogether(t *testing.T) {
	two := []model.Call{{Op: "POST /a", Status: 201}, {Op: "GET /a/{id}", Status: 200}}
	link := func(from, to int) []model.Link {
		return []model.Link{{From: from, To: to, Pointer: "/id", In: model.InPath, Name: "id"}}
	}
	tests := map[string]struct {
		test model.Test
		want string
	}{
		"link backwards": {model.Test{Calls: two, Links: link(1, 0)}, "link 0 goes from call 1 to call 0 of 2"},
		"link to itself": {model.Test{Calls: two, Links: link(1, 1)}, "link 0 goes from call 1 to call 1 of 2"},
		"link too far":   {model.Test{Calls: two, Links: link(0, 2)}, "link 0 goes from call 0 to call 2 of 2"},
		"link below":     {model.Test{Calls: two, Links: link(-1, 0)}, "link 0 goes from call -1 to call 0 of 2"},
		"open link":      {model.Test{Calls: two, Links: []model.Link{{From: 0, To: 1}}}, "link 0 is open: run the test first"},
		"check too far":  {model.Test{Calls: two, Checks: []model.Check{present(2, "")}}, "check 0 is of call 2 of 2"},
		"check no JSON":  {model.Test{Calls: two, Checks: []model.Check{equal(1, "", "{")}}, `check 0 wants "{", which is not JSON`},
		"unknown user": {
			model.Test{Calls: []model.Call{{Op: "GET /a", User: "eve", Status: 200}}},
			`it calls as "eve", which is not a user of the suite`,
		},
		"no credential": {
			model.Test{Calls: []model.Call{{Op: "GET /a", User: "bob", Status: 200}}},
			`it calls as "bob": name the environment variable with the credential`,
		},
	}
	for name, tt := range tests {
		tt.test.ID = "t9"
		_, err := GoFile(Suite{Tests: []model.Test{tt.test}, Users: []model.User{{Name: "bob", Header: "X"}}})
		if want := `test "t9" cannot be exported: ` + tt.want; err == nil || err.Error() != want {
			t.Errorf("%s: got error %v, want %s", name, err, want)
		}
	}
}

func TestOnlyWhatIsUsedIsWritten(t *testing.T) {
	text, err := GoFile(Suite{Tests: []model.Test{refused()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, unwanted := range []string{
		"withJSON", "users", "session", "secret", "service.", "program", "run(", "reset(", "reflect", "wantJSON",
		"idIn", "type value", "strconv",
	} {
		if strings.Contains(string(text), unwanted) {
			t.Errorf("a suite of one GET has %q in its file", unwanted)
		}
	}
}

func TestNoSecretIsWritten(t *testing.T) {
	s := shop()
	s.BaseURL = "https://me:hush@shop.example/api"
	s.Command = "sonde search --url https://me:hush@shop.example/api"
	t.Setenv("SHOP_ADMIN", "Bearer hush")
	text, err := GoFile(s)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "hush") {
		t.Errorf("the file has a secret in it:\n%s", text)
	}
	if want := `defaultURL = "https://shop.example/api"`; !strings.Contains(string(text), want) {
		t.Errorf("the file lacks %s:\n%s", want, text)
	}
}
