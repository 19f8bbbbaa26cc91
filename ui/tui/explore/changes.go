package explore

import (
	"cmp"
	"fmt"

	"sonde/analysis"
	"sonde/analysis/specdiff"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// changes holds the changes since the older version of the spec, which the user named when the app was
// started.
type changes struct {
	load  func() (*model.Spec, error) // nil without an older version
	diff  *specdiff.Diff              // nil until the versions were compared
	older string                      // a name of the older version, such as "version 1.2"
}

// compared is the result of a comparison.
type compared struct {
	newer *screen.AnalyzedSpec
	older *model.Spec
	diff  *specdiff.Diff
	err   error
}

// compare returns the command that compares a spec with the older version. It returns nil if there is no older
// version.
func (c *changes) compare(newer *screen.AnalyzedSpec) tea.Cmd {
	c.diff = nil
	if c.load == nil || newer.IsPreview {
		return nil
	}
	load := c.load
	return func() tea.Msg {
		older, err := load()
		if err != nil {
			return compared{newer: newer, err: err}
		}
		return compared{newer: newer, older: older, diff: specdiff.Compare(analysis.Analyze(older, analysis.Options{}), newer.Analysis)}
	}
}

// result stores the result of a comparison. It adds the removed operations to the tree, and returns a message about
// the changes.
func (c *changes) result(msg compared, tree *treePane) screen.StatusMessage {
	if msg.err != nil {
		return screen.StatusMessage{Err: fmt.Errorf("--against: %w", msg.err)}
	}
	c.diff, c.older = msg.diff, "version "+msg.older.Version
	if msg.older.Version == msg.newer.Spec.Version {
		c.older = cmp.Or(msg.older.Source, c.older)
	}
	tree.addRemoved(msg.older, msg.diff)
	if msg.diff.ContractError != nil {
		return screen.StatusMessage{Err: msg.diff.ContractError}
	}
	breaking := 0
	for _, op := range msg.diff.Operations {
		if op.Breaking() {
			breaking++
		}
	}
	return screen.StatusMessage{Text: fmt.Sprintf(
		"since %s: %s, %s breaking", c.since(), words.Plural(len(msg.diff.Operations), "changed operation"), words.Count(breaking),
	)}
}

// words returns the values that the fact changedFact has for an operation: "any", the status of the change such as
// "added", and "breaking" if a change may break clients. It returns nil for an unchanged operation.
func (c *changes) words(op model.OpID) []string {
	if c.diff == nil {
		return nil
	}
	one, ok := c.of(op)
	switch {
	case !ok:
		return nil
	case one.Breaking():
		return []string{"any", string(one.Status), "breaking"}
	}
	return []string{"any", string(one.Status)}
}

// since returns a name for the older version of the spec: its version number or, if both versions have the
// same number, its file or URL.
func (c *changes) since() string { return draw.Clean(c.older) }

// mark returns the sign of a changed operation in the tree.
func (c *changes) mark(op model.OpID) draw.Span {
	if c.diff != nil {
		if one, ok := c.of(op); ok {
			return markOf(one)
		}
	}
	return draw.Span{Text: " "}
}

// of returns the change of an operation, which may be in the new version or may have been removed. It returns false if
// the operation has not changed.
func (c *changes) of(op model.OpID) (specdiff.Operation, bool) {
	if one, ok := c.diff.OfNew(op); ok {
		return one, true
	}
	one, ok := c.diff.OfOld(op)
	return one, ok && one.Status == specdiff.StatusRemoved
}

// markOf returns the sign of a changed operation. It is "!" if the operation still exists and a
// change may break clients.
func markOf(op specdiff.Operation) draw.Span {
	switch {
	case op.Status == specdiff.StatusRemoved:
		return draw.Span{Text: "-", Style: theme.Dim}
	case op.Status == specdiff.StatusAdded:
		return draw.Span{Text: "+", Style: theme.Good}
	case op.Breaking():
		return draw.Span{Text: "!", Style: theme.Bad}
	}
	return draw.Span{Text: "~", Style: theme.Warn}
}

// mostChanges is the number of an operation's changes that the page always shows. Further changes are folded.
const mostChanges = 5

// changesSince writes the changes of an operation.
func (b *pageWriter) changesSince(c *changes, op model.OpID) {
	if c.diff == nil {
		return
	}
	one, ok := c.diff.OfNew(op)
	if !ok {
		return
	}
	b.write()
	mark := markOf(one)
	b.write(append(draw.TextLine(" Changed", theme.Strong),
		draw.Span{Text: "  " + mark.Text + " " + string(one.Status), Style: mark.Style},
		draw.Span{Text: " since " + c.since(), Style: theme.Dim})...)
	shown := one.Changes
	if len(shown) > mostChanges+1 && !b.unfolded("changes", false) {
		shown = shown[:mostChanges]
	}
	for _, change := range shown {
		sign, style := "  ", theme.Plain
		if change.Breaking {
			sign, style = "! ", theme.Bad
		}
		for i, l := range words.Wrap(draw.Clean(string(change.Part)+": "+change.Text), max(8, b.width-6)) {
			if i > 0 {
				sign = "  "
			}
			b.write(draw.Line{}.At(3, draw.Span{Text: sign + l, Style: style})...)
		}
	}
	if len(one.Changes) > mostChanges+1 {
		b.more(5, len(one.Changes)-mostChanges, "change", "changes")
	}
}
