package explore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/analysis/depend"
	"sonde/model"
	"sonde/model/match"
	"sonde/ui/theme"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// answer presses a key and runs the resulting commands. If a command returns the answer to a question, it passes this
// answer to the screen.
func answer(t *testing.T, s *Screen, name string) {
	t.Helper()
	_, cmd := s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)})
	deliver(s, cmd)
}

// deliver runs a command and passes the answers to questions to the screen.
func deliver(s *Screen, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			deliver(s, c)
		}
	case found:
		s.Update(msg)
	}
}

func TestPathsToHere(t *testing.T) {
	s := opened(t)
	s.visit("POST /orders")
	press(s, "p")
	if got := text(s); !strings.Contains(got, "Finding the ways") {
		t.Errorf("before the answer is known:\n%s", got)
	}
	s.page.question.op = "" // press has dropped the command: the next key must ask again
	answer(t, s, "v")
	for _, want := range []string{
		"Paths to here   2 ways", "1. from nothing", "productId ← 1",
		"2. with GET /products   must exist already: product", "← step 2, cartId", "string, such as standard",
	} {
		if got := text(s); !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	press(s, "p")
	if got := text(s); !strings.Contains(got, "Takes") {
		t.Errorf("p does not go back to the page:\n%s", got)
	}
}

func TestImpactPage(t *testing.T) {
	s := opened(t)
	s.visit("DELETE /products/{productId}")
	answer(t, s, "I")
	for _, want := range []string{
		"deletes product", "● takes it as a required input   ○ as an", "Deleted with it, at and below its paths: 3 resources, 6 operations",
		"What takes it elsewhere: 4 operations", "Indirectly: ", "They take what only the operations above create: ",
		" operations    resource            path", "3  ▸ review ", "/{productId}/reviews/{reviewId}", "2  ▸ other parts of it ",
	} {
		if got := text(s); !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	press(s, "enter")
	if got := text(s); !strings.Contains(got, "reviews/{reviewId}") {
		t.Errorf("the group did not unfold:\n%s", got)
	}
}

// The paths or the impact stay on the page when the user moves to another operation. They disappear when the user types
// a filter, presses the key that the title names, or presses esc. If the operations have the focus and a filter is set,
// the first esc only clears the filter.
func TestLeaveAView(t *testing.T) {
	s := opened(t)
	s.visit("POST /orders")
	for k, title := range map[string]string{"p": "Paths to POST /orders · p leaves", "I": "Impact of POST /orders · I leaves"} {
		answer(t, s, k)
		if got := text(s); !strings.Contains(got, title) {
			t.Errorf("%q is missing in\n%s", title, got)
		}
		press(s, "esc")
		if s.page.question.view != viewOperation || !s.page.focused {
			t.Errorf("esc on the page after %s shows view %d", k, s.page.question.view)
		}
	}
	answer(t, s, "I")
	press(s, "left", "down")
	if s.page.question.view != viewImpact || s.page.op == "POST /orders" {
		t.Errorf("view %d of %s, which is another operation", s.page.question.view, s.page.op)
	}
	press(s, "/", "p", "enter")
	if s.page.question.view != viewOperation {
		t.Errorf("a new filter shows view %d of %s", s.page.question.view, s.page.op)
	}
	answer(t, s, "I")
	press(s, "left", "esc")
	if s.tree.ops.filtered() || s.page.question.view != viewImpact {
		t.Errorf("the first esc on the operations shows view %d", s.page.question.view)
	}
	press(s, "esc")
	if s.page.question.view != viewOperation || s.page.focused {
		t.Errorf("the second esc on the operations shows view %d", s.page.question.view)
	}
}

// The key r sends the path under the cursor. If the cursor is on no path, r sends the first path.
func TestWay(t *testing.T) {
	s := opened(t)
	s.post = &screen.MessageQueue{}
	var drafted model.Template
	s.draftTemplate = func(t model.Template) (model.Test, error) {
		drafted = t
		return model.Test{Calls: []model.Call{{Op: t.Target()}}}, nil
	}
	s.visit("POST /orders")
	answer(t, s, "p")
	_, cmd := s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("r")})
	if cmd == nil {
		t.Fatal("r does nothing")
	}
	deliver(s, cmd)
	if len(drafted.Steps) != 3 || len(drafted.Links) != 2 || drafted.Steps[0].Op != "POST /products" {
		t.Errorf("r drafts %+v", drafted)
	}
	s.page.stops.Go(slices.IndexFunc(s.page.rows, func(r row) bool { return r.way == 2 }))
	if p, ok := s.page.way(); !ok || p.Seq[0] != "GET /products" {
		t.Errorf("the path under the cursor is %v", p.Seq)
	}
	s.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("I")})
	if _, ok := s.page.way(); ok {
		t.Error("there is a path to send although the impact is shown")
	}
}

