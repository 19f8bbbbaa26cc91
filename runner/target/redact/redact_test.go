package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func matcher(secrets ...string) *Matcher {
	var all []Secret
	for _, s := range secrets {
		all = append(all, NewSecret(s))
	}
	return Compile(all)
}

func TestSpellings(t *testing.T) {
	const secret = `p/"<&+ é=7s`
	m := matcher(secret)
	quoted, _ := json.Marshal(secret)
	inner := string(quoted[1 : len(quoted)-1])
	twice, _ := json.Marshal(inner)
	for name, text := range map[string]string{
		"as it is":            secret,
		"a query":             url.QueryEscape(secret),
		"a query, small":      strings.ToLower(url.QueryEscape(secret)),
		"a path":              url.PathEscape(secret),
		"a path twice":        url.PathEscape(url.PathEscape(secret)),
		"a query twice":       url.QueryEscape(url.QueryEscape(secret)),
		"a query three times": url.QueryEscape(url.QueryEscape(url.QueryEscape(secret))),
		"in part":             `p%2f"<&+ %c3é=7s`[:len(`p%2f"<&+ `)] + "%c3%A9=7%73",
		"JSON":                inner,
		"JSON twice":          string(twice[1 : len(twice)-1]),
		"JSON with slashes":   strings.ReplaceAll(inner, "/", `\/`),
		"JSON by code":        `\u0070\u002F\u0022\u003c\u0026\u002b\u0020\u00E9\u003d\u0037\u0073`,
		"a program":           `\x70\57\"\x3c&+ \u{e9}=\x37s`,
		"HTML":                html.EscapeString(secret),
		"HTML twice":          html.EscapeString(html.EscapeString(secret)),
		"HTML, named":         `p&sol;&quot;&lt;&amp;&plus;&#32;&eacute;&equals;7s`,
		"HTML, decimal":       `&#112;&#47;&#34;&#060;&#38;&#43;&#32;&#233;&#61;&#55;&#115;`,
		"HTML, hexadecimal":   `&#x70;&#X2f;&#x22;&#x3C;&#x26;&#x2b;&#x20;&#xE9;&#x3d;&#x37;&#x73`,
		"HTML in JSON":        strings.ReplaceAll(html.EscapeString(strings.ReplaceAll(secret, "/", "&#47;")), "&", `\u0026`),
		"HTML in a URL":       url.QueryEscape(html.EscapeString(secret)),
		"a URL in HTML":       strings.ReplaceAll(url.QueryEscape(secret), "%", "&#37;"),
		"hexadecimal":         hex.EncodeToString([]byte(secret)),
		"HEXADECIMAL":         strings.ToUpper(hex.EncodeToString([]byte(secret))),
	} {
		t.Run(name, func(t *testing.T) {
			for _, around := range []string{"%s", "you sent %s, which is wrong", `{"a":"%s"}`, "x=%s&y=1", "\n%s\n", "café%sé"} {
				before, after, _ := strings.Cut(around, "%s")
				if got := m.MaskText(before+text+after, BodyText); got != before+"***"+after {
					t.Errorf("%q in %q becomes %q", text, around, got)
				}
			}
		})
	}
}

