package send

import (
	"errors"

	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

var errPartial = errors.New("its body was too large to be kept: send it again, and save it then")

// saveForm asks where the request of the form is saved, with the calls before it if they are sent.
func saveForm(p *Pane) tea.Cmd {
	f := &p.form.form
	var files []string
	if b := f.sentBody(); b != nil {
		for _, file := range b.files() {
			files = append(files, file.path)
		}
	}
	t, err := f.test(func(path string) (string, error) { return path, nil })
	if err != nil {
		return screen.ShowError(err)
	}
	return p.queue.Send(screen.SaveTest{Test: t, Files: files, SavedAs: nameFor(p.savedAs, t)})
}

// saveListed asks where the request under the cursor of the history is saved.
func saveListed(p *Pane) tea.Cmd {
	r, _ := p.answer.listedRequest()
	if r.Partial {
		return screen.ShowError(errPartial)
	}
	t := unsent(r.Test())
	return p.queue.Send(screen.SaveTest{Test: t, SavedAs: nameFor(screen.SavedAs{}, t)})
}

// nameFor returns the place that is proposed for a test: where it was saved before, or else the name of its last
// operation.
func nameFor(before screen.SavedAs, t model.Test) screen.SavedAs {
	if before.Name == "" {
		before.Name = string(t.Calls[len(t.Calls)-1].Op)
	}
	return before
}