// Only the newest answer is shown.
func TestOldAnswersAreDropped(t *testing.T) {
	q := question{view: viewPaths}
	s := opened(t)
	old := q.ask(s.analyzed, "POST /orders")
	q.ask(s.analyzed, "POST /products")
	q.answered(old().(found))
	if q.answer != nil {
		t.Error("an old answer is shown")
	}
	if q.ask(s.analyzed, "POST /products") != nil {
		t.Error("the same question is asked twice")
	}
}

// Enter on a step of a path unfolds the values that the step takes, and o goes to the operation of the step. Going
// back restores the row, the page and the filter.
func TestStepsUnfold(t *testing.T) {
	s := opened(t)
	press(s, "/")
	press(s, strings.Split("post orders", "")...)
	press(s, "enter")
	if s.page.op != "POST /orders" {
		t.Fatalf("the filter finds %s", s.page.op)
	}
	answer(t, s, "p")
	shows := func(want ...string) {
		t.Helper()
		for _, w := range want {
			if got := text(s); !strings.Contains(got, w) {
				t.Errorf("%q is missing in\n%s", w, got)
			}
		}
	}
	if r := s.page.current(); r == nil || r.way != 1 || !strings.Contains(r.line.Text(), "1. from nothing") {
		t.Fatalf("the cursor is on %+v", r)
	}
	press(s, "down")
	shows("▸ ▸ 1 POST /products")
	press(s, "enter")
	shows("▸ ▾ 1 POST /products", "you choose: string", "/ post orders")
	rows := len(s.page.rows)
	press(s, "down")
	if r := s.page.current(); r.line.Text() == "" || r.about == nil || r.way != 1 || s.page.onStep() {
		t.Errorf("down skips what the step takes: %+v", r)
	}
	press(s, "up", "o")
	if s.page.op != "POST /products" || s.page.question.view != viewOperation || !s.tree.ops.filtered() {
		t.Errorf("o shows view %d of %s", s.page.question.view, s.page.op)
	}
	press(s, "esc")
	shows("Paths to POST /orders", "▸ ▾ 1 POST /products", "/ post orders")
	if len(s.page.rows) != rows || !s.tree.ops.filtered() || !s.page.focused || len(s.history) > 0 {
		t.Errorf("esc goes back to %d rows of %d, history %v", len(s.page.rows), rows, s.history)
	}
	press(s, "esc")
	if s.page.question.view != viewOperation || !s.page.focused || s.page.op != "POST /orders" {
		t.Errorf("a second esc does not leave the paths: %s", s.page.op)
	}
	press(s, "esc")
	if s.page.focused || s.page.op != "POST /orders" {
		t.Errorf("a third esc does not go to the operations: %s", s.page.op)
	}
}

