package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/runner/testdata/port"
)

// spec describes the shop that the function service starts.
var spec = &model.Spec{Operations: []*model.Operation{
	op("POST", "/carts"), op("POST", "/products"), op("POST", "/carts/{cartId}/items"),
	op("GET", "/carts/{cartId}"), op("PUT", "/coupons/{code}"), op("GET", "/coupons/{coupon}"), op("GET", "/big"), op("GET", "/away"),
}}

func op(method, path string) *model.Operation {
	return &model.Operation{ID: model.OpID(method + " " + path), Method: method, Path: path}
}

// service starts a service that records the requests.
func service(t *testing.T) (base string, asked *[]string) {
	asked = new([]string)
	mux := http.NewServeMux()
	answer := func(pattern string, status int, location, body string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			if location != "" {
				w.Header().Set("Location", location)
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
	answer("POST /carts", 201, "/carts/c%201", "")
	answer("POST /products", 201, "", `{"productId":12345678901234567890,"name":"tent"}`)
	answer("POST /carts/{id}/items", 200, "", "{}")
	answer("GET /carts/{id}", 404, "", "no")
	answer("PUT /coupons/{code}", 200, "", "")
	answer("GET /coupons/{code}", 200, "", "")
	answer("GET /big", 200, "", strings.Repeat("x", 100))
	answer("GET /away", 302, "http://example.com/", "")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, r.ContentLength)
		r.Body.Read(body)
		*asked = append(*asked, strings.TrimSpace(r.Method+" "+r.URL.EscapedPath()+" "+string(body)))
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func open(t *testing.T, base string, o client.Options) *client.Client {
	t.Helper()
	c, err := client.New(base, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func statuses(t model.Test) []int {
	var out []int
	for _, c := range t.Calls {
		out = append(out, c.Status)
	}
	return out
}

// A test continues after a failed call only if all links from the call are optional.
func TestPlayContinuesAfterOptionalLinks(t *testing.T) {
	for loose, want := range map[bool][]int{true: {404, 200}, false: {404, 0}} {
		base, _ := service(t)
		played, _ := open(t, base, client.Options{}).PlayTest(context.Background(), spec, model.Test{
			Calls: []model.Call{
				{Op: "GET /carts/{cartId}", Args: []model.Arg{{In: model.InPath, Name: "cartId", Value: "1"}}},
				{Op: "POST /carts/{cartId}/items", Args: []model.Arg{{In: model.InPath, Name: "cartId", Value: "1"}}},
			},
			Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "cartId", Optional: loose}},
		})
		if got := statuses(played); !slices.Equal(got, want) {
			t.Errorf("loose %v: %v, want %v", loose, got, want)
		}
	}
}

func TestPlayCarriesValues(t *testing.T) {
	base, asked := service(t)
	test := model.Test{
		Calls: []model.Call{
			{Op: "POST /carts"},
			{Op: "POST /products"},
			{
				Op:   "POST /carts/{cartId}/items",
				Args: []model.Arg{{In: model.InPath, Name: "cartId", Value: "own"}},
				Body: &model.Payload{Media: "application/json", Data: `{"productId":1,"quantity":2}`},
			},
		},
		Links: []model.Link{
			{From: 0, To: 2, In: model.InPath, Name: "cartId"},
			{From: 1, To: 2, In: model.InBody, Name: "/productId"},
		},
	}
	played, results := open(t, base, client.Options{}).PlayTest(context.Background(), spec, test)
	want := []string{"POST /carts", "POST /products", `POST /carts/c%201/items {"productId":12345678901234567890,"quantity":2}`}
	if !slices.Equal(*asked, want) {
		t.Errorf("asked %q, want %q", *asked, want)
	}
	if got := statuses(played); !slices.Equal(got, []int{201, 201, 200}) || !results[2].Linked {
		t.Errorf("statuses %v, linked %v", got, results[2].Linked)
	}
	if l := played.Links; len(l) != 2 || l[0].Header != "Location" || l[1].Pointer != "/productId" {
		t.Errorf("links not closed: %+v", l)
	}
	if played.Calls[2].Args[0].Value != "own" {
		t.Error("a value of one run must not enter the test")
	}
	*asked = nil
	open(t, base, client.Options{}).PlayTest(context.Background(), spec, played)
	if !slices.Equal(*asked, want) {
		t.Errorf("replayed %q, want %q", *asked, want)
	}
}

func TestPlayCarriesTheClientsOwnID(t *testing.T) {
	base, asked := service(t)
	test := model.Test{
		Calls: []model.Call{
			{Op: "PUT /coupons/{code}", Args: []model.Arg{{In: model.InPath, Name: "code", Value: "SALE"}}},
			{Op: "GET /coupons/{coupon}", Args: []model.Arg{{In: model.InPath, Name: "coupon", Value: "x"}}},
			{Op: "GET /coupons/{coupon}", Args: []model.Arg{{In: model.InPath, Name: "coupon", Value: "y"}}},
		},
		Links: []model.Link{
			{From: 0, To: 1, Param: "code", In: model.InPath, Name: "coupon"},
			{From: 1, To: 2, Param: "coupon", In: model.InPath, Name: "coupon"},
		},
	}
	open(t, base, client.Options{}).PlayTest(context.Background(), spec, test)
	if want := []string{"PUT /coupons/SALE", "GET /coupons/SALE", "GET /coupons/SALE"}; !slices.Equal(*asked, want) {
		t.Errorf("asked %q, want %q", *asked, want)
	}
}

// A value from a Location is text. It becomes a number if it replaces a number.
func TestPlayKeepsNumbersNumbers(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`{"n":1}`, `{"n":12}`}, {`{"n":"1"}`, `{"n":"12"}`}, {`{}`, `{"n":"12"}`},
	} {
		asked := ""
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			asked = string(body)
			w.Header().Set("Location", "/products/12")
		}))
		test := model.Test{
			Calls: []model.Call{{Op: "POST /products"}, {Op: "POST /carts", Body: &model.Payload{Media: "application/json", Data: c.body}}},
			Links: []model.Link{{From: 0, To: 1, In: model.InBody, Name: "/n"}},
		}
		open(t, s.URL, client.Options{}).PlayTest(context.Background(), spec, test)
		s.Close()
		if asked != c.want {
			t.Errorf("%s became %s, want %s", c.body, asked, c.want)
		}
	}
}

