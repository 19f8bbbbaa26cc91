package send

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/dustin/go-humanize"
)

// streamTicksPerSecond is the number of updates per second of a stream. The screen is not drawn for each message.
const streamTicksPerSecond = 10

// streamView lists the messages of a stream below the lines about the answer. The zero value has no stream.
type streamView struct {
	stream   usecase.Stream // nil for none
	id       int            // number of the stream; ticks of earlier streams are dropped
	interval time.Duration  // time between two ticks
	progress usecase.StreamProgress

	list    widget.List          // the lines about the answer, then the rows of the stream
	head    int                  // number of lines about the answer
	follows bool                 // the cursor stays on the last row
	opened  *model.StreamMessage // the message that is shown instead of the list, nil for none
	input   *textinput.Model     // the message that the user is typing, nil for none
}

// streamTicked is sent regularly while a stream is open.
type streamTicked struct{ id int }

// messageSent is sent when a message of the user was sent, or could not be sent.
type messageSent struct{ err error }

// begin shows a new stream, nil for none. It stops the stream before.
func (v *streamView) begin(s usecase.Stream) tea.Cmd {
	v.stop()
	*v = streamView{stream: s, id: v.id + 1, interval: v.interval, follows: true}
	if s == nil {
		return nil
	}
	v.progress = s.Progress()
	return v.tick()
}

func (v *streamView) tick() tea.Cmd {
	id := v.id
	return tea.Tick(v.interval, func(time.Time) tea.Msg { return streamTicked{id: id} })
}

// ticked shows the messages that have arrived, and returns the command for the next tick.
func (v *streamView) ticked(msg streamTicked) tea.Cmd {
	if msg.id != v.id || !v.live() {
		return nil
	}
	number := v.list.At - v.first() + v.dropped() // of the message under the cursor, among all messages
	v.progress = v.stream.Progress()
	v.list.Rows = v.head + v.rows()
	switch {
	case v.follows:
		v.list.Go(v.list.Rows - 1)
	case v.list.At >= v.head:
		v.list.Go(v.first() + max(0, number-v.dropped()))
	}
	if !v.live() {
		v.input = nil
		return nil
	}
	return v.tick()
}

// live reports whether a stream is open.
func (v *streamView) live() bool { return v.stream != nil && v.progress.End == nil }

// stop ends the stream.
func (v *streamView) stop() {
	if v.live() {
		v.stream.Stop()
	}
}

// listed reports whether the list of messages is shown, and not one of them.
func (v *streamView) listed() bool { return v.stream != nil && v.opened == nil }

// dropped returns the number of messages that are not kept any more.
func (v *streamView) dropped() int { return v.progress.Total - len(v.progress.Messages) }

// first returns the row of the first message.
func (v *streamView) first() int { return v.head + min(1, v.dropped()) }

// rows returns the number of rows of the stream: what was dropped, the messages, and the end.
func (v *streamView) rows() int {
	rows := len(v.progress.Messages) + min(1, v.dropped())
	if v.progress.End != nil {
		rows++
	}
	return rows
}

// current returns the message under the cursor, nil for none.
func (v *streamView) current() *model.StreamMessage {
	at := v.list.At - v.first()
	if !v.listed() || at < 0 || at >= len(v.progress.Messages) {
		return nil
	}
	return &v.progress.Messages[at]
}

// move moves the cursor. It follows the stream while it is on the last row.
func (v *streamView) move(k tea.KeyMsg) {
	v.list.Key(k)
	v.follows = v.list.At == v.list.Rows-1
}

// mouse scrolls by the given number of rows. If clicked is set, it moves the cursor to the row that is y rows below the first
// visible row.
func (v *streamView) mouse(by int, clicked bool, y int) {
	v.list.Go(v.list.At + by)
	if clicked {
		v.list.Click(y)
	}
	v.follows = v.list.At == v.list.Rows-1
}

// open shows the message under the cursor instead of the list, and returns its content.
func (v *streamView) open() answerView {
	m := *v.current()
	v.opened = &m
	content := newAnswerView(widget.ReadPayload(m.Data))
	content.focused = true
	return content
}

