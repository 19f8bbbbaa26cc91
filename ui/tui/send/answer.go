package send

import (
	"fmt"
	"strings"

	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// answerView is the pane with the answer: lines about the answer, followed by its body, which can be folded
// and searched.
type answerView struct {
	focused bool        // the answer has the focus, not the form
	scroll  widget.List // the lines about the answer, then the lines of the body
	head    int         // number of lines about the answer

	body   *widget.Payload // nil if there is no body
	search textinput.Model
	hits   int // number of lines with the search text
	hit    int // number of the hit to which the cursor last moved, from 1; 0 for none
}

func newAnswerView(body *widget.Payload) answerView {
	return answerView{body: body, search: widget.FilterField("text")}
}

// typing reports whether the search field has the focus.
func (a *answerView) typing() bool { return a.search.Focused() }

// bodyLine returns the line of the body under the cursor. It is negative above the body.
func (a *answerView) bodyLine() int { return a.scroll.At - a.head }

func (a *answerView) foldLine() int { return a.body.Fold(a.bodyLine()) }

// foldAll folds all objects and arrays inside the outermost one. If some are folded already, it unfolds all of them.
// It returns the line to which the cursor moves.
func (a *answerView) foldAll() int {
	line := a.bodyLine()
	a.body.FoldAll(!a.body.AnyFolded())
	return min(line, a.body.Len()-1)
}

// focusSearch lets the user type a text to search for.
func (a *answerView) focusSearch() {
	a.focused = true
	a.search.Focus() // returns no command, because the cursor does not blink
}

// typeSearch handles a key for the search text. It reports whether the text has changed.
func (a *answerView) typeSearch(k tea.KeyMsg) (changed bool) {
	before := a.search.Value()
	a.search, _ = a.search.Update(k)
	if a.search.Value() == before {
		return false
	}
	a.hits = a.body.Seek(a.search.Value())
	return true
}

// clearSearch ends the search.
func (a *answerView) clearSearch() {
	a.search.Blur()
	a.search.SetValue("")
	a.hits, a.hit = a.body.Seek(""), 0
}

// nextHit returns the next line with the search text: after the cursor for step 1, before the cursor for
// -1, and at or after the cursor for 0. It wraps around. If no line has the text, it returns the cursor's
// line and false.
func (a *answerView) nextHit(step int) (line int, found bool) {
	line, a.hit = a.body.Next(a.bodyLine(), step)
	if a.hit > 0 {
		a.focused = true
	}
	return line, a.hit > 0
}

// title returns the name and the kind of the body, or the search field with the number of hits.
func (a *answerView) title(name string, body *widget.Payload, width int) string {
	text := draw.Clean(a.search.Value())
	switch {
	case body == nil:
		return name
	case a.typing():
		a.search.Width = max(1, width-len(name)-8)
		return name + " " + a.search.View()
	case text == "":
		return name + theme.Dim.Render(" · "+body.Kind)
	case a.hits == 0:
		return fmt.Sprintf("%s · %q is not in it", name, text)
	case a.hit > 0:
		return fmt.Sprintf("%s · %q: %s of %s", name, text, words.Count(a.hit), words.Plural(a.hits, "line"))
	}
	return fmt.Sprintf("%s · %q: %s", name, text, words.Plural(a.hits, "line"))
}

// fit sets the numbers of lines and of visible lines in a pane at r. body is nil if there is none.
func (a *answerView) fit(head []draw.Line, body *widget.Payload, r draw.Rect) {
	a.head = len(head)
	rows := a.head
	if body != nil {
		rows += body.Len()
	}
	a.scroll.Fit(rows, max(1, r.H-2))
}

// view draws the answer at r, with a name in its title.
func (a *answerView) view(name string, head []draw.Line, body *widget.Payload, r draw.Rect) string {
	f := draw.Frame{Title: a.title(name, body, r.W), Width: r.W, Height: r.H, Focused: a.focused}
	w, h := f.Inner()
	from, to := a.scroll.Visible()
	if a.scroll.Rows > h {
		f.Note = fmt.Sprintf("%s-%s of %s", words.Count(from+1), words.Count(to), words.Count(a.scroll.Rows))
	}
	var rows []string
	for i := from; i < to; i++ {
		var line draw.Line
		if i < len(head) {
			line = head[i]
		} else {
			line = body.Line(i - len(head))
		}
		rows = append(rows, answerLine(line, i == a.scroll.At && a.focused, w))
	}
	return f.Render(strings.Join(rows, "\n"))
}

// answerLine draws a line of the answer, with the cursor mark if at is true.
func answerLine(l draw.Line, at bool, width int) string {
	row := l.Render(width, at)
	if at {
		row = draw.Overlay(row, theme.Active.Render(theme.Cursor), 0, 0)
	}
	return row
}

// mouse scrolls by the given number of lines. If clicked is set, it moves the focus to the answer, and the
// cursor to the line that is y lines below the first visible line.
func (a *answerView) mouse(by int, clicked bool, y int) {
	a.scroll.Top = max(0, min(a.scroll.Top+by, a.scroll.Rows-a.scroll.Height))
	a.scroll.Go(a.scroll.At + by)
	if clicked {
		a.focused = true
		a.scroll.Click(y)
	}
}