// All paths end with the same step, the operation itself. The values that the client chooses for this step are
// listed, with their descriptions, only in the first path.
func TestChosenValuesAreInTheFirstPath(t *testing.T) {
	s := opened(t)
	s.visit("POST /orders")
	answer(t, s, "p")
	var got []int
	for _, r := range s.page.rows {
		if strings.Contains(r.line.Text(), "delivery  ") && strings.Contains(r.line.Text(), "you choose: ") {
			got = append(got, r.way)
		}
	}
	if !slices.Equal(got, []int{1}) || strings.Contains(written(s.page.rows), "You choose") {
		t.Errorf("delivery is in the paths %v of\n%s", got, written(s.page.rows))
	}
	op := &model.Operation{Params: []model.Parameter{
		{Name: "path", In: model.InQuery, Description: "another one"},
		{Name: "path", In: model.InPath, Description: "The *path* of the file. " + strings.Repeat("long ", 60)},
	}}
	all := chosenValues(op, []match.ValueUse{{Value: model.Value{Name: "path", In: model.InPath, Type: "string"}}})
	if got := madeUp(all[0]); !strings.HasPrefix(got, "string: The path of the file.") || !strings.HasSuffix(got, "…") || len(got) > 200 {
		t.Errorf("got %q", got)
	}
}

