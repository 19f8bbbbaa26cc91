package distributed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"sonde/runner/campaign"
	"sonde/ui/app/usecase"
)

// Monitor watches the campaigns on NATS servers and their workers. If it loses the connection, it tries to connect
// again until its context ends. It is safe for concurrent use.
type Monitor struct {
	servers Servers
	wait    time.Duration // time before the next attempt to connect

	mu      sync.Mutex
	view    usecase.CampaignsView // view without what Look adds
	link    *watchedSession       // nil if the servers are not connected
	watched *watchedUnits         // units of the campaign of the last Look, nil for none
	paces   map[string]*pace      // campaign ID → pace of the campaign
	lost    time.Time             // when the connection was lost
}

// watchedSession is a connection with its observers.
type watchedSession struct {
	*Session
	ctx       context.Context // ends with the connection
	campaigns *campaign.StateObserver
	workers   *campaign.Observer
}

const (
	// linkInterval is how often a Monitor checks its connection.
	linkInterval = 250 * time.Millisecond
	// linkPatience is how long a Monitor waits for an answer before the connection counts as lost. It is shorter than the time
	// after which processes count as gone.
	linkPatience = 2 * time.Second
	// cancelTimeout is the maximum time that a cancellation may take.
	cancelTimeout = 20 * time.Second
)

// NewMonitor connects to servers, and watches until ctx ends. It returns when the campaigns are known. done is closed when the
// connection is closed, after ctx has ended.
func NewMonitor(ctx context.Context, v Servers) (m *Monitor, done <-chan struct{}, err error) {
	m = &Monitor{servers: v, wait: time.Second, paces: map[string]*pace{}}
	link, end, err := m.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		m.run(ctx, link, end)
	}()
	for ctx.Err() == nil && !m.Look("").Ready {
		time.Sleep(time.Millisecond)
	}
	return m, closed, ctx.Err()
}

// connect opens a connection, and begins to observe campaigns and workers. The function end ends both.
func (m *Monitor) connect(ctx context.Context) (link *watchedSession, end func() error, err error) {
	s, err := Open(ctx, m.servers)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	end = func() error {
		stop()
		return s.Close()
	}
	link = &watchedSession{Session: s, ctx: ctx}
	if link.campaigns, err = s.Store.ObserveCampaigns(ctx); err == nil {
		link.workers, err = s.Store.Observe(ctx)
	}
	if err != nil {
		return nil, nil, errors.Join(err, end())
	}
	return link, end, nil
}

// run keeps the connection until ctx ends.
func (m *Monitor) run(ctx context.Context, link *watchedSession, end func() error) {
	for {
		m.use(link)
		link.awaitLoss(ctx)
		err := end()
		for m.lose(err); ; m.lose(err) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(m.wait):
			}
			if link, end, err = m.connect(ctx); err == nil {
				break
			}
		}
	}
}

// use makes a new connection the source of the view.
func (m *Monitor) use(link *watchedSession) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.link = link
	if m.watched != nil {
		m.watched.watch(link)
	}
}

// lose handles the loss of the connection, or a failed attempt to connect. The view keeps the last known state, and
// its Problem is the text of err, or a general one if err is nil.
func (m *Monitor) lose(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.link != nil && m.link.campaigns.Ready() {
		m.refresh()
	}
	if m.link != nil {
		m.lost = time.Now()
	}
	m.link = nil
	m.view.Problem = "the NATS servers do not answer"
	if err != nil {
		m.view.Problem = err.Error()
	}
}

// awaitLoss waits until the connection is lost or ctx ends. If the client has connected to another server of the
// cluster by itself, this counts as a loss, too: it would take long to find out whether all observers still work
// there.
func (l *watchedSession) awaitLoss(ctx context.Context) {
	for before := -1; ; {
		attempt, end := context.WithTimeout(ctx, linkPatience)
		reconnects, err := l.Store.Check(attempt)
		end()
		if err != nil || before >= 0 && reconnects != before {
			return
		}
		before = reconnects
		select {
		case <-ctx.Done():
			return
		case <-time.After(linkInterval):
		}
	}
}

// Look returns the latest known state. It does not wait for the servers. From now on, the monitor watches the
// failures and the progress of campaign id; it watches none if id is "".
func (m *Monitor) Look(id string) usecase.CampaignsView {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.follow(id)
	if m.link != nil && m.link.campaigns.Ready() {
		m.view.Problem = ""
		m.refresh()
	}
	view := m.view
	if m.link == nil {
		view.Lost = time.Since(m.lost)
	}
	view.Campaigns = slices.Clone(view.Campaigns)
	for i := range view.Campaigns {
		view.Campaigns[i].Rate = m.rate(view.Campaigns[i])
	}
	if m.watched != nil {
		i := slices.IndexFunc(view.Campaigns, func(c usecase.Campaign) bool { return c.ID == id })
		if i >= 0 {
			if m.watched.isOver && view.Campaigns[i].InProgress() { // a new campaign has the same ID
				m.unfollow()
				m.follow(id)
			}
			m.watched.isOver = !view.Campaigns[i].InProgress()
			view.Failures, view.Progress = m.watched.list(view.Campaigns[i].Units)
		}
		view.Problem = cmp.Or(view.Problem, m.watched.problem())
	}
	return view
}

// follow watches the units of a campaign, instead of those of the campaign that it watched before. It does nothing if
// it already watches this campaign.
func (m *Monitor) follow(id string) {
	if m.watched != nil && m.watched.campaign == id {
		return
	}
	m.unfollow()
	if campaign.CheckID(id) != nil {
		return
	}
	m.watched = newWatchedUnits(id)
	if m.link != nil {
		m.watched.watch(m.link)
	}
}

