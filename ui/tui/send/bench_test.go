package send

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// BenchmarkStream measures what the app does for a stream ten times a second: it takes the newest 2,000 messages, and
// draws the pane.
func BenchmarkStream(b *testing.B) {
	const kept = 2000
	s := &fakeStream{kind: model.EventStream}
	for range kept {
		s.arrive(kept, `{"text":"`+strings.Repeat("x", 1000)+`"}`)
	}
	p := New(screen.Engine{Queue: &screen.MessageQueue{}}, demo)
	p.spec = shop().Spec
	p.op = p.spec.Operation(health)
	p.SetSize(120, 36)
	result := opened(health, s)
	p.sender.result = &result
	p.stream.begin(s)
	for b.Loop() {
		p.Update(streamTicked{id: p.stream.id})
		p.View(120, 36)
	}
}
