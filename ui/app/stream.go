package app

import (
	"context"
	"slices"
	"sync"
	"time"

	"sonde/model"
	"sonde/runner/target/client"
	"sonde/ui/app/usecase"
)

// The number of messages of a stream that are kept, and of their bytes. The newest ones are kept.
const (
	maxStreamMessages = 2000
	maxStreamBytes    = 4 << 20
)

// followedStream reads a stream in the background and keeps its newest messages. It is safe for concurrent use.
type followedStream struct {
	stream client.Stream

	mu    sync.Mutex
	kept  []model.StreamMessage // oldest first
	bytes int                   // size of the kept messages
	total int                   // number of messages so far
	end   *model.StreamEnd      // nil while the stream is open
}

// follow reads a stream until it ends. The stream is closed when ctx ends.
func follow(ctx context.Context, s client.Stream) *followedStream {
	f := &followedStream{stream: s}
	release := context.AfterFunc(ctx, s.Close)
	go func() {
		defer release()
		f.read()
	}()
	return f
}

func (f *followedStream) read() {
	for {
		m, end := f.stream.Next()
		if end != nil {
			f.mu.Lock()
			f.end = end
			f.mu.Unlock()
			return
		}
		f.add(m)
	}
}

// add keeps a message, and drops the oldest ones that are too many.
func (f *followedStream) add(m model.StreamMessage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kept, f.bytes, f.total = append(f.kept, m), f.bytes+sizeOf(m), f.total+1
	drop := 0
	for len(f.kept)-drop > maxStreamMessages || f.bytes > maxStreamBytes {
		f.bytes -= sizeOf(f.kept[drop])
		f.kept[drop] = model.StreamMessage{}
		drop++
	}
	f.kept = f.kept[drop:]
}

// sizeOf returns the number of bytes that a message keeps.
func sizeOf(m model.StreamMessage) int { return len(m.Data) + len(m.Event) + len(m.ID) }

// Kind returns the protocol of the stream.
func (f *followedStream) Kind() model.StreamKind { return f.stream.Kind() }

// Progress returns the state of the stream.
func (f *followedStream) Progress() usecase.StreamProgress {
	f.mu.Lock()
	defer f.mu.Unlock()
	return usecase.StreamProgress{Messages: slices.Clone(f.kept), Total: f.total, Received: f.stream.Received(), End: f.end}
}

// Send sends a text to the service, and keeps it as a message of the user.
func (f *followedStream) Send(text string) error {
	if err := f.stream.Send(text); err != nil {
		return err
	}
	f.add(model.StreamMessage{At: time.Now(), Sent: true, Data: []byte(text), Size: int64(len(text))})
	return nil
}

// Stop ends the stream. It does not wait for the end.
func (f *followedStream) Stop() { go f.stream.Close() }

var _ usecase.Stream = (*followedStream)(nil)
