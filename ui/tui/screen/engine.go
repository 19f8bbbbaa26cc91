package screen

import (
	"sonde/ui/app/usecase"
)

// Engine has the use cases of Sonde for the screens, and the messages between screens. Package ui/app
// provides it. Functions with a context, and functions that read or write files, may be slow and must be
// called in a tea.Cmd.
type Engine struct {
	// Queue has the messages between screens. It may be nil.
	Queue     *MessageQueue
	Specs     usecase.SpecFiles
	Searches  usecase.Searches
	Seqs      usecase.SeqCalls
	Manual    usecase.ManualCalls
	TestFiles usecase.TestFiles
	// RequestFiles has nil functions if there is no project.
	RequestFiles usecase.RequestFiles
	Recordings   usecase.Recordings
	UserLogins   usecase.UserLogins
	Commands     usecase.Commands

	Corrections  usecase.ValueCorrections
	Environments Environments
}

// Service is the service under test.
type Service struct {
	Name string // such as "demo"; may be ""
	URL  string // "" if there is no service: the app then sends no requests
	// Environment is the name of the environment of the configuration, "" for its top level. Production is true if the
	// user is asked before calls that write.
	Environment string
	Production  bool
	// CreatesUsers is true if users are created before their first call.
	CreatesUsers bool
	// HasEnvironments is true if the configuration has environments to choose from.
	HasEnvironments bool
	// Remote is true if the service is not on a loopback address. The app then asks the user before the
	// first call.
	Remote bool
	// NoReset is true if no reset is configured.
	NoReset bool
	Probes  usecase.ProbeSupport
	Net     usecase.NetworkSupport
	// Security is true if the configuration asks for security tests.
	Security bool
	// Recording and PastSearch are the folders of a recording and of a search to open when the app starts,
	// "" for none.
	Recording, PastSearch string
}