// close shows the list again, and returns an empty content.
func (v *streamView) close() answerView {
	v.opened = nil
	content := newAnswerView(nil)
	content.focused = true
	return content
}

// stopByUser ends the stream. Its messages stay.
func (v *streamView) stopByUser() tea.Cmd {
	v.stop()
	return screen.ShowStatus("the stream is being closed")
}

// canSend reports whether the user can send messages.
func (v *streamView) canSend() bool { return v.live() && v.stream.Kind() == model.WebSocket }

// typeMessage lets the user type a message.
func (v *streamView) typeMessage() {
	input := widget.ValueField("")
	v.input = &input
}

// send sends the typed message. The field stays open for the next one.
func (v *streamView) send() tea.Cmd {
	stream, text := v.stream, v.input.Value()
	v.typeMessage()
	return func() tea.Msg { return messageSent{err: stream.Send(text)} }
}

// typeKey handles a key for the message.
func (v *streamView) typeKey(k tea.KeyMsg) {
	input, _ := v.input.Update(k)
	v.input = &input
}

// fit sets the numbers of rows and of visible rows in a pane at r.
func (v *streamView) fit(head []draw.Line, r draw.Rect) {
	v.head = len(head)
	height := r.H - 2
	if v.input != nil {
		height--
	}
	at := v.list.At
	v.list.Fit(v.head+v.rows(), max(1, height))
	if v.follows {
		v.list.Go(v.list.Rows - 1)
	} else {
		v.list.Go(at)
	}
}

// view draws the list at r.
func (v *streamView) view(head []draw.Line, r draw.Rect, focused bool) string {
	f := draw.Frame{Title: v.title(), Width: r.W, Height: r.H, Focused: focused}
	w, h := f.Inner()
	from, to := v.list.Visible()
	if v.list.Rows > h {
		f.Note = fmt.Sprintf("%s-%s of %s", words.Count(from+1), words.Count(to), words.Count(v.list.Rows))
	}
	var rows []string
	for i := from; i < to; i++ {
		line := v.row(i-len(head), w)
		if i < len(head) {
			line = head[i]
		}
		rows = append(rows, answerLine(line, i == v.list.At && focused && v.input == nil, w))
	}
	text := strings.Join(rows, "\n")
	if v.input != nil {
		text = draw.JoinRows(draw.FitLines(text, w, max(0, h-1)), v.inputLine(w))
	}
	return f.Render(text)
}

// title returns the kind and the state of the stream.
func (v *streamView) title() string {
	state := theme.Good.Render(theme.Live + " live")
	if !v.live() {
		state = theme.Dim.Render("ended")
	}
	p := v.progress
	what := "event"
	if v.stream.Kind() == model.WebSocket {
		what = "message"
	}
	sizes := fmt.Sprintf(" · %s · %s", words.Plural(p.Total, what), humanize.IBytes(uint64(max(0, p.Received))))
	return string(v.stream.Kind()) + " " + state + theme.Dim.Render(sizes)
}

// inputLine draws the message that the user is typing, and whether it is JSON.
func (v *streamView) inputLine(width int) string {
	kind := messageKind(v.input.Value())
	v.input.Width = max(1, width-len(kind)-8)
	line := theme.Accent.Render(" "+theme.Sent+" ") + v.input.View()
	return line + theme.Dim.Render("  "+kind)
}

// messageKind returns whether a message is JSON, text, or text that looks like JSON.
func messageKind(text string) string {
	start := strings.TrimSpace(text)
	switch {
	case json.Valid([]byte(start)):
		return "JSON"
	case strings.HasPrefix(start, "{") || strings.HasPrefix(start, "["):
		return "broken JSON"
	}
	return "text"
}

// row draws a row of the stream.
func (v *streamView) row(i, width int) draw.Line {
	if n := v.dropped(); n > 0 {
		if i == 0 {
			return draw.TextLine(fmt.Sprintf(" … the %s before are not kept", words.Plural(n, "message")), theme.Dim)
		}
		i--
	}
	switch all := v.progress.Messages; {
	case i < 0:
		return nil
	case i < len(all):
		return messageLine(all[i], width)
	}
	return endLine(*v.progress.End)
}

