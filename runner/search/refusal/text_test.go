package refusal

import "testing"

func TestRuleAsText(t *testing.T) {
	inputs := []string{"plan", "key", "mail", "old", "size", "name"}
	for message, want := range map[string]string{
		`{"errors": {"mail": ["is required"]}}`: `"mail" is required`,
		`unknown field "old"`:                   `"old" is unknown`,
		`{"detail": [{"loc": ["body", "plan"], "msg": "Input should be 'a' or 'b'"}]}`: `"plan" is one of "a", "b"`,
		`{"message": "key has invalid prefix: expected prefix \"ak-\""}`:               `"key" begins with "ak-"`,
		`{"errors": {"size": ["must be less than or equal to 10"]}}`:                   `"size" is at most 10`,
		`{"errors": {"name": ["is too short (minimum is 3 characters)"]}}`:             `"name" has 3 characters or more`,
	} {
		rules := Read([]byte(message), inputs)
		if len(rules) != 1 || rules[0].String() != want {
			t.Errorf("%s says %v, want %s", message, rules, want)
		}
	}
	if got := (Rule{Pattern: "^a", Format: "uuid"}).String(); got != "an input matches ^a and has the format uuid" {
		t.Errorf("got %s", got)
	}
}
