package runner

import (
	"context"
	"fmt"

	"sonde/model"
)

// attempts is how often Realise tries to get a seq through.
const attempts = 50

// Realise gives a seq of the template's structure its values: it plays it with
// new values until every call answers 2xx, and returns the test that came
// furthest. An error means that not even the first call got an answer, or that
// the plan's limits or the end of ctx cut it short.
func Realise(ctx context.Context, p model.Plan, t model.Template, hosts ...string) (model.Test, error) {
	v, err := NewInvoker(ctx, p, nil, attempts, hosts...)
	if err != nil {
		return model.Test{}, err
	}
	defer v.Close()
	a, err := v.try(ctx, t, nil)
	if err == nil && a.Calls[0].Status == 0 {
		err = &Unreachable{fmt.Errorf("%q gave no answer to %s", p.BaseURL, t.Steps[0].Op)}
	}
	return a.Test, err
}
