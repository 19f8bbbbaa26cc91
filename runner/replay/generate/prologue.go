package generate

import (
	"slices"
	"time"
	"unicode/utf8"

	"sonde/model"
)

// sharedConnections divides the messages on TCP connections that serve several requests. A prologue, such as a greeting
// and a log-in, comes once on each connection. The other messages belong to single requests.
type sharedConnections struct {
	hosts []*sharedHost
	byKey map[string]*connectionLog
}

// sharedHost is a host of which at least one connection serves several requests.
type sharedHost struct {
	host     string
	logs     []*connectionLog
	prologue []model.MessagePair
}

// connectionLog has the messages on one connection.
type connectionLog struct {
	host  string
	calls []*model.OutwardCall // calls on the connection, in the order in which they began
	left  int                  // pairs of the prologue that are not removed yet
	// second is the index of the first call for the second request on the connection. It is the number of calls if the
	// connection served at most one request.
	second int
}

// callPair is a pair of messages, with the index of its call on the connection.
type callPair struct {
	model.MessagePair
	call int
}

// pairs returns the pairs of messages on the connection, in their order.
func (l *connectionLog) pairs() (all []callPair) {
	for i, o := range l.calls {
		for _, m := range o.Messages {
			all = append(all, callPair{m, i})
		}
	}
	return all
}

// findSharedConnections returns the TCP connections of a recording, and the hosts of which at least one connection
// serves several requests.
func findSharedConnections(rec model.Recording) sharedConnections {
	s := sharedConnections{byKey: map[string]*connectionLog{}}
	hosts := map[string]*sharedHost{}
	add := func(o *model.OutwardCall) {
		if o.Protocol != model.TCP || o.Connection == "" {
			return
		}
		key := connectionKey(*o)
		l := s.byKey[key]
		if l == nil {
			l = &connectionLog{host: o.Host}
			s.byKey[key] = l
			if hosts[o.Host] == nil {
				hosts[o.Host] = &sharedHost{host: o.Host}
			}
			hosts[o.Host].logs = append(hosts[o.Host].logs, l)
		}
		l.calls = append(l.calls, o)
	}
	for i := range rec.Served {
		for k := range rec.Served[i].OutwardCalls {
			add(&rec.Served[i].OutwardCalls[k])
		}
	}
	for i := range rec.Unattributed {
		add(&rec.Unattributed[i])
	}
	for _, l := range s.byKey {
		l.sort()
	}
	for _, name := range sortedKeys(hosts) {
		h := hosts[name]
		if slices.ContainsFunc(h.logs, (*connectionLog).isShared) {
			slices.SortStableFunc(h.logs, func(a, b *connectionLog) int { return a.calls[0].At.Compare(b.calls[0].At) })
			h.learn()
			s.hosts = append(s.hosts, h)
		}
	}
	return s
}

// sort puts the calls in order, and finds the first one for a second request.
func (l *connectionLog) sort() {
	slices.SortStableFunc(l.calls, func(a, b *model.OutwardCall) int { return a.At.Compare(b.At) })
	first := ""
	for i, o := range l.calls {
		if first != "" && o.CauseID != "" && o.CauseID != first {
			l.second = i
			return
		}
		if first == "" {
			first = o.CauseID
		}
	}
	l.second = len(l.calls)
}

func connectionKey(o model.OutwardCall) string { return o.Host + " " + o.Connection }

// isShared reports whether the connection served several requests. A connection also counts if no request is known to
// have caused its first call, and the connection carries several messages.
func (l *connectionLog) isShared() bool {
	first := l.calls[0]
	return first.CauseID == "" && len(l.pairs()) > 1 ||
		slices.ContainsFunc(l.calls, func(o *model.OutwardCall) bool { return o.CauseID != first.CauseID })
}

// learn finds the prologue of the host: the messages at the beginning that all its connections have in common. A
// connection that ended within the prologue does not shorten it. The prologue ends before the first message of a kind
// that the service sends because of requests.
func (h *sharedHost) learn() {
	said := h.requestKinds()
	var begins, ended [][]model.MessagePair // beginnings of connections that continued after the prologue, and of the others
	for _, l := range h.logs {
		if begin, continued := l.begin(said); continued {
			begins = append(begins, begin)
		} else {
			ended = append(ended, begin)
		}
	}
	begins = append(begins, ended...)
	h.prologue = begins[0]
	for i, other := range begins[1:] {
		n := 0
		for n < min(len(h.prologue), len(other)) && messageKind(h.prologue[n].Request) == messageKind(other[n].Request) {
			n++
		}
		if n < len(other) || i+1 < len(begins)-len(ended) {
			h.prologue = h.prologue[:n]
		}
	}
	for _, l := range h.logs {
		l.left = len(h.prologue)
	}
}

