package runner

import (
	"context"
	"fmt"
	"math/rand/v2"

	"sonde/model"
	"sonde/runner/client"
	"sonde/runner/rest"
	"sonde/runner/sut"
)

// attempts is how often Realise tries to get a seq through.
const attempts = 50

// Realise gives a seq of the template's structure its values: it plays it with
// new values until every call answers 2xx, and returns the test that came
// furthest. An error means that not even the first call got an answer.
func Realise(ctx context.Context, p model.Plan, t model.Template, hosts ...string) (model.Test, error) {
	c, err := client.New(p.BaseURL, client.Options{AllowHosts: hosts, Users: p.Users})
	if err != nil {
		return model.Test{}, err
	}
	defer c.Close()
	if err := c.Reachable(ctx); err != nil {
		return model.Test{}, &Unreachable{err}
	}
	r := realiser{plan: p, template: t, client: c, service: sut.New(c, p.Reset), best: -1}
	problem := rest.New(p.Spec, []model.Template{t}, p.Users)
	chance := rand.New(rand.NewPCG(p.Seed, 0))
	for range attempts {
		if done, err := r.try(ctx, problem.Follow(chance, t)); done || err != nil {
			return r.test, err
		}
	}
	return r.test, nil
}

type realiser struct {
	plan     model.Plan
	template model.Template
	client   *client.Client
	service  *sut.Service
	test     model.Test
	best     int // calls that went well; -1 before the first try
}

// try plays an individual once and tells whether all of it went well.
func (r *realiser) try(ctx context.Context, ind *rest.Individual) (bool, error) {
	if err := r.service.Reset(ctx); err != nil {
		return false, err
	}
	test, results := r.client.Play(ctx, r.plan.Spec, ind.Test())
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if n := len(results); n == 0 || results[0].Exchange.Err != nil {
		return false, &Unreachable{fmt.Errorf("%q gave no answer to %s", r.plan.BaseURL, r.template.Steps[0].Op)}
	}
	well := succeeded(results)
	if well > r.best {
		r.best, r.test = well, test
		r.test.Origin = model.Distilled
		r.test.Checks = checks(results, r.service.Resets())
	}
	return well == len(test.Calls), nil
}
