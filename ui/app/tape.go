package app

import (
	"slices"
	"sync"
	"time"

	"sonde/model"
	"sonde/runner/replay/record"
	"sonde/ui/tui/screen"
)

// tape keeps what passes to be looked at, and passes it on to the disk. What it hands
// out is never changed.
type tape struct {
	to record.TrafficSink

	mu        sync.Mutex
	recording model.Recording
	at        map[string]int                 // where a request is, by its ID
	late      map[string][]model.OutwardCall // what is not beside its request yet
	bytes     int64
}

func newTape(to record.TrafficSink, title, url string) *tape {
	return &tape{
		to:        to,
		recording: model.Recording{Title: title, BaseURL: url},
		at:        map[string]int{},
		late:      map[string][]model.OutwardCall{},
	}
}

// mostLooked is how much of a body is kept to be looked at; the disk has all of it.
const mostLooked = 16 << 10

func looked(x model.Exchange) model.Exchange {
	for _, b := range []struct {
		body *[]byte
		cut  *bool
	}{{&x.Request.Body, &x.Request.Truncated}, {&x.Reply.Body, &x.Reply.Truncated}} {
		if len(*b.body) > mostLooked {
			*b.body, *b.cut = slices.Clone((*b.body)[:mostLooked]), true
		}
	}
	return x
}

// WriteServed keeps a request with its answer.
func (t *tape) WriteServed(s model.ServedRequest) error {
	err := t.to.WriteServed(s)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes += int64(len(s.Request.Body) + len(s.Reply.Body))
	s.Exchange = looked(s.Exchange)
	t.at[s.ID] = len(t.recording.Served)
	t.recording.Served = append(t.recording.Served, s)
	return err
}

// WriteOutwardCall keeps what the service sent, until it can stand beside its request.
func (t *tape) WriteOutwardCall(s model.OutwardCall) error {
	err := t.to.WriteOutwardCall(s)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes += int64(len(s.Request.Body) + len(s.Reply.Body))
	s.Exchange = looked(s.Exchange)
	if s.CauseID == "" {
		t.recording.Unattributed = append(t.recording.Unattributed, s)
	} else {
		t.late[s.CauseID] = append(t.late[s.CauseID], s)
	}
	return err
}

// WriteWarning keeps a warning.
func (t *tape) WriteWarning(text string) error {
	err := t.to.WriteWarning(text)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.recording.Warnings = append(t.recording.Warnings, text)
	return err
}

// lately is the time over which the rate of requests is taken.
const lately = 3 * time.Second

// traffic is what was kept so far.
func (t *tape) traffic() screen.RecordedTraffic {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.join()
	r := t.recording
	r.Served, r.Unattributed, r.Warnings = slices.Clip(r.Served), slices.Clip(r.Unattributed), slices.Clip(r.Warnings)
	n := 0
	for since := time.Now().Add(-lately); n < len(r.Served) && r.Served[len(r.Served)-1-n].EndTime().After(since); {
		n++
	}
	return screen.RecordedTraffic{Recording: r, Seen: len(r.Served), Bytes: t.bytes, Rate: float64(n) / lately.Seconds()}
}

// join puts what was sent beside its request, on a copy where somebody may look at that
// already.
func (t *tape) join() {
	copied := false
	for id, sent := range t.late {
		i, there := t.at[id]
		if !there {
			continue
		}
		if !copied {
			t.recording.Served, copied = slices.Clone(t.recording.Served), true
		}
		s := &t.recording.Served[i]
		s.OutwardCalls = append(slices.Clone(s.OutwardCalls), sent...)
		slices.SortStableFunc(s.OutwardCalls, func(a, b model.OutwardCall) int { return a.At.Compare(b.At) })
		delete(t.late, id)
	}
}
