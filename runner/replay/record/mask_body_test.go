package record

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

// A secret is masked wherever it is in a body, with the same pseudonym, and the rest of the body does not change.
func TestSecretsInBodies(t *testing.T) {
	const secret = "hunter22-of-Ann"
	for _, c := range []struct{ name, media, text string }{
		{"JSON after blanks", "application/json", "\r\n  {\"password\":\"%s\"}"},
		{"JSON after a BOM", "application/json; charset=utf-8", "\ufeff{\"password\":\"%s\"}"},
		{"JSON of a vendor", "application/vnd.api+json", `{"pass":"%s"}`},
		{"JSON in JSON", "application/json", `{"event":"{\"user\":{\"password\":\"%s\"}}"}`},
		{"JSON in a form", "application/x-www-form-urlencoded", "payload=%%7B%%22token%%22%%3A%%22%s%%22%%7D&x=1"},
		{"JSON without its end", "application/json", `{"id":1,"password":"%s","more":[1,`},
		{"JSON, cut off within", "application/json", `{"id":1,"password":"%s`},
		{"lines of JSON", "application/x-ndjson", "{\"id\":1}\n{\"apiKey\":\"%s\"}\n{\"id\":2}\n"},
		{"a guard before JSON", "application/json", ")]}',\n{\"password\": \"%s\"}"},
		{"a form", "Application/X-WWW-Form-Urlencoded; Charset=UTF-8", "user=ann&password=%s&x=1"},
		{"a form that does not say so", "", "user=ann&pwd=%s"},
		{"a query in JSON", "application/json", `{"next":"https://x.example/a?page=2&access_token=%s"}`},
		{"XML", "text/xml", "<?xml version=\"1.0\"?>\n<a:login><a:Name>ann</a:Name><a:Password kind=\"plain\">%s</a:Password></a:login>"},
		{"CDATA", "application/soap+xml", "<login><password><![CDATA[%s]]></password></login>"},
		{"an attribute", "application/xml", `<login user="ann" password="%s"/>`},
		{"a setting", "application/xml", `<add key="DbPassword" value="%s" />`},
		{"an entry", "", `<map><entry key="api_key">%s</entry></map>`},
		{"XML without its end", "application/xml", "<login><password>%s"},
		{"a field of HTML", "text/html", `<form><input type="hidden" name="csrf_token" value="%s"></form>`},
		{"a meta of HTML", "text/html", `<meta name="csrf-token" content="%s">`},
		{"a script of HTML", "text/html", `<script>const config = {apiKey: "%s", n: 1};</script>`},
		{"settings", "text/plain", "user = ann\npassword = %s\n"},
		{"YAML", "application/yaml", "user: ann\npassword: %s\n"},
		{"a log", "text/plain; charset=utf-8", "12:00:01 login user=ann token=%s ok"},
		{"a command", "text/plain", `curl -H "Authorization: Token %s" http://127.0.0.1/`},
		{"bearer", "text/plain", "sent Bearer %s to it"},
		{"a log-in in a URL", "text/plain", "see http://joe:%s@h.example/x"},
		{"bytes", "application/octet-stream", "\xff\xfe\x00\x01password=%s\x00\xff"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := masks(t)
			body := fmt.Sprintf(c.text, secret)
			h := http.Header{"Content-Type": {c.media}}
			if c.media == "" {
				h = http.Header{}
			}
			got := string(m.body([]byte(body), h))
			if want := fmt.Sprintf(c.text, m.of(secret)); got != want {
				t.Errorf("%q\nbecomes %q,\nwant    %q", body, got, want)
			}
			if again := string(m.body([]byte("it is "+secret), nil)); again != "it is "+m.of(secret) {
				t.Errorf("later it is %q", again)
			}
		})
	}
}

// A body without secrets does not change.
func TestOrdinaryBodies(t *testing.T) {
	m := masks(t)
	for _, c := range []struct{ media, text string }{
		{"application/json", `{"message":"password: must be at least 8 characters","field":"token"}`},
		{"text/plain", "the password is too short; Token: required"},
		{"text/plain", "20:22:46 GET /a?b=c 200 https://x.example:8080/a"},
		{"text/html", `<p class="token">a &amp; b</p><input name="email" value="x &quot;y&quot;"><input type="password" name="password">`},
		{"application/xml", `<?xml version="1.0"?><!-- a --><list><item id="1">a &lt; b</item><token/></list>`},
		{"application/x-www-form-urlencoded", "a=b%20c&d=e+f&token="},
		{"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x--\r\n"},
		{"", "a=b"},
		{"", "=:=:="},
		{"", "{"},
		{"application/json", "[1,2"},
		{"text/csv", "token,id\na,1\n"},
		{"image/png", "\x89PNG\r\n\x1a\n\x00password"},
		{"application/json", `{"basic tea":"Basic training starts","e":"eyJ","pass":true,"pin":null}`},
	} {
		if got := m.body([]byte(c.text), http.Header{"Content-Type": {c.media}}); string(got) != c.text {
			t.Errorf("%s %q\nbecomes %q", c.media, c.text, got)
		}
	}
}