func TestSurrogates(t *testing.T) {
	m := matcher("key-😀-key")
	for _, text := range []string{
		`key-\ud83d\ude00-key`, `key-\\uD83D\\uDE00-key`, "key-&#128512;-key", "key-%F0%9f%98%80-key",
		`key-\U0001F600-key`,
	} {
		if got := m.MaskText("<"+text+">", BodyText); got != "<***>" {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestBase64(t *testing.T) {
	const secret = "hunter22-of-ann?>~"
	m := matcher(secret)
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		for _, before := range []string{"", "a", "an", "ann:", "x:y:z"} {
			for _, after := range []string{"", "!", "??", "more"} {
				text := e.EncodeToString([]byte(before + secret + after))
				for _, wrapped := range []string{text, url.QueryEscape(text), text[:9] + "\r\n" + text[9:]} {
					if got := m.MaskText(wrapped, BodyText); strings.Contains(got, text[8:16]) || !strings.Contains(got, "***") {
						t.Errorf("%q with %q and %q becomes %q", text, before, after, got)
					}
				}
			}
		}
	}
}

// Texts that only resemble a secret do not change.
func TestNothingElse(t *testing.T) {
	m := matcher("hunter22-of-ann", "Bearer abc.def.ghi", "1234", "admin", "s3cr3t")
	for _, text := range []string{
		"", "a", "hunter2", "hunter22-of-anna"[:14], "&&&&", `\\\\\`, "%%%", "%2", "&#", "&#x", "&amp",
		`\u00`, `\u{`, "s3cr3ts", "as3cr3t", "administrator",
		`{"id":1234,"n":[1234,12345],"total":"12.34"}`, "order 1234 was not found", "1234-5", "you are no admin", "GET /admin/users",
	} {
		if got := m.MaskText(text, BodyText); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestShortSecrets(t *testing.T) {
	m := matcher("1234", "admin", "s3cr3t", "a", "o'k")
	for _, c := range []struct {
		at         TextKind
		text, want string
	}{
		{BodyText, "1234", "***"},
		{LineText, "1234", "***"},
		{URLText, "1234", "1234"},
		{BodyText, `{"password":"1234","pin":1234,"id":1234,"s":"1234"}`, `{"password":"***","pin":"***","id":1234,"s":"***"}`},
		{BodyText, "wrong password 1234 for ann", "wrong password *** for ann"},
		{BodyText, "wrong password: '1234'", "wrong password: '***'"},
		{BodyText, "<password>1234</password><id>1234</id>", "<password>***</password><id>1234</id>"},
		{BodyText, "<role>admin</role> by admin", "<role>***</role> by admin"},
		{BodyText, "user=ann&password=1234&n=1234", "user=ann&password=***&n=1234"},
		{BodyText, "you sent 12&#51;4 and 1%323%34 and 12345", "you sent *** and *** and 12345"},
		{BodyText, `\u0022admin\u0022 \"admin\" &quot;admin&quot; %22admin%22`, `\u0022***\u0022 \"***\" &quot;***&quot; %22***%22`},
		{BodyText, `token is s3cr3t, "xs3cr3t" s3cr3t! s3cr3t_x`, `token is ***, "xs3cr3t" ***! s3cr3t_x`},
		{BodyText, `line\ns3cr3t\nline and %20s3cr3t%20`, `line\n***\nline and %20***%20`},
		{BodyText, "basic czNjcjN0 and Y3pOamNqTjA", "basic *** and Y3pOamNqTjA"},
		{BodyText, `["a", "b"] a=a`, `["***", "b"] a=***`},
		{BodyText, "it is o&#39;k, o%27k", "it is ***, ***"},
		{LineText, "session=1234; Path=/1234", "session=***; Path=/1234"},
		{URLText, "/1234/admin?a=1234&b=12345&c=adm%69n&d=1234", "/1234/admin?a=***&b=12345&c=***&d=***"},
	} {
		if got := m.MaskText(c.text, c.at); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}

func TestOverlappingSecrets(t *testing.T) {
	m := matcher("pass-1234", "head.pass-1234.tail-of-the-token", "tail-of-the-token/and-more")
	for text, want := range map[string]string{
		"carries head.pass-1234.tail-of-the-token and pass-1234": "carries *** and ***",
		"head.pass-1234.tail-of-the-token/and-more!":             "***!",
		"pass-1234pass-1234":                                     "******",
	} {
		if got := m.MaskText(text, BodyText); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// WithSecret returns a matcher that finds the same as a compiled matcher of the same secrets. It
// does not change the original matcher.
func TestWithSecret(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringMatching(`[ab%+ ]{1,12}`), 1, 8).Draw(t, "secrets")
		m := &Matcher{}
		for i, secret := range texts {
			before := m.patterns
			m = m.WithSecret(NewSecret(secret))
			if i > 0 && len(before['a']) > len(m.patterns['a']) {
				t.Fatal("it has fewer patterns")
			}
		}
		text := rapid.StringMatching(`[ab%+ 2500]{0,60}`).Draw(t, "text") + rapid.SampledFrom(texts).Draw(t, "one")
		want := matcher(texts...)
		for _, at := range []TextKind{BodyText, LineText, URLText} {
			if got := m.MaskText(text, at); got != want.MaskText(text, at) {
				t.Fatalf("%q becomes %q, want %q", text, got, want.MaskText(text, at))
			}
		}
	})
}

// If the end of a body is missing, the beginning of a secret at its end is masked.
func TestCutOff(t *testing.T) {
	m := matcher("hunter22-of-ann")
	for _, c := range []struct {
		text string
		cut  bool
		want string
	}{
		{"say hunter22-of", true, "say ***"},
		{"say hunter22-of", false, "say hunter22-of"},
		{"say hun", true, "say hun"},
		{"say hunter22-of-ann", true, "say ***"},
	} {
		if got := string(m.MaskBytes([]byte(c.text), c.cut)); got != c.want {
			t.Errorf("%q, cut: %t, becomes %q, want %q", c.text, c.cut, got, c.want)
		}
	}
}

// spelled draws a way to write a secret, for each character independently.
func spelled(t *rapid.T, secret string) string {
	var out strings.Builder
	for i, r := range secret {
		way := rapid.SampledFrom(spellings).Draw(t, fmt.Sprint("way ", i))
		text := way(r)
		for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, fmt.Sprint("again ", i)) {
			text = rapid.SampledFrom(wrappings).Draw(t, fmt.Sprint("wrapped ", i))(text)
		}
		out.WriteString(text)
	}
	return out.String()
}

func eachByte(r rune, format string) string {
	var out strings.Builder
	for _, b := range []byte(string(r)) {
		fmt.Fprintf(&out, format, b)
	}
	return out.String()
}

var spellings = []func(r rune) string{
	func(r rune) string { return string(r) },
	func(r rune) string { return string(r) },
	func(r rune) string { return eachByte(r, "%%%02x") },
	func(r rune) string { return eachByte(r, "%%%02X") },
	func(r rune) string { return eachByte(r, `\x%02x`) },
	func(r rune) string { return eachByte(r, `\%03o`) },
	func(r rune) string { return fmt.Sprintf("&#%d;", r) },
	func(r rune) string { return fmt.Sprintf("&#x%X;", r) },
	func(r rune) string { return html.EscapeString(string(r)) },
	func(r rune) string { return url.QueryEscape(string(r)) },
	func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) },
	func(r rune) string {
		if r > 0xffff {
			return string(r)
		}
		return fmt.Sprintf(`\u%04X`, r)
	},
	func(r rune) string {
		if r < 0x80 && !isWord(byte(r)) && r > ' ' {
			return `\` + string(r)
		}
		return string(r)
	},
}

// wrappings escape a text that may be escaped already.
var wrappings = []func(string) string{
	func(s string) string { return strings.ReplaceAll(s, "%", "%25") },
	func(s string) string { return strings.ReplaceAll(s, `\`, `\\`) },
	func(s string) string { return strings.ReplaceAll(s, "&", "&amp;") },
	func(s string) string { return strings.ReplaceAll(s, "&", `\u0026`) },
	func(s string) string { return strings.ReplaceAll(s, "%", "&#37;") },
}

var secretTexts = rapid.Custom(func(t *rapid.T) string {
	runes := rapid.RuneFrom([]rune(`abcXYZ0189-_.~!"#$%&'()*+,/:;<=>?@[\]^{|} éß€😀`))
	return rapid.StringOfN(runes, LongSecret, 40, -1).Draw(t, "secret")
})

// However each character of a secret is written, the whole secret is masked, and the text around it
// does not change.
func TestNoSpellingStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := secretTexts.Draw(t, "secret")
		text := spelled(t, secret)
		before := rapid.SampledFrom([]string{"", "see ", `{"a":"`, "x=", "\n", "é"}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", " is it", `"}`, ",y=1", "\n", "é"}).Draw(t, "after")
		got := matcher(secret).MaskText(before+text+after, BodyText)
		if !strings.HasPrefix(got, before+"***") || !strings.HasSuffix(got, after) || len(got) > len(before)+len(after)+len("***")+8 {
			t.Fatalf("%q, which says %q, becomes %q", before+text+after, secret, got)
		}
	})
}

// TestNothingDecodesToTheSecret decodes the masked text layer by layer, and does not find the
// secret.
func TestNothingDecodesToTheSecret(t *testing.T) {
	decoders := []func(string) string{
		func(s string) string { d, err := url.QueryUnescape(s); return or(d, err, s) },
		func(s string) string { d, err := url.PathUnescape(s); return or(d, err, s) },
		html.UnescapeString,
		func(s string) string {
			var d string
			err := json.Unmarshal([]byte(`"`+s+`"`), &d)
			return or(d, err, s)
		},
		func(s string) string { d, err := base64.StdEncoding.DecodeString(s); return or(string(d), err, s) },
		func(s string) string { d, err := base64.RawURLEncoding.DecodeString(s); return or(string(d), err, s) },
		func(s string) string { d, err := hex.DecodeString(s); return or(string(d), err, s) },
	}
	encoders := []func(string) string{
		url.QueryEscape, url.PathEscape, html.EscapeString,
		func(s string) string { d, _ := json.Marshal(s); return string(d[1 : len(d)-1]) },
		func(s string) string { return strings.ToLower(url.QueryEscape(s)) },
	}
	ends := []func(string) string{
		func(s string) string { return s },
		func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
		func(s string) string { return hex.EncodeToString([]byte(s)) },
	}
	rapid.Check(t, func(t *rapid.T) {
		secret := secretTexts.Draw(t, "secret")
		pad := rapid.StringMatching(`[a-z:]{0,4}`)
		text := rapid.SampledFrom(ends).Draw(t, "end")(pad.Draw(t, "before") + secret + pad.Draw(t, "after"))
		for i := range rapid.IntRange(0, maxDepth).Draw(t, "layers") {
			text = rapid.SampledFrom(encoders).Draw(t, fmt.Sprint("layer ", i))(text)
		}
		masked := matcher(secret).MaskText(text, BodyText)
		seen := map[string]bool{}
		for todo := []string{masked}; len(todo) > 0 && len(seen) < 500; todo = todo[1:] {
			if strings.Contains(todo[0], secret) {
				t.Fatalf("%q becomes %q, which decodes to %q", text, masked, todo[0])
			}
			for _, decode := range decoders {
				if next := decode(todo[0]); !seen[next] {
					seen[next] = true
					todo = append(todo, next)
				}
			}
		}
	})
}

func or(s string, err error, other string) string {
	if err != nil {
		return other
	}
	return s
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"hunter22-of-ann", `%5C%5c&amp;#x68;`, `\\\\\\\u005c`, "&&#38;#104;"} {
		f.Add(s, "hunter22")
	}
	const mask = "***"
	f.Fuzz(func(t *testing.T, text, secret string) {
		if secret == "" || len(secret) > 100 {
			return
		}
		m := matcher(secret)
		for _, at := range []TextKind{BodyText, LineText, URLText} {
			if got := m.MaskText(text, at); len(secret) >= LongSecret && strings.Contains(got, secret) && !strings.Contains(mask, secret) {
				t.Errorf("%q is still in %q", secret, got)
			}
		}
		m.MaskBytes([]byte(text), true)
	})
}
