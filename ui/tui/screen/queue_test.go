package screen_test

import (
	"errors"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"
)

// drain removes and returns all messages of a queue.
func drain(q *screen.MessageQueue) (all []tea.Msg) {
	for msg, ok := q.Next(); ok; msg, ok = q.Next() {
		all = append(all, msg)
	}
	return all
}

func TestMessageQueue(t *testing.T) {
	test := model.Test{ID: "t1"}
	seq := model.Seq{"POST /carts", "GET /carts/{id}"}
	tests := []struct {
		name string
		send func(q *screen.MessageQueue) tea.Cmd
		want []tea.Msg
	}{
		{
			"in order",
			func(q *screen.MessageQueue) tea.Cmd { return tea.Batch(q.Send(1), q.Send(2)) },
			[]tea.Msg{1, 2},
		},
		{
			"a screen",
			func(q *screen.MessageQueue) tea.Cmd { return q.ShowScreen(screen.TabGraph, "GET /a") },
			[]tea.Msg{screen.ShowScreen{Tab: screen.TabGraph, Op: "GET /a"}},
		},
		{
			"the last call of a seq",
			func(q *screen.MessageQueue) tea.Cmd { return q.ComposeLastCall(seq, &test) },
			[]tea.Msg{
				screen.ComposeRequest{Op: seq[1], Test: &test},
				screen.ShowScreen{Tab: screen.TabExplore, Op: seq[1]},
			},
		},
		{
			"the seqs of an operation",
			func(q *screen.MessageQueue) tea.Cmd { return q.ShowSeqsOf(seq[0]) },
			[]tea.Msg{
				screen.ScopeSeqs{Name: "POST /carts", Operations: []model.OpID{"POST /carts"}},
				screen.ShowScreen{Tab: screen.TabSeqs},
			},
		},
		{
			"a test call by call",
			func(q *screen.MessageQueue) tea.Cmd { return q.StepThrough(test) },
			[]tea.Msg{screen.StepThroughTest{Test: test}, screen.ShowScreen{Tab: screen.TabSeqs}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := new(screen.MessageQueue)
			if cmd := tt.send(q); cmd != nil {
				t.Error("a queue returned a command, too")
			}
			if diff := cmp.Diff(tt.want, drain(q)); diff != "" {
				t.Error(diff)
			}
			if _, ok := q.Next(); ok {
				t.Error("the queue is not empty")
			}
		})
	}
}

// Without a queue, messages are sent by a command.
func TestNilQueue(t *testing.T) {
	var q *screen.MessageQueue
	if got := q.Send("hello")(); got != "hello" {
		t.Errorf("got %v", got)
	}
	all, ok := q.StepThrough(model.Test{ID: "t1"})().(tea.BatchMsg)
	if !ok || len(all) != 2 {
		t.Fatalf("got %v, want two commands", all)
	}
	if msg, ok := all[0]().(screen.StepThroughTest); !ok || msg.Test.ID != "t1" {
		t.Errorf("got %v first", msg)
	}
}

func TestStatusCommands(t *testing.T) {
	if got := screen.ShowStatus("written")(); got != (screen.StatusMessage{Text: "written"}) {
		t.Errorf("got %v", got)
	}
	err := errors.New("disk full")
	if got := screen.ShowError(err)(); got != (screen.StatusMessage{Err: err}) {
		t.Errorf("got %v", got)
	}
}

func TestAnalyzedSpecIDs(t *testing.T) {
	s := screen.AnalyzedSpec{Spec: &model.Spec{Operations: []*model.Operation{{ID: "GET /b"}, {ID: "GET /a"}}}}
	if diff := cmp.Diff([]string{"GET /b", "GET /a"}, s.IDs()); diff != "" {
		t.Error(diff)
	}
}

func TestGroupNames(t *testing.T) {
	tests := []struct {
		name string
		ops  []model.OpID
		want string
	}{
		{"none", nil, "/"},
		{"the root", []model.OpID{"GET /"}, "/"},
		{"one resource twice", []model.OpID{"GET /pets", "GET /pets/{id}"}, "pets"},
		{"two resources", []model.OpID{"GET /pets", "GET /owners/{id}"}, "pets · owners"},
	}
	for _, tt := range tests {
		if got := screen.GroupName(model.ValueGroup{Operations: tt.ops}); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
