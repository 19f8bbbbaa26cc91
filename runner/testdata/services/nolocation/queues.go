package main

import (
	"maps"
	"net/http"
	"regexp"
	"slices"

	"sonde/runner/testdata/services/serve"
)

// queue has members, for whom tickets wait. The caller chooses its key.
type queue struct {
	Key      string `json:"key"`
	Title    string `json:"title"`
	Capacity int    `json:"capacity"` // the largest number of members
	Fallback string `json:"fallback,omitempty"`
	Relief   int    `json:"relief"` // the capacity of the fallback

	members map[string]bool
}

var queueKey = regexp.MustCompile(`^[a-z][a-z0-9-]{1,15}$`)

type newQueue struct {
	Title    *string `json:"title"`
	Capacity *int    `json:"capacity"`
	Fallback *string `json:"fallback"`
}

func (n newQueue) check() error {
	return serve.Check(
		serve.Rule{Holds: serve.Text(n.Title, 1, 60), Text: "title: must have 1 to 60 characters"},
		serve.Rule{Holds: serve.Within(n.Capacity, 1, 50), Text: "capacity: must be from 1 to 50"},
	)
}

func (d *desk) listQueues(*serve.Call) (serve.Answer, error) {
	list := []*queue{}
	for _, key := range slices.Sorted(maps.Keys(d.queues)) {
		list = append(list, d.queues[key])
	}
	return serve.OK(list)
}

func (d *desk) putQueue(c *serve.Call) (serve.Answer, error) {
	var in newQueue
	key := c.PathValue("queueKey")
	if err := read(c, &in); err != nil {
		return serve.Answer{}, err
	}
	if err := serve.Check(serve.Rule{Holds: queueKey.MatchString(key), Text: "queueKey: must be 2 to 16 small letters, digits and dashes"}); err != nil {
		return serve.Answer{}, err
	}
	old := d.queues[key]
	switch {
	case in.Fallback != nil && d.queues[*in.Fallback] == nil:
		return serve.Answer{}, unfit("fallback: there is no such queue")
	case old != nil && *in.Capacity < len(old.members):
		return serve.Answer{}, conflict("capacity: there are more members")
	}
	delete(d.queues, key)
	q := &queue{Key: key, Title: *in.Title, Capacity: *in.Capacity, members: map[string]bool{}}
	if in.Fallback != nil {
		// F05: the fallback may be the queue itself, which was just removed.
		c.Fault("F05", *in.Fallback == key)
		q.Fallback, q.Relief = *in.Fallback, d.queues[*in.Fallback].Capacity
	}
	d.queues[key] = q
	if old == nil {
		return created(q)
	}
	q.members = old.members
	return serve.OK(q)
}

func (d *desk) queue(c *serve.Call) (*queue, error) {
	if q := d.queues[c.PathValue("queueKey")]; q != nil {
		return q, nil
	}
	return nil, serve.Missing("queue")
}

func (d *desk) getQueue(c *serve.Call) (serve.Answer, error) {
	q, err := d.queue(c)
	if err != nil {
		return serve.Answer{}, err
	}
	return serve.OK(q)
}

func (d *desk) deleteQueue(c *serve.Call) (serve.Answer, error) {
	q, err := d.queue(c)
	if err != nil {
		return serve.Answer{}, err
	}
	if len(q.members) > 0 {
		return serve.Answer{}, conflict("the queue has members")
	}
	delete(d.queues, q.Key)
	return serve.NoContent()
}

func (d *desk) joinQueue(c *serve.Call) (serve.Answer, error) {
	q, err := d.queue(c)
	if err != nil {
		return serve.Answer{}, err
	}
	a, err := d.agent(c)
	if err != nil {
		return serve.Answer{}, err
	}
	if !q.members[a.UUID] && len(q.members) == q.Capacity {
		return serve.Answer{}, serve.Refuse(http.StatusConflict, "the queue is full")
	}
	q.members[a.UUID] = true
	return serve.NoContent()
}
