// Package groups is the second screen: the value-sharing groups of a spec,
// each with its operations, its values, its seqs and a figure of how they
// hang together.
package groups

import (
	"slices"

	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/tui/finder"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/widget"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Groups screen.
type Screen struct {
	post          *screen.MessageQueue
	width, height int
	study         *screen.AnalyzedSpec
	names         draw.SeqNames       // of calls in seqs
	paths         *draw.PathShortener // of the operations
	run           model.Snapshot

	onShow  bool
	focus   part
	find    finder.Finder
	groups  widget.List
	order   []int // row of the table → group, of those that fit the filter
	byNo    bool  // the table is in the order of the groups, not by size
	members widget.List
	kept    []int // members that the filter lets through
	seqs    widget.List
	twigs   widget.List // the figure as a tree
	asTree  *bool       // what the person wants; nil: what fits
	rule    int         // index into rules: whose seqs are listed
	read    reading
	asMap   bool // the table is a treemap
	save    *save.Line

	counts   map[int]tally
	asked    map[int]bool // groups that are being counted, or are
	drawings map[int]*drawing
	awaited  map[int]bool // groups that are being drawn, or are
	turned   int          // the group that the cursors were set for
}

// New returns the screen. It counts and draws when it is shown.
func New(e screen.Engine) *Screen {
	return &Screen{find: finder.New("filter, such as value:id"), save: save.New(e.WritePicture), post: e.Queue}
}

// Name is the tab's word.
func (s *Screen) Name() string { return "Groups" }

// TabBadge is the number of groups.
func (s *Screen) TabBadge() string {
	if s.study == nil {
		return ""
	}
	return words.Count(len(s.study.Groups))
}

// Typing tells that the filter has the focus, or a file's name.
func (s *Screen) Typing() bool { return s.find.Typing() || s.save.Typing() }

// sketched brings a drawing of a group.
type sketched struct {
	study   *screen.AnalyzedSpec
	group   int
	drawing *drawing
}

// Update takes a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case screen.SpecOpened:
		s.read.reset(msg.Spec.Matcher.Mode)
		s.take(msg.Spec)
	case restudied:
		cmd = s.restudied(msg)
	case screen.ScreenShown:
		s.onShow = msg.Tab == screen.TabGroups
	case screen.ShowScreen:
		if msg.Tab == screen.TabGroups {
			s.visit(msg.Op)
		}
	case screen.OperationSelected:
		s.visit(msg.Op)
	case screen.RunProgress:
		s.run = msg.Snapshot
		if s.find.Asks("status") {
			s.narrow()
		}
	case counted:
		if msg.study == s.study {
			s.counts[msg.group] = msg.found
		}
	case sketched:
		s.sketched(msg)
	case screen.PointAt:
		s.aim(msg)
	case tea.KeyMsg:
		cmd = s.press(msg)
	case tea.MouseMsg:
		cmd = s.mouse(msg)
	}
	if _, isKey := msg.(tea.KeyMsg); !isKey {
		cmd = tea.Batch(cmd, s.save.Update(msg))
	}
	s.fit()
	return s, tea.Batch(cmd, s.work())
}

// take takes another spec, or the same in another way.
func (s *Screen) take(study *screen.AnalyzedSpec) {
	s.study, s.names, s.paths = study, study.Names, draw.NewPathShortener(study.IDs())
	s.counts, s.asked = map[int]tally{}, map[int]bool{}
	s.drawings, s.awaited = map[int]*drawing{}, map[int]bool{}
	s.focus, s.order = table, nil
	s.find.Look(study.Index)
	s.sort()
	s.turn()
}

// visit puts the cursors on an operation and its group. A filter that hides them
// is taken away.
func (s *Screen) visit(op model.OpID) {
	if s.study == nil {
		return
	}
	group, ok := s.study.GroupOf[op]
	if !ok {
		return
	}
	if !s.point(group, op) {
		s.find.Set("")
		s.sort()
		s.point(group, op)
	}
	s.follow()
}

// point puts the cursors on an operation of a group, and reports whether both are
// in the lists.
func (s *Screen) point(group int, op model.OpID) bool {
	row := slices.Index(s.order, group)
	if row < 0 {
		return false
	}
	s.groups.Go(row)
	if group != s.turned {
		s.turn()
	}
	s.keep()
	s.members.Fit(s.rows(), s.members.Height)
	row = slices.Index(s.kept, slices.Index(s.study.Groups[group].Operations, op))
	s.members.Go(row)
	return row >= 0
}

// turn takes up the group under the cursor.
func (s *Screen) turn() {
	s.turned = s.group()
	s.members, s.seqs = widget.List{Height: s.members.Height}, widget.List{Height: s.seqs.Height}
	s.twigs = widget.List{Height: s.twigs.Height}
	s.keep()
}

// work begins to count and draw what is in sight and was not asked for yet.
func (s *Screen) work() tea.Cmd {
	if !s.onShow || s.group() < 0 {
		return nil
	}
	var cmds []tea.Cmd
	from, to := s.groups.Visible()
	for _, g := range append([]int{s.group(), whole}, s.order[from:to]...) {
		if !s.asked[g] {
			s.asked[g] = true
			cmds = append(cmds, count(s.study, g))
		}
	}
	if g := s.group(); !s.awaited[g] {
		s.awaited[g] = true
		cmds = append(cmds, s.sketch(g))
	}
	return tea.Batch(cmds...)
}

func span(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// sketch draws a group in the background.
func (s *Screen) sketch(group int) tea.Cmd {
	study, wrap := s.study, divide(s.width, s.height, len(s.study.Groups), picture)[picture].W-2
	return func() tea.Msg { return sketched{study: study, group: group, drawing: drawGroup(study, group, wrap)} }
}

func (s *Screen) sketched(msg sketched) {
	if msg.study != s.study {
		return
	}
	s.drawings[msg.group] = msg.drawing
	s.fit()
	if msg.group == s.group() {
		s.follow()
		msg.drawing.sheet.Centre(s.node(s.members.At))
	}
}

// fit gives every list and the figure the size of their panes.
func (s *Screen) fit() {
	if s.study == nil {
		return
	}
	r := divide(s.width, s.height, len(s.study.Groups), s.focus)
	s.keep()
	s.groups.Fit(len(s.order), max(0, r[table].H-2-s.head(r[table])))
	s.members.Fit(s.rows(), max(0, r[members].H-2))
	rows := max(0, r[seqs].H-2)
	if v := s.value(); v != "" {
		rows -= spare(s.proof(v), r[seqs])
	}
	s.seqs.Fit(s.below(), rows)
	if d := s.drawing(); d != nil {
		w, h := max(0, r[picture].W-2), max(0, r[picture].H-2)
		d.sheet.Fit(w, h)
		s.twigs.Fit(len(d.twigs), h)
	}
}

// tree reports whether the figure is shown as a tree.
func (s *Screen) tree() bool {
	if s.asTree != nil {
		return *s.asTree
	}
	return divide(s.width, s.height, len(s.study.Groups), picture)[picture].W < roomy
}
