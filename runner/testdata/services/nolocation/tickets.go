package main

import (
	"maps"
	"net/http"
	"slices"

	"sonde/runner/testdata/services/serve"
)

// ticket is a question to the desk.
type ticket struct {
	ID       int    `json:"ticketId"`
	Subject  string `json:"subject"`
	Channel  string `json:"channel"`
	Caller   string `json:"caller"` // the last digits of the phone number
	Priority string `json:"priority"`
	State    string `json:"state"`
	Agent    string `json:"agentUuid,omitempty"`

	notes map[int]*note
	had   []string // the agents who had the ticket, the newest last
}

var (
	channels   = []string{"web", "mail", "phone"}
	priorities = []string{"low", "normal", "high"}
	states     = []string{"new", "open", "closed"}
)

type newTicket struct {
	Subject  *string `json:"subject"`
	Channel  *string `json:"channel"`
	Phone    *string `json:"phone"`
	Priority *string `json:"priority"`
}

func (n newTicket) check() error {
	return serve.Check(
		serve.Rule{Holds: serve.Text(n.Subject, 1, 100), Text: "subject: must have 1 to 100 characters"},
		serve.Rule{Holds: serve.OneOf(n.Channel, channels...), Text: "channel: must be web, mail or phone"},
		serve.Rule{Holds: n.Phone == nil || serve.Text(n.Phone, 4, 20), Text: "phone: must have 4 to 20 characters"},
		serve.Rule{Holds: n.Priority == nil || serve.OneOf(n.Priority, priorities...), Text: "priority: must be low, normal or high"},
	)
}

func (d *desk) listTickets(c *serve.Call) (serve.Answer, error) {
	q := c.Query()
	state, limit := q.OneOf("state", false, states...), q.Int("limit", 1, 50, 20)
	if q.Err != nil {
		return serve.Answer{}, q.Err
	}
	var list []*ticket
	for _, id := range slices.Sorted(maps.Keys(d.tickets)) {
		if t := d.tickets[id]; (state == "" || t.State == state) && len(list) < limit {
			list = append(list, t)
		}
	}
	// F02: without tickets the answer is null instead of an empty list.
	c.Fault("F02", list == nil)
	return serve.OK(map[string]any{"total": len(d.tickets), "tickets": list})
}

func (d *desk) createTicket(c *serve.Call) (serve.Answer, error) {
	var in newTicket
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	caller := ""
	if *in.Channel == "phone" {
		// F01: the caller may leave out the phone number.
		c.Fault("F01", in.Phone == nil)
		caller = (*in.Phone)[len(*in.Phone)-4:]
	}
	t := &ticket{ID: d.next(), Subject: *in.Subject, Channel: *in.Channel, Caller: caller, Priority: serve.Or(in.Priority, "normal"), State: "new", notes: map[int]*note{}}
	d.tickets[t.ID] = t
	return created(t)
}

func (d *desk) ticket(c *serve.Call) (*ticket, error) {
	if t := d.tickets[c.ID("ticketId")]; t != nil {
		return t, nil
	}
	return nil, serve.Missing("ticket")
}

func (d *desk) getTicket(c *serve.Call) (serve.Answer, error) {
	t, err := d.ticket(c)
	if err != nil {
		return serve.Answer{}, err
	}
	return serve.OK(t)
}

type ticketChange struct {
	Priority *string `json:"priority"`
	State    *string `json:"state"`
}

func (n ticketChange) check() error {
	return serve.Check(
		serve.Rule{Holds: n.Priority == nil || serve.OneOf(n.Priority, priorities...), Text: "priority: must be low, normal or high"},
		serve.Rule{Holds: n.State == nil || serve.OneOf(n.State, states...), Text: "state: must be new, open or closed"},
	)
}

func (d *desk) patchTicket(c *serve.Call) (serve.Answer, error) {
	t, err := d.ticket(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in ticketChange
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	if t.State == "closed" {
		return serve.Answer{}, unfit("the ticket is closed")
	}
	// F07: if the ticket has the priority already, the answer has a status that the spec does not
	// declare.
	if c.Fault("F07", in.Priority != nil && *in.Priority == t.Priority && in.State == nil) {
		return serve.NoContent()
	}
	t.Priority, t.State = serve.Or(in.Priority, t.Priority), serve.Or(in.State, t.State)
	return serve.OK(t)
}

func (d *desk) deleteTicket(c *serve.Call) (serve.Answer, error) {
	t, err := d.ticket(c)
	if err != nil {
		return serve.Answer{}, err
	}
	if t.State != "closed" {
		return serve.Answer{}, conflict("the ticket is not closed")
	}
	delete(d.tickets, t.ID)
	return serve.NoContent()
}

type assignment struct {
	Agent *string `json:"agentUuid"`
	Note  *string `json:"note"`
}

func (n assignment) check() error {
	return serve.Check(
		serve.Rule{Holds: n.Agent != nil, Text: "agentUuid: must be given"},
		serve.Rule{Holds: n.Note == nil || serve.Text(n.Note, 0, 200), Text: "note: must have at most 200 characters"},
	)
}

func (d *desk) assign(c *serve.Call) (serve.Answer, error) {
	t, err := d.ticket(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in assignment
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	a := d.agents[*in.Agent]
	switch {
	case a == nil || a.deleted:
		return serve.Answer{}, unfit("agentUuid: there is no such agent")
	case t.State == "closed":
		return serve.Answer{}, serve.Refuse(http.StatusConflict, "the ticket is closed")
	}
	from := t.handOver(c, a.UUID)
	t.Agent, t.State = a.UUID, "open"
	return serve.OK(map[string]string{"from": from, "to": a.UUID})
}

// handOver stores that an agent gets the ticket, and returns the other agent who had it last.
func (t *ticket) handOver(c *serve.Call, to string) (from string) {
	if len(t.had) > 0 {
		others := slices.DeleteFunc(slices.Clone(t.had), func(uuid string) bool { return uuid == to })
		// F04: if the same agent gets the ticket again, there may be no other agent.
		c.Fault("F04", len(others) == 0)
		from = others[len(others)-1]
	}
	t.had = append(t.had, to)
	return from
}
