// Package network is the seventh screen: the hosts around the service as a map, what
// was asked of them and answered, and the keys by which a person has them answer
// otherwise while a search goes on.
package network

import (
	"reflect"
	"slices"

	"sonde/model"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Network screen.
type Screen struct {
	post          *screen.MessageQueue
	host          screen.Service
	source        string // of the spec that is open
	width, height int

	starting bool // a run is on its way
	seen     bool // a snapshot came
	phase    model.RunPhase
	net      bool                 // the run has a virtual network
	found    []model.HostSummary  // as who called last tells
	byHand   bool                 // a person did
	hosts    []*model.HostSummary // in the order of the map, with what was put there
	around   screen.Surroundings  // of the next requests by hand, and of searches to come
	waiting  []model.Command      // what was asked for and is not in force yet
	list     widget.List          // of the map's lines
	focus    part
	contacts widget.List
	held     held        // the contacts, while a person reads them
	whole    widget.List // its cursor is the first line in sight of the contact

	menu *menu
	edit *editor
}

// part is what has the focus.
type part int

const (
	onMap part = iota
	onContacts
	onWhole // one contact
)

// New returns the screen. It stays empty until the service is called on a virtual
// network.
func New(e screen.Engine, host screen.Service) *Screen {
	return &Screen{post: e.Queue, host: host, around: screen.Surroundings{Net: host.Net == screen.NetworkRequested}}
}

// Name is the tab's word.
func (s *Screen) Name() string { return "Network" }

// TabBadge is the number of hosts.
func (s *Screen) TabBadge() string {
	if len(s.hosts) == 0 {
		return ""
	}
	return words.Count(len(s.hosts))
}

// Typing tells that a box has the focus.
func (s *Screen) Typing() bool { return s.menu != nil || s.edit != nil }

// Update takes a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case screen.SpecOpened:
		s.source = msg.Spec.Spec.Source
		cmd = s.tell()
	case screen.RunStarting:
		s.starting = bool(msg)
	case screen.RunProgress:
		cmd = s.take(msg.Snapshot)
	case screen.RequestSent:
		s.handed(msg.Result)
	case screen.UseNetwork:
		cmd = s.surround(msg.Virtual)
	case screen.CommandsPending:
		s.waiting = msg.Commands
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

// take shows a newer state of the run. What is in force there stays when it is over.
func (s *Screen) take(snap model.Snapshot) tea.Cmd {
	s.seen, s.phase, s.net = snap.Phase != "", snap.Phase, snap.Net
	s.found, s.byHand = snap.Hosts, false
	before := s.around
	if s.host.Net != screen.NetworkUnavailable && s.seen {
		s.around.Net = snap.Net
	}
	if snap.Net {
		s.around.Stubs = nil
		for _, h := range snap.Hosts {
			s.around.Stubs = append(s.around.Stubs, h.Injected...)
		}
	}
	s.show()
	if reflect.DeepEqual(before, s.around) {
		return nil
	}
	return s.tell()
}

// handed shows the hosts of what was sent by hand.
func (s *Screen) handed(sent screen.SendResult) {
	if !sent.Net {
		return
	}
	s.found, s.byHand = sent.Hosts, true
	s.show()
}

// show puts the hosts on the map; the cursor stays on its host.
func (s *Screen) show() {
	at := s.at()
	s.hosts = ordered(s.found)
	if !s.live() { // a run says itself what is in force
		s.hosts = ordered(dressed(s.found, s.around.Stubs))
	}
	if at == nil || !s.goTo(at.HostKey()) {
		s.focus = onMap
	}
	s.fit()
	s.land(true)
}

// dressed are the hosts with the stubs that a person put there, and behind them those
// that nobody has turned to yet.
func dressed(all []model.HostSummary, stubs []model.Stub) []model.HostSummary {
	all = slices.Clone(all)
	for i := range all {
		all[i].Injected = nil
	}
	for _, stub := range stubs {
		i := slices.IndexFunc(all, func(h model.HostSummary) bool { return h.HostKey() == stub.HostKey() })
		if i < 0 {
			i = len(all)
			all = append(all, model.HostSummary{Host: stub.Host, Protocol: stub.Protocol, Inward: stub.Inward})
		}
		all[i].Injected = append(all[i].Injected, stub)
	}
	return all
}

// tell says what is around the service now.
func (s *Screen) tell() tea.Cmd {
	return s.post.Send(screen.SurroundingsChanged{Surroundings: s.around})
}

// surround chooses between the virtual network and the real one for what is sent by
// hand.
func (s *Screen) surround(net bool) tea.Cmd {
	if s.host.Net == screen.NetworkUnavailable || s.live() {
		return nil
	}
	s.around.Net = net
	return s.tell()
}

// goTo puts the cursor on a host, and reports whether it is still there.
func (s *Screen) goTo(at model.HostKey) bool {
	lines := mapped(s.hosts)
	for i, l := range lines {
		if l.host != nil && l.host.HostKey() == at {
			s.list.Top += i - s.list.At
			s.list.At = i
			return true
		}
	}
	return false
}

// ordered are the hosts as the map has them: those that the service calls, the names
// that it looks up, its own ports.
func ordered(all []model.HostSummary) []*model.HostSummary {
	hosts := make([]*model.HostSummary, len(all))
	for i := range all {
		hosts[i] = &all[i]
	}
	slices.SortStableFunc(hosts, func(a, b *model.HostSummary) int { return int(kindOf(a)) - int(kindOf(b)) })
	return hosts
}

// at is the host under the cursor, nil where there is none.
func (s *Screen) at() *model.HostSummary {
	if lines := mapped(s.hosts); s.list.At < len(lines) {
		return lines[s.list.At].host
	}
	return nil
}

// live reports whether a run with a virtual network goes on.
func (s *Screen) live() bool {
	return s.net && ongoing(s.phase)
}

// changeable reports whether hosts can be had to answer otherwise: those of a run that
// goes on, or where none does those of what is called next.
func (s *Screen) changeable() bool {
	return s.live() || s.host.Net != screen.NetworkUnavailable && !ongoing(s.phase) && !s.starting
}

func ongoing(p model.RunPhase) bool { return p == model.PhaseRunning || p == model.PhasePaused }

// fit tells the lists how much they hold and how much of it is in sight.
func (s *Screen) fit() {
	l := s.layout()
	s.list.Fit(len(mapped(s.hosts)), max(1, l.hosts.H-2))
	s.contacts.Fit(len(s.listed()), max(1, l.contacts.H-2))
	if s.focus == onWhole {
		lines := len(s.wholeLines(l.contacts.W - 2))
		s.whole.Fit(max(0, lines-(l.contacts.H-2))+1, 1)
	}
	s.edit.fit(s.width, s.height)
}

// held are contacts that stay as they are while a person reads them.
type held struct {
	contacts []model.HostContact
	count    int // of the host's contacts by then
}

// listed are the contacts of the host under the cursor, the newest first.
func (s *Screen) listed() []model.HostContact {
	if s.focus != onMap {
		return s.held.contacts
	}
	return newest(s.at())
}

func newest(h *model.HostSummary) []model.HostContact {
	if h == nil {
		return nil
	}
	all := slices.Clone(h.RecentContacts)
	slices.Reverse(all)
	return all
}

// read gives the focus to the contacts, which then stay as they are.
func (s *Screen) read() {
	h := s.at()
	if h == nil || len(h.RecentContacts) == 0 {
		return
	}
	s.held, s.focus, s.contacts = held{newest(h), h.Count}, onContacts, widget.List{}
}

// newer is how many contacts came since they are read.
func (s *Screen) newer() int {
	if h := s.at(); h != nil && s.focus != onMap {
		return h.Count - s.held.count
	}
	return 0
}

// met is the contact under the cursor, nil where there is none.
func (s *Screen) met() *model.HostContact {
	if all := s.listed(); s.contacts.At < len(all) {
		return &all[s.contacts.At]
	}
	return nil
}
