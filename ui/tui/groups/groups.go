// Package groups is the second screen: the value-sharing groups of a spec,
// each with its operations, its values, its seqs and a figure of how they
// hang together.
package groups

import (
	"slices"

	"sonde/model"
	"sonde/ui/pane"
	"sonde/ui/tui/screen"
	"sonde/ui/words"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is the Groups screen.
type Screen struct {
	width, height int
	study         *screen.Study
	run           model.Snapshot

	onShow  bool
	focus   part
	groups  pane.List
	order   []int // row of the table → group
	byNo    bool  // the table is in the order of the groups, not by size
	members pane.List
	seqs    pane.List
	twigs   pane.List // the figure as a tree
	asTree  *bool     // what the person wants; nil: what fits
	rule    int       // index into rules: whose seqs are listed

	exchanges []exchange // of the group under the cursor
	counts    map[int]listings
	asked     map[int]bool // groups that are being counted, or are
	drawings  map[int]*drawing
	awaited   map[int]bool // groups that are being drawn
	drawn     int          // the group that the cursors were set for
}

// New returns the screen. It counts and draws when it is shown.
func New() *Screen { return &Screen{} }

// Name is the tab's word.
func (s *Screen) Name() string { return "Groups" }

// Live is the number of groups.
func (s *Screen) Live() string {
	if s.study == nil {
		return ""
	}
	return words.Count(len(s.study.Groups))
}

// Typing is never true here.
func (s *Screen) Typing() bool { return false }

// sketched brings a drawing of a group.
type sketched struct {
	study   *screen.Study
	group   int
	drawing *drawing
}

// Update takes a message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case screen.Opened:
		s.opened(msg.Study)
	case screen.Shown:
		s.onShow = msg.Tab == screen.Groups
	case screen.Goto:
		if msg.Tab == screen.Groups {
			s.find(msg.Op)
		}
	case screen.Selected:
		s.find(msg.Op)
	case screen.Progress:
		s.run = msg.Snapshot
	case counted:
		if msg.study == s.study {
			s.counts[msg.group] = msg.found
		}
	case sketched:
		s.sketched(msg)
	case tea.KeyMsg:
		cmd = s.press(msg)
	case tea.MouseMsg:
		cmd = s.mouse(msg)
	}
	s.fit()
	return s, tea.Batch(cmd, s.work())
}

func (s *Screen) opened(study *screen.Study) {
	s.study = study
	s.counts, s.asked = map[int]listings{}, map[int]bool{}
	s.drawings, s.awaited = map[int]*drawing{}, map[int]bool{}
	s.focus, s.order = table, nil
	s.sort()
	s.turn()
}

// group is the index of the group under the cursor; -1 where there is none.
func (s *Screen) group() int {
	if s.groups.At >= len(s.order) {
		return -1
	}
	return s.order[s.groups.At]
}

// sort orders the table: the largest groups first, or as they are numbered. The
// cursor stays on its group.
func (s *Screen) sort() {
	at := s.group()
	s.order = span(0, len(s.study.Groups))
	if !s.byNo {
		slices.SortStableFunc(s.order, func(a, b int) int {
			return len(s.study.Groups[b].Operations) - len(s.study.Groups[a].Operations)
		})
	}
	s.groups.Fit(len(s.order), s.groups.Height)
	s.groups.Go(slices.Index(s.order, at))
}

// find puts the cursors on an operation and its group.
func (s *Screen) find(op model.OpID) {
	if s.study == nil {
		return
	}
	group, ok := s.study.GroupOf[op]
	if !ok {
		return
	}
	if s.groups.Go(slices.Index(s.order, group)); group != s.drawn {
		s.turn()
	}
	s.members.Fit(s.rows(), s.members.Height)
	s.members.Go(slices.Index(s.study.Groups[group].Operations, op))
	s.follow()
}

