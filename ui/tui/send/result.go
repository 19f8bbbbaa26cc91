package send

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/x/ansi"
)

// resultView draws the state of the request in the lines above the body of the answer.
type resultView struct {
	sender  *sender
	op      model.OpID
	service string // the URL of the service, "" if there is none
	network bool   // the request is sent in a virtual network
	setUp   bool   // other calls are sent before the request
}

func (v resultView) lines(width int) []draw.Line {
	switch {
	case v.sender.inFlight():
		return v.waiting(width)
	case v.sender.err != nil:
		return errorLines(v.sender.err, width)
	case v.sender.result != nil:
		return v.exchanges(width)
	case v.service == "":
		return prose(
			width,
			"There is no service to send it to: ctrl+e lists the addresses in the spec. Or start with sonde SPEC --url URL,"+
				" or say in sonde.yaml how to start it; sonde alone opens the demo.",
		)
	}
	return prose(width, widget.KeyName(keySend)+" sends this to "+v.receiver()+".", v.preparation())
}

// receiver returns a name of the service or network that receives the request.
func (v resultView) receiver() string {
	switch {
	case v.network:
		return "a copy of the service on a virtual network"
	case strings.Contains(v.service, model.PortPlaceholder):
		return "the service, which is started for that"
	}
	return v.service
}

// preparation describes what Sonde does before it sends the request, "" for nothing.
func (v resultView) preparation() string {
	text := ""
	if v.setUp {
		text = "The calls in the row first are sent before it: it needs values from their answers. "
	}
	if v.network && !v.sender.started {
		text += "The first time, the service is built and started, which takes some seconds."
	}
	return text
}

// waiting draws the request in progress.
func (v resultView) waiting(width int) []draw.Line {
	text := "Waiting for an answer"
	switch {
	case v.sender.keeping:
		text = "Playing it from the service's first state, to keep it as a test"
	case v.network && !v.sender.started:
		text = "Building and starting the service, then sending"
	}
	if s := v.sender.ticks / ticksPerSecond; s > 0 {
		text += fmt.Sprintf(" · %d s", s)
	}
	return prose(width, text+" …", widget.KeyName(keyStop)+" gives it up.")
}

// exchanges draws the statuses of all calls, and the last answer without its body. The last answer belongs
// to the request or, if an earlier call failed, to this call.
func (v resultView) exchanges(width int) []draw.Line {
	r := v.sender.result
	last := len(r.Exchanges) - 1
	var lines []draw.Line
	for i, x := range r.Exchanges {
		line := draw.TextLine(" ", theme.Plain)
		if i < last || r.Test.Calls[i].Op != v.op {
			line = append(line, draw.OperationLine(string(r.Test.Calls[i].Op), max(8, width-14))...)
			line = append(line, draw.Span{Text: "  ", Style: theme.Plain})
		}
		line = append(line, statusLine(x)...)
		if i == last {
			line = append(line, draw.Span{Text: sizeText(x), Style: theme.Dim})
		}
		lines = append(lines, line)
	}
	if r.Test.Calls[last].Op != v.op {
		lines = append(append(lines, prose(width, "The request needs this call, and was not sent.")...), nil)
	}
	x := r.Exchanges[last]
	details := detailLines(x, width, time.Now())
	lines = slices.Concat(lines, details, faultLines(r.Faults, width), v.hosts(width), headerLines(x.Reply))
	if r.Stream != nil {
		return append(lines, nil)
	}
	return slices.Concat(lines, bodyState(x, width), v.hint(x, width))
}

// hint says how to send the request as a user, if the service refused it for want of one, or how to open a WebSocket, if
// the answer says that the service has one.
func (v resultView) hint(x model.Exchange, width int) []draw.Line {
	const (
		unauthorized    = 401
		forbidden       = 403
		upgradeRequired = 426
	)
	if x.Reply.Status == forbidden {
		return append(prose(width, "The service does not let this user do it: the row as chooses another one, and "+
			widget.KeyName(screen.KeyUsers)+" adds one."), nil)
	}
	if x.Reply.Status == unauthorized {
		return append(prose(width, "The service wants to know who calls: "+widget.KeyName(screen.KeyUsers)+
			" adds a user with a token or a log-in, and the row as chooses the user. sonde init writes users into sonde.yaml."), nil)
	}
	if x.Reply.Status != upgradeRequired && len(x.Reply.Header["Sec-Websocket-Version"]) == 0 {
		return nil
	}
	return append(prose(width, "The service has a WebSocket here: "+widget.KeyName(keyWebSocket)+" opens it."), nil)
}