// requestKinds returns the kinds of messages that the service sends because of requests. These are the kinds that came
// on a connection that had served another request before, and the kinds that are usually the last message for a
// request.
func (h *sharedHost) requestKinds() map[string]bool {
	kinds, last, all := map[string]bool{}, map[string]int{}, map[string]int{}
	for _, l := range h.logs {
		for i, o := range l.calls {
			if o.CauseID == "" || len(o.Messages) == 0 {
				continue
			}
			for _, m := range o.Messages {
				all[messageKind(m.Request)]++
				if i >= l.second {
					kinds[messageKind(m.Request)] = true
				}
			}
			last[messageKind(o.Messages[len(o.Messages)-1].Request)]++
		}
	}
	for kind, n := range last {
		kinds[kind] = kinds[kind] || 2*n >= all[kind]
	}
	delete(kinds, "")
	return kinds
}

// begin returns the pairs at the beginning of the connection that may belong to the prologue. continued reports whether
// further pairs follow. said has the kinds of messages that the service sends for requests.
func (l *connectionLog) begin(said map[string]bool) (begin []model.MessagePair, continued bool) {
	all := l.pairs()
	for i, p := range all {
		kind := messageKind(p.Request)
		again := slices.ContainsFunc(all[i+1:], func(o callPair) bool { return o.call > p.call && messageKind(o.Request) == kind })
		if kind != "" && (said[kind] || again) || p.call >= l.second || i >= maxPrologue {
			return begin, true
		}
		begin = append(begin, p.MessagePair)
	}
	return begin, false
}

// maxPrologue is the maximum number of pairs in a prologue.
const maxPrologue = 50

// maxKind is the maximum size of the part of a message that identifies its kind, in bytes.
const maxKind = 32

// messageKind returns the kind of a message: its beginning, up to the end of its first word. If there is no word near
// the beginning, the kind is the first byte. The kind of an empty message is "".
func messageKind(data []byte) string {
	if word := firstWord(data); word != "" {
		return word
	}
	return string(data[:min(len(data), 1)])
}

// firstWord returns the beginning of a message up to the end of its first word of two letters or more, "" if there is
// no such word near the beginning.
func firstWord(data []byte) string {
	letters := 0
	for i, b := range data[:min(len(data), maxKind)] {
		if b|0x20 >= 'a' && b|0x20 <= 'z' {
			letters++
			continue
		}
		if letters >= 2 {
			return textOf(data[:i])
		}
		letters = 0
	}
	if letters >= 2 && len(data) <= maxKind {
		return textOf(data)
	}
	return ""
}

// textOf returns data as a text, "" if the data is not a text.
func textOf(data []byte) string {
	if !utf8.Valid(data) {
		return ""
	}
	return string(data)
}

// stubs returns a stub with the prologue of each host that has one.
func (s sharedConnections) stubs() (all []model.Stub) {
	for _, h := range s.hosts {
		stub := model.Stub{Host: h.host, Protocol: model.TCP, Background: true}
		for _, m := range h.prologue {
			stub.Prologue = append(stub.Prologue, model.NewPrologueStep(m.Request, m.Answer))
		}
		if len(stub.Prologue) > 0 {
			all = append(all, stub)
		}
	}
	return all
}

// has reports whether a call is on a connection with a sharedHost.
func (s sharedConnections) has(o model.OutwardCall) bool {
	return o.Connection != "" && slices.ContainsFunc(s.hosts, func(h *sharedHost) bool { return h.host == o.Host })
}

// separate returns a copy of a recording in which each call on a connection with a sharedHost has only one message, and
// the messages of prologues are missing.
func (s sharedConnections) separate(rec model.Recording) model.Recording {
	shared := map[string]bool{}
	for _, h := range s.hosts {
		shared[h.host] = true
	}
	split := map[*model.OutwardCall][]model.OutwardCall{}
	for _, l := range s.byKey {
		if !shared[l.host] {
			continue
		}
		for _, o := range l.calls {
			split[o] = l.messages(*o)
		}
	}
	replaced := func(calls []model.OutwardCall) (all []model.OutwardCall) {
		for i := range calls {
			if messages, ok := split[&calls[i]]; ok {
				all = append(all, messages...)
			} else {
				all = append(all, calls[i])
			}
		}
		return all
	}
	served := slices.Clone(rec.Served)
	for i := range served {
		served[i].OutwardCalls = replaced(served[i].OutwardCalls)
	}
	rec.Served, rec.Unattributed = served, replaced(rec.Unattributed)
	return rec
}

// messages splits a call into one call for each of its messages, without those of the prologue. It must be called once
// for each call of the connection, in their order.
func (l *connectionLog) messages(o model.OutwardCall) (all []model.OutwardCall) {
	each := o.Took / time.Duration(max(1, len(o.Messages)))
	for i, m := range o.Messages {
		switch {
		case l.left > 0:
			l.left--
			continue
		case len(m.Request) == 0 && len(all) > 0: // the host sends more for the previous message
			last := &all[len(all)-1].Messages[0]
			last.Answer = append(slices.Clip(last.Answer), m.Answer...)
			continue
		case len(m.Request) == 0:
			continue // the host answers a message of another call
		}
		one := o
		one.At, one.Took, one.Messages = o.At.Add(time.Duration(i)*each), each, []model.MessagePair{m}
		if i < len(o.Messages)-1 {
			one.Err = nil
		}
		all = append(all, one)
	}
	return all
}
