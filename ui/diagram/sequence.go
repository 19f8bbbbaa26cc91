package diagram

import (
	"slices"
	"strconv"
	"time"

	"sonde/ui/draw"
	"sonde/ui/theme"
)

// Sequence is a sequence diagram: messages between parties. Its texts must have been cleaned by draw.Clean.
type Sequence struct {
	// Lanes are the names of the parties, from left to right.
	Lanes    []string
	Messages []Message
}

// Message is a request to a party further to the right, and its reply.
type Message struct {
	From, To int           // lanes, From < To
	At       time.Duration // time since the start of the diagram
	// Verb and Text describe the request. Text is truncated before Verb.
	Verb, Text string
	// Ended reports whether the message has ended, for example by a reply. Took is the duration of a message that has
	// ended.
	Ended bool
	Took  time.Duration
	// Reply may have parts separated by " · ". The last parts are dropped first.
	Reply string
	Style theme.Style // style of the reply
	// Loose is set if it is not certain that the message belongs to this sequence.
	Loose bool
}

// SequenceRow is a line of a diagram.
type SequenceRow struct {
	Line    draw.Line
	Message int  // index of the message that begins or ends in this row
	End     bool // the message ends here
}

// doubt is written before the text of a message that is Loose.
const doubt = "? "

// event is the beginning or the end of a message.
type event struct {
	message int
	end     bool
	at      time.Duration
}

// events returns the beginnings and ends of messages in the order of time. At equal times, all beginnings
// come first, in the order of the messages, then the ends in reverse order. No message ends before it
// begins.
func (f Sequence) events() []event {
	var all []event
	for i, m := range f.Messages {
		all = append(all, event{message: i, end: false, at: m.At})
	}
	for i, m := range slices.Backward(f.Messages) { // messages end in reverse order
		if m.Ended {
			all = append(all, event{message: i, end: true, at: m.At + max(0, m.Took)})
		}
	}
	slices.SortStableFunc(all, func(a, b event) int { return int(a.at - b.at) })
	return all
}

// slots returns a slot for each message. The function group divides the messages into groups, and slots are numbered
// from 0 in each group. Messages of one group that are in progress at the same time have different slots. A message
// that never ends has the slot -1.
func (f Sequence) slots(group func(Message) int) []int {
	slots := make([]int, len(f.Messages))
	busy := map[[2]int]bool{}
	for _, e := range f.events() {
		m := f.Messages[e.message]
		g := group(m)
		switch {
		case !m.Ended:
			slots[e.message] = -1
		case e.end:
			delete(busy, [2]int{g, slots[e.message]})
		default:
			for busy[[2]int{g, slots[e.message]}] {
				slots[e.message]++
			}
			busy[[2]int{g, slots[e.message]}] = true
		}
	}
	return slots
}

// clock formats a time in milliseconds, with one decimal if it is less than 10 ms and not a whole number.
func clock(t time.Duration) string {
	ms := float64(t) / float64(time.Millisecond)
	if ms > -10 && ms < 10 && t%time.Millisecond != 0 {
		return strconv.FormatFloat(ms, 'f', 1, 64)
	}
	return strconv.Itoa(int(t.Round(time.Millisecond) / time.Millisecond))
}

// clocks returns the width of the column with the times of events. It is at least the width of the column's title,
// "ms".
func clocks(events []event) int {
	w := len("ms")
	for _, e := range events {
		w = max(w, len(clock(e.at)))
	}
	return w
}

// Draw draws the diagram in at most width cells. It highlights the message with the index marked, or none
// for -1. head has the names of the lanes. If there is no room for lanes, head is nil and the rows are an
// indented list.
func (f Sequence) Draw(width, marked int) (head draw.Line, rows []SequenceRow) {
	if p, fits := f.plan(width); fits {
		return p.head(), p.rows(marked)
	}
	return nil, f.list(width, marked)
}
