package refusal_test

import (
	"encoding/json"
	"testing"

	"sonde/runner/search/refusal"
)

// Messages of the common libraries.
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
