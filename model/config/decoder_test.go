package config

import (
	"bytes"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// decode parses a text and decodes it by into(d), where d is a new decoder. It returns the error of d.
func decode(t *testing.T, text string, into func(*decoder) decodeFunc) error {
	t.Helper()
	v, err := parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d := &decoder{}
	into(d)(v)
	return d.err
}

func TestDecodeDuration(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration
		err  string
	}{
		{"30s", 30 * time.Second, ""},
		{"5m", 5 * time.Minute, ""},
		{"90", 90 * time.Second, ""},
		{"0", 0, ""},
		{"-1s", 0, `line 1: a time such as 30s or 5m belongs here, not "-1s"`},
		{"soon", 0, `line 1: a time such as 30s or 5m belongs here, not "soon"`},
		{"[1]", 0, "line 1: a time such as 30s or 5m belongs here, not a list"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var got time.Duration
			err := decode(t, tt.text, func(d *decoder) decodeFunc { return d.duration(&got) })
			if text := errorText(err); text != tt.err || got != tt.want {
				t.Errorf("got %v and the error %q, want %v and %q", got, text, tt.want, tt.err)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestDecodeScalars(t *testing.T) {
	var (
		count  int
		share  float64
		flag   bool
		word   string
		data   []byte
		texts  []string
		seed   *uint64
		public map[string]string
	)
	tests := []struct {
		name, good, bad string
		into            func(*decoder) decodeFunc
		is              func() bool
	}{
		{"count", "1_000", "1001", func(d *decoder) decodeFunc { return d.count(&count, 1000) }, func() bool { return count == 1000 }},
		{"share", "0.5", ".nan", func(d *decoder) decodeFunc { return d.share(&share) }, func() bool { return share == 0.5 }},
		{"rate", "0.5", "-1", func(d *decoder) decodeFunc { return d.rate(&share) }, func() bool { return share == 0.5 }},
		{"flag", "TRUE", "1", func(d *decoder) decodeFunc { return d.flag(&flag) }, func() bool { return flag }},
		{
			"word", "post", "put",
			func(d *decoder) decodeFunc { return d.oneOf(&word, "GET", "POST") },
			func() bool { return word == "POST" },
		},
		{
			"bytes", "AP8=", "AP8",
			func(d *decoder) decodeFunc { return d.base64(&data) },
			func() bool { return bytes.Equal(data, []byte{0, 255}) },
		},
		{"texts", "a", "[[a]]", func(d *decoder) decodeFunc { return d.texts(&texts) }, func() bool { return texts[0] == "a" }},
		{
			"seed", "18446744073709551615", "-1",
			func(d *decoder) decodeFunc { return d.seed(&seed) },
			func() bool { return *seed == 1<<64-1 },
		},
		{
			"public", "{Api-Key: '${KEY}', a: b}", "{Api-Key: literal}",
			func(d *decoder) decodeFunc { return d.public(&public, "env") },
			func() bool { return maps.Equal(public, map[string]string{"Api-Key": "${KEY}", "a": "b"}) },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := decode(t, tt.good, tt.into); err != nil || !tt.is() {
				t.Errorf("%s: not decoded, error %v", tt.good, err)
			}
			if err := decode(t, tt.bad, tt.into); err == nil {
				t.Errorf("%s: no error", tt.bad)
			}
		})
	}
}

// A decoder stores the first error with its line, and does not decode the members after an unknown key.
func TestDecoderKeepsTheFirstError(t *testing.T) {
	var a, c string
	err := decode(t, "a: x\nb: y\nc: z\nd: w", func(d *decoder) decodeFunc {
		return func(v *value) {
			d.object(v, "the file", fields{"a": d.text(&a), "c": d.text(&c)})
			d.failAt(7, "a later error")
		}
	})
	var at *lineError
	if !errors.As(err, &at) || at.line != 2 || !strings.Contains(at.text, `unknown key "b"`) {
		t.Errorf("got %v, want the unknown key in line 2", err)
	}
	if a != "x" || c != "" {
		t.Errorf("got %q and %q, want what comes before the error", a, c)
	}
}

// No two sections of the file have a key in common; otherwise each section would decode the value.
func TestSectionsHaveTheirOwnKeys(t *testing.T) {
	f := newFileDecoder(&value{})
	section := map[string]string{}
	for name, keys := range map[string]fields{
		"service": f.service.fields(),
		"search":  f.search.fields(),
		"auth":    f.auth.fields(),
	} {
		for key := range keys {
			if other := section[key]; other != "" {
				t.Errorf("the key %q is one of %s and of %s", key, name, other)
			}
			section[key] = name
		}
	}
	all := f.fields()
	for key := range section {
		if all[key] == nil {
			t.Errorf("the file has no key %q", key)
		}
	}
}

// Literal secrets of the same kind in several users get different names.
func TestSecretsGetNamesOfTheirOwn(t *testing.T) {
	const file = `
authTemplate: {bearer: literal}
auth:
  - {name: a b}
  - {name: a-b}
  - {name: c, bearer: '${C}'}
`
	c, err := Parse([]byte(file), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"Bearer ${SONDE_A_B_TOKEN}", "Bearer ${SONDE_A_B_TOKEN_2}", "Bearer ${C}"} {
		if got := c.Users[i].Sends[0].Value; got != want {
			t.Errorf("user %d: got %q, want %q", i, got, want)
		}
	}
}

// The error for an unknown key suggests the most similar known key, even if they differ only in case, dashes or
// underscores. If no key is similar, the error lists all keys.
func TestNearest(t *testing.T) {
	known := fields{"allow-host": nil, "budget": nil, "fixedHeaders": nil}
	for key, want := range map[string]string{
		"allow_host":    `did you mean "allow-host"?`,
		"AllowHost":     `did you mean "allow-host"?`,
		"bugdet":        `did you mean "budget"?`,
		"fixed-headers": `did you mean "fixedHeaders"?`,
		"zzz":           "it takes allow-host, budget, fixedHeaders",
	} {
		if got := nearest(key, known); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}

func TestDistanceIsAMetric(t *testing.T) {
	text := rapid.StringMatching(`[abc]{0,8}`)
	rapid.Check(t, func(rt *rapid.T) {
		a, b, c := text.Draw(rt, "a"), text.Draw(rt, "b"), text.Draw(rt, "c")
		switch ab := distance(a, b); {
		case (ab == 0) != (a == b):
			rt.Fatalf("the distance of %q and %q is %d", a, b, ab)
		case ab != distance(b, a):
			rt.Fatalf("the distance of %q and %q depends on their order", a, b)
		case distance(a, c) > ab+distance(b, c):
			rt.Fatalf("%q to %q is shorter by %q", a, c, b)
		}
	})
}
