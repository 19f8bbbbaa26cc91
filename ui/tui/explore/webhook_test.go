package explore

import (
	"strings"
	"testing"

	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

const withWebhooks = `openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders: {get: {summary: List orders, responses: {200: {description: fine}}}}
webhooks:
  orderPaid:
    post:
      summary: An order was paid
      requestBody:
        content: {application/json: {schema: {type: object, required: [orderId], properties: {orderId: {type: integer}}}}}
      responses: {204: {description: received}}
  stockLow: {post: {summary: Few are left, responses: {204: {description: received}}}}
`

// Webhooks have a folder and a page of their own. They cannot be called or shown on other screens, and are not counted as
// operations.
func TestWebhooks(t *testing.T) {
	s, queue := openWebhooks(t)
	contains(t, text(s), "▸ Webhooks (sent by the service)", "GET    /orders")
	press(s, "down")
	contains(t, text(s), "2 webhooks: what the service sends. Sonde does not call them.", "POST stockLow")
	press(s, "right", "down")
	contains(t, text(s), "POST   orderPaid", "╭─ POST orderPaid ─", "An order was paid", "Sonde does not call it (line 7)",
		"orderId", "integer", "204", "received")
	if op, names := s.Location(); op != "" || names[0] != webhookFolder {
		t.Errorf("the location is %q, %q", op, names)
	}
	for _, ok := queue.Next(); ok; _, ok = queue.Next() {
	}
	press(s, "r", "p", "I", "S")
	if msg, sent := queue.Next(); s.send.Open() || sent || s.page.question.view != viewOperation {
		t.Errorf("a key does something with a webhook: %T", msg)
	}

	press(s, "/", "p", "a", "i", "d", "enter")
	contains(t, text(s), "0 of 1", "POST   orderPaid", "An order was paid")
	if strings.Contains(text(s), "stockLow") || strings.Contains(text(s), "/orders") {
		t.Errorf("what does not match is listed:\n%s", text(s))
	}
	for _, width := range []int{60, 80, 200} {
		s.Update(tea.WindowSizeMsg{Width: width, Height: 30})
		for _, line := range strings.Split(text(s), "\n") {
			if n := len([]rune(line)); n > width {
				t.Errorf("a line of %d cells at %d: %s", n, width, line)
			}
		}
	}
}

// The page of an operation has its callbacks.
func TestCallbacks(t *testing.T) {
	s := New(screen.Engine{Queue: &screen.MessageQueue{}}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.Update(screen.Shown{Tab: screen.TabExplore})
	s.Update(screen.SpecOpened{Spec: analyze(t, []byte(`openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /orders:
    post:
      responses: {201: {description: created}}
      callbacks:
        paid: {'{$request.body#/hook}': {post: {requestBody: {content: {application/json: {schema: {type: object}}}}}}}
`))})
	contains(t, text(s), "Callbacks", "POST   {$request.body#/hook}", "application/json  object")
}

// openWebhooks returns a screen of 120 × 40 cells with webhooks, and its messages to other screens.
func openWebhooks(t *testing.T) (*Screen, *screen.MessageQueue) {
	t.Helper()
	queue := &screen.MessageQueue{}
	s := New(screen.Engine{Queue: queue}, screen.Service{})
	s.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.Update(screen.Shown{Tab: screen.TabExplore})
	s.Update(screen.SpecOpened{Spec: analyze(t, []byte(withWebhooks))})
	return s, queue
}