func TestPlayStops(t *testing.T) {
	get := model.Call{Op: "GET /carts/{cartId}"}
	link := []model.Link{{From: 0, To: 1, In: model.InPath, Name: "cartId"}}
	t.Run("after a failed creation", func(t *testing.T) {
		base, asked := service(t)
		played, results := open(
			t, base, client.Options{},
		).PlayTest(context.Background(), spec, model.Test{Calls: []model.Call{get, get}, Links: link})
		if len(*asked) != 1 || len(results) != 1 || !slices.Equal(statuses(played), []int{404, 0}) {
			t.Errorf("asked %q, statuses %v", *asked, statuses(played))
		}
	})
	t.Run("not after a failure that nothing depends on", func(t *testing.T) {
		base, asked := service(t)
		open(t, base, client.Options{}).PlayTest(context.Background(), spec, model.Test{Calls: []model.Call{get, get}})
		if len(*asked) != 2 {
			t.Errorf("asked %q, want both", *asked)
		}
	})
	t.Run("at the end of the budget", func(t *testing.T) {
		base, asked := service(t)
		left := 1
		take := func() bool {
			left--
			return left >= 0
		}
		twice := model.Test{Calls: []model.Call{get, get}}
		played, _ := open(t, base, client.Options{TakeBudget: take}).PlayTest(context.Background(), spec, twice)
		if len(*asked) != 1 || !slices.Equal(statuses(played), []int{404, 0}) {
			t.Errorf("asked %q, statuses %v", *asked, statuses(played))
		}
	})
	t.Run("when no service answers", func(t *testing.T) {
		_, results := open(
			t, "http://"+port.Addr(), client.Options{},
		).PlayTest(context.Background(), spec, model.Test{Calls: []model.Call{get, get}})
		if len(results) != 1 || results[0].Exchange.Err == nil {
			t.Errorf("results %+v, want one with an error", results)
		}
	})
}

// A test with a limit of refusals ends when an operation was refused that many times in a row with the same status. A
// success, or a refusal that depends on the values, resets the count.
func TestPlayStopsAfterRefusals(t *testing.T) {
	base, asked := service(t)
	c := open(t, base, client.Options{})
	get, add := model.Call{
		Op:   "GET /carts/{cartId}",
		Args: []model.Arg{{In: model.InPath, Name: "cartId", Value: "1"}},
	}, model.Call{Op: "POST /carts"}
	calls := []model.Call{get, add, get, add, get, add, get, add}
	for patience, want := range map[int]int{0: 8, 3: 5, 4: 7, 9: 8} {
		*asked = nil
		done, results := c.PlayTest(context.Background(), spec, model.Test{Calls: calls, Patience: patience})
		if len(*asked) != want || len(results) != want || done.Patience != 0 {
			t.Errorf("with a patience of %d: %q, want %d; afterwards it is %d", patience, *asked, want, done.Patience)
		}
	}
}

