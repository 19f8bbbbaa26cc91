package netsim

import (
	"errors"
	"io"
	"time"

	"sonde/model"
)

// conversation is the data of raw TCP that is exchanged for one request to the service.
type conversation struct {
	sent  model.OutwardCall
	cause string
	size  int
	last  time.Time
}

// maxUnansweredFor is how long the recorder waits for an answer, when the request is over
// for which something was sent.
const maxUnansweredFor = time.Second

// add keeps data, as far as there is room.
func (t *conversation) add(before, data []byte, maxBytes int) []byte {
	data = data[:min(len(data), max(0, maxBytes-t.size))]
	t.size, t.last = t.size+len(data), time.Now()
	return append(before, data...)
}

// addSent keeps what the service sent: after an answer it begins another exchange.
func (t *conversation) addSent(data []byte, maxBytes int) {
	if turns := t.sent.Messages; len(turns) == 0 || len(turns[len(turns)-1].Answer) > 0 {
		t.sent.Messages = append(t.sent.Messages, model.MessagePair{})
	}
	last := &t.sent.Messages[len(t.sent.Messages)-1]
	last.Request = t.add(last.Request, data, maxBytes)
}

// addAnswer keeps what the host sent.
func (t *conversation) addAnswer(data []byte, maxBytes int) {
	if len(t.sent.Messages) == 0 {
		t.sent.Messages = append(t.sent.Messages, model.MessagePair{})
	}
	last := &t.sent.Messages[len(t.sent.Messages)-1]
	last.Answer = t.add(last.Answer, data, maxBytes)
}

// untilOver is how long nothing more may come until the conversation is over, once its
// request is answered.
func (t *conversation) untilOver(now time.Time) time.Duration {
	wait := quietAfterAnswer
	if turns := t.sent.Messages; len(turns[len(turns)-1].Answer) == 0 {
		wait = maxUnansweredFor
	}
	return wait - now.Sub(t.last)
}

// causeMarks are the requests for which the bytes of a connection are sent, by offset.
type causeMarks []causeMark

// causeMark is the cause of the bytes from an offset on.
type causeMark struct {
	from  uint64
	cause string
}

// last returns the cause of what was written last.
func (m causeMarks) last() string {
	if len(m) == 0 {
		return ""
	}
	return m[len(m)-1].cause
}

// at returns the cause of the byte at an offset, and how many of the next size bytes have the
// same one. It forgets the marks before.
func (m *causeMarks) at(offset uint64, size int) (cause string, many int) {
	for len(*m) > 1 && (*m)[1].from <= offset {
		*m = (*m)[1:]
	}
	if len(*m) > 0 {
		cause = (*m)[0].cause
	}
	if len(*m) > 1 {
		size = min(size, int((*m)[1].from-offset))
	}
	return cause, size
}

// setCause records the cause of the bytes from an offset on.
func (l *relayConn) setCause(from uint64, cause string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.causes = append(l.causes, causeMark{from: from, cause: cause})
}

// lastCause returns the cause of what the service wrote last.
func (l *relayConn) lastCause() string {
	l.r.pump()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.causes.last()
}

// causeAt returns the cause of bytes. In TLS, where offsets differ, it is the last one.
func (l *relayConn) causeAt(offset uint64, size int) (string, int) {
	if l.tls {
		return l.lastCause(), size
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.causes.at(offset, size)
}

// converse passes on the data of both ends, and records it.
func (l *relayConn) converse(service, host *relayEnd) {
	var at uint64
	l.carry(service, host, func(data []byte) {
		l.r.pump()
		for len(data) > 0 {
			cause, many := l.causeAt(at, len(data))
			l.recordSent(cause, data[:many])
			data, at = data[many:], at+uint64(many)
		}
	}, l.recordAnswer)
}

// pass passes on the data of both ends, and records nothing.
func (l *relayConn) pass(service, host *relayEnd) {
	l.carry(service, host, func([]byte) {}, func([]byte) {})
}

// carry passes on data both ways until both ends send no more, or one broke off.
func (l *relayConn) carry(service, host *relayEnd, onSent, onAnswer func([]byte)) {
	done := make(chan error, 2)
	go func() {
		err := carryHalf(service, host, onSent)
		l.setDrained()
		done <- err
	}()
	go func() { done <- carryHalf(host, service, onAnswer) }()
	err := <-done
	if err == nil {
		err = <-done
	}
	l.end(err)
}

// carryHalf passes on data one way, and the end of it.
func carryHalf(from, to *relayEnd, onData func([]byte)) error {
	part := make([]byte, 32<<10)
	for {
		n, err := from.Read(part)
		if n > 0 {
			onData(part[:n])
			if _, err := to.Write(part[:n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			to.closeWrite()
			return nil
		case err != nil:
			return err
		}
	}
}

// recordSent records what the service sends for a request.
func (l *relayConn) recordSent(cause string, data []byte) {
	l.mu.Lock()
	t := l.conversation
	over := t != nil && (t.cause != cause || t.size >= l.r.options.MaxBytes)
	l.mu.Unlock()
	if over {
		l.finishConversation(nil)
	}
	t = l.currentConversation(cause)
	l.mu.Lock()
	defer l.mu.Unlock()
	t.addSent(data, l.r.options.MaxBytes)
}

// recordAnswer records what the host sends.
func (l *relayConn) recordAnswer(data []byte) {
	l.mu.Lock()
	cause := l.cause // of the dial, if the host speaks first
	if l.conversation != nil {
		cause = l.conversation.cause
	} else if len(l.causes) > 0 {
		cause = "" // the request is over for which something was sent before
	}
	l.mu.Unlock()
	t := l.currentConversation(cause)
	l.mu.Lock()
	defer l.mu.Unlock()
	t.addAnswer(data, l.r.options.MaxBytes)
}

// currentConversation returns the current conversation, or begins one.
func (l *relayConn) currentConversation(cause string) *conversation {
	l.mu.Lock()
	t := l.conversation
	l.mu.Unlock()
	if t != nil {
		return t
	}
	t = &conversation{sent: l.newSent(model.TCP), cause: cause, last: time.Now()}
	t.sent.CauseID = cause
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conversation = t
	return t
}

// finishConversation delivers the current conversation, if there is one.
func (l *relayConn) finishConversation(why error) {
	l.mu.Lock()
	t := l.conversation
	l.conversation = nil
	l.mu.Unlock()
	if t == nil {
		return
	}
	t.sent.Took, t.sent.Err = t.last.Sub(t.sent.At), why
	l.r.deliver(t.sent)
}

// settle delivers the conversation for a request that is answered, once nothing more comes.
func (l *relayConn) settle(request string) {
	for {
		l.mu.Lock()
		t := l.conversation
		if t == nil || t.cause != request {
			l.mu.Unlock()
			return
		}
		wait := t.untilOver(time.Now())
		l.mu.Unlock()
		if wait <= 0 {
			l.finishConversation(nil)
			return
		}
		time.Sleep(wait)
	}
}
