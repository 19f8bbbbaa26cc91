package netsim

import (
	"sync"
	"testing"
	"time"

	"sonde/model"
)

// settle may look at the current conversation at any time, so a conversation without messages must
// never be the current one.
func TestConversationIsNeverCurrentWhileEmpty(t *testing.T) {
	r := &Recorder{options: RelayOptions{MaxBytes: defaultMaxBytes, Deliver: func(s model.OutwardCall) {
		if len(s.Messages) == 0 {
			t.Error("a conversation without a message was delivered")
		}
	}}}
	l := &relayConn{r: r, hosts: []string{"stock.example:9002"}, to: at("198.18.0.9:9002")}
	var looking sync.WaitGroup
	done := make(chan struct{})
	looking.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			l.mu.Lock()
			if c := l.conversation; c != nil {
				_ = c.untilOver(time.Now()) // as settle does
			}
			l.mu.Unlock()
		}
	})
	for range 20_000 {
		l.recordSent("request", []byte("HAVE 3\n"))
		l.finishConversation(nil)
		l.recordAnswer([]byte("HELLO\n"))
		l.finishConversation(nil)
	}
	close(done)
	looking.Wait()
}
