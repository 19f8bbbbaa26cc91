package seqs

import (
	"bytes"
	"context"
	"reflect"
	"strings"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/payload"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

var (
	keyStep    = key.NewBinding(key.WithKeys("."), key.WithHelp(".", "step through it"))
	keyNext    = key.NewBinding(key.WithKeys("."), key.WithHelp(".", "next call"))
	keyAnew    = key.NewBinding(key.WithKeys("."), key.WithHelp(".", "from the first again"))
	keyEndStep = key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "back"))
)

// walk is the calls of a test that is played one by one, shown instead of the details
// of its row while it has one.
type walk struct {
	row  *row
	test model.Test // as it is to be played
	done []stepped
	busy bool
	err  error
	back bool // the list has the focus again behind it
}

// stepped is a call that was played.
type stepped struct {
	row     *row
	request model.Request // as it was sent, without what users carry
	sent    screen.Sent
	err     error
}

// stepping tells that the page is of the row under the cursor, which is played call by
// call.
func (s *Screen) stepping() bool {
	return s.walk.row != nil && s.list.At < len(s.shown) && s.shown[s.list.At] == s.walk.row
}

// stepThrough begins with the first call of the test under the cursor.
func (s *Screen) stepThrough() tea.Cmd {
	if why := s.unplayable(); why != nil {
		return why
	}
	r := s.shown[s.list.At]
	return s.allow(r, s.begin)
}

func (s *Screen) begin(r *row) tea.Cmd {
	s.walk = walk{row: r, test: *r.played(), back: !s.reading}
	s.reading, s.page.At = true, 0
	return s.step()
}

// stepOf begins with the first call of a test, on its row; one that has none gets it.
func (s *Screen) stepOf(t model.Test) tea.Cmd {
	if s.rows.study == nil {
		return nil
	}
	r := s.rows.of(t)
	s.left, s.dry, s.walk, s.bench.open = nil, dry{}, walk{}, false
	s.show(r)
	return s.stepThrough()
}

// of is the row of a test, which is added where there is none.
func (s *store) of(t model.Test) *row {
	for _, r := range s.all() {
		if r.Test != nil && reflect.DeepEqual(r.Test.Calls, t.Calls) {
			return r
		}
	}
	r := s.row(screen.Item{Origin: t.Origin, Seq: t.Seq(), Test: &t})
	s.made = append(s.made, r)
	t.ID = s.name(t.Origin)
	r.ID = t.ID
	return r
}

// step plays the next call, or the first again behind the last.
func (s *Screen) step() tea.Cmd {
	if s.walk.busy {
		return nil
	}
	if s.walk.over() {
		s.walk.done = nil
	}
	s.walk.busy, s.walk.err, s.replaying = true, nil, true
	r, test, at, e := s.walk.row, s.walk.test, len(s.walk.done), s.engine
	around := s.surroundings(test)
	return func() tea.Msg {
		sent, err := e.Step(context.Background(), test, at, around)
		msg := stepped{row: r, sent: sent, err: err}
		if len(sent.Test.Calls) > 0 {
			msg.request = e.Requests(sent.Test)[0]
		}
		return msg
	}
}

func (w walk) over() bool { return len(w.done) == len(w.test.Calls) }

// stepped shows the call that was played, unless the person went on.
func (s *Screen) stepped(msg stepped) {
	s.replaying = false
	if s.walk.row != msg.row {
		return
	}
	s.walk.busy, s.walk.err = false, msg.err
	if len(msg.sent.Exchanges) > 0 {
		s.walk.done = append(s.walk.done, msg)
	}
	_, r := s.divide()
	_, s.page.At = s.stepLines(r.W - 2)
}

// pressStep takes a key while a test is played call by call.
func (s *Screen) pressStep(k tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(k, keyNext):
		if why := s.unplayable(); why != nil && !s.walk.busy {
			return why
		}
		return s.step()
	case key.Matches(k, keyEndStep):
		s.reading = !s.walk.back
		s.walk, s.page.At = walk{}, 0
	default:
		s.page.Key(k)
	}
	return nil
}

// key is what plays the next call.
func (w walk) key() key.Binding {
	if w.over() {
		return keyAnew
	}
	return keyNext
}

// stepLines are the calls, with all of the one that was played last, and the line at which
// that begins.
func (s *Screen) stepLines(width int) (lines []pane.Line, at int) {
	p := &page{width: width}
	p.prose("Call by call. Before the first the service is reset, if somebody said how.", theme.Dim)
	w := s.walk
	for i, c := range w.test.Calls {
		if i < len(w.done) {
			at = len(p.lines)
			p.add(nil)
			p.step(i, c, w.done[i], i == len(w.done)-1)
			continue
		}
		if i == len(w.done) {
			p.add(nil)
		}
		p.head(i, c.Op, 0)
	}
	p.ahead(w)
	return p.lines, at
}

// step is a call that was played; the last one with what was sent and what came.
func (p *page) step(i int, was model.Call, now stepped, last bool) {
	x := now.sent.Exchanges[0]
	p.head(i, was.Op, x.Reply.Status)
	if came := x.Reply.Status; was.Status != 0 && came != was.Status {
		p.value("≠ status", "", status(came), pane.Span{Text: "  was " + status(was.Status), Style: theme.Dim})
	}
	if !last {
		return
	}
	if was.User != "" {
		p.value("as", "", pane.Clean(was.User))
	}
	p.sent(now.request)
	p.answer(x)
	for _, f := range now.sent.Faults {
		if !f.Counts() {
			continue
		}
		p.prose(theme.Failed+" "+pane.Clean(f.Label()+" "+f.Text), theme.Bad)
	}
}

// sent is a request, on as many lines as its URL takes.
func (p *page) sent(r model.Request) {
	const word = "sent "
	for n, l := range words.Wrap(pane.Clean(r.Method+" "+r.URL), max(8, p.width-inset-len(word))) {
		line := pane.Line{{Text: strings.Repeat(" ", inset+len(word))}}
		if n == 0 {
			line = pane.Text(strings.Repeat(" ", inset)+word, theme.Dim)
		}
		p.add(append(line, pane.Span{Text: l, Style: theme.Value}))
	}
	p.content(r)
}

// answer is what came.
func (p *page) answer(x model.Exchange) {
	if x.Reply.Status == 0 {
		text := "no answer"
		if x.Err != nil {
			text += ": " + x.Err.Error()
		}
		p.prose(theme.Failed+" "+pane.Clean(text), theme.Bad)
		return
	}
	indent := strings.Repeat(" ", inset)
	p.add(pane.Line{{Text: indent + "came ", Style: theme.Dim}, {Text: status(x.Reply.Status), Style: theme.Value}, {Text: "  " + words.Plural(len(x.Reply.Body), "byte"), Style: theme.Dim}})
	if len(x.Reply.Body) == 0 {
		return
	}
	for _, l := range payload.Lines(bytes.TrimSpace(x.Reply.Body)) {
		p.add(pane.Text(indent+"  "+pane.Clean(l), theme.Plain))
	}
}

// ahead says what comes next, or why that does not.
func (p *page) ahead(w walk) {
	switch {
	case w.busy:
		p.prose("sending …", theme.Dim)
	case w.err != nil:
		p.prose(theme.Failed+" "+pane.Clean(w.err.Error()), theme.Bad)
	case w.over():
		p.prose("That was the last. The service stays as it is now.", theme.Dim)
	}
}