func TestSecretsInParts(t *testing.T) {
	m := masks(t)
	const secret, inner = "hunter22-of-ann", "inner-secret-22"
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	_ = w.WriteField("user", "ann")
	_ = w.WriteField("password", secret)
	_ = w.WriteField("note", "see token="+inner)
	f, _ := w.CreateFormFile("file", "a.json")
	_, _ = f.Write([]byte(`{"apiKey":"` + inner + `"}`))
	w.Close()
	for _, h := range []http.Header{{"Content-Type": {w.FormDataContentType()}}, {}} {
		for _, cut := range []int{0, 20, 60} {
			whole := b.Bytes()
			got := string(m.body(whole[:len(whole)-cut], h))
			want := strings.NewReplacer(secret, m.of(secret), inner, m.of(inner)).
				Replace(string(whole[:len(whole)-cut]))
			if got != want {
				t.Errorf("got %q,\nwant %q", got, want)
			}
		}
	}
}

func TestSecretsInHeaders(t *testing.T) {
	const secret = "hunter22-of-Ann"
	for _, c := range []struct{ name, value string }{
		{"Location", "http://joe:%s@h/"},
		{"Location", "/in;jsessionid=%s?a=b"},
		{"Location", "/cb#access_token=%s&expires_in=10"},
		{"Location", "https://s3.example/b/k?X-Amz-Expires=60&X-Amz-Signature=%s"},
		{"Location", "https://b.example/k?se=2026&sig=%s"},
		{"Location", "https://cdn.example/k?Expires=1700000000&Signature=%s&Key-Pair-Id=K1"},
		{"Link", `</orders?page=2&token=%s>; rel="next"`},
		{"Refresh", "5; url=/in?session_token=%s"},
		{"X-Session", "%s"},
		{"X-Csrf", "%s"},
		{"X-Forward", "Bearer %s"},
		{"X-Info", "bearer %s; x"},
		{"X-Auth", "%s"},
		{"X-Api-Token", "%s"},
		{"X-Url", "redis://:%s@cache.example:6379/0"},
		{"X-Debug", `{"password":"%s"}`},
		{"X-Hub-Signature", "%s"},
		{"Set-Cookie", "a=%s; Path=/"},
	} {
		m := masks(t)
		value := fmt.Sprintf(c.value, secret)
		got := m.header(map[string][]string{c.name: {value}})[c.name][0]
		if want := fmt.Sprintf(c.value, m.of(secret)); got != want {
			t.Errorf("%s: %q becomes %q, want %q", c.name, value, got, want)
		}
	}
	m := masks(t)
	for name, value := range map[string]string{
		"Location":         "https://x.example/a?b=c#d",
		"Link":             `<https://x.example/?page=2>; rel="next"`,
		"Cache-Control":    "max-age=60",
		"Authority":        "x",
		"Content-Type":     "application/json",
		"Www-Authenticate": `Basic realm="shop"`,
		"Date":             "Sun, 22 Nov 2026 20:22:46 GMT",
	} {
		if got := m.header(map[string][]string{name: {value}})[name][0]; got != value {
			t.Errorf("%s: %q becomes %q", name, value, got)
		}
	}
}

// Credentials are recognised by their format.
func TestCredentialsByForm(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0Zy\nqk/3ZZ==\n-----END RSA PRIVATE KEY-----"
	for _, v := range []string{
		jwt, "AKIA" + "IOSFODNN7EXAMPLE", "ghp_" + strings.Repeat("aB3d", 9),
		"xoxb" + "-1234567890-abcdefghijkl", "sk_live" + "_abcdefghijklmnop1234", "glpat-" + strings.Repeat("x1Y_", 5),
		"AIza" + strings.Repeat("Sy1-_", 7),
		"npm_" + strings.Repeat("aB3d", 9), "SG." + strings.Repeat("aB3d", 5) + "." + strings.Repeat("aB3d", 9),
		"Basic " + base64.StdEncoding.EncodeToString([]byte("ann:hunter22-of-ann")), "Bearer abc.def-ghi",
	} {
		m := masks(t)
		for _, around := range []string{"it is %s, yes", `{"note":"%s"}`, "<a>%s</a>"} {
			before, after, _ := strings.Cut(around, "%s")
			got := string(m.body([]byte(before+v+after), nil))
			secret := v[strings.IndexByte(v, ' ')+1:]
			if strings.Contains(got, secret) || !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) {
				t.Errorf("%s becomes %s", v, got)
			}
		}
	}
	m := masks(t)
	got := m.text("here:\n" + key + "\nend")
	if strings.Contains(got, "MIIEow") || !strings.HasPrefix(got, "here:\n-----BEGIN RSA PRIVATE KEY-----\n") ||
		!strings.HasSuffix(got, "-----END RSA PRIVATE KEY-----\nend") {
		t.Errorf("the key becomes %q", got)
	}
	data, _ := json.Marshal(map[string]string{"pem": key})
	if got := m.body(data, nil); bytes.Contains(got, []byte("MIIEow")) || !json.Valid(got) {
		t.Errorf("the key becomes %s", got)
	}
	for _, off := range []string{"-secret"} {
		if got := masks(t, off).text("token=hunter22-of-ann sk_live" + "_abcdefghijklmnop1234"); !strings.Contains(
			got,
			"hunter22-of-ann",
		) ||
			!strings.Contains(got, "klmnop") {
			t.Errorf("with %s: %q", off, got)
		}
	}
}

