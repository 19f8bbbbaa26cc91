package vnet

import "sonde/model"

// event takes in what a service tells that is recorded.
func (r *Recorder) event(e event) {
	switch e.kind {
	case "lookup":
		r.looked(e)
	case "ask":
		r.asked(e)
	case "drop":
		r.dropped(e.number(0), e.field(1))
	case "opened":
		r.opened(e.number(0), e.place(1))
	case "wrote":
		r.wrote(e.number(0), e.number(1), cause(e.field(2)))
	case "over":
		r.over(e.field(0))
	case "said", "came", "failed", "shut":
		r.datagram(e)
	case "exec":
		r.note("the service started %s: what that sends is not recorded", model.Printable(e.field(0), 200))
	}
}

// cause is for which request something is, "" for none that is known.
func cause(field string) string {
	if field == "-" {
		return ""
	}
	return field
}

func (r *Recorder) looked(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, addr := range e.addresses(2) {
		r.book.add(e.field(1), addr)
	}
}

// wrote takes in for which request the next bytes of a connection are.
func (r *Recorder) wrote(id, from uint64, cause string) {
	r.mu.Lock()
	l := r.lines[id]
	r.mu.Unlock()
	if l != nil {
		l.mark(from, cause)
	}
}

// over takes in that a request is answered: what was said for it is, too.
func (r *Recorder) over(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.lines {
		go l.settle(id)
	}
	for _, g := range r.grams {
		if g.sent.Cause == id {
			g.timer.Reset(shortly)
		}
	}
}
