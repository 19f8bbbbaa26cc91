package netsim

import (
	"errors"
	"fmt"
	"io"
	"time"

	"sonde/model"
)

// conversation records the raw TCP data that the service and a host exchange for one request
// to the service. The current conversation of a relayConn has at least one message whenever the
// mutex of the relayConn is not held.
type conversation struct {
	sent  model.OutwardCall
	cause string    // ID of the request; "" if unknown
	size  int       // bytes recorded
	last  time.Time // when data was last recorded
}

// maxUnansweredFor is how long the recorder waits for a host's answer: after a datagram, and after
// the last data of a conversation whose request to the service is answered.
const maxUnansweredFor = time.Second

// add appends data to a message, and returns the longer message. It truncates data so that the conversation has at most
// maxBytes. before is the message so far.
func (t *conversation) add(before, data []byte, maxBytes int) []byte {
	data = data[:min(len(data), max(0, maxBytes-t.size))]
	t.size, t.last = t.size+len(data), time.Now()
	return append(before, data...)
}

// addSent records data of the service. Data that follows an answer begins another
// MessagePair.
func (t *conversation) addSent(data []byte, maxBytes int) {
	if turns := t.sent.Messages; len(turns) == 0 || len(turns[len(turns)-1].Answer) > 0 {
		t.sent.Messages = append(t.sent.Messages, model.MessagePair{})
	}
	last := &t.sent.Messages[len(t.sent.Messages)-1]
	last.Request = t.add(last.Request, data, maxBytes)
}

// addAnswer records data of the host.
func (t *conversation) addAnswer(data []byte, maxBytes int) {
	if len(t.sent.Messages) == 0 {
		t.sent.Messages = append(t.sent.Messages, model.MessagePair{})
	}
	last := &t.sent.Messages[len(t.sent.Messages)-1]
	last.Answer = t.add(last.Answer, data, maxBytes)
}

// untilOver returns how much longer both ends must be silent before the conversation is over. The result is 0 or
// negative if the conversation is over already. untilOver must only be called when the request that caused the
// conversation is answered.
func (t *conversation) untilOver(now time.Time) time.Duration {
	wait := quietAfterAnswer
	if turns := t.sent.Messages; len(turns[len(turns)-1].Answer) == 0 {
		wait = maxUnansweredFor
	}
	return wait - now.Sub(t.last)
}

// causeMarks has the causes of the bytes that the service sends on a connection, ordered by offset. A cause is the ID
// of the request to the service for which it sends the bytes.
type causeMarks []causeMark

// causeMark says which request to the service caused the bytes from an offset on, until the next mark.
type causeMark struct {
	from  uint64
	cause string
}

// last returns the ID of the request that caused the latest bytes, "" if there are no marks.
func (m causeMarks) last() string {
	if len(m) == 0 {
		return ""
	}
	return m[len(m)-1].cause
}

// at returns the ID of the request that caused the byte at an offset, and how many of the size bytes from the offset
// come before the next mark. It removes the marks whose bytes all come before the offset.
func (m *causeMarks) at(offset uint64, size int) (cause string, n int) {
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

// setCause records that the service sends the bytes from an offset on because of the request with the ID cause.
func (l *relayConn) setCause(from uint64, cause string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.causes = append(l.causes, causeMark{from: from, cause: cause})
}

// lastCause returns the ID of the request that caused the bytes that the service wrote last.
func (l *relayConn) lastCause() string {
	l.r.pump()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.causes.last()
}

// causeAt returns the ID of the request that caused the byte at an offset, and how many of the size bytes from the
// offset come before the next mark. With TLS it returns the result of lastCause for all bytes, because the reported
// offsets are those of encrypted bytes.
func (l *relayConn) causeAt(offset uint64, size int) (string, int) {
	if l.tls {
		return l.lastCause(), size
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.causes.at(offset, size)
}

// converse copies data between both ends, and records the data.
func (l *relayConn) converse(service, host *relayEnd) {
	var at uint64
	l.carry(service, host, func(data []byte) {
		l.r.pump()
		for len(data) > 0 {
			cause, n := l.causeAt(at, len(data))
			l.recordSent(cause, data[:n])
			data, at = data[n:], at+uint64(n)
		}
	}, l.recordAnswer)
}

// pass copies data between both ends without recording it.
func (l *relayConn) pass(service, host *relayEnd) {
	l.carry(service, host, func([]byte) {}, func([]byte) {})
}

// carry copies data both ways until both ends have sent all data, or one end fails. Then carry ends the connection.
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

// carryHalf copies data one way until io.EOF, which it passes on by closeWrite.
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

// recordSent records data that the service sends for a request. It first finishes the current conversation if that
// belongs to another request, or is full.
func (l *relayConn) recordSent(cause string, data []byte) {
	l.mu.Lock()
	t := l.conversation
	over := t != nil && (t.cause != cause || t.size >= l.r.options.MaxBytes)
	l.mu.Unlock()
	if over {
		l.finishConversation(nil)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.currentConversation(cause).addSent(data, l.r.options.MaxBytes)
}

// recordAnswer records data that the host sends.
func (l *relayConn) recordAnswer(data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	cause := l.cause // if the host speaks first, the cause of the dial
	if l.conversation != nil {
		cause = l.conversation.cause
	} else if len(l.causes) > 0 {
		cause = "" // the conversation with the last cause is finished
	}
	l.currentConversation(cause).addAnswer(data, l.r.options.MaxBytes)
}

// currentConversation returns the current conversation. If there is none, it begins one for the request with the ID
// cause. The caller must hold the mutex, and must add a message before it releases the mutex, because settle needs a
// message.
func (l *relayConn) currentConversation(cause string) *conversation {
	if l.conversation == nil {
		t := &conversation{sent: l.newSentLocked(model.TCP), cause: cause, last: time.Now()}
		t.sent.CauseID, t.sent.Connection = cause, fmt.Sprint(l.r.run, "-", l.id)
		l.conversation = t
	}
	return l.conversation
}

// finishConversation delivers the current conversation, if there is one. why is the error that
// ended it, or nil.
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

// settle waits until the conversation for an answered request is over, and delivers it.
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
