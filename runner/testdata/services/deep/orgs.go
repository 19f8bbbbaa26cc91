package main

import (
	"sonde/runner/testdata/services/serve"
)

// org is an organisation. Its plan limits how much it may have.
type org struct {
	ID    int    `json:"orgId"`
	Name  string `json:"name"`
	Plan  string `json:"plan"`
	Seats int    `json:"seats"`

	projects shelf[project]
}

var plans = []string{"free", "team", "enterprise"}

const (
	pageSize  = 10
	freeSeats = 5
)

type newOrg struct {
	Name  *string `json:"name"`
	Plan  *string `json:"plan"`
	Seats *int    `json:"seats"`
}

func (n newOrg) check() error {
	return serve.Check(
		serve.Rule{Holds: serve.Text(n.Name, 1, 40), Text: "name: must have 1 to 40 characters"},
		serve.Rule{Holds: serve.OneOf(n.Plan, plans...), Text: "plan: must be free, team or enterprise"},
		serve.Rule{Holds: n.Seats == nil || serve.Within(n.Seats, 1, 1000), Text: "seats: must be from 1 to 1000"},
	)
}

func (w *work) named(name string) *org {
	for _, o := range w.orgs.sorted() {
		if o.Name == name {
			return o
		}
	}
	return nil
}

func (w *work) listOrgs(c *serve.Call) (serve.Answer, error) {
	q := c.Query()
	page, plan := q.Int("page", 1, 100, 1), q.OneOf("plan", false, plans...)
	if q.Err != nil {
		return serve.Answer{}, q.Err
	}
	list := []*org{}
	for _, o := range w.orgs.sorted() {
		if plan == "" || o.Plan == plan {
			list = append(list, o)
		}
	}
	// F01: a page may begin after the end of the list.
	c.Fault("F01", (page-1)*pageSize > len(list))
	rest := list[(page-1)*pageSize:]
	return serve.OK(rest[:min(pageSize, len(rest))])
}

func (w *work) createOrg(c *serve.Call) (serve.Answer, error) {
	var in newOrg
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	if w.named(*in.Name) != nil {
		return serve.Answer{}, conflict("name: is taken")
	}
	seats := serve.Or(in.Seats, freeSeats)
	if *in.Plan == "enterprise" {
		// F02: seats are optional, but the code needs them.
		c.Fault("F02", in.Seats == nil)
		seats = *in.Seats
	}
	if *in.Plan == "free" && seats > freeSeats {
		return serve.Answer{}, unfit("seats: the free plan has %d", freeSeats)
	}
	o := &org{w.next(), *in.Name, *in.Plan, seats, shelf[project]{}}
	w.orgs[o.ID] = o
	return serve.Created(o, "/orgs/%d", o.ID)
}

func (w *work) getOrg(c *serve.Call) (serve.Answer, error) { return found(w.org(c)) }

type orgChange struct {
	Name *string `json:"name"`
}

func (n orgChange) check() error {
	return serve.Check(serve.Rule{Holds: serve.Text(n.Name, 1, 40), Text: "name: must have 1 to 40 characters"})
}

func (w *work) patchOrg(c *serve.Call) (serve.Answer, error) {
	o, err := w.org(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in orgChange
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	other := w.named(*in.Name)
	o.Name = *in.Name
	// F08: the code looks whether the name is taken, but stores the name before it uses the
	// result.
	if c.Fault("F08", other != nil && other != o) {
		return serve.Answer{}, conflict("name: is taken")
	}
	return serve.OK(o)
}

func (w *work) deleteOrg(c *serve.Call) (serve.Answer, error) {
	o, err := w.org(c)
	if err != nil {
		return serve.Answer{}, err
	}
	return remove(w.orgs, o.ID, len(o.projects))
}
