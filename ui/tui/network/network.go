// Package network is the Network screen. It has a map of the hosts around the service, the messages between
// the service and each host, and keys that change the answers of a host in the running search or for the
// next calls.
package network

import (
	"reflect"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Network screen. The map is a hostList, and the panes next to it are a contactReader. menu
// and editor are boxes for making a stub.
type Screen struct {
	queue         *screen.MessageQueue
	service       screen.Service
	source        string // source of the open spec
	width, height int
	splits        screen.Splits

	run      runState
	found    []model.HostSummary // hosts of the run or of manual requests, whichever is newer
	manual   bool                // found has the hosts of manual requests
	hosts    hostList
	contacts contactReader
	next     usecase.Surroundings // surroundings of manual requests and later searches
	pending  []model.Command      // commands that the search has not applied yet
	menu     *menu
	edit     *editor
}

// New returns the screen. It is empty until the service is called in a virtual network.
func New(e screen.Engine, service screen.Service) *Screen {
	return &Screen{
		queue:   e.Queue,
		service: service,
		next:    usecase.Surroundings{Net: service.Net == usecase.NetworkRequested},
	}
}

// Name returns the name of the tab.
func (s *Screen) Name() string { return "Network" }

// TabBadge returns the number of hosts, "" if there are none.
func (s *Screen) TabBadge() string {
	if len(s.hosts.all) == 0 {
		return ""
	}
	return words.Count(len(s.hosts.all))
}

// Typing reports whether the menu or the editor is open.
func (s *Screen) Typing() bool { return s.menu != nil || s.edit != nil }

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case screen.SetSplits:
		s.splits = msg.Splits
	case screen.SpecOpened:
		s.source = msg.Spec.Spec.Source
		cmd = s.announce()
	case screen.RunStarting:
		s.run.starting = bool(msg)
	case screen.ServiceChanged:
		cmd = s.setService(msg.Service)
	case screen.RunProgress:
		cmd = s.runProgress(msg.Snapshot)
	case screen.RequestSent:
		s.requestSent(msg.Result)
	case screen.UseNetwork:
		cmd = s.useNetwork(msg.Virtual)
	case screen.CommandsPending:
		s.pending = msg.Commands
	case tea.KeyMsg:
		cmd = s.press(msg)
	case tea.MouseMsg:
		s.mouse(msg)
	default:
		return s, nil
	}
	s.fit()
	return s, cmd
}

// runProgress shows a newer state of the run. The stubs of a run remain active after the run.
func (s *Screen) runProgress(snap model.Snapshot) tea.Cmd {
	s.run.update(snap)
	s.found, s.manual = snap.Hosts, false
	before := s.next
	if s.service.Net != usecase.NetworkUnavailable && s.run.hasSnapshot {
		s.next.Net = snap.Net
	}
	if snap.Net {
		s.next.Stubs = nil
		for _, h := range snap.Hosts {
			s.next.Stubs = append(s.next.Stubs, h.Injected...)
		}
	}
	s.showHosts()
	if reflect.DeepEqual(before, s.next) {
		return nil
	}
	return s.announce()
}

// requestSent shows the hosts of manual requests, if the network is virtual.
func (s *Screen) requestSent(sent usecase.SendResult) {
	if !sent.Net {
		return
	}
	s.found, s.manual = sent.Hosts, true
	s.showHosts()
}

// showHosts updates the map. The cursor stays on its host. If the host is gone, the map gets the focus.
func (s *Screen) showHosts() {
	at := s.hosts.selected()
	hosts := s.found
	if !s.run.live() { // the snapshot of a run already has the injected stubs
		hosts = withInjected(s.found, s.next.Stubs)
	}
	s.hosts.set(hosts)
	if at == nil || !s.hosts.selectHost(at.HostKey()) {
		s.contacts.focus = onMap
	}
	s.fit()
	s.hosts.skipHeads(true)
}

// setService makes another service the one that is called. Its surroundings begin anew.
func (s *Screen) setService(service screen.Service) tea.Cmd {
	s.service = service
	s.next = usecase.Surroundings{Net: service.Net == usecase.NetworkRequested}
	return s.announce()
}

// announce sends the surroundings of the service to all screens.
func (s *Screen) announce() tea.Cmd {
	return s.queue.Send(screen.SurroundingsChanged{Surroundings: s.next})
}

// useNetwork chooses between the virtual network and the real one for manual requests. It does nothing if there is no
// virtual network, or while a run uses the virtual network.
func (s *Screen) useNetwork(virtual bool) tea.Cmd {
	if s.service.Net == usecase.NetworkUnavailable || s.run.live() {
		return nil
	}
	s.next.Net = virtual
	return s.announce()
}

// changeable reports whether the user can change the answers of hosts, in the running search or
// for the next calls.
func (s *Screen) changeable() bool {
	return s.run.live() || s.service.Net != usecase.NetworkUnavailable && !s.run.ongoing() && !s.run.starting
}

func (s *Screen) layout() layout {
	return newLayout(s.width, s.height, s.contacts.focus).split(s.splits)
}

// fit sets the numbers of rows of the lists, and how many of them are visible.
func (s *Screen) fit() {
	l := s.layout()
	s.hosts.rows.Fit(len(s.hosts.lines()), max(1, l.hosts.H-2))
	s.contacts.fit(s.hosts.selected(), l.contacts)
	s.edit.fit(s.width, s.height)
}

// runState is the part of the search's state that the screen uses.
type runState struct {
	starting    bool // the run was started and has sent no progress yet
	hasSnapshot bool // a snapshot was received
	phase       model.RunPhase
	net         bool // the run has a virtual network
}

func (r *runState) update(snap model.Snapshot) {
	r.hasSnapshot, r.phase, r.net = snap.Phase != "", snap.Phase, snap.Net
}

// live reports whether a run with a virtual network is in progress.
func (r *runState) live() bool { return r.net && r.ongoing() }

// ongoing reports whether any run is in progress.
func (r *runState) ongoing() bool {
	return r.phase == model.PhaseRunning || r.phase == model.PhasePaused
}
