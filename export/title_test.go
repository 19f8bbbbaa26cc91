package export

import (
	"slices"
	"testing"

	"sonde/model"
)

// Titles describe the tests. Two tests are distinguished by words if possible, otherwise by numbers.
func TestTitles(t *testing.T) {
	call := func(op model.OpID, status int, user, body string) model.Test {
		c := model.Call{Op: op, Status: status, User: user}
		if body != "" {
			c.Body = &model.Payload{Media: "application/json", Data: body}
		}
		return model.Test{ID: "t", Calls: []model.Call{c}}
	}
	query := call("GET /orders", 200, "", "")
	query.Calls[0].Args = []model.Arg{{In: model.InQuery, Name: "max-price", Value: "1"}}
	linked := call("GET /orders/{id}", 404, "", "")
	linked.Calls = append([]model.Call{{Op: "DELETE /orders/{id}", Status: 204}}, linked.Calls...)
	linked.Links = []model.Link{{From: 0, To: 1, Param: "id", In: model.InPath, Name: "id"}}
	named := call("GET /orders", 200, "", "")
	named.Name = "All orders"
	s := Suite{Tests: []model.Test{
		call("GET /orders/{id}", 404, "", ""), linked,
		call("POST /products", 201, "ann", `{"name":"x","price":1}`),
		call("POST /products", 400, "ann", `{"name":"x","price":-1}`), call("POST /products", 400, "ann", `{"price":1}`),
		call("POST /products", 400, "ann", `{"name":"","price":1}`), call("POST /products", 422, "ann", `{"name":"x","price":"1"}`),
		call("POST /products", 401, "", `{"name":"x","price":1}`), call("POST /products", 403, "bob", `{"name":"x","price":1}`),
		call("GET /orders", 200, "", ""), query, call("GET /orders", 200, "ann", ""), call("GET /orders", 200, "ann", ""), named,
	}}
	want := []string{
		"TestGetOrder_missing_404", "TestDeleteOrderThenGetOrder_404",
		"TestCreateProduct_201",
		"TestCreateProduct_negativePrice_400", "TestCreateProduct_withoutName_400",
		"TestCreateProduct_emptyName_400", "TestCreateProduct_textPrice_422",
		"TestCreateProduct_anonymous_401", "TestCreateProduct_asBob_403",
		"TestListOrders_200", "TestListOrders_withMaxPrice_200", "TestListOrders_asAnn_200", "TestListOrders_200_2", "TestAllOrders",
	}
	var got []string
	used := names{}
	for _, t := range s.titled().Tests {
		got = append(got, used.test(t))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
