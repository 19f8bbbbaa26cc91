package distributed

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"sonde/runner/campaign"
	"sonde/ui/app/experiment"
	"sonde/ui/app/version"
	"sonde/ui/words"
)

// Coordination is a campaign that this process coordinates.
type Coordination struct {
	coordinator *campaign.Coordinator
	session     *Session
	observer    *campaign.Observer
	id          string
	Resumed     bool
}

// Coordinate begins or resumes a campaign.
func (s *Session) Coordinate(ctx context.Context, d campaign.Description) (*Coordination, error) {
	d.Sonde = version.Text()
	c, resumed, err := s.Store.Coordinate(ctx, d)
	if err != nil {
		return nil, err
	}
	o, err := s.Store.Observe(ctx)
	return &Coordination{coordinator: c, session: s, observer: o, id: d.ID, Resumed: resumed}, err
}

// Workers describes the workers that are connected to the servers: how many have this version of Sonde, and how many
// have another one. If all workers with this version are idle, the text ends with the error that one of them reports,
// if any.
func (c *Coordination) Workers() string {
	able, others, idle, why := 0, 0, true, ""
	for _, w := range c.observer.Workers() {
		switch {
		case !w.Alive:
		case w.Sonde != version.Text():
			others++
		default:
			able++
			idle = idle && len(w.Doing) == 0
			why = cmp.Or(why, w.Error)
		}
	}
	text := words.Plural(able, "worker")
	if others > 0 {
		text += fmt.Sprintf(", %s with another version of Sonde", words.Plural(others, "worker"))
	}
	if able > 0 && idle && why != "" {
		text += ": " + why
	}
	return text
}

// Run gathers the results of all units. If jobs is more than 0, this process also works on that many units of this
// campaign at the same time. It may then do whatever the units need, because the user has named the services.
func (c *Coordination) Run(ctx context.Context, w campaign.Work, jobs int) error {
	if jobs < 1 {
		return c.session.conn.Explain(c.coordinator.Run(ctx, w))
	}
	own, err := c.session.newWorker(ctx, WorkerOptions{Jobs: jobs, Permissions: experiment.Permissions{All: true}, only: c.id})
	if err != nil {
		return err
	}
	working, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- own.Run(working, working) }()
	err = c.session.conn.Explain(c.coordinator.Run(ctx, w))
	stop()
	problem := <-ended
	if errors.Is(problem, context.Canceled) {
		problem = nil
	}
	return cmp.Or(err, problem, own.Close())
}

// End removes the results from the servers. The caller must have written them before.
func (c *Coordination) End(ctx context.Context) error {
	if err := c.coordinator.End(ctx); err != nil {
		return fmt.Errorf("the results are written, but the servers still have them: %w", err)
	}
	return nil
}
