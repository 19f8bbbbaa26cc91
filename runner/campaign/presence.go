package campaign

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Presence is a sign of life of a worker. The worker writes it each beatInterval.
type Presence struct {
	ID     string            `json:"id"`
	Host   string            `json:"host"`
	PID    int               `json:"pid"`
	Sonde  string            `json:"sonde"` // version of Sonde
	Jobs   int               `json:"jobs"`  // number of units that the worker does at the same time
	Labels map[string]string `json:"labels,omitempty"`

	Doing  []string `json:"doing,omitempty"` // campaigns and units, such as "study-1/17", sorted
	Done   int      `json:"done"`            // number of finished units
	Failed int      `json:"failed"`          // number of failed tries
	Rate   float64  `json:"rate"`            // units a second, during the last rateSpan beats
	Beat   int      `json:"beat"`            // changes with each sign of life
	Left   bool     `json:"left,omitempty"`  // the worker has ended by itself
	Error  string   `json:"error,omitempty"` // the newest error of a request to the servers, or of a unit
}

// rateSpan is the number of beats over which the rate of a worker is measured.
const rateSpan = 10

// presenceKeeper writes the presence of a worker.
type presenceKeeper struct {
	store *Store

	mu     sync.Mutex
	own    Presence
	doing  map[string]bool
	counts []int // Done at each of the last beats
}

func newPresenceKeeper(s *Store, own Presence) *presenceKeeper {
	return &presenceKeeper{store: s, own: own, doing: map[string]bool{}}
}

func unitName(campaign string, unit int) string { return campaign + "/" + strconv.Itoa(unit) }

func (p *presenceKeeper) begin(campaign string, unit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing[unitName(campaign, unit)] = true
}

func (p *presenceKeeper) end(campaign string, unit int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.doing, unitName(campaign, unit))
	if ok {
		p.own.Done++
	} else {
		p.own.Failed++
	}
}

// note records an error of a request to the servers, or of a unit.
func (p *presenceKeeper) note(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.own.Error = err.Error()
}

// run writes the presence each beatInterval until ctx ends.
func (p *presenceKeeper) run(ctx context.Context) {
	beats := time.NewTicker(beatInterval)
	defer beats.Stop()
	for {
		p.write(ctx)
		select {
		case <-ctx.Done():
			return
		case <-beats.C:
		}
	}
}

// leave writes that the worker has ended.
func (p *presenceKeeper) leave() {
	p.mu.Lock()
	p.own.Left = true
	p.mu.Unlock()
	ctx, end := context.WithTimeout(context.Background(), beatInterval)
	defer end()
	p.write(ctx)
}

// write writes the presence. It ignores an error, because the next beat writes the presence again.
func (p *presenceKeeper) write(ctx context.Context) {
	p.mu.Lock()
	p.own.Beat++
	p.own.Doing = slices.Sorted(maps.Keys(p.doing))
	p.counts = append(p.counts, p.own.Done)
	if len(p.counts) > rateSpan {
		p.counts = p.counts[1:]
	}
	if n := len(p.counts); n > 1 {
		p.own.Rate = float64(p.own.Done-p.counts[0]) / (float64(n-1) * beatInterval.Seconds())
	}
	data, err := json.Marshal(p.own)
	p.mu.Unlock()
	if err == nil {
		p.store.workersSeen.Put(ctx, p.own.ID, data)
	}
}
