package export

import (
	"go/token"
	"strings"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

func TestDeedNames(t *testing.T) {
	tests := []struct{ op, want string }{
		{"POST /products", "CreateProduct"},
		{"POST /api/v1/categories", "CreateCategory"},
		{"POST /products/{id}/reviews", "CreateReview"},
		{"POST /pet", "CreatePet"},
		{"POST /pet/{petId}", "PostPet"},
		{"POST /pet/{petId}/uploadImage", "UploadImage"},
		{"POST /orders/{id}/pay", "PayOrder"},
		{"PUT /orders/{id}/cancel", "CancelOrder"},
		{"POST /orders/{id}/payment", "CreatePayment"},
		{"POST /orders/{id}:cancel", "CancelOrder"},
		{"POST /orders:batchGet", "BatchGet"},
		{"POST /carts/{id}/add-item", "AddItem"},
		{"POST /test-results", "CreateTestResult"},
		{"POST /import-jobs", "CreateImportJob"},
		{"POST /auth/login", "Login"},
		{"POST /products/search", "SearchProducts"},
		{"POST /products/create", "CreateProducts"},
		{"POST /create", "Create"},
		{"GET /products", "ListProducts"},
		{"GET /products/{id}", "GetProduct"},
		{"GET /products/id/{id}", "GetProduct"},
		{"GET /{id}", "GetID"},
		{"GET /products/{id}/price", "GetPrice"},
		{"GET /products/{id}/status", "GetStatus"},
		{"GET /addresses/{id}", "GetAddress"},
		{"GET /boxes/{id}", "GetBox"},
		{"GET /movies/{id}", "GetMovie"},
		{"GET /people/{id}", "GetPerson"},
		{"GET /analyses/{id}", "GetAnalysis"},
		{"GET /pets/findByStatus", "FindByStatus"},
		{"GET /health", "GetHealth"},
		{"GET /", "GetRoot"},
		{"GET /{owner}/{repo}", "GetRepo"},
		{"GET /Products({id})", "GetProduct"},
		{"GET /files/{id}.json", "GetFile"},
		{"GET /swagger.json", "GetSwaggerJSON"},
		{"GET /find?by=name", "Find"},
		{"PUT /stock/{sku}", "PutStock"},
		{"PATCH /HTTPServers/{id}", "UpdateHTTPServer"},
		{"DELETE /products/{id}", "DeleteProduct"},
		{"DELETE /products", "DeleteProducts"},
		{"DELETE /orders/{id}/cancel", "DeleteCancel"},
		{"HEAD /products/{id}", "HeadProduct"},
		{"PURGE /cache", "PurgeCache"},
		{"GET /产品/{id}", "Get产品"},
		{"GET /a\u202eb", "GetAB"},
		{"", "CallRoot"},
	}
	for _, tt := range tests {
		if got := describe(model.OpID(tt.op)).name(1); got != tt.want {
			t.Errorf("%q is called %s, want %s", tt.op, got, tt.want)
		}
	}
}

func TestTestNames(t *testing.T) {
	tests := []struct {
		want string
		ops  []model.OpID
	}{
		{"TestGetPrice_200", []model.OpID{"GET /products/{id}/price"}},
		{"TestCreateProductThenGetPrice_200", []model.OpID{"POST /products", "GET /products/{id}/price"}},
		{"TestCreateTwoProductsThenListProducts_200", []model.OpID{"POST /products", "POST /products", "GET /products"}},
		{
			"TestCreateProductAndReviewThenGetReview_200",
			[]model.OpID{"POST /products", "POST /products/{id}/reviews", "GET /products/{id}/reviews/{rid}"},
		},
		{"TestDeleteProductTwice_200", []model.OpID{"DELETE /products/{id}", "DELETE /products/{id}"}},
		{"TestUpdateProductThreeTimes_200", []model.OpID{"PATCH /products/{id}", "PATCH /products/{id}", "PATCH /products/{id}"}},
		{
			"TestCreateCartAndItemThenPayOrder_200",
			[]model.OpID{"POST /carts", "POST /carts/{id}/items", "POST /orders", "POST /orders/{id}/pay"},
		},
		{"TestGetAThenDeleteD_200", []model.OpID{"GET /a", "GET /b", "GET /c", "DELETE /d"}},
		{
			"TestCreateProductThenGetPriceThenCreateProduct_200",
			[]model.OpID{"POST /products", "GET /products/{id}/price", "POST /products"},
		},
	}
	for _, tt := range tests {
		if got := (names{}).test(played(tt.ops...)); got != tt.want {
			t.Errorf("%v is called %s, want %s", tt.ops, got, tt.want)
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	n := names{}
	for _, want := range []string{"TestGetPrice_200", "TestGetPrice_200_2", "TestGetPrice_200_3"} {
		if got := n.test(played("GET /price")); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestStatusIsOfTheLastReachedCall(t *testing.T) {
	test := played("POST /a", "GET /a/{id}", "DELETE /a/{id}")
	test.Calls[1].Status, test.Calls[2].Status = 404, 0
	if got, want := (names{}).test(test), "TestCreateAThenGetA_404"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func played(ops ...model.OpID) model.Test {
	var test model.Test
	for _, op := range ops {
		test.Calls = append(test.Calls, model.Call{Op: op, Status: 200})
	}
	return test
}

func TestAnyNameIsAnIdentifier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ops := rapid.SliceOfN(rapid.String(), 1, 6).Draw(t, "ops")
		var test model.Test
		for _, op := range ops {
			test.Calls = append(test.Calls, model.Call{Op: model.OpID(op), Status: 200})
		}
		name := names{}.test(test)
		if !token.IsIdentifier(name) || !strings.HasPrefix(name, "Test") || len([]rune(name)) > 300 {
			t.Fatalf("%q is no name of a test", name)
		}
	})
}

func TestSingularAndPlural(t *testing.T) {
	for one, many := range map[string]string{
		"product": "products", "category": "categories", "key": "keys", "box": "boxes", "branch": "branches",
		"address": "addresses", "status": "statuses", "bus": "buses", "person": "people", "series": "series",
		"price": "prices", "house": "houses", "size": "sizes", "cookie": "cookies", "analysis": "analyses", "news": "news",
		"shoe": "shoes", "hero": "heroes", "alias": "aliases", "quiz": "quizzes", "photo": "photos", "shelf": "shelves",
	} {
		if got := singular(many); got != one {
			t.Errorf("singular(%q) = %q, want %q", many, got, one)
		}
		if got := plural(one); got != many {
			t.Errorf("plural(%q) = %q, want %q", one, got, many)
		}
		if got := singular(one); got != one {
			t.Errorf("singular(%q) = %q, want it unchanged", one, got)
		}
	}
}

// The user's name for a test becomes the name of its function, after changes that make it an identifier.
func TestNameByPerson(t *testing.T) {
	used := names{}
	for _, c := range []struct{ name, want string }{
		{"Pay an order twice", "TestPayAnOrderTwice"},
		{"TestRefund_409", "TestRefund_409"},
		{"refund_409", "TestRefund_409_2"},
		{"  ", "TestGetHealth_200"},
		{"7 x \u202e!", "Test7X"},
		{"Übung", "TestÜbung"},
		{"!", "TestGetHealth_200_2"},
		{"Test", "TestGetHealth_200_3"},
	} {
		test := model.Test{Name: c.name, Calls: []model.Call{{Op: "GET /health", Status: 200}}}
		if got := used.test(test); got != c.want {
			t.Errorf("%q: %s, want %s", c.name, got, c.want)
		}
	}
}
