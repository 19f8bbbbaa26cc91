// Package requestlog keeps the last requests that the user sent by hand for a spec, with their answers: those of this
// session as they were sent, and those of earlier sessions in a file, where pseudonyms take the place of secrets.
package requestlog

import (
	"cmp"
	"slices"
	"sync"

	"sonde/model"
	"sonde/runner/replay/record"
	"sonde/ui/app/usecase"
)

// Limits of a log: the number of requests, and the bytes of a body that are kept in memory and in the file.
const (
	maxRequests = 100
	maxBody     = 256 << 10
	maxStored   = 64 << 10
)

// Log has the requests for one spec. It is safe for concurrent use.
type Log struct {
	file   string // "" to write nothing
	source string // the spec

	mu      sync.Mutex
	session []usecase.SentRequest // requests of this session, oldest first
	err     error                 // the error of the last change of the file
}

// New returns the log of a spec in a folder. If the folder is "", the log is only in memory.
func New(folder, source string) *Log {
	l := &Log{source: source}
	if folder != "" {
		l.file = fileOf(folder, source)
	}
	return l
}

// Add adds a request. An error is returned by the next All.
func (l *Log) Add(r usecase.SentRequest) {
	r = bounded(r, maxBody)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.session = append(l.session, r)
	l.session = l.session[max(0, len(l.session)-maxRequests):]
	if l.file != "" {
		l.err = appendTo(l.file, l.source, masked(bounded(r, maxStored)))
	}
}

// All returns the newest requests, newest first. The error says why requests could not be read or written.
func (l *Log) All() ([]usecase.SentRequest, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all, err := slices.Clone(l.session), l.err
	if l.file != "" {
		stored, readErr := readFile(l.file)
		err = cmp.Or(err, readErr)
		for _, r := range stored {
			if !slices.ContainsFunc(l.session, func(own usecase.SentRequest) bool { return sameTime(own, r) }) {
				all = append(all, r)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b usecase.SentRequest) int { return b.Exchange.At.Compare(a.Exchange.At) })
	return all[:min(len(all), maxRequests)], err
}

// sameTime reports whether two requests were sent at the same time, so that they are the same request.
func sameTime(a, b usecase.SentRequest) bool { return a.Exchange.At.Equal(b.Exchange.At) }

// bounded returns a request whose bodies have at most a number of bytes.
func bounded(r usecase.SentRequest, most int) usecase.SentRequest {
	q, a := &r.Exchange.Request, &r.Exchange.Reply
	q.Body, q.Truncated = beginning(q.Body, most, q.Truncated)
	a.Body, a.Truncated = beginning(a.Body, most, a.Truncated)
	r.Calls = slices.Clone(r.Calls)
	for i, c := range r.Calls {
		if c.Body != nil && len(c.Body.Data) > most {
			r.Calls[i].Body, r.Partial = nil, true
		}
	}
	return r
}

// beginning returns the beginning of a body, and whether a part of the body is missing.
func beginning(body []byte, most int, cut bool) ([]byte, bool) {
	if len(body) <= most {
		return body, cut
	}
	return slices.Clone(body[:most]), true
}

// masked returns a request with pseudonyms in place of its secrets, as recordings have them.
func masked(r usecase.SentRequest) usecase.SentRequest {
	r.Calls, r.Exchange, r.Masked = record.Masks{}.Sent(r.Calls, r.Exchange)
	if err := r.Exchange.Err; err != nil {
		r.Exchange.Err = textError(record.Masks{}.Text(err.Error()))
	}
	return r
}

// textError is an error that was read from a file.
type textError string

func (e textError) Error() string { return string(e) }

// Request returns what a log keeps of a test that was sent and of its result. It returns false if nothing was sent.
func Request(sent model.Test, exchanges []model.Exchange) (usecase.SentRequest, bool) {
	if len(sent.Calls) == 0 || len(exchanges) == 0 {
		return usecase.SentRequest{}, false
	}
	last := exchanges[len(exchanges)-1]
	if last.At.IsZero() {
		return usecase.SentRequest{}, false
	}
	return usecase.SentRequest{Calls: sent.Calls, Links: sent.Links, Exchange: last}, true
}
