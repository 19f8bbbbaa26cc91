package graph

import (
	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *Screen) press(k tea.KeyMsg) tea.Cmd {
	cmd, _ := keys.Press(s, k)
	return cmd
}

func (s *Screen) mouse(msg tea.MouseMsg) tea.Cmd {
	if s.display.mouse(msg) {
		return s.enter()
	}
	return nil
}

// openFind moves the focus to the line of the search text.
func (s *Screen) openFind() tea.Cmd {
	s.matches.Focus() // returns no command, because the cursor does not blink
	return nil
}

// typeFind handles a key of the search text, and moves the cursor to the best match.
func (s *Screen) typeFind(k tea.KeyMsg) tea.Cmd {
	before := s.matches.Text()
	cmd := s.matches.HandleKey(k)
	if s.matches.Text() != before {
		s.findMatches()
		s.display.choose(s.matches.nearest(s.display.node))
	}
	return cmd
}

// clearFind clears the search text.
func clearFind(s *Screen) {
	s.matches.SetText("")
	s.findMatches()
}

// findMatches marks the nodes of the picture that match the search text.
func (s *Screen) findMatches() { s.matches.find(s.display.picture, s.run) }

// next moves the cursor to the next match if step is 1, and to the previous one if step is -1.
func (s *Screen) next(step int) {
	if s.display.picture != nil {
		s.display.choose(s.matches.next(s.display.node, step))
	}
}

// halt stops the drawing. It also sets the view of the screen back to the view of the picture that the screen shows.
func halt(s *Screen) tea.Cmd {
	s.job.abandon()
	if s.display.picture != nil {
		s.view = s.shown
	}
	return screen.ShowStatus("the drawing was stopped")
}

// refold changes the folding by calling the function how, and draws the view again.
func (s *Screen) refold(how func(*folding, foldable)) tea.Cmd {
	at := s.foldable()
	return s.change(func(v *view) {
		next := v.folded.value()
		how(&next, at)
		v.folded = &next
	})
}

// foldable returns the group and the cycle of the operation under the cursor.
func (s *Screen) foldable() foldable {
	var cycles map[model.OpID]int
	if s.display.picture != nil {
		cycles = s.display.picture.cycles
	}
	return s.folded.value().at(s.op(), s.analyzed, cycles)
}

// foldCluster unfolds the cluster under the cursor, or folds the cluster of the operation under the cursor.
func (s *Screen) foldCluster() tea.Cmd {
	name := s.clusterToFold()
	return s.change(func(v *view) {
		next := v.folded.value()
		next.opened = next.opened.toggled(name)
		v.folded = &next
	})
}

// clusterToFold returns the cluster that foldCluster would fold or unfold, "" if there is none.
func (s *Screen) clusterToFold() string {
	if p := s.display.picture; p != nil && s.clustered(s.analyzed) {
		return s.folded.value().clusterAt(p.nodes[s.display.node], s.analyzed.Analysis.Clusters())
	}
	return ""
}

// foldClusters folds all clusters.
func (s *Screen) foldClusters() tea.Cmd {
	return s.change(func(v *view) {
		next := v.folded.value()
		next.opened = nil
		v.folded = &next
	})
}

// enter shows the surroundings of the node under the cursor. If the node is the centre, enter opens its
// operation on the Explore screen. If the node is a cluster, enter unfolds it.
func (s *Screen) enter() tea.Cmd {
	op := s.op()
	if s.display.onCluster() {
		return s.foldCluster()
	}
	if s.display.onCentre() {
		return s.post.ShowScreen(screen.TabExplore, op)
	}
	return tea.Batch(s.goTo(spot{centre: op}), s.post.Send(screen.OperationSelected{Op: op}))
}

// showSeqs lists the seqs of the operation or of the folded cluster under the cursor on the Seqs screen.
func (s *Screen) showSeqs() tea.Cmd {
	if s.display.onCluster() {
		nd := s.display.picture.nodes[s.display.node]
		return s.post.ShowSeqs(screen.ScopeSeqs{Name: "cluster:" + nd.cluster, Operations: nd.ops})
	}
	return s.post.ShowSeqsOf(s.op())
}

// back returns to the previous spot.
func (s *Screen) back() tea.Cmd {
	n := len(s.history)
	to := s.history[n-1]
	s.history = s.history[:n-1]
	return tea.Batch(s.showSpot(to), s.post.Send(screen.OperationSelected{Op: to.centre}))
}

// export returns the picture on the screen in the form for writing it to a file.
func (s *Screen) export() usecase.GraphPicture {
	e := exporter{analyzed: s.analyzed, picture: s.display.picture, coverage: s.coverage}
	return e.export()
}
