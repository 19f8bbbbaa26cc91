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
		Met: func(p *Pane) bool {
			return p.answer.focused && p.body() != nil && p.body().Value(p.answer.bodyLine()) != ""
		},
		Why: "needs the cursor on a line of an answer's body",
	}
	isCut      = need{Met: func(p *Pane) bool { return p.isCut() }}
	onEarlier  = need{Met: func(p *Pane) bool { _, ok := p.earlierCall(); return ok }, Why: "needs an answer to an earlier call"}
	takingRows = []keymap.Row[*Pane]{
		{Key: keymap.Bind("⏎", "show its answer", "enter"), Needs: []need{onEarlier}, Do: keymap.Act((*Pane).showEarlierCall)},
		{Key: keymap.Bind("⏎", "wrap this value", "enter"), Needs: []need{onValue, isCut}, Do: keymap.Act((*Pane).showValue)},
		{Key: keymap.Bind("c", "copy this value"), Needs: []need{onValue}, Do: func(p *Pane) tea.Cmd {
			return p.copyText("the value", p.body().Value(p.answer.bodyLine()))
		}},
		{Key: keymap.Bind("C", "copy the answer"), Needs: []need{hasAnswer}, Do: func(p *Pane) tea.Cmd {
			return p.copyText("the answer", p.body().Source())
		}},
		{Key: keymap.Bind("E", "answer in your editor"), Needs: []need{hasAnswer}, Do: (*Pane).editAnswer},
	}
)

// isCut reports whether the line under the cursor is a value that is wider than the pane.
func (p *Pane) isCut() bool {
	body, line := p.body(), p.answer.bodyLine()
	if p.answer.shows(valueAside) || body == nil || line < 0 || line >= body.Len() || body.Opens(line) {
		return false
	}
	return body.Line(line).Width() > p.layout().answer.W-2
}

// showValue shows the value under the cursor in lines that fit.
func (p *Pane) showValue() {
	value := p.body().Value(p.answer.bodyLine())
	p.answer.push(aside{kind: valueAside}, newAnswerView(widget.WrapValue(value, p.layout().answer.W-4)))
}

// copyText copies a text to the clipboard.
func (p *Pane) copyText(what, text string) tea.Cmd {
	copies := p.copies
	return func() tea.Msg {
		if err := copies(text); err != nil {
			return screen.StatusMessage{Err: err}
		}
		return screen.StatusMessage{Text: "copied " + what}
	}
}

// editAnswer opens the answer in the user's editor. What the editor changes has no effect.
func (p *Pane) editAnswer() tea.Cmd {
	name := map[string]string{"JSON": "answer.json", "broken JSON": "answer.json", "XML": "answer.xml"}[p.body().Kind]
	if name == "" {
		name = "answer.txt"
	}
	tasks := formTasks{calls: p.calls, id: answerInEditor}
	return tasks.writeFile(name, p.body().Source())
}

// earlierCall returns the index of the call before the request whose status is under the cursor.
func (p *Pane) earlierCall() (at int, ok bool) {
	r := p.sender.result
	if r == nil || !p.answer.focused || p.answer.top() != nil || p.sender.inFlight() || p.sender.err != nil {
		return 0, false
	}
	at = p.answer.scroll.At
	return at, at < len(r.Exchanges)-1
}

// showEarlierCall shows the answer to the call whose status is under the cursor.
func (p *Pane) showEarlierCall() {
	at, _ := p.earlierCall()
	r := p.sender.result
	sent := usecase.SentRequest{Calls: r.Test.Calls[:at+1], Exchange: r.Exchanges[at]}
	for _, l := range r.Test.Links {
		if l.To <= at {
			sent.Links = append(sent.Links, l)
		}
	}
	p.answer.push(aside{kind: earlierAside, earlier: sent}, newAnswerView(bodyOfExchange(sent.Exchange)))
}

// valueLines says where a shown value comes from.
func valueLines(width int) []draw.Line {
	return prose(width, "The value that is cut in the answer; esc goes back.")
}
