package main

import (
	"fmt"
	"strings"

	"sonde/runner/testdata/services/serve"
)

// agent is a person who answers tickets.
type agent struct {
	UUID  string `json:"uuid"`
	Name  string `json:"name"`
	Email string `json:"email"`
	Role  string `json:"role"`

	deleted bool
}

type newAgent struct {
	Name  *string `json:"name"`
	Email *string `json:"email"`
	Role  *string `json:"role"`
}

func (n newAgent) check() error {
	return serve.Check(
		serve.Rule{Holds: serve.Text(n.Name, 1, 40), Text: "name: must have 1 to 40 characters"},
		serve.Rule{Holds: serve.Text(n.Email, 3, 60) && strings.Contains(*n.Email, "@"), Text: "email: must be an address"},
		serve.Rule{Holds: n.Role == nil || serve.OneOf(n.Role, "agent", "lead"), Text: "role: must be agent or lead"},
	)
}

func (d *desk) createAgent(c *serve.Call) (serve.Answer, error) {
	var in newAgent
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	for _, a := range d.agents {
		if a.Email == *in.Email && !a.deleted {
			return serve.Answer{}, conflict("email: is taken")
		}
	}
	a := &agent{fmt.Sprintf("00000000-0000-4000-8000-%012d", d.next()), *in.Name, *in.Email, serve.Or(in.Role, "agent"), false}
	d.agents[a.UUID] = a
	return created(a)
}

// agent returns the agent that a request names, unless it was deleted.
func (d *desk) agent(c *serve.Call) (*agent, error) {
	if a := d.agents[c.PathValue("agentUuid")]; a != nil && !a.deleted {
		return a, nil
	}
	return nil, serve.Missing("agent")
}

func (d *desk) getAgent(c *serve.Call) (serve.Answer, error) {
	a := d.agents[c.PathValue("agentUuid")]
	if a == nil {
		return serve.Answer{}, serve.Missing("agent")
	}
	c.Fault("F03", a.deleted)
	return serve.OK(a)
}

func (d *desk) deleteAgent(c *serve.Call) (serve.Answer, error) {
	a, err := d.agent(c)
	if err != nil {
		return serve.Answer{}, err
	}
	for _, t := range d.tickets {
		if t.Agent == a.UUID {
			return serve.Answer{}, conflict("the agent has tickets")
		}
	}
	for _, q := range d.queues {
		delete(q.members, a.UUID)
	}
	// F03: a lead is only marked as deleted. A read ignores the mark, so its answer is wrong.
	if a.Role == "lead" {
		a.deleted = true
	} else {
		delete(d.agents, a.UUID)
	}
	return serve.NoContent()
}
