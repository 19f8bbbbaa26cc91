package graph

import (
	"slices"

	"sonde/ui/tui/keymap"
	"sonde/ui/tui/save"
	"sonde/ui/tui/screen"
	"sonde/ui/tui/sheet"
	"sonde/ui/widget"
	"sonde/ui/words"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// The keys that the screen's texts name.
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
	hasDrawing   = need{Met: func(s *Screen) bool { return s.picture != nil }, Why: "nothing is drawn yet"}
	underway     = need{Met: func(s *Screen) bool { return s.stop != nil }, Why: "nothing is being hasDrawing"}
	onMiddle     = need{Met: func(s *Screen) bool { return s.picture != nil && s.middle() }}
	offMiddle    = keymap.Not(onMiddle.Met, "needs an operation besides the middle")
	around       = need{Met: func(s *Screen) bool { return !s.whole }, Why: "needs the view around one operation"}
	ofOps        = need{Met: func(s *Screen) bool { return !s.things }, Why: "needs operations"}
	asTree       = need{Met: (*Screen).tree, Why: "needs the tree"}
	asPicture    = keymap.Not((*Screen).tree, "needs the picture")
	found        = need{Met: func(s *Screen) bool { return !s.find.Empty() }, Why: "nothing is looked for"}
	wasElsewhere = need{
		Met:     func(s *Screen) bool { return len(s.history) > 0 },
		Why:     "there is nowhere to go back to",
		Explain: func(*Screen) string { return "this is where you began" },
	}
)

// keys are all that the keys do.
var keys = keymap.Map[*Screen]{
	{On: func(s *Screen) bool { return s.study == nil || s.centre == "" }},
	{
		On:   func(s *Screen) bool { return s.find.Typing() },
		Busy: "what is looked for is typed",
		Keys: func(s *Screen) []key.Binding { return s.find.Keys() },
		Rest: (*Screen).typed,
	},
	{
		On:   func(s *Screen) bool { return s.save.Typing() },
		Busy: "a file is named",
		Keys: func(s *Screen) []key.Binding { return s.save.Keys() },
		Rest: func(s *Screen, k tea.KeyMsg) tea.Cmd { return s.save.Update(k) },
	},
	{Rows: slices.Concat(openRows, viewRows, findRows, foldRows, drawRows, moveRows)},
}

// openRows are the keys that draw, and go on to what is under the cursor.
var openRows = []row{
	{Key: keyAgain, Needs: []need{keymap.Not(hasDrawing.Met, ""), keymap.Not(underway.Met, "")}, Do: (*Screen).draw},
	{Key: keymap.Bind("⏎", "to the middle", "enter"), Needs: []need{hasDrawing, {Met: offMiddle.Met}}, Do: (*Screen).enter},
	{Key: keymap.Bind("⏎", "in explore", "enter"), Needs: []need{onMiddle}, Do: (*Screen).enter},
	{Key: keyStop, Needs: []need{underway}, Do: (*Screen).halt},
}

// viewRows are the keys that show something else of the API.
var viewRows = []row{
	{
		Key:   keymap.Bind("+", "one hop more", "+", "="),
		Help:  func(s *Screen) string { return words.Plural(s.hops+1, "hop") },
		Needs: []need{around, {Met: func(s *Screen) bool { return s.hops < farthest }, Why: "there are no more hops"}},
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
		Help: func(s *Screen) string { return either(s.whole, "around one", "the whole API") },
		Do:   change(func(v *view) { v.whole = !v.whole }),
	},
	{
		Key:  keymap.Bind("o", "resources, operations"),
		Help: func(s *Screen) string { return either(s.things, "operations", "resources") },
		Do:   change(func(v *view) { v.things = !v.things }),
	},
	{
		Key:  keyAll,
		Help: func(s *Screen) string { return either(s.narrowed(), "all values", "ids only") },
		Needs: []need{ofOps, {
			Met: func(s *Screen) bool { return s.narrowed() || s.all },
			Why: "needs flows of other values than ids",
		}},
		Do: change(func(v *view) { v.all = !v.all }),
	},
}

// findRows are the keys that find nodes, and go back.
var findRows = []row{
	{Key: keymap.Bind("n", "next found"), Needs: []need{hasDrawing, found}, Do: keymap.Act(func(s *Screen) { s.next(1) })},
	{Key: keymap.Bind("N", "found before"), Needs: []need{hasDrawing, found}, Do: keymap.Act(func(s *Screen) { s.next(-1) })},
	{
		Key:   keymap.Bind("esc", "find nothing"),
		Needs: []need{hasDrawing, found, keymap.Not(underway.Met, "")},
		Do:    keymap.Act((*Screen).forget),
	},
	{Key: keymap.Bind("/", "find"), Do: (*Screen).openFind},
	{
		Key:   keymap.Bind("⌫", "back", "backspace"),
		Needs: []need{wasElsewhere},
		Do:    (*Screen).back,
	},
	{Key: keymap.Bind("e", "in explore"), Needs: []need{offMiddle}, Do: show(screen.Explore)},
	{Key: keymap.Bind("e", "in explore"), Needs: []need{onMiddle}, Do: show(screen.Explore), Hidden: true},
}

