package explore

import (
	"fmt"
	"slices"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/draw"
	"sonde/ui/tui/correct"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// correction has the box in which the user corrects a value, and the results of corrections.
type correction struct {
	keep usecase.ValueCorrections
	post *screen.MessageQueue
	box  *correct.Box // nil if the box is closed
	// kept is the latest change of a correction. It is nil again after the spec was analyzed with this change.
	// unfitting are the corrections that matched no value in the latest analysis.
	kept      *correct.Kept
	unfitting []model.ValueCorrection
}

func (c *correction) open() bool { return c.box != nil }

// over draws the box on a picture of the screen.
func (c *correction) over(picture string, width, height int) string {
	if c.box == nil {
		return picture
	}
	return c.box.Over(picture, width, height)
}

// press passes a key to the box.
func (c *correction) press(k tea.KeyMsg) tea.Cmd {
	open, cmd := c.box.Update(k)
	if !open {
		c.box = nil
	}
	return cmd
}

// take handles messages that are not keys. After a change of the corrections, it requests a reload of the
// spec.
func (c *correction) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return nil // press passes keys to the box
	case correct.Kept:
		c.box, c.kept = nil, &msg
		return tea.Batch(screen.ShowStatus(msg.Path+" is written; reading the spec again"), c.post.Send(screen.ReadSpecAgain{}))
	}
	if c.box == nil {
		return nil
	}
	_, cmd := c.box.Update(msg)
	return cmd
}

// outcome returns the command that reports the effect of a changed correction, after the spec was analyzed with it.
// It reports an error in two cases: the changed correction matches no value, or another correction no longer matches
// a value. It returns nil for a preview, or if there is nothing to report.
func (c *correction) outcome(analyzed *screen.AnalyzedSpec) tea.Cmd {
	if analyzed.IsPreview {
		return nil
	}
	before, kept, file := c.unfitting, c.kept, "the configuration"
	c.unfitting, c.kept = analyzed.Matcher.UnfittingCorrections(), nil
	if kept != nil {
		file = kept.Path
	}
	for _, u := range c.unfitting {
		if kept != nil && u == kept.Correction || !slices.Contains(before, u) {
			return screen.ShowError(fmt.Errorf("no operation has the value %q that %s corrects%s", u.Value, file, where(u)))
		}
	}
	if kept == nil {
		return nil
	}
	did := "corrected in "
	if kept.Removed {
		did = "as matched again, without the correction in "
	}
	return screen.ShowStatus(draw.Clean(kept.Correction.Value) + " is " + did + file + where(kept.Correction))
}

// where describes the operations to which a correction applies, "" for all.
func where(c model.ValueCorrection) string {
	if c.In == "" {
		return ""
	}
	return ", at " + draw.Clean(c.In)
}

// correctValue opens the box for the value under the cursor.
func (s *Screen) correctValue() (cmd tea.Cmd) {
	s.correction.box, cmd = correct.New(
		s.correction.keep, correct.Subject{Analyzed: s.analyzed, Op: s.ops[s.page.op], Use: s.page.currentValue().use},
	)
	return cmd
}

// samePlace reports whether two flows are in the same place of an operation. Their identities may differ.
func (f *flow) samePlace(other *flow) bool {
	a, b := f.use, other.use
	return a.Out == b.Out && a.In == b.In && a.Name == b.Name && a.Pointer == b.Pointer
}