func TestAnswersAreBounded(t *testing.T) {
	base, _ := service(t)
	x := open(t, base, client.Options{MaxBody: 10}).Send(context.Background(), model.Request{Method: "GET", URL: "/big"})
	if len(x.Reply.Body) != 10 || !x.Reply.Truncated {
		t.Errorf("read %d bytes, truncated %v", len(x.Reply.Body), x.Reply.Truncated)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	base, _ := service(t)
	x := open(t, base, client.Options{}).Send(context.Background(), model.Request{Method: "GET", URL: "/away"})
	if x.Reply.Status != 302 || x.Err != nil {
		t.Errorf("status %d, error %v", x.Reply.Status, x.Err)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name, base string
		o          client.Options
		want       string
	}{
		{"no URL", "shop", client.Options{}, `"shop" is not the URL`},
		{"another scheme", "ftp://127.0.0.1", client.Options{}, "is not the URL of a service"},
		{"a log-in in the URL", "http://ann:hush@127.0.0.1", client.Options{}, "contains credentials"},
		{"a query", "http://127.0.0.1/?key=x", client.Options{}, "has a query or a fragment"},
		{"a strange host", "https://shop.example/api", client.Options{}, "--allow-host shop.example"},
		{
			"no credential", "http://localhost",
			client.Options{Users: []model.User{{Name: "ann", Header: "X-Key", Env: "SONDE_TEST_NO_SUCH"}}},
			"set SONDE_TEST_NO_SUCH",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := client.New(c.base, c.o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
	if _, err := client.New("https://shop.example", client.Options{AllowHosts: []string{"shop.example"}}); err != nil {
		t.Errorf("an allowed host was refused: %v", err)
	}
}

func TestSendNamesTheBudget(t *testing.T) {
	x := open(t, "http://127.0.0.1:1", client.Options{TakeBudget: func() bool { return false }}).Send(context.Background(), model.Request{})
	if !errors.Is(x.Err, client.ErrBudget) {
		t.Errorf("error %v", x.Err)
	}
}

// An open link takes the id of the created resource from the Location header. It takes other values, such as a sku,
// from the body.
func TestOpenLinkTakesTheIDFromLocation(t *testing.T) {
	spec := &model.Spec{Operations: []*model.Operation{op("POST", "/products"), op("GET", "/products/{id}"), op("GET", "/stock/{sku}")}}
	for _, c := range []struct {
		op         model.OpID
		name, want string
	}{{"GET /products/{id}", "id", "/products/7"}, {"GET /stock/{sku}", "sku", "/stock/TENT-1"}} {
		asked := ""
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = r.URL.Path
			w.Header().Set("Location", "/products/7")
			fmt.Fprint(w, `{"sku":"TENT-1","id":8}`)
		}))
		test := model.Test{
			Calls: []model.Call{{Op: "POST /products"}, {Op: c.op}},
			Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: c.name}},
		}
		open(t, s.URL, client.Options{}).PlayTest(context.Background(), spec, test)
		s.Close()
		if asked != c.want {
			t.Errorf("%s asked for %s, want %s", c.op, asked, c.want)
		}
	}
}

// A pause of a test delays the first read after a write, and nothing else.
func TestPauseAfterWrites(t *testing.T) {
	for name, c := range map[string]struct {
		calls []model.OpID
		want  int
	}{
		"a read after a write": {[]model.OpID{"POST /carts", "POST /products", "GET /big"}, 2},
		"reads":                {[]model.OpID{"GET /big", "GET /big"}, 2},
		"writes":               {[]model.OpID{"GET /big", "POST /products", "POST /products"}, 3},
	} {
		base, _ := service(t)
		ctx, cancel := context.WithCancel(context.Background())
		test := model.Test{Pause: time.Hour}
		for _, op := range c.calls {
			test.Calls = append(test.Calls, model.Call{Op: op})
		}
		writes := 0
		cl := open(t, base, client.Options{AfterCall: func(i int) {
			if strings.HasPrefix(string(c.calls[i]), "POST") {
				writes++
			}
			if name == "a read after a write" && writes == 2 {
				cancel() // otherwise the test waits for an hour
			}
		}})
		if played, results := cl.PlayTest(ctx, spec, test); len(results) != c.want || played.Pause != test.Pause {
			t.Errorf("%s: %d calls were sent, want %d; the pause is %s", name, len(results), c.want, played.Pause)
		}
		cancel()
	}
}
