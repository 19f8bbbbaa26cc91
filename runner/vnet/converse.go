package vnet

import (
	"io"
	"time"

	"sonde/model"
)

// talk is what is said on a line for one request.
type talk struct {
	sent  model.Sent
	cause string
	size  int
	last  time.Time
}

// mostUnanswered is how long an answer is waited for when the request is over for which
// something was said.
const mostUnanswered = time.Second

// mark takes in for which request the bytes are that come from one on.
func (l *line) mark(from uint64, cause string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.marks = append(l.marks, mark{from, cause})
}

// now is for which request something is that the service wrote last.
func (l *line) now() string {
	l.r.pump()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.marks) == 0 {
		return ""
	}
	return l.marks[len(l.marks)-1].cause
}

// until is for which request the byte at some place is, and how many are for the same.
// The mutex is held.
func (l *line) until(at uint64, size int) (cause string, many int) {
	for len(l.marks) > 1 && l.marks[1].from <= at {
		l.marks = l.marks[1:]
	}
	if len(l.marks) > 0 {
		cause = l.marks[0].cause
	}
	if len(l.marks) > 1 {
		size = min(size, int(l.marks[1].from-at))
	}
	return cause, size
}

// converse passes on what both ends say to each other, and keeps it.
func (l *line) converse(service, host *spoken) {
	var at uint64
	l.carry(service, host, func(said []byte) {
		l.r.pump()
		for len(said) > 0 {
			cause, many := l.causeAt(at, len(said))
			l.says(cause, said[:many])
			said, at = said[many:], at+uint64(many)
		}
	}, l.answers)
}

// causeAt is for which request bytes are: in TLS for which something was written last.
func (l *line) causeAt(at uint64, size int) (string, int) {
	if l.tls {
		return l.now(), size
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.until(at, size)
}

// pass passes on what both ends say, and keeps nothing.
func (l *line) pass(service, host *spoken) {
	l.carry(service, host, func([]byte) {}, func([]byte) {})
}

// carry carries both ways until both ends say no more, or one broke off.
func (l *line) carry(service, host *spoken, says, answers func([]byte)) {
	done := make(chan error, 2)
	go func() { done <- carried(service, host, says) }()
	go func() { done <- carried(host, service, answers) }()
	err := <-done
	if err == nil {
		err = <-done
	}
	l.end(err)
}

// carried carries one way. An end of what is said is passed on.
func carried(from, to *spoken, told func([]byte)) error {
	part := make([]byte, 32<<10)
	for {
		n, err := from.Read(part)
		if n > 0 {
			told(part[:n])
			if _, err := to.Write(part[:n]); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF:
			to.closeWrite()
			return nil
		case err != nil:
			return err
		}
	}
}

// says keeps what the service says for a request.
func (l *line) says(cause string, words []byte) {
	l.mu.Lock()
	t := l.talk
	over := t != nil && (t.cause != cause || t.size >= l.r.relay.Most)
	l.mu.Unlock()
	if over {
		l.finish(nil)
	}
	t = l.talking(cause)
	l.mu.Lock()
	defer l.mu.Unlock()
	if turns := t.sent.Turns; len(turns) == 0 || len(turns[len(turns)-1].Answer) > 0 {
		t.sent.Turns = append(turns, model.Said{})
	}
	last := &t.sent.Turns[len(t.sent.Turns)-1]
	last.Words = t.keep(last.Words, words, l.r.relay.Most)
}

// answers keeps what the host says.
func (l *line) answers(words []byte) {
	l.mu.Lock()
	cause := l.cause // of who dialed, where the host speaks first
	if l.talk != nil {
		cause = l.talk.cause
	} else if len(l.marks) > 0 {
		cause = "" // the request is over for which something was said before
	}
	l.mu.Unlock()
	t := l.talking(cause)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(t.sent.Turns) == 0 {
		t.sent.Turns = append(t.sent.Turns, model.Said{})
	}
	last := &t.sent.Turns[len(t.sent.Turns)-1]
	last.Answer = t.keep(last.Answer, words, l.r.relay.Most)
}

// keep keeps what is said, as far as there is room.
func (t *talk) keep(before, words []byte, most int) []byte {
	words = words[:min(len(words), max(0, most-t.size))]
	t.size, t.last = t.size+len(words), time.Now()
	return append(before, words...)
}

// talking is what is said now, or begins.
func (l *line) talking(cause string) *talk {
	l.mu.Lock()
	t := l.talk
	l.mu.Unlock()
	if t != nil {
		return t
	}
	t = &talk{sent: l.sent(model.TCP), cause: cause, last: time.Now()}
	t.sent.Cause = cause
	l.mu.Lock()
	defer l.mu.Unlock()
	l.talk = t
	return t
}

// finish hands over what was said.
func (l *line) finish(why error) {
	l.mu.Lock()
	t := l.talk
	l.talk = nil
	l.mu.Unlock()
	if t == nil {
		return
	}
	t.sent.Took, t.sent.Err = t.last.Sub(t.sent.At), why
	l.r.hear(t.sent)
}

// settle hands over what was said for a request that is answered, once nothing more comes.
func (l *line) settle(id string) {
	for {
		l.mu.Lock()
		t := l.talk
		if t == nil || t.cause != id {
			l.mu.Unlock()
			return
		}
		wait := shortly
		if turns := t.sent.Turns; len(turns[len(turns)-1].Answer) == 0 {
			wait = mostUnanswered
		}
		wait -= time.Since(t.last)
		l.mu.Unlock()
		if wait <= 0 {
			l.finish(nil)
			return
		}
		time.Sleep(wait)
	}
}