// Groups with the same kind of element are merged into one group, which has the paths of all of these groups.
func TestImpactGroupsOfAKind(t *testing.T) {
	ops := func(n int) []depend.ImpactedOperation { return make([]depend.ImpactedOperation, n) }
	var got []string
	for _, g := range impactGroups(depend.ImpactLevel{Resources: []depend.ImpactResource{
		{Entity: "hook", Path: "/hooks/{id}", Operations: ops(3)},
		{Entity: "user", Path: "/collaborators/{username}", Operations: ops(2)},
		{Entity: "user", Path: "/assignees/{assignee}", Operations: ops(2)},
		{Path: "/{repo}", Operations: ops(9)},
	}}) {
		got = append(got, fmt.Sprintf("%s %d: %s", g.name, len(g.ops), g.about()))
	}
	want := []string{
		"user 4: /collaborators/{username}, /assignees/{assignee}", "hook 3: /hooks/{id}",
		"other parts of it 9: /{repo}: what has no id of its own there",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Moving down and up, the cursor reaches every row of the page of paths, except its headings.
func TestCursorReachesAllOfThePaths(t *testing.T) {
	s := opened(t)
	s.visit("POST /orders")
	answer(t, s, "p")
	reached := map[int]bool{}
	for _, k := range []string{"down", "up"} {
		for range s.page.rows {
			reached[s.page.stops.At] = true
			press(s, k)
		}
	}
	heads := []string{"", "You choose", "It can also refer to"}
	for i, r := range s.page.rows[1:] {
		if line := strings.TrimSpace(r.line.Text()); !reached[i+1] && !slices.Contains(heads, line) {
			t.Errorf("the cursor does not reach %q", line)
		}
	}
}

// The user goes from a row to an operation that the filter hides. The filter stays, and the list marks no operation.
// When the list gets the focus, the page shows the operation under the list's cursor again.
func TestFilterStaysForHiddenOperations(t *testing.T) {
	s := opened(t)
	press(s, "/", "d", "e", "l", "e", "t", "e", "enter")
	s.visit("DELETE /products/{productId}")
	answer(t, s, "I")
	press(s, "enter", "down", "enter")
	hidden := s.page.op
	if s.tree.find.Text() != "delete" || s.tree.has(hidden) || s.page.question.view != viewOperation {
		t.Fatalf("shows %s with the filter %q", hidden, s.tree.find.Text())
	}
	if got := text(s); strings.Contains(got, "›") {
		t.Errorf("the list marks an operation that is not on the page:\n%s", got)
	}
	press(s, "esc")
	if s.page.op != "DELETE /products/{productId}" || s.page.question.view != viewImpact || s.tree.find.Text() != "delete" {
		t.Errorf("esc shows %s with the filter %q", s.page.op, s.tree.find.Text())
	}
	press(s, "enter", "left")
	if s.page.focused || s.page.op != s.tree.node().op.ID || s.tree.find.Text() != "delete" {
		t.Errorf("the list is at %+v, the page at %s", s.tree.node(), s.page.op)
	}
}

// Enter on a row of an impact opens the page of an operation. Backspace returns to the row of the impact.
func TestBackToTheImpact(t *testing.T) {
	s := opened(t)
	s.visit("DELETE /products/{productId}")
	answer(t, s, "I")
	press(s, "enter", "down")
	r := s.page.current()
	if r.to == "" {
		t.Fatalf("the cursor is on %q", r.line.Text())
	}
	press(s, "enter")
	if s.page.op != r.to || s.page.question.view != viewOperation {
		t.Errorf("enter on %q shows %s", r.to, s.page.op)
	}
	press(s, "backspace")
	if s.page.op != "DELETE /products/{productId}" || s.page.question.answer == nil || s.page.current().to != r.to {
		t.Errorf("back is at %s, %q", s.page.op, s.page.current().line.Text())
	}
}

// When the page shows the impact of another operation, the cursor is on the first row of that impact.
func TestCursorOnTheImpactOfAnotherOperation(t *testing.T) {
	s := opened(t)
	s.visit("POST /orders")
	answer(t, s, "I")
	press(s, "I")
	s.visit("DELETE /products/{productId}")
	answer(t, s, "I")
	if r := s.page.current(); !r.stop() || !strings.Contains(r.line.Text(), "review") {
		t.Errorf("the cursor is on %q", r.line.Text())
	}
}

// Names of elements are complete if there is room. Operations of a group are shortened so that they stay
// distinct.
func TestRowsOfTheImpact(t *testing.T) {
	operation := func(path string) depend.ImpactedOperation {
		return depend.ImpactedOperation{Op: model.OpID("GET " + path)}
	}
	autoscaler := "/apis/autoscaling/%s/namespaces/{namespace}/horizontalpodautoscalers/{name}"
	v1, v2 := fmt.Sprintf(autoscaler, "v1"), fmt.Sprintf(autoscaler, "v2")
	ops := []depend.ImpactedOperation{operation(v1), operation(v2)}
	levels := []depend.ImpactLevel{
		{
			Below: "/namespaces/{name}",
			Resources: []depend.ImpactResource{
				{Entity: "horizontal-pod-autoscaler", Path: v1, Operations: ops}, {Entity: "pod", Path: "/pods"},
			},
		},
		{SharedField: "/metadata/namespace", Groups: []depend.ImpactGroup{{Path: "/nodes", Operations: ops}}},
	}
	q := question{answer: &found{impact: depend.Impact{Levels: levels}}}
	for width, want := range map[int][]string{
		40: {"horizontal-pod-autoscaler", "Probably not affected: 2 operations"},
		80: {
			"           2  ▾ horizontal-pod-autoscaler  …/horizontalpodautoscalers/{name}", "pod                        /pods",
			"○ GET …/v1/namespaces/{}/horizontalpodautoscalers/{}", "○ GET …/v2/namespaces/{}/horizontalpodautoscalers/{}",
			"could name it only in", "metadata.namespace, a field that most of what is deleted has, too",
		},
	} {
		b := &pageWriter{width: width, folds: map[string]bool{"level 0 horizontal-pod-autoscaler " + v1: true}}
		var lines []string
		impactPage("DELETE /namespaces/{name}", &q, b)
		for _, r := range b.rows {
			lines = append(lines, r.line.Text())
		}
		for _, w := range want {
			if all := strings.Join(lines, "\n"); !strings.Contains(all, w) {
				t.Errorf("%d columns: %q is missing in\n%s", width, w, all)
			}
		}
	}
}

// The sign of a fold is not next to the cursor mark.
func TestFoldOfProse(t *testing.T) {
	b := &pageWriter{width: 20, folds: map[string]bool{}}
	b.prose(strings.Repeat("word ", 40), 1, 3, theme.Plain, "about")
	if last := b.rows[len(b.rows)-1]; !strings.HasPrefix(last.line.Text(), "   ▸ ") || last.fold != "about" {
		t.Errorf("the fold is %q", last.line.Text())
	}
}
