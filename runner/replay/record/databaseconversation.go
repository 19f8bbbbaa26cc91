package record

import (
	"errors"
	"fmt"

	"sonde/model"
	"sonde/runner/network/dialogue"
)

// databaseConversation reports each request on a connection with a database when its reply is complete. The mutex of its
// tcpConversation guards it.
type databaseConversation struct {
	relay    *tcpRelay
	protocol model.Protocol
	recorder *dialogue.Recorder[databaseCause]
}

// databaseCause is the request to the service that caused a request to a database, and how it was found.
type databaseCause struct {
	tracked     *trackedRequest
	attribution model.Attribution
}

// newDatabaseConversation returns the conversation of a connection that begins with data. detect recognizes the
// protocol. newDatabaseConversation returns nil if the connection is not with a database.
func newDatabaseConversation(r *tcpRelay, detect func([]byte) (model.Protocol, bool), data []byte) *databaseConversation {
	protocol, _ := detect(data)
	if protocol == "" {
		return nil
	}
	r.mu.Lock()
	r.database = true
	r.mu.Unlock()
	return &databaseConversation{relay: r, protocol: protocol, recorder: dialogue.NewRecorder[databaseCause](protocol)}
}

func (d *databaseConversation) addRequest(p []byte) {
	m := d.relay.monitor
	tracked, attribution := m.requests.cause(nil)
	d.warn(d.recorder.Sent(p, databaseCause{tracked, attribution}, m.clock.now()))
}

func (d *databaseConversation) addAnswer(p []byte) {
	calls, err := d.recorder.Answered(p, d.relay.monitor.clock.now())
	for _, call := range calls {
		d.report(call, nil)
	}
	d.warn(err)
}

// finish reports the requests without a reply. err is how the connection broke, nil if it ended normally.
func (d *databaseConversation) finish(err error) {
	if err == nil {
		err = errors.New("the connection was closed before the reply")
	}
	for _, call := range d.recorder.Unanswered(d.relay.monitor.clock.now()) {
		d.report(call, err)
	}
}

func (d *databaseConversation) report(call dialogue.Call[databaseCause], err error) {
	s := call.OutwardCall(d.protocol)
	s.Host, s.Name, s.Err = d.relay.host, d.relay.to, err
	d.relay.monitor.reportOutward(call.Cause.tracked, call.Cause.attribution, s, nil)
}

func (d *databaseConversation) warn(err error) {
	if err != nil {
		d.relay.monitor.warnOnce(fmt.Sprintf("a connection to %s is not recorded to its end: %v", d.relay.to, dialogue.ErrUnreadable))
	}
}
