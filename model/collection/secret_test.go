package collection_test

import (
	"regexp"
	"strings"
	"testing"

	"sonde/model/collection"

	"github.com/google/go-cmp/cmp"
)

var token = regexp.MustCompile(`tok-[a-z0-9]+`)

// rules take names with "key", "password" or "token" for those of secrets, and texts such as "tok-1" for secrets.
var rules = collection.SecretRules{
	Name: func(name string) bool {
		return regexp.MustCompile(`(?i)key|password|token`).MatchString(name)
	},
	Texts: func(text string) []string { return token.FindAllString(text, -1) },
}

func TestHideSecrets(t *testing.T) {
	for name, test := range map[string]struct{ file, want, found string }{
		"bearer":        {"GET /a\nAuthorization: Bearer abc", "GET /a\nAuthorization: Bearer {{TOKEN}}", "TOKEN"},
		"other scheme":  {"GET /a\nAuthorization: Digest abc", "GET /a\nAuthorization: Digest {{AUTHORIZATION}}", "AUTHORIZATION"},
		"no scheme":     {"GET /a\nAuthorization: abc", "GET /a\nAuthorization: {{AUTHORIZATION}}", "AUTHORIZATION"},
		"basic":         {"GET /a\nAuthorization: Basic ann:pw", "GET /a\nAuthorization: Basic ann:{{PASSWORD}}", "PASSWORD"},
		"basic, base64": {"GET /a\nAuthorization: Basic YW5uOnB3", "GET /a\nAuthorization: Basic ann:{{PASSWORD}}", "PASSWORD"},
		"basic, space":  {"GET /a\nAuthorization: Basic ann pw", "GET /a\nAuthorization: Basic ann:{{PASSWORD}}", "PASSWORD"},
		"basic, opaque": {"GET /a\nAuthorization: Basic abc", "GET /a\nAuthorization: Basic {{PASSWORD}}", "PASSWORD"},
		"variables": {
			"GET /a?token={{t}}\nAuthorization: Bearer {{x}}\nX-Key: {{y}}",
			"GET /a?token={{t}}\nAuthorization: Bearer {{x}}\nX-Key: {{y}}", "",
		},
		"cookies":        {"GET /a\nCookie: sid=1; t={{x}}", "GET /a\nCookie: sid={{COOKIE_SID}}; t={{x}}", "COOKIE_SID"},
		"header by name": {"GET /a\nX-Api-Key: abc", "GET /a\nX-Api-Key: {{X_API_KEY}}", "X_API_KEY"},
		"query":          {"GET /a?apiKey=abc&b=c#d", "GET /a?apiKey={{API_KEY}}&b=c#d", "API_KEY"},
		"URL":            {"GET http://ann:pw@h/a", "GET http://ann:{{PASSWORD}}@h/a", "PASSWORD"},
		"by its form":    {"GET /tok-1/x\nX-A: b tok-2", "GET /{{TOKEN}}/x\nX-A: b {{TOKEN_2}}", "TOKEN TOKEN_2"},
		"equal secrets":  {"GET /a?key=abc\nX-Key: abc", "GET /a?key={{KEY}}\nX-Key: {{KEY}}", "KEY"},
		"form": {
			"POST /a\nContent-Type: application/x-www-form-urlencoded\n\nname=ann&password=a%26b",
			"POST /a\nContent-Type: application/x-www-form-urlencoded\n\nname=ann&password={{PASSWORD}}", "PASSWORD",
		},
		"JSON": {
			"POST /a\nContent-Type: application/json\n\n{\"password\": \"a\\\"b\", \"name\": \"c\", \"n\": \"tok-3\"}",
			"POST /a\nContent-Type: application/json\n\n{\"password\": \"{{PASSWORD}}\", \"name\": \"c\", \"n\": \"{{TOKEN}}\"}",
			"PASSWORD TOKEN",
		},
		"variable of the file": {
			"@token = abc\n@host = h\n\nGET /a\nAuthorization: Bearer abc",
			"@host = h\n\nGET /a\nAuthorization: Bearer {{token}}", "token",
		},
		"variable with the same name": {"@TOKEN = {{other}}\n\nGET /tok-1", "@TOKEN = {{other}}\n\nGET /{{TOKEN_2}}", "TOKEN_2"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := collection.ParseHTTP(test.file)
			if err != nil {
				t.Fatal(err)
			}
			before, _ := collection.WriteHTTP(c)
			hidden, found := collection.HideSecrets(c, rules)
			text, _ := collection.WriteHTTP(hidden)
			got := strings.ReplaceAll(strings.TrimSpace(string(text)), "###\n", "")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var names []string
			for _, s := range found {
				names = append(names, s.Variable)
			}
			if strings.Join(names, " ") != test.found {
				t.Errorf("found %v, want %s", found, test.found)
			}
			if after, _ := collection.WriteHTTP(c); string(after) != string(before) {
				t.Error("the collection itself was changed")
			}
		})
	}
}
