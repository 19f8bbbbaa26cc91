package match

import (
	"encoding/json"
	"strings"
	"testing"
)

func decode(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("decode %s: %v", text, err)
	}
	return v
}

func TestField(t *testing.T) {
	const none = "none"
	tests := []struct {
		name, param, resource, body, want string
	}{
		{"exact name", "id", "products", `{"id":7,"name":"boot"}`, "/id"},
		{"exact beats id", "productId", "products", `{"id":7,"productId":8}`, "/productId"},
		{"case and underscore", "productId", "products", `{"product_id":8,"name":"x"}`, "/product_id"},
		{"dash", "product-id", "products", `{"productId":8}`, "/productId"},
		{"id of the resource", "productId", "products", `{"id":7,"categoryId":8}`, "/id"},
		{"id though the parameter says whose", "userId", "members", `{"id":7,"name":"x"}`, "/id"},
		{"resource and id", "id", "products", `{"productId":8,"categoryId":9}`, "/productId"},
		{"resource and id for an abbreviation", "pid", "categories", `{"categoryId":8,"ownerId":9}`, "/categoryId"},
		{"mongo", "id", "launches", `{"_id":"5eb","name":"x"}`, "/_id"},
		{"uuid", "productId", "products", `{"uuid":"u-1","status":"new"}`, "/uuid"},
		{"id beats uuid", "productId", "products", `{"uuid":"u-1","id":3}`, "/id"},
		{"code", "coupon", "coupons", `{"code":"X1","percent":5}`, "/code"},
		{"key", "token", "tokens", `{"key":"k","until":5}`, "/key"},
		{"name for a parameter so named", "productName", "products", `{"id":1,"name":"boot"}`, "/name"},
		{"no name for another", "productId", "products", `{"name":"boot"}`, none},
		{"the name alone", "name", "products", `{"id":1,"name":"boot"}`, "/name"},
		{"username", "username", "users", `{"userId":1,"name":"ann"}`, "/name"},
		{"sku", "sku", "items", `{"skuId":"1","id":3}`, "/skuId"},
		{"wrapped in data", "id", "products", `{"status":"ok","data":{"id":7}}`, "/data/id"},
		{"wrapped in the resource", "productId", "products", `{"meta":{"id":1},"product":{"id":7}}`, "/product/id"},
		{"the only field wraps", "id", "products", `{"thing":{"id":7}}`, "/thing/id"},
		{"another's id", "id", "products", `{"name":"x","owner":{"id":7}}`, none},
		{"own id beside another's", "id", "products", `{"owner":{"id":7},"id":3}`, "/id"},
		{"the very name anywhere", "productId", "carts", `{"name":"x","first":{"productId":7}}`, "/first/productId"},
		{"status code is not the id", "id", "products", `{"code":201,"data":{"id":7}}`, "/data/id"},
		{"status code is not the abbreviation", "pid", "products", `{"code":201,"data":{"id":7}}`, "/data/id"},
		{"list", "id", "products", `[{"id":7},{"id":8}]`, "/0/id"},
		{"wrapped list", "id", "products", `{"total":1,"items":[{"id":7}]}`, "/items/0/id"},
		{"list of ids", "id", "products", `["a1","a2"]`, "/0"},
		{"list of names", "product", "products", `{"total":2,"products":["boot","tent"]}`, "/products/0"},
		{"list of something else", "product", "products", `{"total":2,"tags":["boot","tent"]}`, none},
		{"empty list", "id", "products", `[]`, none},
		{"only the value", "id", "products", `42`, ""},
		{"only the value, a string", "id", "products", `"5eb8-aa"`, ""},
		{"a message is no id", "id", "products", `"created"`, none},
		{"a sentence is no id", "id", "products", `"created 1 product"`, none},
		{"null", "id", "products", `{"id":null}`, none},
		{"fraction", "id", "products", `{"id":1.5}`, none},
		{"empty string", "id", "products", `{"id":"","uuid":"u"}`, "/uuid"},
		{"a great number", "id", "products", `{"id":123456789012345678901234567890}`, "/id"},
		{"escaped pointer", "a/b~c", "", `{"a/b~c":"1"}`, "/a~1b~0c"},
		{"two equals: the first by name", "productId", "x", `{"product_id":1,"productID":2}`, "/productID"},
		{"no names", "", "", `{"":1}`, none},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := FindIDField(tt.param, tt.resource, decode(t, tt.body))
			if !ok {
				got = none
			}
			if got != tt.want {
				t.Errorf("Field(%q, %q, %s) = %q, want %q", tt.param, tt.resource, tt.body, got, tt.want)
			}
		})
	}
}

func TestFieldWithoutUseNumber(t *testing.T) {
	body := map[string]any{"id": float64(7), "rate": 0.5}
	if got, ok := FindIDField("id", "products", body); got != "/id" || !ok {
		t.Errorf("Field = %q, %v, want /id", got, ok)
	}
}

func FuzzField(f *testing.F) {
	f.Add("productId", "products", `{"data":[{"id":1}],"code":2}`)
	f.Add("a~b", "x", `{"a~b":{"a~b":"1"}}`)
	f.Add("", "", `[[1]]`)
	f.Add("ID", "é-s", `"5"`)
	f.Fuzz(func(t *testing.T, param, resource, text string) {
		var body any
		if json.Unmarshal([]byte(text), &body) != nil {
			return
		}
		pointer, ok := FindIDField(param, resource, body)
		again, _ := FindIDField(param, resource, body)
		if pointer != again {
			t.Fatalf("two answers: %q and %q", pointer, again)
		}
		if ok && !canBeID(resolve(body, pointer)) {
			t.Fatalf("Field(%q, %q, %s) = %q, which is no id", param, resource, text, pointer)
		}
	})
}

// resolve returns the value at a JSON pointer. The index of a list is always 0.
func resolve(v any, pointer string) any {
	if pointer == "" {
		return v
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		switch inner := v.(type) {
		case map[string]any:
			v = inner[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
		case []any:
			v = inner[0]
		}
	}
	return v
}
