package client

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"sonde/model"
)

// A service may repeat a credential in any form. The exchange does not show it.
func TestEchoesAreMasked(t *testing.T) {
	const secret = `to/k"en<&>+-é`
	quoted, _ := json.Marshal(secret)
	inner := string(quoted[1 : len(quoted)-1])
	pair := base64.StdEncoding.EncodeToString([]byte("ann:" + secret))
	forms := map[string]string{
		"as it is":       secret,
		"HTML":           html.EscapeString(secret),
		"HTML by number": "to&#47;k&#x22;en&#60;&#38;&#62;+-&#233;",
		"JSON":           inner,
		"slashes":        strings.ReplaceAll(inner, "/", `\/`),
		"JSON in JSON":   strings.ReplaceAll(inner, `\`, `\\`),
		"a query":        url.QueryEscape(secret),
		"small":          strings.ToLower(url.QueryEscape(secret)),
		"twice":          url.QueryEscape(url.QueryEscape(secret)),
		"in part":        `to%2fk"en<&>%2b-é`,
		"a basic pair":   pair,
		"its reverse":    base64.URLEncoding.EncodeToString([]byte(secret + ":ann")),
		"hexadecimal":    fmt.Sprintf("%x", secret),
		"HEXADECIMAL":    fmt.Sprintf("%X", secret),
	}
	said := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["X-Echo"] = []string{said}
		fmt.Fprintf(w, `<p title="%s">you sent %s</p>`, said, said)
	}))
	defer s.Close()
	user := model.User{
		Name:    "ann",
		Sends:   []model.Credential{{In: model.InQuery, Name: "key", Value: "${A}"}},
		Secrets: map[string]string{"A": secret},
	}
	c, err := New(s.URL, Options{Users: []model.User{user}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for name, form := range forms {
		said = form
		x := c.Send(context.Background(), model.Request{Method: "GET", URL: "/?q=" + url.QueryEscape(form), Body: []byte(form)})
		if x.Err != nil {
			t.Fatal(x.Err)
		}
		marks := strings.Count(string(x.Reply.Body), model.MaskedSecret)
		if marks != 2 || !strings.Contains(strings.Join(x.Reply.Header["X-Echo"], ""), model.MaskedSecret) ||
			!strings.Contains(x.Request.URL+string(x.Request.Body), model.MaskedSecret) {
			t.Errorf("%s: sent %s with %s, answered %v and %s", name, x.Request.URL, x.Request.Body, x.Reply.Header["X-Echo"], x.Reply.Body)
		}
		if form != pair && !strings.HasPrefix(name, "its") && string(x.Reply.Body) != `<p title="***">you sent ***</p>` {
			t.Errorf("%s: the body is %s", name, x.Reply.Body)
		}
	}
}
