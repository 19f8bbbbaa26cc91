package network

import (
	"slices"

	"sonde/model"
	"sonde/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// hostList has the hosts around the service in the order of the map, and the cursor.
type hostList struct {
	all  []*model.HostSummary
	rows widget.List // the cursor on the lines of the map
}

// hostKind is the part of the map to which a host belongs.
type hostKind int

const (
	outward  hostKind = iota // the service connects to the host
	lookup                   // the service looks up the name
	inward                   // the service listens on the port
	resource                 // the service uses a resource of its environment
	hostKinds
)

func (k hostKind) String() string {
	return [hostKinds]string{"connects to", "looks up", "listens on", "uses"}[k]
}

func kindOf(h *model.HostSummary) hostKind {
	switch {
	case h.Inward:
		return inward
	case h.Protocol == model.DNS:
		return lookup
	case h.Protocol == model.Environment:
		return resource
	}
	return outward
}

// set replaces the hosts.
func (l *hostList) set(hosts []model.HostSummary) {
	l.all = make([]*model.HostSummary, len(hosts))
	for i := range hosts {
		l.all[i] = &hosts[i]
	}
	slices.SortStableFunc(l.all, func(a, b *model.HostSummary) int { return int(kindOf(a)) - int(kindOf(b)) })
}

// mapLine is a line of the map: a host, or the title of a part if host is nil.
type mapLine struct {
	host *model.HostSummary
	head hostKind
}

// lines returns the lines of the map.
func (l *hostList) lines() []mapLine {
	var lines []mapLine
	for i, h := range l.all {
		if i == 0 || kindOf(h) != kindOf(l.all[i-1]) {
			lines = append(lines, mapLine{head: kindOf(h)})
		}
		lines = append(lines, mapLine{host: h})
	}
	return lines
}

// selected returns the host under the cursor, nil if there is none.
func (l *hostList) selected() *model.HostSummary {
	if lines := l.lines(); l.rows.At < len(lines) {
		return lines[l.rows.At].host
	}
	return nil
}

// selectHost moves the cursor to a host, without changing the cursor's line in the window. It reports
// whether the host is on the map.
func (l *hostList) selectHost(key model.HostKey) bool {
	for i, line := range l.lines() {
		if line.host != nil && line.host.HostKey() == key {
			l.rows.Top += i - l.rows.At
			l.rows.At = i
			return true
		}
	}
	return false
}

// press moves the cursor by a key.
func (l *hostList) press(k tea.KeyMsg) {
	before := l.rows.At
	if l.rows.Key(k) {
		l.skipHeads(l.rows.At >= before)
	}
}

// mouse handles a mouse event on a visible row.
func (l *hostList) mouse(msg tea.MouseMsg, row int) {
	before := l.rows.At
	l.rows.Go(before + widget.WheelRows(msg))
	if widget.LeftClick(msg) {
		l.rows.Click(row)
	}
	l.skipHeads(l.rows.At >= before)
}

// skipHeads moves a cursor on a title to the nearest host. It looks downwards first if down is true, and
// upwards otherwise.
func (l *hostList) skipHeads(down bool) {
	lines := l.lines()
	for _, step := range []int{1, -1} {
		if !down {
			step = -step
		}
		for i := l.rows.At; i >= 0 && i < len(lines); i += step {
			if lines[i].host != nil {
				l.rows.Go(i)
				return
			}
		}
	}
}

// injected returns the user's stubs for a host.
func (l *hostList) injected(key model.HostKey) []model.Stub {
	var stubs []model.Stub
	for _, h := range l.all {
		if h.HostKey() == key {
			stubs = append(stubs, h.Injected...)
		}
	}
	return stubs
}

// withInjected returns a copy of the hosts in which each host has, as its injected stubs, those of the given stubs that
// are for this host. If a stub is for a host that is not in the list, withInjected adds the host at the end.
func withInjected(all []model.HostSummary, stubs []model.Stub) []model.HostSummary {
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
