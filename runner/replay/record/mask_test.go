package record

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

const (
	uuid = "123e4567-e89b-42d3-a456-426614174000"
	card = "4111 1111 1111 1111"
)

var jwt = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256"}`)) + "." +
	base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"ann","exp":17}`)) + ".c2lnbmF0dXJl"

func masks(t testing.TB, rules ...string) *masker {
	t.Helper()
	m, err := ParseMasks(rules)
	if err != nil {
		t.Fatal(err)
	}
	return newMasker(m)
}

func TestPseudonyms(t *testing.T) {
	m := masks(t)
	for _, c := range []struct{ name, value, form string }{
		{"letters and digits", "Tok_en-9f", `^[A-Z][a-z]{2}_[a-z]{2}-[1-9][a-z]$`},
		{"a number", "1203", `^[1-9][1-9]0[1-9]$`},
		{"hexadecimal", "00ff00ff00ff00ff", `^[0-9a-f]{16}$`},
		{"a UUID", uuid, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$`},
		{"e-mail", "Ann.Lee@mail.example.org", `^[A-Z][a-z]{2}\.[A-Z][a-z]{2}@[a-z]{4}\.[a-z]{7}\.org$`},
		{"a card", card, `^4111 11\d\d \d{4} \d{4}$`},
		{"a token of three parts", jwt, `^eyJ[\w-]+\.[\w-]+\.[\w-]{12}$`},
		{"accents", "pässwörd", `^[a-z]{8}$`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := m.of(c.value)
			if p == c.value || p != m.of(c.value) || !regexp.MustCompile(c.form).MatchString(p) {
				t.Errorf("%q becomes %q, then %q", c.value, p, m.of(c.value))
			}
			if other := masks(t).of(c.value); other == p {
				t.Errorf("%q with another key, too", p)
			}
		})
	}
	if p := m.of(card); !isCard(p) || onlyDigits(p) != m.of(onlyDigits(card)) {
		t.Errorf("the card becomes %q, and %q without blanks", p, m.of(onlyDigits(card)))
	}
	if strings.ToLower(m.of("Ann@Example.org")) != m.of("ann@example.org") {
		t.Error("an address is another one in capitals")
	}
	var claims map[string]any
	parts := strings.Split(m.of(jwt), ".")
	data, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(data, &claims) != nil || claims["exp"] != 17.0 || claims["sub"] == "ann" {
		t.Errorf("claims %s, %v", data, err)
	}
}

func TestMaskedText(t *testing.T) {
	m := masks(t, "key:iban*", "header:X-Ann", `text:ACME-\d+`)
	kept := func(v string) { t.Helper(); check(t, v, m.text(v), true) }
	gone := func(v string) { t.Helper(); check(t, v, m.text(v), false) }
	kept("no secret at 2026-11-22 20:22:46")
	kept("1763842966123 ms and 4111111111111112")
	kept(`UPDATE users SET "confirmation_token" = $1, password=$12 WHERE id = $3`)
	gone("password=$1a")
	gone("mail to ann@example.org, please")
	gone("card " + card + "!")
	gone("ACME-17")
	for _, c := range []struct {
		json string
		keep bool
	}{
		{`{"price": 10.50, "id": 4711, "name":"Ann é", "list":[1, "b"] }`, true},
		{`{"passwordPolicy":"strict","tokens":5,"token_type":"bearer"}`, true},
		{`{"user":{"password":"a"}}`, false},
		{`{"api_key":"k"}`, false},
		{`{"apiKey":["k"]}`, false},
		{`{"X-API-KEY":"k"}`, false},
		{`{"pin":1234}`, false},
		{`{"card":4111111111111111}`, false},
		{`{"ibanOfAnn":"DE1"}`, false},
		{`{"a":["x@y.org"]}`, false},
		{`{"pass\u0077ord":"\u0061"}`, false},
		{`{"password":null,"secret":true,"token":""}`, true},
	} {
		now := m.body([]byte(c.json), nil)
		check(t, c.json, string(now), c.keep)
		if !json.Valid(now) {
			t.Errorf("%s is no JSON", now)
		}
	}
	for _, u := range []string{"/a?password=x&b=1", "/users/ann%40example.org", "/a?q=ann%40example.org"} {
		if now := m.url(u); now == u || strings.Contains(now, "ann%40") ||
			strings.HasSuffix(u, "&b=1") && !strings.HasSuffix(now, "&b=1") {
			t.Errorf("%s becomes %s", u, now)
		}
	}
	if u := "/a%2Fb?x=%zz&&y"; m.url(u) != u {
		t.Errorf("%s becomes %s", u, m.url(u))
	}
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	if now := string(m.body([]byte("user=ann&password=p+w"), form)); !strings.HasPrefix(now, "user=ann&password=") ||
		strings.HasSuffix(now, "p+w") {
		t.Errorf("form %s", now)
	}
	if now := m.body([]byte("\xff@x.org"), nil); string(now) != "\xff@x.org" {
		t.Errorf("bytes %q", now)
	}
}

