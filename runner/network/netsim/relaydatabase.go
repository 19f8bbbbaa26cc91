package netsim

import (
	"errors"
	"sync"
	"time"

	"sonde/model"
	"sonde/runner/network/dialogue"
)

// isDatabase recognizes the first bytes of a connection with a database.
func isDatabase(b []byte) verdict { return verdictOf(dialogue.Detect(b)) }

// isGreeting recognizes the first bytes of a database that speaks first.
func isGreeting(b []byte) verdict { return verdictOf(dialogue.DetectGreeting(b)) }

func verdictOf(p model.Protocol, undecided bool) verdict {
	switch {
	case undecided:
		return more
	case p != "":
		return yes
	}
	return no
}

// databaseRelay records the requests on a connection with a database.
type databaseRelay struct {
	l        *relayConn
	protocol model.Protocol

	mu       sync.Mutex
	recorder *dialogue.Recorder[string] // requests have the cause of their bytes
}

// relayDatabase copies data between both ends, and records each request with its reply.
func (l *relayConn) relayDatabase(service, host *relayEnd, protocol model.Protocol) {
	d := &databaseRelay{l: l, protocol: protocol, recorder: dialogue.NewRecorder[string](protocol)}
	l.mu.Lock()
	l.database = d
	l.mu.Unlock()
	var at uint64
	l.carry(service, host, func(data []byte) {
		l.r.pump()
		for len(data) > 0 {
			cause, n := l.causeAt(at, len(data))
			d.record(func() ([]dialogue.Call[string], error) { return nil, d.recorder.Sent(data[:n], cause, time.Now()) })
			data, at = data[n:], at+uint64(n)
		}
	}, func(data []byte) {
		d.record(func() ([]dialogue.Call[string], error) { return d.recorder.Answered(data, time.Now()) })
	})
}

// record calls the function step with the mutex held, and delivers the calls that step returns. If step fails, record
// notes that the rest of the connection is not recorded.
func (d *databaseRelay) record(step func() ([]dialogue.Call[string], error)) {
	d.mu.Lock()
	calls, err := step()
	d.mu.Unlock()
	for _, call := range calls {
		d.deliver(call, nil)
	}
	if err != nil {
		d.l.r.note("a connection to %s is not recorded to its end: %v", d.l.hosts[0], dialogue.ErrUnreadable)
	}
}

func (d *databaseRelay) deliver(call dialogue.Call[string], why error) {
	sent, place := call.OutwardCall(d.protocol), d.l.newSent(d.protocol)
	sent.Host, sent.Name, sent.TLS, sent.CauseID, sent.Err = place.Host, place.Name, place.TLS, call.Cause, why
	d.l.r.deliver(sent)
}

// finishRequests delivers the requests to a database that got no reply. why is the error that ended the connection, or
// nil. finishRequests does nothing if the connection is not with a database.
func (l *relayConn) finishRequests(why error) {
	l.mu.Lock()
	d := l.database
	l.mu.Unlock()
	if d == nil {
		return
	}
	if why == nil {
		why = errors.New("the connection was closed before the reply")
	}
	d.mu.Lock()
	unanswered := d.recorder.Unanswered(time.Now())
	d.mu.Unlock()
	for _, call := range unanswered {
		d.deliver(call, why)
	}
}
