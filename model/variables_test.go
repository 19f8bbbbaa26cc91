package model_test

import (
	"slices"
	"testing"

	"sonde/model"
)

func TestVariables(t *testing.T) {
	test := model.Test{Calls: []model.Call{
		{Args: []model.Arg{{Name: "a", Value: "${ONE}-${TWO}"}, {Name: "${NAME}", Value: "plain"}}},
		{Args: []model.Arg{{Name: "b", Value: "${ONE}"}}, Body: &model.Payload{Media: "text/plain", Data: "$X ${THREE} ${not a name}"}},
	}}
	if got, want := test.Variables(), []string{"ONE", "TWO", "THREE"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (model.Test{}).Variables(); len(got) > 0 {
		t.Errorf("no calls have %q", got)
	}
}