func check(t *testing.T, was, now string, kept bool) {
	t.Helper()
	if (was == now) != kept {
		t.Errorf("%s becomes %s", was, now)
	}
}

func TestMaskedHeaders(t *testing.T) {
	m := masks(t, "header:X-Ann")
	h := http.Header{
		"Authorization": {
			"Basic " + base64.StdEncoding.EncodeToString([]byte("ann:hunter22")),
		}, "Cookie": {"sid=abcdef123; theme=dark"},
		"Set-Cookie": {
			"sid=abcdef123; Path=/; HttpOnly",
		}, "X-Api-Key": {"k-0123456789"}, "X-Ann": {"x1"}, "Accept": {"text/html"},
		"Location": {"https://x.example/a?token=t-123456789"},
	}
	was := h.Clone()
	now := m.header(h)
	for name := range h {
		if (now[name][0] == was[name][0]) != (name == "Accept") || h[name][0] != was[name][0] {
			t.Errorf("%s: %q becomes %q, before it was %q", name, h[name], now[name], was[name])
		}
	}
	if !strings.HasPrefix(now["Authorization"][0], "Basic ") ||
		!strings.HasSuffix(now["Set-Cookie"][0], "; Path=/; HttpOnly") ||
		!strings.HasPrefix(now["Location"][0], "https://x.example/a?token=") {
		t.Errorf("headers %v", now)
	}
	sid := strings.TrimPrefix(strings.Split(now["Cookie"][0], ";")[0], "sid=")
	if !strings.Contains(now["Set-Cookie"][0], "sid="+sid+";") {
		t.Errorf("two pseudonyms of a cookie: %v", now)
	}
	if got := m.text("echo abcdef123 and abcdef1234"); got != "echo "+sid+" and abcdef1234" {
		t.Errorf("got %q", got)
	}
}

func TestMasksOff(t *testing.T) {
	m := masks(t, "-authorization", "-cookie", "-secret", "-card", "-email")
	h := http.Header{"Authorization": {"Bearer x"}, "Cookie": {"a=b"}}
	if now := m.header(h); now["Authorization"][0] != "Bearer x" || now["Cookie"][0] != "a=b" {
		t.Errorf("headers %v", now)
	}
	if body := `{"password":"x","mail":"a@b.org","card":4111111111111111}`; string(m.body([]byte(body), nil)) != body {
		t.Error("the body is masked")
	}
	for _, bad := range []string{"", "-none", "header:", "key:", "text:", "text:[", "text:x*", "card"} {
		if _, err := ParseMasks([]string{bad}); err == nil ||
			!strings.Contains(err.Error(), "mask") && !strings.Contains(err.Error(), "regular expression") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// If nothing in a JSON text changes, the same slice is returned. Otherwise only the replaced values
// differ.
func TestRewriteKeepsOtherBytes(t *testing.T) {
	values := rapid.Custom(func(t *rapid.T) any { return anything(t, 3) })
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]any{"a": values.Draw(t, "value")}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		same := func(_, v string) string { return v }
		if now, ok := rewriteJSON(data, same, same); !ok || &now[0] != &data[0] {
			t.Fatalf("%s is copied", data)
		}
		now, _ := rewriteJSON(data, func(_, v string) string { return v + "+" }, same)
		back, _ := rewriteJSON(now, func(_, v string) string { return strings.TrimSuffix(v, "+") }, same)
		var got, was any
		if json.Unmarshal(back, &got) != nil || json.Unmarshal(data, &was) != nil {
			t.Fatalf("%s is no JSON", back)
		}
		x, _ := json.Marshal(got)
		y, _ := json.Marshal(was)
		if string(x) != string(y) {
			t.Fatalf("%s becomes %s", y, x)
		}
	})
}

