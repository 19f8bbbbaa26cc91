package match

import (
	"slices"
	"strings"
	"testing"
)

func TestSingular(t *testing.T) {
	tests := map[string]string{
		"products": "product", "Products": "product", "product": "product",
		"categories": "category", "category": "category", "movies": "movie",
		"boxes": "box", "branches": "branch", "addresses": "address", "address": "address",
		"statuses": "status", "status": "status", "buses": "bus", "bus": "bus",
		"cases": "case", "houses": "house", "licenses": "license", "prices": "price",
		"heroes": "hero", "shoes": "shoe", "videos": "video", "photos": "photo",
		"people": "person", "children": "child", "news": "news", "series": "series",
		"analysis": "analysis", "analyses": "analysis", "data": "data", "gas": "gas",
		"launches": "launch", "crew": "crew", "keys": "key", "quizzes": "quiz", "": "",
		"aliases": "alias", "alias": "alias", "canvas": "canvas", "caches": "cache", "databases": "database",
	}
	for plural, want := range tests {
		if got := Singular(plural); got != want {
			t.Errorf("Singular(%q) = %q, want %q", plural, got, want)
		}
		if again := Singular(want); again != want {
			t.Errorf("Singular(%q) = %q, want it unchanged", want, again)
		}
	}
}

// A prefix is a word with which at least a third of all names begin. If there are several such words, the most frequent
// is the prefix. Of equally frequent words, the alphabetically first is the prefix.
func TestPrefix(t *testing.T) {
	names := func(n int, prefix string) (all [][]string) {
		for range n {
			all = append(all, []string{prefix, "a"})
		}
		return all
	}
	even := slices.Concat(names(6, "objs"), names(6, "api"), names(6, "x"))
	tests := []struct {
		about string
		names [][]string
		known string
		want  string
	}{
		{"the most frequent", slices.Concat(names(6, "api"), names(7, "objs")), "", "objs"},
		{"equally frequent", even, "", "api"},
		{"a known name", even, "api", "objs"},
		{"a whole name", slices.Concat(names(7, "api"), [][]string{{"api"}}, names(6, "objs")), "", "objs"},
		{"less than a third", slices.Concat(names(5, "api"), names(11, "b")), "b", ""},
		{"too few", names(4, "api"), "", ""},
	}
	for _, tt := range tests {
		for range 20 { // each iteration may visit the entries of a map in another order
			if got := prefixOf(tt.names, map[string]bool{tt.known: true}); got != tt.want {
				t.Errorf("%s: got %q, want %q", tt.about, got, tt.want)
				break
			}
		}
	}
}

func TestWords(t *testing.T) {
	tests := map[string][]string{
		"productId": {"product", "id"}, "product_id": {"product", "id"}, "ProductID": {"product", "id"},
		"PRODUCT-ID": {"product", "id"}, "HTTPServer": {"http", "server"}, "address2Id": {"address2", "id"},
		"_id": {"id"}, "$oid": {"oid"}, "élanVital": {"élan", "vital"}, "--": nil, "": nil,
	}
	for name, want := range tests {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("words(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestEntityNames(t *testing.T) {
	tests := []struct {
		field string
		want  []string
	}{
		{"productId", []string{"product"}},
		{"mainProductId", []string{"mainproduct", "product"}},
		{"productsId", []string{"product"}},
		{"productid", []string{"product"}},
		{"product", []string{"product"}},
		{"shoppingCart", []string{"shoppingcart"}},
		{"couponCode", []string{"coupon"}},
		{"customerName", []string{"customername"}},
		{"id", nil},
		{"_id", nil},
		{"code", nil},
		{"uuid", nil},
		{"name", nil},
		{"", nil},
		{"-", nil},
	}
	for _, tt := range tests {
		if got := entityNames(tt.field); !slices.Equal(got, tt.want) {
			t.Errorf("things(%q) = %q, want %q", tt.field, got, tt.want)
		}
	}
}

func TestEntityName(t *testing.T) {
	tests := map[string]string{
		"products": "product", "shopping-carts": "shoppingcart", "shoppingCarts": "shoppingcart",
		"order_items": "orderitem", "": "", "-": "",
	}
	for resource, want := range tests {
		if got := EntityName(resource); got != want {
			t.Errorf("EntityName(%q) = %q, want %q", resource, got, want)
		}
	}
}

func TestResource(t *testing.T) {
	tests := map[string]string{
		"/products": "products", "/products/{id}": "products", "/carts/{id}/items/": "items",
		"/products.json": "products", "/products.{format}": "products", "/{id}": "", "": "", "/": "",
		"products/{a}-{b}": "products", "/v1/x.y": "x.y", "/.json": ".json",
		"/users/register": "users", "/users/{id}/orders/create": "orders", "/register": "register", "/new/add": "add",
	}
	for path, want := range tests {
		if got := ResourceName(path); got != want {
			t.Errorf("Resource(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestNouns(t *testing.T) {
	for name, want := range map[string]string{
		"userGroups": "user group", "user-groups": "user group", "Api2010Calls": "api2010 call", "categories": "category", "/": "",
	} {
		if got := strings.Join(Nouns(name), " "); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestEntityNouns(t *testing.T) {
	for name, want := range map[string]string{
		"fromAccountId": "from account", "userName": "user", "users": "user", "id": "id", "petid": "petid", "": "",
	} {
		if got := strings.Join(EntityNouns(name), " "); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestIsAction(t *testing.T) {
	for word, want := range map[string]bool{"search": true, "create": true, "register": true, "orders": false, "": false} {
		if IsAction(word) != want {
			t.Errorf("%s: got %t", word, !want)
		}
	}
}
