package depend

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
)

// transferring returns an API with accounts. Its last operation has the given path, and its fields take ids of
// accounts.
func transferring(path string, fields ...string) []*model.Operation {
	return []*model.Operation{
		op("POST /banks"), op("GET /banks/{bankId}"),
		op("POST /banks/{bankId}/accounts", body(object("owner"))), op("GET /accounts/{accountId}"),
		op("POST "+path, body(object(fields...))),
	}
}

// Inputs with different names that identify elements of the same kind get different elements. An input repeats the
// value of an earlier input if both have the same name, or if its name is only an id word.
func TestTemplatesWithDistinctElements(t *testing.T) {
	const account = "POST /banks; POST /banks/{bankId}/accounts [bankId<0]; "
	for name, c := range map[string]struct {
		path   string
		fields []string
		want   string // the template with two accounts, "" for none
	}{
		"two fields": {
			"/transfers",
			[]string{"fromAccountId", "toAccountId"},
			account + "POST /banks/{bankId}/accounts [bankId<0]; POST /transfers [/fromAccountId<1] [/toAccountId<2]",
		},
		"three fields": {
			"/splits",
			[]string{"fromAccountId", "accountId", "toAccountId"},
			account + "POST /banks/{bankId}/accounts [bankId<0]; POST /banks/{bankId}/accounts [bankId<0]; " +
				"POST /splits [/fromAccountId<1] [/accountId<2] [/toAccountId<3]",
		},
		"a parameter and a field": {
			"/accounts/{accountId}/links",
			[]string{"otherAccountId"},
			account + "POST /banks/{bankId}/accounts [bankId<0]; POST /accounts/{accountId}/links [accountId<1] [/otherAccountId<2]",
		},
		"the same name":    {"/accounts/{accountId}/notes", []string{"account_id"}, ""},
		"the id of itself": {"/accounts/{accountId}", []string{"id"}, ""},
		"one field":        {"/orders", []string{"accountId"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := templatesOf(plannerOf(&model.Spec{Operations: transferring(c.path, c.fields...)}), "POST "+c.path)
			twice := slices.DeleteFunc(slices.Clone(got), func(text string) bool {
				return strings.Count(text, "POST /banks/{bankId}/accounts ") < 2
			})
			switch {
			case c.want == "" && len(twice) > 0:
				t.Errorf("templates with two accounts: %q", twice)
			case c.want != "" && !slices.Contains(twice, c.want):
				t.Errorf("no template %q in\n%s", c.want, strings.Join(got, "\n"))
			}
		})
	}
}

// A template with distinct elements has at most maxSteps steps, too.
func TestDistinctElementsAreLimited(t *testing.T) {
	var fields []string
	for _, role := range []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"} {
		fields = append(fields, role+"AccountId")
	}
	for _, text := range templatesOf(plannerOf(&model.Spec{Operations: transferring("/circles", fields...)}), "POST /circles") {
		if strings.Count(text, "POST /banks/{bankId}/accounts ") > 1 {
			t.Errorf("a template with too many steps: %s", text)
		}
	}
}
