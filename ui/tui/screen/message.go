package screen

import (
	"sonde/analysis"
	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/app/userdata"
	"sonde/ui/draw"
	"sonde/ui/tui/filter"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Opened tells that a spec was opened and studied. The first time it has where the
// person left it, of which a Keeper takes what the spec still has.
type Opened struct {
	Study *Study
	Left  *userdata.Place
}

// Study is a spec with what the analysis says of it. It is read-only.
type Study struct {
	Spec *model.Spec
	// Analysis is where the other fields come from, and what is computed on demand.
	Analysis *analysis.Analysis
	Matcher  *match.Matcher
	Groups   []model.Group
	GroupOf  map[model.OpID]int // index into Groups
	Graph    *depend.Graph
	// IDSources say where tests take the ids from that operations need.
	IDSources []analysis.IDSource
	// Grants tell which log-ins let callers into which operations. They are no edges
	// of the graph: groups and circles are made without them.
	Grants []match.Grant
	// Seqs are the distilled seqs (rule DC) of the whole spec; GaveUp tells
	// that there are more.
	Seqs   []model.Seq
	GaveUp bool
	// Longer are a few longer ones, for what has a long way of setting up.
	Longer []model.Seq
	// Index is what filters know of the operations.
	Index *filter.Index
	// Names are the short names of the operations.
	Names draw.SeqNames
}

// IDs are those of the spec's operations, in its order.
func (s *Study) IDs() []string {
	ids := make([]string, len(s.Spec.Operations))
	for i, op := range s.Spec.Operations {
		ids[i] = string(op.ID)
	}
	return ids
}

// Progress brings the newest state of the run, about ten times a second.
type Progress struct {
	Snapshot model.Snapshot
	Folder   string // where the run is kept
}

// Starting tells that a run was asked for and does not show yet (true), or that
// it is there or could not be started (false).
type Starting bool

// Goto shows an operation on a screen. Op may be "" to show the screen only.
type Goto struct {
	Tab Tab
	Op  model.OpID
}

// Selected tells the other screens which operation is looked at now.
type Selected struct {
	Op model.OpID
	// Passing tells that a cursor moved over it, and nobody went there.
	Passing bool
}

// Item is a line of the Seqs screen.
type Item struct {
	ID     string // a test's ID, or "d1", "d2", … for distilled seqs
	Origin model.Origin
	Seq    model.Seq
	Test   *model.Test // nil where the seq has no values yet
	// Draft has the values that a person gave a seq, nil where none did.
	Draft  *model.Test
	Groups int // number of value-sharing groups that it touches
	// Stubs were put there by a person; they answer before those of the test.
	Stubs []model.Stub
}

// Picks tells which items are picked, in the order of the list.
type Picks struct{ Items []Item }

// Try asks for seqs to be tried by the search that is going on.
type Try struct{ Seqs []model.Seq }

// Wish asks for something to be done to the search that is going on.
type Wish struct{ Steers []model.Command }

// Waiting tells what was wished for and is not in force yet, in its order.
type Waiting struct{ Steers []model.Command }

// Around tells what is around the service, where that changed: for requests by hand,
// for finding values, and for the searches that begin from now on.
type Around struct{ Outside }

// Surround asks for a virtual network around the service, or for the real one.
type Surround struct{ Net bool }

// Handed tells what came of a request that was sent by hand.
type Handed struct{ Sent Sent }

// Kept brings tests that were made of requests by hand, or of what was recorded.
type Kept struct{ Tests []model.Test }

// Compose opens a request by hand: the last call of a test, or where that is nil one of
// the operation.
type Compose struct {
	Op   model.OpID
	Test *model.Test
}

// Steps asks for a test to be played call by call.
type Steps struct{ Test model.Test }

// Append asks for an operation to be the next call of the seq that a person builds.
type Append struct{ Op model.OpID }

// KeyAppend is the key for that, wherever an operation is looked at.
var KeyAppend = key.NewBinding(key.WithKeys("b"), key.WithHelp("b", "add to my seq"))

// Put asks for a stub to be put into the tests that are picked.
type Put struct{ Stub model.Stub }

// Say shows one line at the foot of the app. An Err is shown as such.
type Say struct {
	Text string
	Err  error
}

// Tell says a line at the foot of the app.
func Tell(text string) tea.Cmd {
	return func() tea.Msg { return Say{Text: text} }
}

// Fail says an error at the foot of the app.
func Fail(err error) tea.Cmd {
	return func() tea.Msg { return Say{Err: err} }
}

// Shown tells which screen has come on show: on a change of tab, after a Goto
// and when a spec was opened. What is costly to make waits for it.
type Shown struct{ Tab Tab }
