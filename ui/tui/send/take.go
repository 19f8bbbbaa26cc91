package send

import (
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// What the user can take out of an answer: a value or all of it to the clipboard, or all of it into the editor.
var (
	onValue = need{
		Met: func(p *Pane) bool { return p.answer.focused && p.body() != nil && p.answer.value() != "" },
		Why: "needs the cursor on a line of an answer's body",
	}
	isCut     = need{Met: func(p *Pane) bool { return p.answer.isCut(p.layout().answer.W - 2) }}
	onEarlier = need{
		Met: func(p *Pane) bool {
			return p.answer.focused && p.answer.top() == nil && p.answer.scroll.At < p.sender.callsBefore()
		},
		Why: "needs an answer to an earlier call",
	}
	takingRows = []keymap.Row[*Pane]{
		{Key: keymap.Bind("⏎", "show its answer", "enter"), Needs: []need{onEarlier}, Do: keymap.Act(func(p *Pane) {
			p.answer.showExchange(p.sender.callBefore(p.answer.scroll.At))
		})},
		{Key: keymap.Bind("⏎", "wrap this value", "enter"), Needs: []need{onValue, isCut}, Do: keymap.Act(func(p *Pane) {
			p.answer.showValue(p.layout().answer.W - 4)
		})},
		{Key: keymap.Bind("c", "copy this value"), Needs: []need{onValue}, Do: func(p *Pane) tea.Cmd {
			return copyText(p.copies, "the value", p.answer.value())
		}},
		{Key: keymap.Bind("C", "copy the answer"), Needs: []need{hasAnswer}, Do: func(p *Pane) tea.Cmd {
			return copyText(p.copies, "the answer", p.body().Source())
		}},
		{Key: keymap.Bind("E", "answer in your editor"), Needs: []need{hasAnswer}, Do: func(p *Pane) tea.Cmd {
			return editAnswer(p.calls, p.body())
		}},
	}
)

// value returns the value under the cursor, "" above the body.
func (a *answerView) value() string { return a.body.Value(a.bodyLine()) }

// isCut reports whether the line under the cursor is a value that is wider than the pane.
func (a *answerPane) isCut(width int) bool {
	line := a.bodyLine()
	if a.shows(valueAside) || a.body == nil || line < 0 || line >= a.body.Len() || a.body.Opens(line) {
		return false
	}
	return a.body.Line(line).Width() > width
}

// showValue shows the value under the cursor in lines that fit.
func (a *answerPane) showValue(width int) {
	a.push(aside{kind: valueAside}, newAnswerView(widget.WrapValue(a.value(), width)))
}

// showExchange shows the answer to a request in place of the answer.
func (a *answerPane) showExchange(r usecase.SentRequest) {
	a.push(aside{kind: earlierAside, earlier: r}, newAnswerView(bodyOfExchange(r.Exchange)))
}

// copyText returns the command that copies a text to the clipboard.
func copyText(copies func(text string) error, what, text string) tea.Cmd {
	return func() tea.Msg {
		if err := copies(text); err != nil {
			return screen.StatusMessage{Err: err}
		}
		return screen.StatusMessage{Text: "copied " + what}
	}
}

// editAnswer returns the command that opens an answer in the user's editor. What the editor changes has no effect.
func editAnswer(calls usecase.ManualCalls, body *widget.Payload) tea.Cmd {
	name := map[string]string{"JSON": "answer.json", "broken JSON": "answer.json", "XML": "answer.xml"}[body.Kind]
	if name == "" {
		name = "answer.txt"
	}
	return formTasks{calls: calls, id: answerInEditor}.writeFile(name, body.Source())
}

// callsBefore returns the number of calls with an answer before the last one.
func (s *sender) callsBefore() int {
	if s.result == nil || s.inFlight() || s.err != nil {
		return 0
	}
	return len(s.result.Exchanges) - 1
}

// callBefore returns a call of the result, as a log has it.
func (s *sender) callBefore(at int) usecase.SentRequest {
	sent := usecase.SentRequest{Calls: s.result.Test.Calls[:at+1], Exchange: s.result.Exchanges[at]}
	for _, l := range s.result.Test.Links {
		if l.To <= at {
			sent.Links = append(sent.Links, l)
		}
	}
	return sent
}

// valueLines says where a shown value comes from.
func valueLines(width int) []draw.Line {
	return prose(width, "The value that is cut in the answer; esc goes back.")
}
