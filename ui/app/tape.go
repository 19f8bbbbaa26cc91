package app

import (
	"slices"
	"sync"
	"time"

	"sonde/model"
	"sonde/runner/replay/record"
	"sonde/ui/app/usecase"
)

// tape stores recorded traffic for the screen, and passes it on to the disk. The values that it returns do
// not change. It may be used by several goroutines at once.
type tape struct {
	to record.TrafficSink

	mu        sync.Mutex
	recording model.Recording
	at        map[string]int                 // ID of a request → its index
	late      map[string][]model.OutwardCall // CauseID → calls that join has not added yet
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

// maxShownBody is the maximum length of a stored body. The body on disk is complete.
const maxShownBody = 16 << 10

// shortened returns an exchange with bodies of at most maxShownBody bytes.
func shortened(x model.Exchange) model.Exchange {
	for _, b := range []struct {
		body *[]byte
		cut  *bool
	}{{&x.Request.Body, &x.Request.Truncated}, {&x.Reply.Body, &x.Reply.Truncated}} {
		if len(*b.body) > maxShownBody {
			*b.body, *b.cut = slices.Clone((*b.body)[:maxShownBody]), true
		}
	}
	return x
}

// WriteServed stores a request with its response.
func (t *tape) WriteServed(s model.ServedRequest) error {
	err := t.to.WriteServed(s)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes += int64(len(s.Request.Body) + len(s.Reply.Body))
	s.Exchange = shortened(s.Exchange)
	s.Covered = nil // the screen does not show this
	t.at[s.ID] = len(t.recording.Served)
	t.recording.Served = append(t.recording.Served, s)
	return err
}

// WriteOutwardCall stores a call of the service to another host. If its cause is known, join adds it to the
// request later.
func (t *tape) WriteOutwardCall(s model.OutwardCall) error {
	err := t.to.WriteOutwardCall(s)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes += int64(len(s.Request.Body) + len(s.Reply.Body))
	s.Exchange = shortened(s.Exchange)
	if s.CauseID == "" {
		t.recording.Unattributed = append(t.recording.Unattributed, s)
	} else {
		t.late[s.CauseID] = append(t.late[s.CauseID], s)
	}
	return err
}

// WriteReady stores when the service was ready.
func (t *tape) WriteReady(at time.Time) error {
	t.mu.Lock()
	t.recording.Ready = at
	t.mu.Unlock()
	return t.to.WriteReady(at)
}

// WriteStateSnapshot stores a snapshot of the service's state.
func (t *tape) WriteStateSnapshot(s model.StateSnapshot) error {
	err := t.to.WriteStateSnapshot(s)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.recording.StateSnapshots = append(t.recording.StateSnapshots, s)
	return err
}

// WriteWarning stores a warning.
func (t *tape) WriteWarning(text string) error {
	err := t.to.WriteWarning(text)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.recording.Warnings = append(t.recording.Warnings, text)
	return err
}

// rateWindow is the time over which the rate of requests is measured.
const rateWindow = 3 * time.Second

// traffic returns the traffic so far.
func (t *tape) traffic() usecase.RecordedTraffic {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.join()
	r := t.recording
	r.Served, r.Unattributed, r.Warnings = slices.Clip(r.Served), slices.Clip(r.Unattributed), slices.Clip(r.Warnings)
	n := 0
	for since := time.Now().Add(-rateWindow); n < len(r.Served) && r.Served[len(r.Served)-1-n].EndTime().After(since); {
		n++
	}
	return usecase.RecordedTraffic{Recording: r, Seen: len(r.Served), Bytes: t.bytes, Rate: float64(n) / rateWindow.Seconds()}
}

// join adds calls to the requests that caused them, if these were recorded. It changes a copy of the
// requests, because traffic may have returned the original.
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