// messageLine draws the time, the direction, the type and the beginning of a message.
func messageLine(m model.StreamMessage, width int) draw.Line {
	arrow, style := theme.Received, theme.Dim
	if m.Sent {
		arrow, style = theme.Sent, theme.Accent
	}
	line := draw.Line{
		{Text: " " + m.At.Format("15:04:05.000") + " ", Style: theme.Dim},
		{Text: arrow + " ", Style: style},
	}
	if m.Event != "" {
		line = append(line, draw.Span{Text: draw.Clean(m.Event) + "  ", Style: theme.Strong})
	}
	return append(line, draw.Span{Text: excerpt(m, width), Style: theme.Plain})
}

// excerpt returns the beginning of a message on one line. Binary messages are written in hexadecimal digits.
func excerpt(m model.StreamMessage, width int) string {
	const widest = 4 // bytes of a character
	data := m.Data[:min(len(m.Data), widest*width)]
	text := draw.Clean(string(data))
	if m.Binary || !widget.IsText(data) {
		text = widget.HexBytes(data[:min(len(data), width)])
	}
	if m.Size > int64(len(m.Data)) {
		text = humanize.IBytes(uint64(m.Size)) + ": " + text
	}
	return text
}

// endLine draws how a stream ended.
func endLine(e model.StreamEnd) draw.Line {
	code := ""
	if e.Code > 0 {
		code = fmt.Sprintf(" with code %d%s", e.Code, closeName(e.Code))
	}
	reason := ""
	if e.Text != "" {
		reason = ": " + draw.Clean(e.Text)
	}
	switch {
	case e.Stopped:
		return draw.TextLine(" "+theme.Ok+" you stopped it"+code+reason, theme.Dim)
	case e.Regular:
		return draw.TextLine(" "+theme.Ok+" the service ended it"+code+reason, theme.Good)
	}
	return draw.TextLine(" "+theme.Failed+" it broke off"+reason, theme.Bad)
}

// closeName returns the meaning of a code in RFC 6455, with a blank before it, or "".
func closeName(code int) string {
	name := map[int]string{
		1000: "normal", 1001: "going away", 1002: "protocol error", 1003: "unsupported data", 1005: "none given",
		1007: "invalid data", 1008: "policy violation", 1009: "message too big", 1010: "missing extension",
		1011: "internal error", 1012: "service restart", 1013: "try again later",
	}[code]
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

// openedLines draws the lines above the content of an opened message.
func openedLines(m model.StreamMessage) []draw.Line {
	from := theme.Received + " from the service"
	if m.Sent {
		from = theme.Sent + " sent by you"
	}
	lines := []draw.Line{draw.TextLine(" "+m.At.Format("15:04:05.000")+"  "+from+"  "+words.Plural(int(m.Size), "byte"), theme.Dim)}
	for _, part := range [][2]string{{"event", m.Event}, {"id", m.ID}} {
		if part[1] != "" {
			lines = append(lines, draw.Line{
				{Text: " " + part[0] + "  ", Style: theme.Dim}, {Text: draw.Clean(part[1]), Style: theme.Plain},
			})
		}
	}
	if kept := int64(len(m.Data)); m.Size > kept {
		lines = append(lines, draw.TextLine(" only its first "+words.Plural(int(kept), "byte")+" are kept", theme.Warn))
	}
	return append(lines, nil)
}

// wantsWebSocket reports whether the request of a form asks for a WebSocket without a key of its own.
func wantsWebSocket(f *form) bool {
	if f.empty() {
		return false
	}
	calls := f.outline().Calls
	return opensWebSocket(f.op, calls[len(calls)-1])
}

// opensWebSocket reports whether a call asks for a WebSocket without a key of its own: its operation declares the answer
// 101, or the call has the header of the handshake.
func opensWebSocket(op *model.Operation, call model.Call) bool {
	if op.Method != "GET" {
		return false
	}
	for _, a := range call.Args {
		if a.In == model.InHeader && strings.EqualFold(a.Name, "Upgrade") && strings.EqualFold(a.Value, "websocket") {
			return true
		}
	}
	for _, r := range op.Responses {
		if r.Status == "101" {
			return true
		}
	}
	return false
}