func (m *Monitor) unfollow() {
	if m.watched != nil {
		m.watched.end()
		m.watched = nil
	}
}

// refresh reads the campaigns and workers from the observers into the view.
func (m *Monitor) refresh() {
	var campaigns []usecase.Campaign
	for _, c := range m.link.campaigns.Campaigns() {
		campaigns = append(campaigns, usecase.Campaign{
			ID: c.ID, Kind: c.Kind, Version: c.Sonde, Units: c.Units, Done: c.Done, Failed: c.Dead,
			Ended: c.Ended, Cancelled: c.Cancelled, Coordinator: c.Coordinator,
			Life: liveness(c.Alive, c.Unknown, c.Ended), Silent: c.Silent, LastWrittenAt: c.Written,
		})
	}
	m.view.Campaigns = m.keepCancelled(campaigns)
	m.view.Workers = nil
	for _, w := range m.link.workers.Workers() {
		m.view.Workers = append(m.view.Workers, usecase.CampaignWorker{
			ID: w.ID, Host: w.Host, Version: w.Sonde, PID: w.PID, Jobs: w.Jobs, Labels: labels(w.Labels), Doing: w.Doing,
			Done: w.Done, Failed: w.Failed, Rate: w.Rate, Error: w.Error,
			Life: liveness(w.Alive, w.Unknown, w.Left), Silent: w.Silent,
		})
	}
	m.view.Ready = true
}

// keepCancelled returns the campaigns that the servers have now, together with those of the last view that the
// servers have removed. A removed campaign that had not ended is marked as cancelled.
func (m *Monitor) keepCancelled(now []usecase.Campaign) []usecase.Campaign {
	known := map[string]bool{}
	for _, c := range now {
		known[c.ID] = true
	}
	for _, c := range m.view.Campaigns {
		if !known[c.ID] {
			c.Cancelled = !c.Ended
			now = append(now, c)
		}
	}
	slices.SortFunc(now, func(a, b usecase.Campaign) int { return cmp.Compare(a.ID, b.ID) })
	return now
}

func liveness(alive, unknown, left bool) usecase.Liveness {
	switch {
	case left:
		return usecase.Left
	case alive:
		return usecase.Alive
	case unknown:
		return usecase.LivenessUnknown
	}
	return usecase.Vanished
}

// maxLabels is the maximum number of labels of a worker that are shown.
const maxLabels = 20

func labels(all map[string]string) (texts []string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if len(texts) == maxLabels {
			return append(texts, "…")
		}
		texts = append(texts, name+"="+all[name])
	}
	return texts
}

// rate returns the units a second of a campaign.
func (m *Monitor) rate(c usecase.Campaign) float64 {
	if !c.InProgress() {
		delete(m.paces, c.ID)
		return 0
	}
	p := m.paces[c.ID]
	if p == nil {
		p = &pace{}
		m.paces[c.ID] = p
	}
	if m.link != nil {
		p.add(time.Now(), c.Done+c.Failed)
	}
	return p.rate()
}

// pace measures how fast a number grows.
type pace struct{ samples []sample }

type sample struct {
	at time.Time
	n  int
}

// maxSamples is the maximum number of samples of a pace. They are at least a second apart.
const maxSamples = 120

// add adds a sample, at most one each second. If n is smaller than the number of the last sample, add stores that
// number instead of n, because a coordinator that resumes starts counting again.
func (p *pace) add(at time.Time, n int) {
	if len(p.samples) > 0 {
		last := p.samples[len(p.samples)-1]
		if at.Sub(last.at) < time.Second {
			return
		}
		n = max(n, last.n)
	}
	p.samples = append(p.samples, sample{at, n})
	if len(p.samples) > maxSamples {
		p.samples = p.samples[1:]
	}
}

// rate returns the growth a second, 0 if it is not known.
func (p *pace) rate() float64 {
	if len(p.samples) < 3 {
		return 0
	}
	first, last := p.samples[0], p.samples[len(p.samples)-1]
	return float64(last.n-first.n) / last.at.Sub(first.at).Seconds()
}

// Cancel removes a campaign from the servers.
func (m *Monitor) Cancel(ctx context.Context, id string) error {
	m.mu.Lock()
	link := m.link
	m.mu.Unlock()
	if link == nil {
		return fmt.Errorf("campaign %q was not cancelled: the NATS servers do not answer", id)
	}
	if err := campaign.CheckID(id); err != nil {
		return err
	}
	ctx, end := context.WithTimeout(ctx, cancelTimeout)
	defer end()
	return link.Store.Cancel(ctx, id)
}

// List returns the campaigns on servers. It waits until it knows for each campaign in progress whether its
// coordinator is alive. This takes a few seconds if a coordinator is not. List returns an error if the servers do not
// answer.
func List(ctx context.Context, v Servers) ([]usecase.Campaign, error) {
	ctx, stop := context.WithCancel(ctx)
	m, done, err := NewMonitor(ctx, v)
	if err != nil {
		stop()
		return nil, err
	}
	defer func() {
		stop()
		<-done
	}()
	for {
		view := m.Look("")
		unknown := func(c usecase.Campaign) bool { return c.InProgress() && c.Life == usecase.LivenessUnknown }
		switch {
		case view.Problem != "":
			return nil, errors.New(view.Problem)
		case !slices.ContainsFunc(view.Campaigns, unknown):
			return view.Campaigns, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(linkInterval):
		}
	}
}
