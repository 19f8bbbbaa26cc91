package graph

import (
	"slices"

	"sonde/ui/tui/finder"
	"sonde/ui/tui/keymap"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Keys that appear in texts of the screen.
var (
	keyAll   = keymap.Bind("a", "all values, ids only")
	keyStop  = keymap.Bind("esc", "stop drawing")
	keyAgain = keymap.Bind("⏎", "draw it", "enter")
)

type (
	row  = keymap.Row[*Screen]
	need = keymap.Need[*Screen]
)

var (
	hasPicture   = need{Met: func(s *Screen) bool { return s.display.picture != nil }, Why: "nothing is drawn yet"}
	underway     = need{Met: func(s *Screen) bool { return s.job.running() }, Why: "nothing is being drawn"}
	onCluster    = need{Met: func(s *Screen) bool { return s.display.onCluster() }, Why: "needs an area"}
	unclustered  = need{Met: func(s *Screen) bool { return !s.clustered(s.analyzed) }, Why: "the picture shows areas"}
	onCentre     = need{Met: func(s *Screen) bool { return s.display.onCentre() }}
	offCentre    = keymap.Not(onCentre.Met, "needs an operation besides the middle")
	around       = need{Met: func(s *Screen) bool { return !s.whole }, Why: "needs the view around one operation"}
	ofOps        = need{Met: func(s *Screen) bool { return !s.things }, Why: "needs operations"}
	asTree       = need{Met: showsTree, Why: "needs the tree"}
	asPicture    = keymap.Not(showsTree, "needs the picture")
	found        = need{Met: func(s *Screen) bool { return !s.matches.IsEmpty() }, Why: "no search text is set"}
	wasElsewhere = need{
		Met:     func(s *Screen) bool { return len(s.history) > 0 },
		Why:     "there is nowhere to go back to",
		Explain: func(*Screen) string { return "this is where you started" },
	}
)

// keys is the table of all keys.
var keys = keymap.Map[*Screen]{
	{On: func(s *Screen) bool { return s.analyzed == nil || s.centre == "" }},
	{
		On:   func(s *Screen) bool { return s.matches.Typing() },
		Busy: "a search text is being typed",
		Rows: keymap.Each(finder.Keys(), (*Screen).typeFind),
		Rest: (*Screen).typeFind,
	},
	{
		On:   func(s *Screen) bool { return s.save.Typing() },
		Busy: "a file name is being typed",
		Keys: func(s *Screen) []key.Binding { return s.save.Keys() },
		Rest: func(s *Screen, k tea.KeyMsg) tea.Cmd { return s.save.Update(k) },

		Listed: save.Keys(),
	},
	{Rows: slices.Concat(openRows, viewRows, findRows, foldRows, drawRows, moveRows)},
}

// openRows are the keys that start or stop a drawing, and that open the node under the cursor.
var openRows = []row{
	{Key: keyAgain, Needs: []need{keymap.Not(hasPicture.Met, ""), keymap.Not(underway.Met, "")}, Do: (*Screen).draw},
	{Key: keymap.Bind("⏎", "unfold", "enter"), Needs: []need{hasPicture, onCluster}, Do: (*Screen).enter},
	{
		Key:   keymap.Bind("⏎", "to the middle", "enter"),
		Needs: []need{hasPicture, keymap.Not(onCluster.Met, ""), {Met: offCentre.Met}},
		Do:    (*Screen).enter,
	},
	{Key: keymap.Bind("⏎", "in explore", "enter"), Needs: []need{onCentre}, Do: (*Screen).enter},
	{Key: keyStop, Needs: []need{underway}, Do: halt},
}

// viewRows are the keys that show another part of the API.
var viewRows = []row{
	{
		Key:   keymap.Bind("+", "one hop more", "+", "="),
		Help:  func(s *Screen) string { return words.Plural(s.hops+1, "hop") },
		Needs: []need{around, {Met: func(s *Screen) bool { return s.hops < maxHops }, Why: "there are no more hops"}},
		Do:    change(func(v *view) { v.hops++ }),
	},
	{
		Key:   keymap.Bind("-", "one hop less"),
		Help:  func(s *Screen) string { return words.Plural(s.hops-1, "hop") },
		Needs: []need{around, {Met: func(s *Screen) bool { return s.hops > 1 }, Why: "there are no fewer hops"}},
		Do:    change(func(v *view) { v.hops-- }),
	},
	{
		Key:  keymap.Bind("w", "the whole API, around one"),
		Help: func(s *Screen) string { return keymap.Either(s.whole, "around one", "the whole API") },
		Do:   change(func(v *view) { v.whole = !v.whole }),
	},
	{
		Key:  keymap.Bind("o", "resources, operations"),
		Help: func(s *Screen) string { return keymap.Either(s.things, "operations", "resources") },
		Do:   change(func(v *view) { v.things = !v.things }),
	},
	{
		Key:   keyAll,
		Help:  func(s *Screen) string { return keymap.Either(s.all, "ids only", "all values") },
		Needs: []need{ofOps},
		Do:    change(func(v *view) { v.all = !v.all }),
	},
}

// findRows are the keys that find nodes, go back, and lead to other screens.
var findRows = []row{
	{Key: keymap.Bind("n", "next found"), Needs: []need{hasPicture, found}, Do: keymap.Act(func(s *Screen) { s.next(1) })},
	{Key: keymap.Bind("N", "found before"), Needs: []need{hasPicture, found}, Do: keymap.Act(func(s *Screen) { s.next(-1) })},
	{
		Key:   keymap.Bind("esc", "find nothing"),
		Needs: []need{hasPicture, found, keymap.Not(underway.Met, "")},
		Do:    keymap.Act(clearFind),
	},
	{Key: keymap.Bind("/", "find"), Do: (*Screen).openFind},
	{
		Key:   keymap.Bind("⌫", "back", "backspace"),
		Needs: []need{wasElsewhere},
		Do:    (*Screen).back,
	},
	{Key: keymap.Bind("e", "in explore"), Needs: []need{offCentre}, Do: show(screen.TabExplore)},
	{Key: keymap.Bind("e", "in explore"), Needs: []need{onCentre}, Do: show(screen.TabExplore), Hidden: true},
}

// foldRows are the keys that fold several boxes into one, or unfold them.
var foldRows = []row{
	{
		Key: keymap.Bind("f", "unfold the area, fold it"),
		Help: func(s *Screen) string {
			return keymap.Either(s.folded.value().opened[s.clusterToFold()], "fold its area", "unfold the area")
		},
		Needs: []need{hasPicture, ofOps, {
			Met: func(s *Screen) bool { return s.clusterToFold() != "" },
			Why: "needs an area, or an operation of one that is unfolded",
		}},
		Do: (*Screen).foldCluster,
	},
	{
		Key: keymap.Bind("F", "fold all areas"),
		Needs: []need{hasPicture, ofOps, {
			Met: func(s *Screen) bool { return s.clustered(s.analyzed) && len(s.folded.value().opened) > 0 },
			Why: "no area is unfolded",
		}},
		Do: (*Screen).foldClusters,
	},
	{
		Key:  keymap.Bind("f", "fold its group"),
		Help: func(s *Screen) string { return foldHelp(s.foldable().groupFolded, "its group") },
		Needs: []need{hasPicture, ofOps, unclustered, {
			Met: func(s *Screen) bool { return s.foldable().inGroup },
			Why: "needs an operation of a group",
		}},
		Do: refold(func(f *folding, at foldable) { f.groups = f.groups.toggled(at.group) }),
	},
	{
		Key:   keymap.Bind("F", "fold all groups"),
		Help:  func(s *Screen) string { return foldHelp(len(s.folded.value().groups) > 0, "all groups") },
		Needs: []need{hasPicture, ofOps, unclustered},
		Do: func(s *Screen) tea.Cmd {
			return s.refold(func(f *folding, _ foldable) { f.groups = f.groups.allOrNone(s.analyzed.GroupOf) })
		},
	},
	{
		Key:  keymap.Bind("c", "fold its cycle"),
		Help: func(s *Screen) string { return foldHelp(s.foldable().cycleFolded, "its cycle") },
		Needs: []need{hasPicture, ofOps, unclustered, {
			Met: func(s *Screen) bool { return s.foldable().inCycle },
			Why: "needs an operation of a cycle",
		}},
		Do: refold(func(f *folding, at foldable) { f.cycles = f.cycles.toggled(at.cycle) }),
	},
	{
		Key:  keymap.Bind("C", "fold all cycles"),
		Help: func(s *Screen) string { return foldHelp(len(s.folded.value().cycles) > 0, "all cycles") },
		Needs: []need{hasPicture, ofOps, unclustered, {
			Met: func(s *Screen) bool { return len(s.display.picture.cycles) > 0 },
			Why: "there are no cycles",
		}},
		Do: func(s *Screen) tea.Cmd {
			return s.refold(func(f *folding, _ foldable) { f.cycles = f.cycles.allOrNone(s.display.picture.cycles) })
		},
	},
}

// drawRows are the keys that change how the picture is drawn, or that use the picture.
var drawRows = []row{
	{
		Key:   save.KeyExport,
		Needs: []need{hasPicture},
		Do:    keymap.Act(func(s *Screen) { s.save.Open("graph", s.export()) }),
	},
	{
		Key:   screen.KeyAppend,
		Needs: []need{ofOps},
		Do:    func(s *Screen) tea.Cmd { return s.post.Send(screen.AppendOperation{Op: s.op()}) },
	},
	{
		Key:   keymap.Bind("t", "as a tree, as a picture"),
		Help:  func(s *Screen) string { return keymap.Either(s.display.tree(), "as a picture", "as a tree") },
		Needs: []need{hasPicture},
		Do:    keymap.Act(func(s *Screen) { s.display.toggleTree() }),
	},
	{
		Key:  keymap.Bind("z", "zoom in"),
		Help: func(s *Screen) string { return "zoom in: " + (s.zoom + 1).String() },
		Needs: []need{hasPicture, asPicture, {
			Met: func(s *Screen) bool { return s.zoom < facts },
			Why: "this is the nearest view",
		}},
		Do: change(func(v *view) { v.zoom++ }),
	},
	{
		Key:  keymap.Bind("Z", "zoom out"),
		Help: func(s *Screen) string { return "zoom out: " + (s.zoom - 1).String() },
		Needs: []need{hasPicture, asPicture, {
			Met: func(s *Screen) bool { return s.zoom > dots },
			Why: "this is the farthest view",
		}},
		Do: change(func(v *view) { v.zoom-- }),
	},
	{
		Key: keymap.Bind("m", "map"),
		Needs: []need{hasPicture, asPicture, {
			Met: func(s *Screen) bool { return !s.display.picture.sheet.ShowsWhole() },
			Why: "the whole picture is in sight",
		}},
		Do: keymap.Act(func(s *Screen) { s.display.toggleMap() }),
	},
	{Key: keymap.Bind("G", "its group"), Do: show(screen.TabGroups)},
	{Key: screen.KeySeqs, Needs: []need{hasPicture, ofOps}, Do: (*Screen).showSeqs},
}

// moveRows are the keys that move the cursor, and the keys that scroll a drawing that is larger than its pane.
var moveRows = slices.Concat(
	keymap.Each(widget.MoveKeys(), moveRow, hasPicture, need{Met: asTree.Met}),
	[]row{
		{Key: keymap.Bind("←", "box left", "left"), Needs: []need{hasPicture, asPicture}, Do: toward(-1, 0)},
		{Key: keymap.Bind("→", "box right", "right"), Needs: []need{hasPicture, asPicture}, Do: toward(1, 0)},
		{Key: keymap.Bind("↑", "box above", "up"), Needs: []need{hasPicture, asPicture}, Do: toward(0, -1)},
		{Key: keymap.Bind("↓", "box below", "down"), Needs: []need{hasPicture, asPicture}, Do: toward(0, 1)},
	},
	keymap.Each(sheet.LetterKeys.Horizontal(), scroll, need{Met: func(s *Screen) bool { return s.display.wide() }}),
	keymap.Each(sheet.LetterKeys.Vertical(), scroll, need{Met: func(s *Screen) bool { return s.display.high() }}),
	keymap.Hide(keymap.Each(
		sheet.AllBindings(sheet.ShiftArrowKeys),
		scroll,
		need{Met: hasPicture.Met},
		need{Met: asPicture.Met},
	)),
)

// change returns an action that changes the view by calling the function how.
func change(how func(*view)) func(*Screen) tea.Cmd {
	return func(s *Screen) tea.Cmd { return s.change(how) }
}

// show returns an action that shows the operation under the cursor on another screen.
func show(tab screen.Tab) func(*Screen) tea.Cmd {
	return func(s *Screen) tea.Cmd { return s.post.ShowScreen(tab, s.op()) }
}

// foldHelp returns the help of a key that folds or unfolds.
func foldHelp(folded bool, what string) string {
	return keymap.Either(folded, "unfold ", "fold ") + what
}

// refold returns an action that changes the folding of the picture by calling the function how.
func refold(how func(*folding, foldable)) func(*Screen) tea.Cmd {
	return func(s *Screen) tea.Cmd { return s.refold(how) }
}

// toward returns an action that moves the cursor to the next box in a direction.
func toward(dx, dy int) func(*Screen) tea.Cmd {
	return keymap.Act(func(s *Screen) { s.display.moveToward(dx, dy) })
}

// moveRow moves the cursor in the tree.
func moveRow(s *Screen, k tea.KeyMsg) tea.Cmd {
	s.display.moveRow(k)
	return nil
}

// scroll moves the visible part of the drawing.
func scroll(s *Screen, k tea.KeyMsg) tea.Cmd {
	s.display.scroll(k)
	return nil
}

func showsTree(s *Screen) bool { return s.display.tree() }

// Keys returns the keys that are active now.
func (s *Screen) Keys() []key.Binding { return keys.Keys(s) }

// Actions returns the actions of all keys. Inactive keys have a reason.
func (s *Screen) Actions() []screen.Action { return keys.Actions(s) }

// Listed returns all keys, active or not, for docs/keys.md.
func (s *Screen) Listed() []key.Binding { return keys.Listed() }