// turn takes up the group under the cursor.
func (s *Screen) turn() {
	s.drawn = s.group()
	s.members, s.seqs = pane.List{Height: s.members.Height}, pane.List{Height: s.seqs.Height}
	s.twigs = pane.List{Height: s.twigs.Height}
	if s.drawn < 0 {
		s.exchanges = nil
		return
	}
	g := s.study.Groups[s.drawn]
	s.exchanges = exchanges(operations(s.study, g.Operations), s.study.Reading)
}

// rows is how many members the group has: operations, then exchanged values.
func (s *Screen) rows() int {
	if s.group() < 0 {
		return 0
	}
	return len(s.study.Groups[s.group()].Operations) + len(s.exchanges)
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
	return func() tea.Msg { return sketched{study, group, draw(study, group, wrap)} }
}

func (s *Screen) sketched(msg sketched) {
	if msg.study != s.study {
		return
	}
	s.drawings[msg.group] = msg.drawing
	s.fit()
	s.follow()
}

// drawing is that of the group under the cursor, nil until it is finished.
func (s *Screen) drawing() *drawing { return s.drawings[s.group()] }

// listed are the seqs of the group under the cursor by the rule chosen.
func (s *Screen) listed() []model.Seq {
	return s.counts[s.group()][s.rule].Seqs
}

// fit gives every list and the figure the size of their panes.
func (s *Screen) fit() {
	if s.study == nil {
		return
	}
	r := divide(s.width, s.height, len(s.study.Groups), s.focus)
	s.groups.Fit(len(s.study.Groups), max(0, r[table].H-3))
	s.members.Fit(s.rows(), max(0, r[members].H-2))
	s.seqs.Fit(len(s.listed()), max(0, r[seqs].H-2))
	if d := s.drawing(); d != nil {
		w, h := max(0, r[picture].W-2), max(0, r[picture].H-2)
		d.sheet.Fit(w, h)
		s.twigs.Fit(len(d.twigs), h)
	}
}

// tree tells whether the figure is shown as a tree.
func (s *Screen) tree() bool {
	if s.asTree != nil {
		return *s.asTree
	}
	return divide(s.width, s.height, len(s.study.Groups), picture)[picture].W < roomy
}

// op is the operation under the cursor; "" where it is on a value.
func (s *Screen) op() model.OpID {
	g := s.group()
	if g < 0 {
		return ""
	}
	switch s.focus {
	case picture:
		return s.pointed()
	case seqs:
		if all := s.listed(); s.seqs.At < len(all) {
			return all[s.seqs.At][len(all[s.seqs.At])-1]
		}
		return ""
	}
	if ops := s.study.Groups[g].Operations; s.members.At < len(ops) {
		return ops[s.members.At]
	}
	return ""
}

// pointed is the operation under the cursor of the figure, in its tree or, where
// it has none of its own, that of the members.
func (s *Screen) pointed() model.OpID {
	d := s.drawing()
	if d == nil {
		return ""
	}
	node := s.node(s.members.At)
	if s.tree() && s.twigs.At < len(d.twigs) {
		node = d.twigs[s.twigs.At].node
	}
	if node < 0 || node >= len(d.ops) {
		return ""
	}
	return d.ops[node]
}

// follow has the box of the member under the cursor in sight.
func (s *Screen) follow() {
	d := s.drawing()
	if d == nil {
		return
	}
	node := s.node(s.members.At)
	d.sheet.Follow(node)
	for i, row := range d.twigs {
		if row.node == node {
			s.twigs.Go(i)
			return
		}
	}
}

// node is the box of a member, -1 where it has none.
func (s *Screen) node(member int) int {
	d, ops := s.drawing(), s.study.Groups[s.group()].Operations
	if member < len(ops) {
		return slices.Index(d.ops, ops[member])
	}
	if member-len(ops) >= len(s.exchanges) {
		return -1
	}
	name := s.exchanges[member-len(ops)].names[0]
	i := slices.IndexFunc(d.values, func(all []string) bool { return slices.Contains(all, name) })
	if i < 0 {
		return -1
	}
	return len(d.ops) + i
}
