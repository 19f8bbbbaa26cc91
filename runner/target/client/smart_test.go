package client_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/target/client"
)

var chain = model.Test{
	Calls: []model.Call{
		{Op: "POST /carts"},
		{Op: "GET /carts/{cartId}", Args: []model.Arg{{In: model.InPath, Name: "cartId", Value: "unknown"}}},
	},
	Links: []model.Link{{From: 0, To: 1, In: model.InPath, Name: "cartId"}},
}

// An open link takes the id of a created resource from the Location, absolute or relative. Without
// a Location it takes a field of the answer (the EvoMaster paper, section 5.2.7).
func TestChainedLocations(t *testing.T) {
	for name, c := range map[string]struct{ location, body, hint, want string }{
		"an absolute Location":             {"{base}/carts/c-7", ``, "", "/carts/c-7"},
		"a relative Location":              {"/carts/c-7", ``, "", "/carts/c-7"},
		"a Location without its folder":    {"c-7", ``, "", "/carts/c-7"},
		"Location wins over the body":      {"/carts/c-7", `{"id":"c-8"}`, "/id", "/carts/c-7"},
		"a field called id":                {"", `{"total":3,"id":"c-7"}`, "", "/carts/c-7"},
		"a number":                         {"", `{"id":7}`, "", "/carts/7"},
		"a field called as it is":          {"", `{"id":{"a":1},"cartId":"c-7"}`, "", "/carts/c-7"},
		"a field in a wrapper":             {"", `{"data":{"cart_id":"c-7"}}`, "", "/carts/c-7"},
		"nothing of the kind":              {"", `{"total":3}`, "", "/carts/unknown"},
		"the place that the document says": {"", `{"id":1,"code":"c-7"}`, "/code", "/carts/c-7"},
		"another place":                    {"", `{"id":"c-7"}`, "/code", "/carts/c-7"},
		"null where the document says":     {"", `{"id":"c-7","code":null}`, "/code", "/carts/c-7"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			var s *httptest.Server
			s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = append(asked, r.URL.Path)
				if c.location == "{base}/carts/c-7" {
					c.location = s.URL + "/carts/c-7"
				}
				if c.location != "" {
					w.Header().Set("Location", c.location)
				}
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, c.body)
			}))
			defer s.Close()
			test := chain
			test.Links = slices.Clone(chain.Links)
			test.Links[0].Hint = c.hint
			played, _ := open(t, s.URL, client.Options{}).PlayTest(context.Background(), spec, test)
			for _, l := range played.Links {
				if l.IsOpen() || l.Hint != "" {
					t.Errorf("the link has no place, or still a hint: %+v", l)
				}
			}
			if want := []string{"/carts", c.want}; !slices.Equal(asked, want) {
				t.Errorf("asked %q, want %q", asked, want)
			}
		})
	}
}

// An open link takes the id from texts that are not JSON, and from any part of a URL. The link that PlayTest returns has the pattern
// that finds the id, and finds the id of another answer.
func TestIDsInTexts(t *testing.T) {
	for name, c := range map[string]struct{ location, content, media, body string }{
		"a Location that ends after the id": {location: "http://elsewhere/api/carts/ID/items?x=1"},
		"a Location with a query":           {location: "/carts?id=ID"},
		"a Content-Location":                {content: "/carts/ID"},
		"XML":                               {media: "application/xml", body: "<cart><owner><id>o</id></owner><id>ID</id></cart>"},
		"XML with an attribute":             {media: "text/xml", body: `<cart id="ID"/>`},
		"plain text":                        {media: "text/plain", body: "ID\n"},
		"a form":                            {media: "application/x-www-form-urlencoded", body: "a=1&id=ID"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			id := ""
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = append(asked, r.URL.Path)
				for name, value := range map[string]string{"Location": c.location, "Content-Location": c.content, "Content-Type": c.media} {
					if value != "" {
						w.Header().Set(name, strings.ReplaceAll(value, "ID", id))
					}
				}
				fmt.Fprint(w, strings.ReplaceAll(c.body, "ID", id))
			}))
			defer s.Close()
			player, test := open(t, s.URL, client.Options{}), chain
			for _, id = range []string{"c-7", "d-81"} {
				asked = nil
				test, _ = player.PlayTest(context.Background(), spec, test)
				if want := []string{"/carts", "/carts/" + id}; !slices.Equal(asked, want) {
					t.Fatalf("asked %q, want %q", asked, want)
				}
				if len(test.Links) != 1 || test.Links[0].IsOpen() {
					t.Fatalf("links %+v, want one that is not open", test.Links)
				}
			}
		})
	}
}

// A creation that fails ends the test, whatever the status is (the EvoMaster paper, section 5.2.9). A 3xx is a failure
// unless the test continues after redirects.
func TestPrematureStopping(t *testing.T) {
	for _, status := range []int{302, 400, 404, 500, 503} {
		asked := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked++
			w.WriteHeader(status)
		}))
		played, results := open(t, s.URL, client.Options{}).PlayTest(context.Background(), spec, chain)
		s.Close()
		if asked != 1 || len(results) != 1 || !slices.Equal(statuses(played), []int{status, 0}) {
			t.Errorf("%d: %d calls, statuses %v", status, asked, statuses(played))
		}
	}
}

// A test that continues after redirects takes the id of a new element from the Location of a 303.
func TestAfterRedirect(t *testing.T) {
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		w.Header().Set("Location", "/carts/c7")
		w.WriteHeader(http.StatusSeeOther)
	}))
	defer s.Close()
	test := chain
	test.AfterRedirect = true
	open(t, s.URL, client.Options{}).PlayTest(context.Background(), spec, test)
	if want := []string{"/carts", "/carts/c7"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
}
