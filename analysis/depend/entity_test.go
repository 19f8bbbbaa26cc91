package depend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
	"sonde/model/match"
)

func inventory(ops ...*model.Operation) *Inventory {
	return NewInventory(match.New(ops, match.DefaultMode), ops)
}

// takesBody gives an operation a required JSON body with the named properties.
func takesBody(names ...string) func(*model.Operation) {
	return func(o *model.Operation) {
		body(object(names...))(o)
		o.Body.Required = true
	}
}

// roles returns the roles of an entity's operations as one line.
func roles(e *ResourceEntity) string {
	text := e.Path
	for role, ops := range e.Operations {
		if len(ops) > 0 {
			text += fmt.Sprintf(" %s%q", Role(role), ops)
		}
	}
	return text
}

func TestEntities(t *testing.T) {
	for _, tt := range []struct {
		name string
		ops  []string
		want []string
	}{
		{"nothing", nil, nil},
		{
			"a collection and its elements",
			[]string{
				"GET /p", "POST /p", "GET /p/{id}", "PUT /p/{id}", "PATCH /p/{x}", "DELETE /p/{id}", "HEAD /p",
			},
			[]string{
				`/p create["POST /p"] read["GET /p" "GET /p/{id}" "HEAD /p"] update["PUT /p/{id}" "PATCH /p/{x}"] delete["DELETE /p/{id}"]`,
			},
		},
		{
			"elements alone",
			[]string{"GET /coupons/{code}", "PUT /coupons/{code}"},
			[]string{`/coupons/{code} create["PUT /coupons/{code}"] read["GET /coupons/{code}"] update["PUT /coupons/{code}"]`},
		},
		{
			"POST with the id of the client's",
			[]string{"POST /p/{name}", "GET /p/{name}"},
			[]string{`/p/{name} create["POST /p/{name}"] read["GET /p/{name}"]`},
		},
		{
			"POST that updates",
			[]string{"POST /pet", "POST /pet/{id}"},
			[]string{`/pet create["POST /pet"] update["POST /pet/{id}"]`},
		},
		{
			"an action on an element",
			[]string{"POST /orders", "POST /orders/{id}/pay", "GET /orders/{id}"},
			[]string{`/orders create["POST /orders"] read["GET /orders/{id}"] act["POST /orders/{id}/pay"]`},
		},
		{
			"custom methods",
			[]string{"GET /users/{id}", "POST /users/{id}:suspend", "POST /users:batchCreate", "GET /users:export"},
			[]string{
				`/users/{id} create["POST /users:batchCreate"] read["GET /users/{id}"] act["POST /users/{id}:suspend"]`,
				`/users:export read["GET /users:export"]`,
			},
		},
		{
			"methods after a dot",
			[]string{"POST /channels.archive", "POST /channels.create", "GET /channels.list"},
			[]string{
				`/channels.archive act["POST /channels.archive"]`,
				`/channels.create create["POST /channels.create"]`,
				`/channels.list read["GET /channels.list"]`,
			},
		},
		{"actions by PUT", []string{"PUT /orders/{id}/cancel"}, []string{`/orders/{id} act["PUT /orders/{id}/cancel"]`}},
		{
			"what an action hangs on comes later",
			[]string{"POST /orders/{id}/pay", "GET /orders"},
			[]string{`/orders read["GET /orders"] act["POST /orders/{id}/pay"]`},
		},
		{"an action on nothing", []string{"POST /login", "GET /"}, []string{`/login act["POST /login"]`, `/ read["GET /"]`}},
		{"an action named by the client", []string{"POST /run/{what}"}, []string{`/run/{what} act["POST /run/{what}"]`}},
		{
			"something with a collection is made",
			[]string{"POST /orders/{id}/payments"},
			[]string{`/orders/{id}/payments create["POST /orders/{id}/payments"]`},
		},
		{
			"something with elements is made",
			[]string{"POST /pet", "GET /pet/{id}"},
			[]string{`/pet create["POST /pet"] read["GET /pet/{id}"]`},
		},
		{
			"a word for making",
			[]string{"POST /users/register", "GET /users/{id}"},
			[]string{`/users/{id} create["POST /users/register"] read["GET /users/{id}"]`},
		},
		{
			"a part of an element",
			[]string{"GET /p/{id}/price", "PUT /p/{id}/price"},
			[]string{`/p/{id}/price read["GET /p/{id}/price"] update["PUT /p/{id}/price"]`},
		},
		{
			"ids of several parts",
			[]string{"POST /s/{a}/{b}", "GET /s/{a}/{b}/{id}"},
			[]string{`/s/{a}/{b} create["POST /s/{a}/{b}"] read["GET /s/{a}/{b}/{id}"]`},
		},
		{
			"an element at the root",
			[]string{"GET /{tenant}", "GET /{tenant}/p"},
			[]string{`/{tenant} read["GET /{tenant}"]`, `/{tenant}/p read["GET /{tenant}/p"]`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, e := range inventory(ops(tt.ops...)...).Entities {
				got = append(got, roles(e))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// A POST is a query and creates nothing if its answer is a list and its path also has a GET. This is not so if the body
// is a list, too, or if there are elements below the path.
func TestQuestions(t *testing.T) {
	lists := func(o *model.Operation) {
		o.Responses = []model.Response{
			{Status: "200", Contents: []model.Content{{Media: "application/json", Schema: list(object("total"))}}},
		}
	}
	for _, tt := range []struct {
		name string
		ops  []*model.Operation
		want string
	}{
		{
			"a question",
			[]*model.Operation{op("GET /stats", lists), op("POST /stats", lists)},
			`/stats read["GET /stats"] act["POST /stats"]`,
		},
		{
			"many at once",
			[]*model.Operation{op("GET /items", lists), op("POST /items", lists, body(list(object("total"))))},
			`/items create["POST /items"] read["GET /items"]`,
		},
		{
			"with elements",
			[]*model.Operation{op("GET /items", lists), op("POST /items", lists), op("GET /items/{id}")},
			`/items create["POST /items"] read["GET /items" "GET /items/{id}"]`,
		},
		{"without GET", []*model.Operation{op("POST /items", lists)}, `/items create["POST /items"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inv := inventory(tt.ops...)
			if got := roles(inv.Entities[0]); got != tt.want || len(inv.Entities) != 1 {
				t.Errorf("got %s and %d more, want %s", got, len(inv.Entities)-1, tt.want)
			}
		})
	}
}

// needed returns the needs of all entities as text. "/carts</products:product.id" means that a cart needs the id of a
// product.
func needed(inv *Inventory) string {
	var list []string
	for _, e := range inv.Entities {
		for _, n := range e.Needs {
			list = append(list, fmt.Sprintf("%s<%s:%s", e.Path, inv.Entities[n.Entity].Path, strings.Join(n.Values, ",")))
		}
	}
	return strings.Join(list, " ")
}

func TestNeeds(t *testing.T) {
	products := func() []*model.Operation {
		return []*model.Operation{
			op("POST /products", takesBody("sku", "name"), answers("productId", "sku", "name")),
			op("GET /products/{productId}", answers("productId", "sku")),
		}
	}
	for _, tt := range []struct {
		name string
		ops  []*model.Operation
		want string
	}{
		{
			"by the path", ops("POST /carts", "POST /carts/{id}/items", "GET /carts/{id}/items/{itemId}/notes"),
			"/carts/{id}/items</carts:cart.id /carts/{id}/items/{itemId}/notes</carts:cart.id " +
				"/carts/{id}/items/{itemId}/notes</carts/{id}/items:item.id",
		},
		{
			"by a field",
			append(products(), op("POST /carts", takesBody("productId"), answers("cartId", "productId"))),
			"/carts</products:product.id",
		},
		{
			"not by an id that another shows",
			[]*model.Operation{op("POST /parts"), op("GET /parts/{partId}"), op("POST /cars", answers("partId"))},
			"",
		},
		{"by an id in the answer of its own path", []*model.Operation{
			op("GET /parts", answers("partId")), op("GET /parts/{partId}/notes"), op("POST /cars", answers("partId")),
		}, "/parts/{partId}/notes</parts:part.id"},
		{"by a query", append(products(), op("GET /search", query("productId"))), "/search</products:product.id"},
		{"by what the client gave another", append(products(), op("GET /stock/{sku}")), "/stock/{sku}</products:product.sku"},
		{"not by a value that any client can choose", append(products(), op("POST /carts", takesBody("name"))), ""},
		{
			"not of itself",
			[]*model.Operation{op("POST /nodes", takesBody("parentId"), answers("parentId")), op("GET /nodes/{parentId}")},
			"",
		},
		{
			"from an answer, if nothing creates it",
			[]*model.Operation{op("GET /stores", answers("storeId")), op("GET /hours", query("storeId"))},
			"/hours</stores:store.id",
		},
		{"not of who has to know it already", []*model.Operation{
			op("GET /parts/{partId}", answers("partId")), op("GET /cars", answers("partId")),
		}, "/parts/{partId}</cars:part.id"},
		{"of another place of the like", ops("POST /v1/users", "GET /v2/users/{id}"), "/v2/users/{id}</v1/users:user.id"},
		{"the nearest of several", []*model.Operation{
			op("POST /a/x", answers("xId")), op("POST /b/x", answers("xId")), op("GET /b/x/{xId}"), op("GET /b/y", query("xId")),
		}, "/b/y</b/x:x.id"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := needed(inventory(tt.ops...)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// header adds a required header to an operation.
func header(name string) func(*model.Operation) {
	return func(o *model.Operation) {
		o.Params = append(o.Params, model.Parameter{Name: name, In: model.InHeader, Required: true, Schema: &model.Schema{Type: "string"}})
	}
}

func TestOutside(t *testing.T) {
	enum := func(o *model.Operation) { o.Params[0].Schema.Enum = []any{"a", "b"} }
	number := func(o *model.Operation) {
		for i := range o.Params {
			o.Params[i].Schema.Type = "number"
		}
	}
	for _, tt := range []struct {
		name string
		ops  []*model.Operation
		want string
	}{
		{"an id without a source", ops("GET /p/{id}"), "[{GET /p/{id} [p.id]}]"},
		{"an id that only it tells", []*model.Operation{op("GET /p/{id}", answers("id"))}, "[{GET /p/{id} [p.id]}]"},
		{"an id that another tells", []*model.Operation{op("GET /p", answers("id")), op("GET /p/{id}", answers("id"))}, "[]"},
		{"an id that the client chooses", ops("PUT /p/{id}", "GET /p/{id}"), "[]"},
		{"a name that the client gave", []*model.Operation{op("POST /users", takesBody("username")), op("GET /users/{username}")}, "[]"},
		{"what the document lists", []*model.Operation{op("GET /p/{id}", enum)}, "[]"},
		{"a bare number", []*model.Operation{op("GET /triangle/{a}/{b}", number)}, "[]"},
		{
			"an id that only those tell who need it",
			[]*model.Operation{op("GET /p/{id}", answers("id")), op("PUT /p/{id}/x", answers("id"))},
			"[{GET /p/{id} [p.id]} {PUT /p/{id}/x [p.id]}]",
		},
		{
			"a field",
			[]*model.Operation{op("POST /carts", takesBody("productId", "quantity")), op("GET /products")},
			"[{POST /carts [product.id]}]",
		},
		{"a field of something unknown", []*model.Operation{op("POST /carts", takesBody("productId"))}, "[]"},
		{"the own id in the body", []*model.Operation{op("POST /products", takesBody("id", "productId"))}, "[]"},
		{"a code of something unknown", []*model.Operation{op("POST /carts", takesBody("zipCode"))}, "[]"},
		{
			"a code of a thing",
			[]*model.Operation{op("POST /carts", takesBody("couponCode")), op("GET /coupons")},
			"[{POST /carts [coupon.code]}]",
		},
		{
			"a token",
			[]*model.Operation{op("GET /me", header("X-Auth-Token"), header("X-Request-Id"), header("Idempotency-Key"))},
			"[{GET /me [X-Auth-Token]}]",
		},
		{"several", []*model.Operation{op("GET /p/{a}/q/{b}")}, "[{GET /p/{a}/q/{b} [p.a q.b]}]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(inventory(tt.ops...).MissingInputs); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestSetUp(t *testing.T) {
	for _, tt := range []struct {
		name string
		ops  []*model.Operation
		want string
	}{
		{"nothing", nil, "[]"},
		{"as the document has them", ops("GET /c", "GET /a", "GET /b"), "[[0] [1] [2]]"},
		{"what is needed comes first", []*model.Operation{
			op("POST /carts", takesBody("productId")), op("GET /health"), op("POST /products", answers("productId")),
		}, "[[1] [2] [0]]"},
		{"a circle is one step", []*model.Operation{
			op("GET /z", query("aId")), op("POST /a", takesBody("bId"), answers("aId")), op("POST /b", takesBody("aId"), answers("bId")),
		}, "[[1 2] [0]]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(inventory(tt.ops...).SetUpOrder()); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestInventorySketch(t *testing.T) {
	inv := inventory(
		op("POST /a", answers("aId")), op("POST /b", takesBody("aId"), answers("bId")), op("POST /c", takesBody("bId", "aId")),
	)
	for _, tt := range []struct {
		reduce bool
		want   string
	}{
		{false, "[[0] [1] [2]] 0>1:a.id 0>2:a.id 1>2:b.id"},
		{true, "[[0] [1] [2]] 0>1:a.id 1>2:b.id"},
	} {
		s, err := inv.BoundedGraph(9, 9, tt.reduce)
		if got := drawn(s); err != nil || got != tt.want {
			t.Errorf("reduced %v: got %s, %v; want %s", tt.reduce, got, err, tt.want)
		}
	}
}

// anyAPI draws operations that take and emit the ids of a few resources.
func anyAPI(rt *rapid.T) []*model.Operation {
	ids := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"aId", "bId", "cId", "dId", "id", "name"}), 0, 3, rapid.ID[string])
	path := rapid.SampledFrom([]string{
		"/as", "/as/{aId}", "/as/{aId}/bs", "/bs", "/bs/{bId}", "/cs", "/cs/{id}", "/cs/{id}/run", "/ds/{dId}",
		"/{id}",
	})
	method := rapid.SampledFrom([]string{"GET", "POST", "PUT", "PATCH", "DELETE"})
	seen := map[string]bool{}
	var list []*model.Operation
	for range rapid.IntRange(0, 12).Draw(rt, "operations") {
		id := method.Draw(rt, "method") + " " + path.Draw(rt, "path")
		takes, emits := ids.Draw(rt, "takes"), ids.Draw(rt, "emits")
		if !seen[id] {
			seen[id] = true
			list = append(list, op(id, takesBody(takes...), answers(emits...)))
		}
	}
	return list
}

func TestEveryOperationHasItsRole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := anyAPI(rt)
		times := map[model.OpID]int{}
		for _, e := range inventory(list...).Entities {
			for role, ops := range e.Operations {
				for _, id := range ops {
					times[id]++
					if Role(role) == RoleUpdate && strings.HasPrefix(string(id), "PUT") && slices.Contains(e.Operations[RoleCreate], id) {
						times[id]--
					}
				}
			}
		}
		for _, o := range list {
			if times[o.ID] != 1 {
				rt.Fatalf("%s is %d times in the inventory", o.ID, times[o.ID])
			}
		}
		if len(times) != len(list) {
			rt.Fatalf("%d operations in the inventory, want %d", len(times), len(list))
		}
	})
}

// Each step comes after all steps whose entities it needs. If several steps are possible, the one that is first in
// the document comes next.
func TestSetUpIsInOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		inv := inventory(anyAPI(rt)...)
		steps := inv.SetUpOrder()
		done := map[int]bool{}
		can := func(step []int) bool {
			for _, k := range step {
				for _, n := range inv.Entities[k].Needs {
					if !done[n.Entity] && !slices.Contains(step, n.Entity) {
						return false
					}
				}
			}
			return true
		}
		for i, step := range steps {
			for _, later := range steps[i+1:] {
				if can(later) && later[0] < step[0] {
					rt.Fatalf("%v: %v could come before %v; needs %s", steps, later, step, needed(inv))
				}
			}
			if !can(step) {
				rt.Fatalf("%v: %v comes too early; needs %s", steps, step, needed(inv))
			}
			for _, k := range step {
				done[k] = true
			}
		}
		if len(done) != len(inv.Entities) {
			rt.Fatalf("%d entities in %v, want %d", len(done), steps, len(inv.Entities))
		}
	})
}

// Each missing input is required by its operation. If an operation emits the same value, this operation requires the
// value, too.
func TestMissingInputs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := anyAPI(rt)
		table := match.NewValuesTable(list, match.DefaultMode)
		for _, l := range inventory(list...).MissingInputs {
			for _, name := range l.Values {
				v := slices.Index(table.Names, name)
				for i, o := range table.Ops {
					switch {
					case o.ID == l.Op && !slices.Contains(table.Need[i], v):
						rt.Fatalf("%s does not need %q", l.Op, name)
					case slices.Contains(table.Out[i], v) && !slices.Contains(table.Need[i], v):
						rt.Fatalf("%s emits %q, which %s gets", o.ID, name, l.Op)
					}
				}
			}
		}
	})
}

func TestFindUnmatched(t *testing.T) {
	untaken, unemitted := FindUnmatched(match.NewValuesTable([]*model.Operation{
		op("GET /p", answers("id", "name")), op("GET /p/{id}", answers("id", "name", "price")), op("GET /q", query("page")),
	}, match.Mode{Values: match.DeepReading, Match: match.MatchByName}))
	if got, want := fmt.Sprint(untaken), "[{name [GET /p GET /p/{id}]} {price [GET /p/{id}]}]"; got != want {
		t.Errorf("untaken %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(unemitted), "[{page [GET /q]}]"; got != want {
		t.Errorf("unemitted %s, want %s", got, want)
	}
}

// The inventory is the same for a matcher by names, although such a matcher cannot find needs.
func TestInventoryOfAMatcherByNames(t *testing.T) {
	list := shop()
	got, want := NewInventory(match.New(list, match.PaperMode), list), inventory(list...)
	if needed(got) != needed(want) || needed(got) == "" || fmt.Sprint(got.MissingInputs) != fmt.Sprint(want.MissingInputs) {
		t.Errorf("got %s and %v, want %s and %v", needed(got), got.MissingInputs, needed(want), want.MissingInputs)
	}
}

func BenchmarkInventory(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		var list []*model.Operation
		for i := range n / 4 {
			r, id := fmt.Sprintf("/things%d", i), fmt.Sprintf("thing%dId", i)
			fields := answers(id, "name")
			list = append(list, op("POST "+r, takesBody("name", fmt.Sprintf("thing%dId", i/2)), fields), op("GET "+r, fields),
				op(fmt.Sprintf("GET %s/{%s}", r, id), fields), op(fmt.Sprintf("PUT %s/{%s}", r, id), fields))
		}
		m := match.New(list, match.DefaultMode)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				NewInventory(m, list).SetUpOrder()
			}
		})
	}
}
