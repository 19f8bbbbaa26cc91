package screen

import (
	"sonde/analysis"
	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/app/usecase"
	"sonde/ui/app/userdata"
	"sonde/ui/draw"
	"sonde/ui/tui/filter"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// SpecOpened is sent when a spec was read and analyzed. The first time, Place is the place where the user
// left the spec, and later nil. A PlaceKeeper restores the parts of the place that the spec still has.
type SpecOpened struct {
	Spec  *AnalyzedSpec
	Place *userdata.Place
}

// ReadSpecAgain asks the app to read and analyze the spec again, because what its analysis depends on has changed.
type ReadSpecAgain struct{}

// TrafficKept is sent when the traffic of a run or of a recording is on disk, in Folder. The app then finds what it shows
// about the values of the spec.
type TrafficKept struct{ Folder string }

// TrafficIsKept returns the command that sends TrafficKept.
func TrafficIsKept(folder string) tea.Cmd {
	return func() tea.Msg { return TrafficKept{folder} }
}

// AnalyzedSpec is a spec with the results of its analysis. It is read-only.
type AnalyzedSpec struct {
	Spec *model.Spec
	// Analysis is the source of the other fields, and of what is computed on demand.
	Analysis *analysis.Analysis
	Matcher  *match.Matcher
	Groups   []model.ValueGroup
	GroupOf  map[model.OpID]int // the index in Groups of each operation's group
	Graph    *depend.Graph
	// IDSources has the operations from which tests take the ids that other operations need.
	IDSources []analysis.IDSource
	// Grants has the log-ins and the operations to which they give access. Grants are not edges
	// of the graph, so they form no groups and no cycles.
	Grants []match.LoginGrant
	// Seqs has the distilled seqs (rule DC) of the whole spec. GaveUp is true if there are more.
	Seqs   []model.Seq
	GaveUp bool
	// Longer has a few longer seqs, for operations that need many earlier calls.
	Longer []model.Seq
	// Index is used by filters to find operations.
	Index *filter.Index
	// Names are the names of the operations in lists. The app sets their naming.
	Names draw.SeqNames
	// IsPreview reports whether the analysis is in progress, so that nothing is known but the operations.
	IsPreview bool
}

// IDs returns the identities of the operations, in the order of the spec.
func (s *AnalyzedSpec) IDs() []string {
	ids := make([]string, len(s.Spec.Operations))
	for i, op := range s.Spec.Operations {
		ids[i] = string(op.ID)
	}
	return ids
}

// NamingSwitched is sent when lists name operations in another way. AnalyzedSpec.Names has the new naming.
type NamingSwitched struct{}

// RunProgress has the newest state of the run. It is sent about ten times a second.
type RunProgress struct {
	Snapshot model.Snapshot
	Folder   string // the folder of the run
}

// RunStarting is true when a run was requested and has sent no progress yet. It is false
// when the run has begun or failed to start.
type RunStarting bool

// ScopeSeqs limits the list of seqs to those of some operations, until the user lists all again.
type ScopeSeqs struct {
	// Name is the scope as in sonde seqs --only: "cluster:orders", "group:2" or an operation.
	Name       string
	Operations []model.OpID
}

// ShowArea unfolds an area of the API in the picture of the whole API on the Graph screen.
type ShowArea struct{ Name string }

// KeySeqs is the key that sends ScopeSeqs, on every screen with operations or clusters.
var KeySeqs = key.NewBinding(key.WithKeys("S"), key.WithHelp("S", "its seqs"))

// ShowScreen goes to a screen and selects an operation there; "" selects none.
type ShowScreen struct {
	Tab Tab
	Op  model.OpID
}

// OperationSelected is sent when the user selected another operation.
type OperationSelected struct {
	Op model.OpID
	// InPassing is true if only the cursor moved. The trail of visited places gets no new
	// entry then.
	InPassing bool
}

// SeqItem is a row of the Seqs screen.
type SeqItem struct {
	ID     string // a test's ID, or "d1", "d2", … for distilled seqs
	Origin model.Origin
	Seq    model.Seq
	Test   *model.Test // nil if the seq has no values yet
	// Draft has the values that the user gave the seq, nil if there are none.
	Draft  *model.Test
	Groups int // number of value-sharing groups of its operations
	// Stubs has the stubs that the user added. They take precedence over the stubs of the test.
	Stubs []model.Stub
}

// PicksChanged is sent when the user picked other items. Items are all picked items, in the order of the
// list on the Seqs screen.
type PicksChanged struct{ Items []SeqItem }

// TrySeqs asks the running search to try seqs.
type TrySeqs struct{ Seqs []model.Seq }

// SteerSearch sends commands to the running search.
type SteerSearch struct{ Commands []model.Command }

// CommandsPending has the commands that the search has not applied yet, in the order in
// which they were sent.
type CommandsPending struct{ Commands []model.Command }

// SurroundingsChanged is sent when the surroundings of the service changed. They are used for manual
// requests, for finding values, and for later searches.
type SurroundingsChanged struct{ usecase.Surroundings }

// UseNetwork switches between a virtual network around the service and the real one.
type UseNetwork struct{ Virtual bool }

// RequestSent has the result of a manual request.
type RequestSent struct{ Result usecase.SendResult }

// TestsKept has new tests, made from manual requests or from a recording.
type TestsKept struct{ Tests []model.Test }

// ComposeRequest opens the form for a manual request: the last call of Test or, if Test is
// nil, a new request of Op.
type ComposeRequest struct {
	Op   model.OpID
	Test *model.Test
}

// StepThroughTest opens a test to be played call by call.
type StepThroughTest struct{ Test model.Test }

// AppendOperation appends an operation to the seq that the user builds.
type AppendOperation struct{ Op model.OpID }

// KeepSeq adds a seq to those that the user builds, and picks it.
type KeepSeq struct{ Seq model.Seq }

// KeyAppend is the key that sends AppendOperation, on every screen with operations.
var KeyAppend = key.NewBinding(key.WithKeys("b"), key.WithHelp("b", "add to my seq"))

// PutStub adds a stub to the picked tests.
type PutStub struct{ Stub model.Stub }

// StatusMessage shows one line at the foot of the app: Text, or Err as an error.
type StatusMessage struct {
	Text string
	Err  error
}

// ShowStatus returns a command that shows a line at the foot of the app.
func ShowStatus(text string) tea.Cmd {
	return func() tea.Msg { return StatusMessage{Text: text} }
}

// ShowError returns a command that shows an error at the foot of the app.
func ShowError(err error) tea.Cmd {
	return func() tea.Msg { return StatusMessage{Err: err} }
}

// Shown names the visible screen. It is sent on a change of tab, after ShowScreen
// and when a spec was opened. A screen may wait for it with expensive work.
type Shown struct{ Tab Tab }
