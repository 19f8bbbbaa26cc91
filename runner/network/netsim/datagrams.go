package netsim

import (
	"errors"
	"net/netip"
	"sync"
	"time"

	"sonde/model"
)

// datagramKey identifies a datagramExchange: a socket of the service and the address to
// which the socket sends.
type datagramKey struct {
	socket uint64
	to     netip.AddrPort
}

// datagramExchange is a datagram of the service with its answers.
type datagramExchange struct {
	r     *Recorder
	key   datagramKey
	sent  model.OutwardCall // guarded by the mutex of the recorder
	timer *time.Timer
	once  sync.Once
}

// beginDatagram begins the exchange of a datagram. It first ends the previous exchange with the same key. The timer
// ends the exchange after an hour, unless the caller resets the timer.
func (r *Recorder) beginDatagram(key datagramKey, cause string, data []byte) *datagramExchange {
	if before := r.datagram(key); before != nil {
		before.end()
	}
	d := &datagramExchange{r: r, key: key}
	d.timer = time.AfterFunc(time.Hour, d.end)
	r.mu.Lock()
	defer r.mu.Unlock()
	hosts := r.names.hosts(key.to)
	d.sent = model.OutwardCall{
		Host:     hosts[0],
		Protocol: model.UDP,
		Messages: []model.MessagePair{{Request: data}},
		CauseID:  cause,
	}
	d.sent.At = time.Now()
	d.sent.Name = displayName(hosts[0], r.locationOf(hosts))
	r.datagrams[key] = d
	return d
}

func (r *Recorder) datagram(key datagramKey) *datagramExchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.datagrams[key]
}

// receivedDatagram records an answer in the socket's exchange with the address that sent the answer. There is no such
// exchange after a datagram to a multicast group, for example: then receivedDatagram records the answer in the latest
// exchange of the socket. If the socket has no exchange, receivedDatagram drops the answer.
func (r *Recorder) receivedDatagram(key datagramKey, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.datagrams[key]
	if d == nil {
		d = r.lastDatagram(key.socket)
	}
	if d == nil {
		return
	}
	if last := &d.sent.Messages[len(d.sent.Messages)-1]; last.Answer == nil {
		last.Answer = data
	} else {
		d.sent.Messages = append(d.sent.Messages, model.MessagePair{Answer: data})
	}
}

// lastDatagram returns the latest exchange of a socket, nil if all exchanges have ended. The caller
// must hold the mutex.
func (r *Recorder) lastDatagram(socket uint64) (last *datagramExchange) {
	for _, d := range r.datagrams {
		if d.key.socket == socket && (last == nil || d.sent.At.After(last.sent.At)) {
			last = d
		}
	}
	return last
}

// failedDatagram records that a datagram could not be delivered.
func (r *Recorder) failedDatagram(e failedDatagramEvent) {
	d := r.datagram(e.key)
	if d == nil {
		d = r.beginDatagram(e.key, e.cause, nil)
	}
	r.mu.Lock()
	d.sent.Err = errors.New(model.Printable(e.message, 300))
	r.mu.Unlock()
	d.end()
}

// closedSocket ends the exchanges of a socket.
func (r *Recorder) closedSocket(socket uint64) {
	r.mu.Lock()
	var all []*datagramExchange
	for key, d := range r.datagrams {
		if key.socket == socket {
			all = append(all, d)
		}
	}
	r.mu.Unlock()
	for _, d := range all {
		d.end()
	}
}

// end ends the exchange and delivers it. Only the first call has an effect.
func (d *datagramExchange) end() {
	d.once.Do(func() {
		d.timer.Stop()
		d.r.mu.Lock()
		if d.r.datagrams[d.key] == d {
			delete(d.r.datagrams, d.key)
		}
		s := d.sent
		d.r.mu.Unlock()
		s.Took = time.Since(s.At)
		d.r.deliver(s)
	})
}
