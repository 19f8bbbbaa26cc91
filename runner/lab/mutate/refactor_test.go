package mutate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each refactoring makes exactly the changes in the table, and all of them compile.
func TestRefactorings(t *testing.T) {
	const head = `package shop

import (
	"errors"
	"net/http"
)

var _ = errors.New

func get(url string) (int, error) {
	r, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	return r.StatusCode, nil
}
func rate() (int, error) { return get("http://rates.example/v1/euro?x=1") }
func stock(id string) (int, error) { return get("http://stock.example/items/" + id) }
func pay() (*http.Response, error) { return send("POST", "/charges") }
func send(method, path string) (*http.Response, error) {
	r, err := http.NewRequest(method, "http://pay.example"+path, nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(r)
}

`
	for _, c := range []struct {
		operator Operator
		body     string
		want     []string // in the function f
	}{
		{Reordered, `func f() int { a, _ := rate(); b, _ := stock("x"); return a + b }`, []string{
			`a, _ := rate(); b, _ := stock("x") => b, _ := stock("x"); a, _ := rate()`,
		}},
		{Reordered, `func f() int { a, _ := rate(); b, _ := stock(string(rune(a))); return b }`, nil},
		{Reordered, `func f() { println(1); println(2) }`, nil},
		{Repeated, `func f() int { a, _ := rate(); return a }`, []string{"rate() => rate(); rate()"}},
		{Repeated, `func f() { r, _ := pay(); println(r) }`, nil},
		{Repeated, `func f() { r, _ := send("GET", "/a"); println(r) }`, []string{
			`send("GET", "/a") => send("GET", "/a"); send("GET", "/a")`,
		}},
		{Repeated, `func f() { r, _ := send("DELETE", "/a"); println(r) }`, nil},
		{Repeated, `func f(m string) { r, _ := http.NewRequest(m, "http://a.example", nil);` +
			` c := http.DefaultClient; _, _ = c.Do(r) }`, nil},
		{Repeated, `func f() { r, _ := http.NewRequest("GET", "http://a.example", nil);` +
			` c := http.DefaultClient; s, _ := c.Do(r); println(s) }`, []string{
			"c.Do(r) => c.Do(r); c.Do(r)",
		}},
		{Renamed, `func f() { send("GET", "/carts/7/items/") }`, []string{`"/carts/7/items/" => "/carts/7/items2/"`}},
		{Renamed, `func f() { http.Get("http://a.example/x"); http.Get("http://b.example"); println("/no") }`, []string{
			`"http://a.example/x" => "http://a.example/x2"`,
		}},
		{Extracted, `func f(a int) (int, error) { if a > 1 { return a, nil }; return rate() }`, []string{
			"return a, nil => return func() (int, error) { return a, nil }()",
			"return rate() => return func() (int, error) { return rate() }()",
		}},
		{Inverted, `func f(a int) int { if a > 1 { a++ } else { a-- }; if a > 2 { a = 0 } else if a > 3 { a = 1 }; return a }`, []string{
			"if a > 1 => if !(a > 1) with its branches exchanged",
		}},
	} {
		var own []Mutant
		for _, m := range mutantsOf(t, head+c.body, c.operator) {
			if m.Func == "f" {
				own = append(own, m)
			}
		}
		if diff := cmp.Diff(c.want, shown(own)); diff != "" {
			t.Errorf("%s in %s:\n%s", c.operator, c.body, diff)
		}
	}
}
