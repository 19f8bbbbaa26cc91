package send

import (
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

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// aside is something that is shown in place of the answer, until the user goes back.
type aside struct {
	kind     asideKind
	earlier  usecase.SentRequest // the request whose answer is shown
	compared *comparison         // the differences that are shown
	below    answerView          // what was shown before
}

// asideKind is what an aside shows.
type asideKind int

const (
	historyAside    asideKind = iota // the requests that were sent
	earlierAside                     // the answer to one of them
	comparisonAside                  // the differences between two answers
	valueAside                       // a value of an answer that is too long for a line
)

// historyView lists the requests that were sent by hand.
type historyView struct {
	sent []usecase.SentRequest // newest first
	only model.OpID            // the operation whose requests are listed, "" for all
	list widget.List
}

// listed returns the requests that are listed.
func (h *historyView) listed() (all []usecase.SentRequest) {
	for _, r := range h.sent {
		if h.only == "" || r.Op() == h.only {
			all = append(all, r)
		}
	}
	return all
}

// switchOnly switches between the requests of an operation and all requests.
func (h *historyView) switchOnly(op model.OpID) {
	if h.only != "" {
		op = ""
	}
	h.only, h.list = op, widget.List{}
}

// mouse scrolls by the given number of rows. If clicked is set, it moves the cursor to the row that is y rows below the first
// visible row.
func (h *historyView) mouse(by int, clicked bool, y int) {
	h.list.Go(h.list.At + by)
	if clicked {
		h.list.Click(y)
	}
}

// historyLoaded is sent with the requests that were sent by hand.
type historyLoaded struct {
	op   model.OpID
	sent []usecase.SentRequest
	err  error
}

// answersCompared is sent with a comparison. It is nil if there is no answer to compare with.
type answersCompared struct {
	op       model.OpID
	compared *comparison
}

// answerPane is the pane with the answer, and with what is shown in its place: the history, an earlier answer, differences.
type answerPane struct {
	answerView
	asides  []aside // the last one is visible
	history historyView
	queue   *screen.MessageQueue
	load    func() ([]usecase.SentRequest, error) // the requests that were sent by hand
}

// show replaces the answer, and what is shown in its place.
func (a *answerPane) show(view answerView) { a.answerView, a.asides = view, nil }

// top returns what is shown in place of the answer, nil for nothing.
func (a *answerPane) top() *aside {
	if len(a.asides) == 0 {
		return nil
	}
	return &a.asides[len(a.asides)-1]
}

// shows reports whether something of a kind is shown in place of the answer.
func (a *answerPane) shows(kind asideKind) bool { return a.top() != nil && a.top().kind == kind }

// push shows something in place of the answer.
func (a *answerPane) push(next aside, view answerView) {
	next.below = a.answerView
	a.asides = append(a.asides, next)
	a.answerView = view
	a.focused = true
}

// pop goes back to what was shown before.
func (a *answerPane) pop() {
	a.answerView = a.top().below
	a.focused = true
	a.asides = a.asides[:len(a.asides)-1]
}

// openHistory reads the requests that were sent by hand. op is the operation of the pane.
func (a *answerPane) openHistory(op model.OpID) tea.Cmd {
	load := a.load
	return func() tea.Msg {
		all, err := load()
		return historyLoaded{op: op, sent: all, err: err}
	}
}

// historyLoaded lists the requests that were read.
func (a *answerPane) historyLoaded(msg historyLoaded) tea.Cmd {
	if a.top() != nil {
		return nil
	}
	a.history = historyView{sent: msg.sent}
	a.push(aside{kind: historyAside}, newAnswerView(nil))
	if msg.err != nil {
		return screen.ShowError(msg.err)
	}
	return nil
}

// listedRequest returns the request under the cursor of the history, or the one whose answer is shown. It returns false if
// there is none.
func (a *answerPane) listedRequest() (usecase.SentRequest, bool) {
	all := a.history.listed()
	switch {
	case a.shows(earlierAside):
		return a.top().earlier, true
	case a.shows(historyAside) && a.history.list.At < len(all):
		return all[a.history.list.At], true
	}
	return usecase.SentRequest{}, false
}

// showEarlier shows the answer to the request under the cursor of the history.
func (a *answerPane) showEarlier() {
	r, _ := a.listedRequest()
	a.showExchange(r)
}

// repeatEarlier puts the request under the cursor of the history into the form.
func (a *answerPane) repeatEarlier(spec *model.Spec) tea.Cmd {
	r, _ := a.listedRequest()
	if spec.Operation(r.Op()) == nil {
		return screen.ShowStatus("the spec has no " + draw.Clean(string(r.Op())) + " any more")
	}
	test := r.Test()
	cmd := a.queue.Send(screen.ComposeRequest{Op: r.Op(), Test: &test})
	switch {
	case r.Partial:
		return tea.Batch(cmd, screen.ShowStatus("its body was too large to be kept: type it again"))
	case r.Masked && r.Earlier:
		return tea.Batch(cmd, screen.ShowStatus("secrets in it are pseudonyms: type them again"))
	}
	return cmd
}

// compareEarlier compares the answer to the request under the cursor of the history with the one before it. op is the
// operation of the pane.
func (a *answerPane) compareEarlier(op model.OpID) tea.Cmd {
	r, _ := a.listedRequest()
	sent := a.history.sent
	return func() tea.Msg { return answersCompared{op: op, compared: compareWithEarlier(sent, r)} }
}

// compareAnswer compares the answer to a request of an operation with the one before it.
func (a *answerPane) compareAnswer(op model.OpID, shown usecase.SentRequest) tea.Cmd {
	load := a.load
	return func() tea.Msg {
		sent, _ := load() // the history reports the error
		return answersCompared{op: op, compared: compareWithEarlier(sent, shown)}
	}
}

// answersCompared shows a comparison.
func (a *answerPane) answersCompared(msg answersCompared) tea.Cmd {
	switch {
	case a.shows(comparisonAside):
		return nil
	case msg.compared == nil:
		return screen.ShowStatus("there is no earlier answer of this operation to compare with")
	}
	a.push(aside{kind: comparisonAside, compared: msg.compared}, newAnswerView(nil))
	return nil
}

// asideLines draws the lines of what is shown in place of the answer, above its body.
func (a *answerPane) asideLines(width int) []draw.Line {
	switch top := a.top(); top.kind {
	case earlierAside:
		return earlierLines(top.earlier, width)
	case comparisonAside:
		return top.compared.lines(width)
	case valueAside:
		return valueLines(width)
	}
	return nil
}

// name returns the name of what is shown, for the title.
func (a *answerPane) name() string {
	switch {
	case a.shows(earlierAside):
		return "Earlier answer"
	case a.shows(comparisonAside):
		return "Differences"
	case a.shows(valueAside):
		return "Value"
	}
	return "Answer"
}

// earlierLines draws a request of the history and its answer, without the body.
func earlierLines(r usecase.SentRequest, width int) []draw.Line {
	x := r.Exchange
	request := draw.OperationLine(requestText(x.Request), max(8, width-2))
	lines := []draw.Line{
		append(draw.TextLine(" ", theme.Plain), request...),
		append(append(draw.TextLine(" ", theme.Plain), statusLine(x)...), draw.Span{Text: sizeText(x), Style: theme.Dim}),
		draw.TextLine(" sent at "+clock(r)+placeText(r)+callerText(r), theme.Dim),
	}
	if x.Request.Op != r.Op() {
		lines = append(append(lines, prose(width, string(r.Op())+" needs this call, and was not sent.")...), nil)
	}
	if r.Earlier {
		lines = append(lines, draw.TextLine(" "+theme.Injected+" pseudonyms take the place of secrets", theme.Dim))
	}
	lines = append(lines, detailLines(x, width, time.Now())...)
	return append(append(lines, headerLines(x.Reply)...), bodyState(x, width)...)
}

// requestText returns the method and the URL of a request.
func requestText(r model.Request) string { return r.Method + " " + r.URL }

// placeText says to which service a request was sent, or "" if that is not known.
func placeText(r usecase.SentRequest) string {
	if r.Exchange.Base == "" {
		return ""
	}
	return " to " + draw.Clean(r.Exchange.Base)
}

// callerText says who sent a request, or "" for an anonymous one.
func callerText(r usecase.SentRequest) string {
	if user := r.Calls[len(r.Calls)-1].User; user != "" {
		return " as " + draw.Clean(user)
	}
	return ""
}

// clock returns the local time of a request, with the date if that is not today.
func clock(r usecase.SentRequest) string {
	at := r.Exchange.At.Local()
	if at.Format(time.DateOnly) == time.Now().Format(time.DateOnly) {
		return at.Format(time.TimeOnly)
	}
	return at.Format(time.DateTime)
}

// fit sets the number of visible rows of the history in a pane at r.
func (h *historyView) fit(r draw.Rect) { h.list.Fit(len(h.listed()), max(1, r.H-2)) }

// view draws the history at r.
func (h *historyView) view(r draw.Rect) string {
	all := h.listed()
	title := "History · " + words.Plural(len(all), "request")
	if h.only != "" {
		title += " of " + draw.Clean(string(h.only))
	}
	f := draw.Frame{Title: title, Width: r.W, Height: r.H, Focused: true}
	w, height := f.Inner()
	if len(all) == 0 {
		var rows []string
		for _, l := range prose(w, "No request was sent by hand yet.") {
			rows = append(rows, l.Render(w, false))
		}
		return f.Render(strings.Join(rows, "\n"))
	}
	if len(all) > height {
		f.Note = fmt.Sprintf("%s of %s", words.Count(h.list.At+1), words.Count(len(all)))
	}
	var rows []string
	from, to := h.list.Visible()
	for i := from; i < to; i++ {
		rows = append(rows, answerLine(historyLine(all[i], w), i == h.list.At, w))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// The columns of the history: where the status and the request begin, and the minimum width for the time that a request
// took and for its user.
const (
	statusColumn    = 12
	requestColumn   = 19
	roomForDuration = 70
)

// historyLine draws a request of the history: the time or, for requests of another day, the date, the status and the request.
func historyLine(r usecase.SentRequest, width int) draw.Line {
	at, _, _ := strings.Cut(clock(r), " ")
	line := draw.TextLine(" "+at, theme.Dim).At(statusColumn, statusLine(r.Exchange)...)
	end := ""
	if width >= roomForDuration {
		end = "  " + durationText(r.Exchange.Took) + callerText(r)
	}
	request := draw.OperationLine(requestText(r.Exchange.Request), max(8, width-requestColumn-ansi.StringWidth(end)))
	return append(line.At(requestColumn, request...), draw.Span{Text: end, Style: theme.Dim})
}
