package screen

import (
	"context"
	"fmt"
	"strings"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
)

// KeyEnvironments opens the list of environments on all screens, unless the screen uses the key itself.
var KeyEnvironments = key.NewBinding(key.WithKeys("ctrl+e"), key.WithHelp("ctrl+e", "Environments and addresses of the service"))

// Environments lists the environments of the configuration, and switches between them. The functions are nil if there
// is no configuration.
type Environments struct {
	// All reads the environments, beginning with the top level of the configuration.
	All func() ([]Environment, error)
	// Use makes an environment the current one, and returns its service and the names of its users. It waits for a call
	// in progress. It returns an error while a search, a listing of seqs or a recording uses the service.
	Use func(ctx context.Context, name string) (Service, []string, error)
}

// Environment is a place where the service runs.
type Environment struct {
	Name       string
	Address    string // the URL, or what is known of it
	Users      []string
	Production bool
	Current    bool
}

// ServiceChanged is sent when another service is called from now on, because the user has switched to another
// environment. UsersChanged follows it.
type ServiceChanged struct{ Service Service }

// Address returns the URL of the service for a sentence. A service that Sonde starts has no port before it runs.
func (s Service) Address() string {
	if s.IsStarted() {
		return "a service that Sonde starts"
	}
	return s.URL
}

// IsStarted reports whether the service has no address yet, because Sonde or a driver starts it.
func (s Service) IsStarted() bool { return strings.Contains(s.URL, model.PortPlaceholder) }

// PlannedCalls are calls of the service that Sonde makes when the user agrees.
type PlannedCalls struct {
	What   string       // such as "send 2 requests to", before the address of the service
	Effect string       // such as ": it creates and deletes", after the address
	Ops    []model.OpID // the operations that are called
}

// ProductionTitle is the title of the question before calls that write to a service in production.
const ProductionTitle = "Write to production?"

// ConsentTo returns the title and the text of the question before calls. ok is false if no question is needed. In
// production the user is asked each time that operations write, and once if users would be created first. For another
// service that is not on this machine the user is asked once; allowed reports whether the user agreed.
func (s Service) ConsentTo(p PlannedCalls, allowed bool) (title, text string, ok bool) {
	var writes []model.OpID
	for _, op := range p.Ops {
		if !op.Reads() {
			writes = append(writes, op)
		}
	}
	text = fmt.Sprintf("Sonde will %s %s", p.What, draw.Clean(s.Address()))
	switch {
	case s.Production && len(writes) > 0:
		verb := "writes"
		if len(writes) > 1 {
			verb = "write"
		}
		first := draw.CutMiddle(draw.Clean(string(writes[0])), 40)
		return ProductionTitle, fmt.Sprintf(
			"%s, which is production (%s): %s of %s %s, such as %s.",
			text, draw.Clean(s.Environment), words.Count(len(writes)), words.Plural(len(p.Ops), "operation"), verb, first,
		), true
	case s.Production && s.CreatesUsers && !allowed:
		return ProductionTitle, fmt.Sprintf(
			"%s, which is production (%s), and first create its users there (createUsers).", text, draw.Clean(s.Environment),
		), true
	case s.Remote && !allowed:
		return widget.RemoteHostTitle, text + p.Effect + ".", true
	}
	return "", "", false
}

// OperationsOf returns the operations of calls.
func OperationsOf(calls []model.Call) (ops []model.OpID) {
	for _, c := range calls {
		ops = append(ops, c.Op)
	}
	return ops
}