// rewriteJSON accepts the same texts as encoding/json.
func TestRewriteAcceptsJSONOnly(t *testing.T) {
	pieces := rapid.SliceOf(rapid.SampledFrom([]string{
		"{", "}", "[", "]", ",", ":", `"`, `\`, `"a"`, `"\u00e9"`, `"\u00"`, `"\x"`, `"\\"`, "\"\x01\"",
		"\"\xff\"", `"a":`, "true", "false", "null", "nul", "0", "-", "-0", "01", "1.5", "1.", ".5", "1e9",
		"1e", "+1", " ", "\n", "\v", "é", "x",
	}))
	same := func(_, v string) string { return v }
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(strings.Join(pieces.Draw(t, "pieces"), ""))
		if _, ok := rewriteJSON(data, same, same); ok != json.Valid(data) {
			t.Fatalf("%q is JSON: %t", data, ok)
		}
	})
	for depth, want := range map[int]bool{maxDepth: true, maxDepth + 1: false} {
		data := []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))
		if _, ok := rewriteJSON(data, same, same); ok != want || json.Valid(data) != want {
			t.Errorf("%d deep is JSON: %t", depth, ok)
		}
	}
}

func anything(t *rapid.T, depth int) any {
	switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case kind == 0:
		return rapid.Float64().Draw(t, "number")
	case kind == 1:
		return rapid.Bool().Draw(t, "flag")
	case kind < 4 || depth == 0:
		return rapid.String().Draw(t, "text")
	case kind == 4:
		var list []any
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			list = append(list, anything(t, depth-1))
		}
		return list
	}
	object := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "size") {
		object[rapid.String().Draw(t, "name")] = anything(t, depth-1)
	}
	return object
}

// A secret never reaches the sink, and its pseudonym is the same everywhere.
func TestSecretsAreMaskedEverywhere(t *testing.T) {
	const token = "tok-0123456789abcdef"
	pay := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Write(body)
	}))
	c := clientFor(t)
	s := monitor(t, Options{}, []string{pay}, func(outs []string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/login" {
				io.WriteString(w, `{"token":"`+token+`"}`)
				return
			}
			_, text := ask(c, r, outs[0], "/by/"+token+"?for=ann@example.org", "Traceparent", "Authorization")
			io.WriteString(w, text)
		})
	})
	call(t, c, "POST", s.in+"/login", `{"password":"hunter22-of-bob"}`, "Content-Type", "application/json")
	call(t, c, "GET", s.in+"/products", "", "Authorization", "Bearer "+token)
	call(t, c, "GET", s.in+"/products", "", "Authorization", "Bearer ann-token-0123456789")
	call(t, c, "GET", s.in+"/products", "")
	served, sent, _ := s.sink.all()
	all, err := json.Marshal([]any{texts(served), sentTexts(sent)})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{token, "hunter22-of-bob", "ann-token", "ann@example.org"} {
		if strings.Contains(string(all), secret) {
			t.Errorf("%q is recorded: %s", secret, all)
		}
	}
	var said struct{ Token string }
	if json.Unmarshal(served[0].Reply.Body, &said) != nil || said.Token == "" ||
		headerValue(served[1].Request.Header, "Authorization") != "Bearer "+said.Token ||
		!strings.HasPrefix(sent[0].Request.URL, "/by/"+said.Token+"?") {
		t.Errorf("reply %s, then %v and %s", served[0].Reply.Body, served[1].Request.Header, sent[0].Request.URL)
	}
	for i, want := range []string{"", "bob", "ann", ""} {
		if served[i].User != want {
			t.Errorf("request %d is of user %q, not %q", i, served[i].User, want)
		}
	}
	if served[0].Session == served[1].Session || served[1].Session == served[2].Session ||
		served[0].Session != served[3].Session {
		t.Errorf("sessions %q %q %q %q", served[0].Session, served[1].Session, served[2].Session, served[3].Session)
	}
}

// texts returns all texts of recorded requests.
func texts(all []model.ServedRequest) (out []any) {
	for _, s := range all {
		out = append(
			out,
			s.Request.URL,
			s.Request.Header,
			string(s.Request.Body),
			s.Reply.Header,
			string(s.Reply.Body),
			s.Session,
		)
	}
	return out
}

func sentTexts(all []model.OutwardCall) (out []any) {
	for _, s := range all {
		out = append(out, s.Request.URL, s.Request.Header, string(s.Request.Body), s.Reply.Header, string(s.Reply.Body))
	}
	return out
}

// A short secret is masked, too.
func TestMaskedShort(t *testing.T) {
	for key := range byte(50) {
		p := pseudonyms{[]byte{key}}
		for _, v := range strings.Split("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789éß", "") {
			now := p.of(v)
			if now == v || len(now) != 1 || p.of(v) != now {
				t.Errorf("%q becomes %q", v, now)
			}
		}
	}
}

// If a reply reveals that a value is a secret, the value is also masked in the request, even if the request was
// masked before the reply came.
func TestSecretOfTheReply(t *testing.T) {
	const secret = "tok-1234567890abcdef"
	asks := model.Request{
		Method: "POST",
		URL:    "/sessions/" + secret,
		Header: http.Header{},
		Body:   []byte(`{"again":"` + secret + `"}`),
	}
	for name, reply := range map[string]model.Reply{
		"in its headers": {Status: 200, Header: http.Header{"Set-Cookie": {"session=" + secret + "; Path=/"}}},
		"in its body":    {Status: 200, Header: http.Header{}, Body: []byte(`{"token":"` + secret + `"}`)},
	} {
		for _, ahead := range []bool{false, true} {
			m := masks(t)
			var early *masked
			if ahead {
				early = m.request(asks)
			}
			x := m.exchange(model.Exchange{Request: asks, Reply: reply}, early)
			if strings.Contains(x.Request.URL+string(x.Request.Body)+string(x.Reply.Body), secret) {
				t.Errorf("%s, masked ahead: %v: %+v", name, ahead, x)
			}
			if want := m.of(secret); !strings.Contains(string(x.Request.Body), want) ||
				!strings.HasSuffix(x.Request.URL, want) {
				t.Errorf("%s, masked ahead: %v: there is no %q in %+v", name, ahead, want, x.Request)
			}
		}
	}
}
