package refusal_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sonde/runner/search/refusal"
)

// Read finds the rules in the messages of common libraries.
func TestRead(t *testing.T) {
	inputs := []string{"name", "email", "project_id", "age", "color", "key", "expiresAt", "userName"}
	for name, c := range map[string]struct{ body, want string }{
		"go-playground/validator": {
			`{"error": "Key: 'User.UserName' Error:Field validation for 'UserName' failed on the 'required' tag\n` +
				`Key: 'User.Email' Error:Field validation for 'Email' failed on the 'email' tag"}`,
			`[{"Input":"userName","Required":true},{"Input":"email","Format":"email"}]`,
		},
		"pydantic": {
			`{"detail": [{"loc": ["body", "name"], "msg": "Field required", "type": "missing"}, ` +
				`{"loc": ["body", "age"], "msg": "Input should be greater than or equal to 18", "type": "greater_than_equal"}]}`,
			`[{"Input":"name","Required":true},{"Input":"name","Required":true},{"Input":"age","Min":18}]`,
		},
		"pydantic enum": {
			`{"detail": [{"loc": ["query", "color"], "msg": "Input should be 'red', 'green' or 'blue'", "type": "enum"}]}`,
			`[{"Input":"color","Values":["red","green","blue"]}]`,
		},
		"problem details": {
			`{"title": "Bad Request", "status": 400, "errors": {"project_id": ["must be between 1 and 10"]}}`,
			`[{"Input":"project_id","Min":1,"Max":10}]`,
		},
		"spring": {
			`{"errors": [{"field": "key", "defaultMessage": "must match \"^[A-Z]{26}$\""}]}`, `[{"Input":"key","Pattern":"^[A-Z]{26}$"}]`,
		},
		"rails": {
			`{"errors": {"name": ["can't be blank", "is too short (minimum is 3 characters)"]}}`,
			`[{"Input":"name","Required":true},{"Input":"name","MinLength":3}]`,
		},
		"express": {
			`{"errors": [{"type": "field", "msg": "Invalid value: must be a valid URL", "path": "key"}]}`,
			`[{"Input":"key","Format":"uri"}]`,
		},
		"prefix": {
			`{"code": 2, "message": "key has invalid prefix: expected prefix \"hskey-\""}`, `[{"Input":"key","Prefix":"hskey-"}]`,
		},
		"two words":     {`the project id must be at least 1`, `[{"Input":"project_id","Min":1}]`},
		"no input":      {`it must match ^a+$`, `[{"Input":"","Pattern":"^a+$"}]`},
		"unknown field": {`json: unknown field "color"`, `[{"Input":"color","Unknown":true}]`},
		"list in brackets": {
			`color must be one of [red, green]`, `[{"Input":"color","Values":["red","green"]}]`,
		},
		"length":  {`name: must be at most 20 characters long`, `[{"Input":"name","MaxLength":20}]`},
		"exact":   {`key has invalid length: expected 38, got 12`, `[{"Input":"key","MinLength":38,"MaxLength":38}]`},
		"time":    {`{"message": "expires_at: cannot parse as RFC3339"}`, `[{"Input":"expiresAt","Format":"date-time"}]`},
		"nothing": {`{"message": "not found"}`, `[]`},
		"hostile": {`[[[[[[[[{"a": {"b": null}}]]]]]]]]`, `[]`},
	} {
		t.Run(name, func(t *testing.T) {
			got := []map[string]any{}
			for _, r := range refusal.Read([]byte(c.body), inputs) {
				data, err := json.Marshal(r)
				if err != nil {
					t.Fatal(err)
				}
				m := map[string]any{}
				if err := json.Unmarshal(data, &m); err != nil {
					t.Fatal(err)
				}
				for k, v := range m {
					if v == nil || v == "" && k != "Input" || v == false {
						delete(m, k)
					}
				}
				got = append(got, m)
			}
			var want []map[string]any
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(want)
			if string(a) != string(b) {
				t.Errorf("got  %s\nwant %s", a, b)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"errors": {"name": ["between 1 and 2", "one of a, b"]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, r := range refusal.Read(body, []string{"name", "other"}) {
			if r.Input != "name" && r.Input != "other" && r.Input != "" {
				t.Errorf("a rule about %q", r.Input)
			}
		}
	})
}

// readOne returns the only rule of a body about the inputs "name" and "age".
func readOne(t *testing.T, body string) refusal.Rule {
	t.Helper()
	rules := refusal.Read([]byte(body), []string{"name", "age"})
	if len(rules) != 1 {
		t.Fatalf("%s: %d rules: %+v", body, len(rules), rules)
	}
	return rules[0]
}

// The bounds of a rule are inclusive. If the message has a unit, such as "characters", the bounds limit the length.
// Absurd lengths are ignored.
func TestBounds(t *testing.T) {
	for body, want := range map[string]string{
		"age must be greater than 17":                   `{"Input":"age","Min":18}`,
		"age must be less than 130":                     `{"Input":"age","Max":129}`,
		"age must be at least -2.5":                     `{"Input":"age","Min":-2.5}`,
		"age: no less than 3 and no more than 9":        `{"Input":"age","Min":3,"Max":9}`,
		"name must be between 2 and 40 characters":      `{"Input":"name","MinLength":2,"MaxLength":40}`,
		"name must have exactly 12 characters":          `{"Input":"name","MinLength":12,"MaxLength":12}`,
		"name is too long (maximum is 9000 characters)": "",
		"name is too short: minimum -1 characters":      "",
		"age must be at least 99999999999999999999999":  `{"Input":"age","Min":1e+23}`,
	} {
		rules := refusal.Read([]byte(body), []string{"name", "age"})
		if want == "" {
			if len(rules) != 0 {
				t.Errorf("%q: %+v, want nothing", body, rules)
			}
			continue
		}
		if len(rules) != 1 || !sameRule(t, rules[0], want) {
			t.Errorf("%q: %+v, want %s", body, rules, want)
		}
	}
}

// sameRule reports whether a rule is equal to the rule in a JSON text.
func sameRule(t *testing.T, got refusal.Rule, text string) bool {
	t.Helper()
	var want refusal.Rule
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	return got.Key() == want.Key()
}

// A message is about the input that it has in quotes. If it has no input in quotes, it is about the input that its
// sentence names. If the sentence names no input, the message is about the input that the nearest member of the JSON
// names.
func TestInputOfAStatement(t *testing.T) {
	for body, want := range map[string]string{
		`a name is given, but 'age' is required`:                              "age",
		`{"message": "is required", "field": "age"}`:                          "age",
		`{"name": {"age": ["is required"]}}`:                                  "age",
		`{"errors": [{"loc": ["name", "age"], "msg": "Field required"}]}`:     "age",
		`{"error": "NAME is required", "field": "age"}`:                       "name",
		`{"error": "is required", "field": "age of the caller"}`:              "",
		`{"error": "is required"}`:                                            "",
		`{"error": {"message": "must be one of red, green", "code": "oops"}}`: "",
	} {
		rules := refusal.Read([]byte(body), []string{"name", "age"})
		got := ""
		if len(rules) > 0 {
			got = rules[0].Input
		}
		if got != want {
			t.Errorf("%s: about %q, want %q", body, got, want)
		}
	}
	if got := refusal.Read([]byte("it is required"), []string{"name"}); len(got) != 1 || got[0].Input != "name" {
		t.Errorf("of an operation with one input: %+v", got)
	}
}

// A message that quotes only one text gives no list of allowed values: the quoted text may be the value that was
// sent.
func TestValues(t *testing.T) {
	if r := readOne(t, `name must be "a", "b" or "c"`); strings.Join(r.Values, " ") != "a b c" {
		t.Errorf("got %q", r.Values)
	}
	for _, body := range []string{`name should be "a"`, `name must be one of the values`, `expected name, got "a"`} {
		if rules := refusal.Read([]byte(body), []string{"name", "age"}); len(rules) != 0 {
			t.Errorf("%s: %+v", body, rules)
		}
	}
}

// Only a part of a long or deeply nested answer is read, so that reading it is fast.
func TestHostileAnswers(t *testing.T) {
	many := strings.Repeat("name is required; ", 2000)
	if got := len(refusal.Read([]byte(many), []string{"name", "age"})); got != 64 {
		t.Errorf("%d rules, want the first 64", got)
	}
	long := "name is required " + strings.Repeat("x", 1000)
	far := strings.Repeat("x", 20<<10) + "\nname is required"
	for _, body := range []string{
		long, far, strings.Repeat("[", 10_000), strings.Repeat(`{"name":`, 5000), strings.Repeat(`"`, 5000),
		"\xff\xfe name\x00", "", "null",
	} {
		if got := refusal.Read([]byte(body), []string{"name", "age"}); len(got) != 0 {
			t.Errorf("%.20q: %+v", body, got)
		}
	}
	deep := strings.Repeat(`{"a":`, 200) + `"age is required"` + strings.Repeat("}", 200)
	if r := readOne(t, deep); r.Input != "age" || !r.Required {
		t.Errorf("in 200 objects: %+v", r)
	}
	for _, inputs := range [][]string{nil, {""}, {"_", "-"}} {
		for _, r := range refusal.Read([]byte("name is required, and must match ^a$"), inputs) {
			if r.Input == "name" {
				t.Errorf("about an input that is not one of %q: %+v", inputs, r)
			}
		}
	}
}
