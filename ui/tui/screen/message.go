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

// SpecOpened is sent when a spec was read and analyzed. Place is the place where the user left the spec; it
// is nil when the spec is reloaded. A PlaceKeeper restores the parts of the place that the spec still has.
type SpecOpened struct {
	Spec  *AnalyzedSpec
	Place *userdata.Place
}

// ReadSpecAgain asks the app to read and analyze the spec again, because corrections or traffic have
// changed.
type ReadSpecAgain struct{}

// TrafficKept is sent when the traffic of a run or of a recording is on disk, in Folder. The app then
// derives corrections from it.
type TrafficKept struct{ Folder string }

// TrafficIsKept returns the command that sends TrafficKept.
func TrafficIsKept(folder string) tea.Cmd {
	return func() tea.Msg { return TrafficKept{folder} }
}

// AnalyzedSpec is a spec with the results of its analysis. It is read-only.
type AnalyzedSpec struct {
	Spec *model.Spec
	// Analysis has the results from which the other fields come, and results that are computed on demand.
	Analysis *analysis.Analysis
	Matcher  *match.Matcher
	Groups   []model.ValueGroup
	GroupOf  map[model.OpID]int // key: operation; value: index of its group in Groups
	Graph    *depend.Graph
	// IDSources are the operations from which tests take the ids that other operations need.
	IDSources []analysis.IDSource
	// Grants are the log-ins with the operations to which they give access. They are not edges of the
	// graph, so they form no groups and no cycles.
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
	// IsPreview reports whether the analysis is in progress, so that only the operations are known.
	IsPreview bool
}

// Operations returns the operations in the order of the spec.
func (s *AnalyzedSpec) Operations() (ops []model.OpID) {
	for _, op := range s.Spec.Operations {
		ops = append(ops, op.ID)
	}
	return ops
}

// IDs returns the identities of the operations, in the order of the spec.
func (s *AnalyzedSpec) IDs() []string {
	ids := make([]string, len(s.Spec.Operations))
	for i, op := range s.Spec.Operations {
		ids[i] = string(op.ID)
	}
	return ids
}

// NamingSwitched is sent when the naming of operations has changed. AnalyzedSpec.Names has the new naming.
type NamingSwitched struct{}

// RunProgress has the latest state of the run. It is sent about ten times per second.
type RunProgress struct {
	Snapshot model.Snapshot
	Folder   string // the folder of the run
}

// RunStarting is sent twice for each start of a run. It is true when the run is started. It is false when the first
// progress of the run has arrived, or when the start has failed.
type RunStarting bool

// ScopeSeqs limits the list of seqs to the seqs of some operations, until the user removes the limit.
type ScopeSeqs struct {
	// Name is the scope in the form of sonde seqs --only: "cluster:orders", "group:2" or an operation.
	Name       string
	Operations []model.OpID
}

// FindOperation opens the filter of the operations on the Explore screen.
type FindOperation struct{}

// ShowArea unfolds an area of the API in the picture of the whole API on the Graph screen.
type ShowArea struct{ Name string }

// KeySeqs is the key for ScopeSeqs on all screens with operations or clusters.
var KeySeqs = key.NewBinding(key.WithKeys("S"), key.WithHelp("S", "its seqs"))

// ShowScreen switches to a screen and selects an operation there; "" selects none.
type ShowScreen struct {
	Tab Tab
	Op  model.OpID
}

// OperationSelected is sent when the user has selected another operation.
type OperationSelected struct {
	Op model.OpID
	// InPassing is true if only the cursor moved. The operation is then not added to the trail of visited
	// places.
	InPassing bool
}

// SeqItem is a row of the Seqs screen.
type SeqItem struct {
	ID     string // a test's ID, or "d1", "d2", … for distilled seqs
	Name   string // that of a seq in a .http file, otherwise ""
	Origin model.Origin
	Seq    model.Seq
	Test   *model.Test // nil if the seq has no values yet
	// Draft has the seq with the values that the user typed, nil if there are none.
	Draft  *model.Test
	Groups int // number of value-sharing groups of the operations
	// Stubs has the stubs that the user added. They take precedence over the stubs of the test.
	Stubs []model.Stub
}

// PicksChanged is sent when the user has changed the picked items. Items are all picked items, in the order
// of the Seqs screen.
type PicksChanged struct{ Items []SeqItem }

// TrySeqs asks the running search to try seqs.
type TrySeqs struct{ Seqs []model.Seq }

// SteerSearch sends commands to the running search.
type SteerSearch struct{ Commands []model.Command }

// CommandsPending has the commands that the search has not applied yet, in the order of sending.
type CommandsPending struct{ Commands []model.Command }

// SurroundingsChanged is sent when the surroundings of the service have changed. Manual requests, the search for
// values and later searches use the new surroundings.
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
	// SavedAs is where Test was saved, for saving it again.
	SavedAs SavedAs
}

// SavedAs is the name of a test in a .http file of the project. The zero value means nowhere.
type SavedAs struct {
	File string // without its folder
	Name string
}

// KeySave is the key for SaveTest on all screens with requests.
var KeySave = key.NewBinding(key.WithKeys("w"), key.WithHelp("w", "save to a file"))

// NoProject is the reason why a test cannot be saved.
const NoProject = "the demo is no project that could keep it: sonde SPEC --url URL opens one"

// SaveTest asks the user where in the project a test is saved. SavedAs is proposed.
type SaveTest struct {
	Test  model.Test
	Files []string // see usecase.SavedRequest
	SavedAs
}

// TestSaved is sent when a test was saved in a .http file.
type TestSaved struct{ Path, Name string }

// RequestFilesRead is sent when the .http files of the project were read, at first and after each change.
type RequestFilesRead struct{ Folder usecase.RequestFolder }

// StepThroughTest opens a test to be played call by call.
type StepThroughTest struct{ Test model.Test }

// AppendOperation appends an operation to the seq that the user builds.
type AppendOperation struct{ Op model.OpID }

// KeepSeq adds a seq to the user's own seqs, and picks it.
type KeepSeq struct{ Seq model.Seq }

// KeyNaming switches how lists and boxes name operations.
var KeyNaming = key.NewBinding(key.WithKeys("i"), key.WithHelp("i", "operations by path, operationId, summary"))

// KeyAppend is the key for AppendOperation on all screens with operations.
var KeyAppend = key.NewBinding(key.WithKeys("b"), key.WithHelp("b", "add to my seq"))

// PutStub adds a stub to the picked tests.
type PutStub struct{ Stub model.Stub }

// StatusMessage shows one line at the bottom of the app: Text, or Err as an error.
type StatusMessage struct {
	Text string
	Err  error
}

// ShowStatus returns a command that shows a line at the bottom of the app.
func ShowStatus(text string) tea.Cmd {
	return func() tea.Msg { return StatusMessage{Text: text} }
}

// ShowError returns a command that shows an error at the bottom of the app.
func ShowError(err error) tea.Cmd {
	return func() tea.Msg { return StatusMessage{Err: err} }
}

// Shown says which screen is visible. It is sent when the tab changes, after ShowScreen, and when a spec was opened.
// A screen may delay expensive work until the screen is visible.
type Shown struct{ Tab Tab }