// hosts draws the stubs of the test, and the number of hosts that the service contacted. If the network was real, it
// draws nothing.
func (v resultView) hosts(width int) (lines []draw.Line) {
	r := v.sender.result
	if !r.Net {
		return nil
	}
	for _, stub := range r.Test.Stubs {
		text := theme.Injected + " " + draw.Clean(stub.Host+" "+stub.Summary())
		lines = append(lines, draw.TextLine(" "+ansi.Truncate(text, max(0, width-2), "…"), theme.Value))
	}
	if n := len(r.Hosts); n > 0 {
		text := " 7 shows " + words.Plural(n, "host") + " that the service called"
		lines = append(lines, draw.TextLine(text, theme.Dim))
	}
	return lines
}

// statusLine draws a status with its glyph, or a text that says that there is no answer.
func statusLine(x model.Exchange) draw.Line {
	if x.Reply.Status == 0 {
		return draw.TextLine(theme.Failed+" no answer", theme.Bad)
	}
	glyph, style := theme.Class(x.Reply.Status)
	return draw.TextLine(fmt.Sprintf("%s %d", glyph, x.Reply.Status), style)
}

// sizeText describes the duration, the protocol and the size of an answer, and whether the answer was
// truncated.
func sizeText(x model.Exchange) string {
	text := "  " + durationText(x.Took)
	if x.Reply.Proto != "" {
		text += "  " + draw.Clean(x.Reply.Proto)
	}
	if n := len(x.Reply.Body); n > 0 {
		text += "  " + words.Plural(n, "byte")
	}
	if x.Reply.Truncated && len(x.Reply.Body) > 0 {
		text += ", cut"
	}
	return text
}

func durationText(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// errorLines draws the error if there is no result.
func errorLines(err error, width int) []draw.Line {
	lines := []draw.Line{nil}
	for i, text := range words.Wrap(draw.Clean(err.Error()), max(1, width-6)) {
		start := "   "
		if i == 0 {
			start = " " + theme.Failed + " "
		}
		lines = append(lines, draw.TextLine(start+text, theme.Bad))
	}
	return lines
}

// faultLines draws the faults that count as failures.
func faultLines(faults []model.Fault, width int) (lines []draw.Line) {
	for _, f := range faults {
		if !f.CountsAsFailure() {
			continue
		}
		text := theme.Failed + " " + draw.Clean(f.Oracle+": "+cmp.Or(f.Text, f.Expected))
		for i, l := range words.Wrap(text, max(1, width-4)) {
			lines = append(lines, draw.TextLine(strings.Repeat(" ", 1+min(2*i, 2))+l, theme.Bad))
		}
	}
	return lines
}

// commonHeaders are the headers that most answers have. These headers are not shown.
var commonHeaders = []string{
	"Date", "Content-Length", "Connection", "Server", "Keep-Alive", "Transfer-Encoding", "Vary",
	"X-Content-Type-Options",
}

// headerLines draws the headers of an answer, without the common headers.
func headerLines(r model.Reply) (lines []draw.Line) {
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if slices.Contains(commonHeaders, name) {
			continue
		}
		for _, value := range r.Header[name] {
			lines = append(lines, draw.Line{
				{Text: " " + draw.Clean(name) + "  ", Style: theme.Dim},
				{Text: draw.Clean(value), Style: theme.Plain},
			})
		}
	}
	return lines
}

// bodyState draws the lines before the body: a blank line, and the error of the exchange. If there is no error and
// the body is empty, it draws "no body".
func bodyState(x model.Exchange, width int) []draw.Line {
	lines := []draw.Line{nil}
	switch {
	case x.Err != nil:
		for _, l := range words.Wrap(draw.Clean(x.Err.Error()), max(1, width-4)) {
			lines = append(lines, draw.TextLine(" "+l, theme.Bad))
		}
	case len(x.Reply.Body) == 0:
		lines = append(lines, draw.TextLine(" no body", theme.Dim))
	}
	return lines
}

// prose draws paragraphs, each after a blank line. It skips empty paragraphs.
func prose(width int, paragraphs ...string) (lines []draw.Line) {
	for _, text := range paragraphs {
		if text == "" {
			continue
		}
		lines = append(lines, nil)
		for _, l := range words.Wrap(draw.Clean(text), max(1, min(width-4, 76))) {
			lines = append(lines, draw.TextLine("  "+l, theme.Dim))
		}
	}
	return lines
}