// foldRows are the keys that make one box of several, or several of one.
var foldRows = []row{
	{
		Key:   keymap.Bind("f", "fold its group"),
		Help:  func(s *Screen) string { return foldHelp(s.inFoldedGroup(), "its group") },
		Needs: []need{hasDrawing, ofOps, {Met: (*Screen).inGroup, Why: "needs an operation of a group"}},
		Do:    (*Screen).foldGroup,
	},
	{
		Key:   keymap.Bind("F", "fold all groups"),
		Help:  func(s *Screen) string { return foldHelp(len(s.folded.of().groups) > 0, "all groups") },
		Needs: []need{hasDrawing, ofOps},
		Do:    (*Screen).foldGroups,
	},
	{
		Key:   keymap.Bind("c", "fold its circle"),
		Help:  func(s *Screen) string { return foldHelp(s.inFoldedCircle(), "its circle") },
		Needs: []need{hasDrawing, ofOps, {Met: (*Screen).inCircle, Why: "needs an operation of a circle"}},
		Do:    (*Screen).foldCircle,
	},
	{
		Key:   keymap.Bind("C", "fold all circles"),
		Help:  func(s *Screen) string { return foldHelp(len(s.folded.of().circles) > 0, "all circles") },
		Needs: []need{hasDrawing, ofOps, {Met: func(s *Screen) bool { return len(s.picture.circles) > 0 }, Why: "there are no circles"}},
		Do:    (*Screen).foldCircles,
	},
}

// drawRows are the keys of how it is hasDrawing.
var drawRows = []row{
	{
		Key:   save.Key,
		Needs: []need{hasDrawing},
		Do:    keymap.Act(func(s *Screen) { s.save.Open("graph", s.export()) }),
	},
	{
		Key:   screen.KeyAppend,
		Needs: []need{ofOps},
		Do:    func(s *Screen) tea.Cmd { return s.post.Send(screen.Append{Op: s.op()}) },
	},
	{
		Key:   keymap.Bind("t", "as a tree, as a picture"),
		Help:  func(s *Screen) string { return either(s.tree(), "as a picture", "as a tree") },
		Needs: []need{hasDrawing},
		Do:    keymap.Act((*Screen).turnTree),
	},
	{
		Key:   keymap.Bind("z", "zoom in"),
		Help:  func(s *Screen) string { return "zoom in: " + (s.zoom + 1).String() },
		Needs: []need{hasDrawing, asPicture, {Met: func(s *Screen) bool { return s.zoom < facts }, Why: "it is nearest already"}},
		Do:    change(func(v *view) { v.zoom++ }),
	},
	{
		Key:   keymap.Bind("Z", "zoom out"),
		Help:  func(s *Screen) string { return "zoom out: " + (s.zoom - 1).String() },
		Needs: []need{hasDrawing, asPicture, {Met: func(s *Screen) bool { return s.zoom > dots }, Why: "it is farthest already"}},
		Do:    change(func(v *view) { v.zoom-- }),
	},
	{
		Key:   keymap.Bind("m", "map"),
		Needs: []need{hasDrawing, asPicture, {Met: func(s *Screen) bool { return !s.picture.sheet.Whole() }, Why: "all is in sight"}},
		Do:    keymap.Act((*Screen).turnMap),
	},
	{Key: keymap.Bind("G", "its group"), Do: show(screen.Groups)},
}

// moveRows are the keys that move the cursor, and the window on the picture where that
// is larger.
var moveRows = slices.Concat(
	keymap.Each(widget.MoveKeys(), (*Screen).moveTree, hasDrawing, need{Met: asTree.Met}),
	[]row{
		{Key: keymap.Bind("←", "box left", "left"), Needs: []need{hasDrawing, asPicture}, Do: toward(-1, 0)},
		{Key: keymap.Bind("→", "box right", "right"), Needs: []need{hasDrawing, asPicture}, Do: toward(1, 0)},
		{Key: keymap.Bind("↑", "box above", "up"), Needs: []need{hasDrawing, asPicture}, Do: toward(0, -1)},
		{Key: keymap.Bind("↓", "box below", "down"), Needs: []need{hasDrawing, asPicture}, Do: toward(0, 1)},
	},
	keymap.Each(sheet.Letters.Across(), (*Screen).scroll, need{Met: (*Screen).wide}),
	keymap.Each(sheet.Letters.Along(), (*Screen).scroll, need{Met: (*Screen).high}),
	keymap.Hide(keymap.Each(sheet.Bindings(sheet.Shifts), (*Screen).scroll, need{Met: hasDrawing.Met}, need{Met: asPicture.Met})),
)

// change returns an action that shows another view.
func change(how func(*view)) func(*Screen) tea.Cmd {
	return func(s *Screen) tea.Cmd { return s.change(how) }
}

// show returns an action that shows what is under the cursor on another screen.
func show(tab screen.Tab) func(*Screen) tea.Cmd {
	return func(s *Screen) tea.Cmd { return s.post.Show(tab, s.op()) }
}

// either returns the first text where a condition holds, and else the second.
func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// foldHelp says what a key does that folds and unfolds.
func foldHelp(folded bool, what string) string { return either(folded, "unfold ", "fold ") + what }

// wide and high report whether the picture is larger than its pane.
func (s *Screen) wide() bool {
	picture, _ := divide(s.width, s.height)
	return s.picture != nil && !s.tree() && s.picture.sheet.Figure.W > picture.W-2
}

func (s *Screen) high() bool {
	picture, _ := divide(s.width, s.height)
	return s.picture != nil && !s.tree() && s.picture.sheet.Figure.H > picture.H-2
}

// Keys returns the keys that do something now.
func (s *Screen) Keys() []key.Binding { return keys.Keys(s) }

// Actions returns all that the keys do, and why not now.
func (s *Screen) Actions() []screen.Action { return keys.Actions(s) }

// Listed returns all keys, for the page of keys.
func (s *Screen) Listed() []key.Binding { return keys.Listed() }