// A secret has the same pseudonym in all exchanges, and is never left unmasked.
func TestExchangesAreConsistent(t *testing.T) {
	carriers := []func(x *model.Exchange, v string){
		func(x *model.Exchange, v string) { x.Request.URL += "?a=b&token=" + v },
		func(x *model.Exchange, v string) { x.Request.URL = "/a;jsessionid=" + v + x.Request.URL },
		func(x *model.Exchange, v string) { x.Request.Header["Authorization"] = []string{"Bearer " + v} },
		func(x *model.Exchange, v string) { x.Request.Header["X-Session"] = []string{v} },
		func(x *model.Exchange, v string) {
			x.Request.Header["Content-Type"] = []string{"text/xml"}
			x.Request.Body = []byte("<a><token>" + v + "</token></a>")
		},
		func(x *model.Exchange, v string) {
			x.Request.Header["Content-Type"] = []string{`multipart/form-data; boundary="b b"`}
			x.Request.Body = []byte("--b b\r\nContent-Disposition: form-data; name=secret\r\n\r\n" + v + "\r\n--b b--")
		},
		func(x *model.Exchange, v string) {
			x.Reply.Header["Link"] = []string{"</a?access_token=" + v + ">; rel=next"}
		},
		func(x *model.Exchange, v string) { x.Reply.Header["Set-Cookie"] = []string{"sid=" + v + "; HttpOnly"} },
		func(x *model.Exchange, v string) {
			x.Reply.Body = []byte("{\"a\":1}\n{\"accessToken\":\"" + v + "\"}\n")
		},
		func(x *model.Exchange, v string) { x.Reply.Body = []byte("debug: password=" + v + "\n") },
		func(x *model.Exchange, v string) {
			x.Reply.Body = []byte(`{"a":"{\"pass\":\"` + v + `\"}"`)
			x.Reply.Truncated = true
		},
	}
	rapid.Check(t, func(t *rapid.T) {
		m := newMasker(Masks{})
		v := rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9._-]{8,30}[A-Za-z0-9]`).Draw(t, "secret")
		want := m.of(v)
		for i := range rapid.IntRange(1, 3).Draw(t, "exchanges") {
			x := model.Exchange{
				Request: model.Request{URL: "/x", Header: http.Header{}},
				Reply:   model.Reply{Header: http.Header{}},
			}
			of := rapid.Permutation(carriers).Draw(t, fmt.Sprint("carriers ", i))
			for _, carry := range of[:rapid.IntRange(1, 3).Draw(t, fmt.Sprint("number ", i))] {
				carry(&x, v)
			}
			x = m.exchange(x, nil)
			all := fmt.Sprint(
				x.Request.URL,
				x.Request.Header,
				string(x.Request.Body),
				x.Reply.Header,
				string(x.Reply.Body),
			)
			if strings.Contains(all, v) || !strings.Contains(all, want) {
				t.Fatalf("%q, to become %q: %s", v, want, all)
			}
		}
	})
}

func FuzzBody(f *testing.F) {
	for _, s := range []string{
		`{"a":`, "<a b='", "--x\r\n\r\n--x", "token=%zz", "<![CDATA[", "\xff\xfepassword=a", "a:\\\\\\\"b",
		"-----BEGIN PRIVATE KEY-----",
	} {
		f.Add([]byte(s), "multipart/form-data; boundary=x")
		f.Add([]byte(s), "text/xml")
		f.Add([]byte(s), "")
	}
	m := masks(f)
	f.Fuzz(func(t *testing.T, data []byte, media string) {
		was := bytes.Clone(data)
		got := m.body(data, http.Header{"Content-Type": {media}})
		if !bytes.Equal(was, data) {
			t.Fatal("it writes to what it reads")
		}
		if json.Valid(was) && !json.Valid(got) {
			t.Fatalf("%q becomes %q", was, got)
		}
	})
}
