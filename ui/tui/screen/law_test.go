package screen_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/match"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

// Messages leave a queue in the order in which they were sent, for any order of calls.
func TestMessageQueueIsFIFO(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := new(screen.MessageQueue)
		var sent, received []tea.Msg
		for i := range rapid.IntRange(1, 60).Draw(t, "calls") {
			if rapid.Bool().Draw(t, "send") {
				sent = append(sent, i)
				q.Send(i)
				continue
			}
			msg, ok := q.Next()
			if ok != (len(received) < len(sent)) {
				t.Fatalf("Next reports %t with %d of %d messages received", ok, len(received), len(sent))
			}
			if ok {
				received = append(received, msg)
			}
		}
		received = append(received, drain(q)...)
		if !slices.Equal(sent, received) {
			t.Fatalf("sent %v, received %v", sent, received)
		}
	})
}

// Every caller is one of the users, or anonymous if there are no users. A user who was not removed remains
// the caller.
func TestCallersAreUsers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"ann", "bob", "joe"})
		changed := screen.UsersChanged{Names: rapid.SliceOfDistinct(name, rapid.ID[string]).Draw(t, "users")}
		user := rapid.SampledFrom([]string{"", "ann", "bob", "joe"}).Draw(t, "caller")
		got := changed.CallerFor(user)
		switch {
		case len(changed.Names) == 0 && got != "":
			t.Fatalf("%q calls, but there are no users", got)
		case len(changed.Names) > 0 && !slices.Contains(changed.Names, got):
			t.Fatalf("%q calls, but the users are %v", got, changed.Names)
		case slices.Contains(changed.Names, user) && got != user:
			t.Fatalf("%q lost its call to %q", user, got)
		case changed.CallerFor(got) != got:
			t.Fatalf("%q becomes %q the second time", got, changed.CallerFor(got))
		}
	})
}

// The name of a group has at most four resources.
func TestGroupNameIsShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g model.ValueGroup
		for i := range rapid.IntRange(0, 12).Draw(t, "operations") {
			g.Operations = append(g.Operations, model.OpID(fmt.Sprintf("GET /thing%d", i)))
		}
		if got := strings.Count(screen.GroupName(g), " · "); got > 4 {
			t.Fatalf("%d operations give %q", len(g.Operations), screen.GroupName(g))
		}
	})
}

// A spec without operations is analyzed, too.
func TestAnalyzeEmptySpec(t *testing.T) {
	s, err := screen.AnalyzeSpec(context.Background(), &model.Spec{}, match.DefaultMode)
	if err != nil || len(s.Groups) != 0 || len(s.Seqs) != 0 || len(s.IDs()) != 0 {
		t.Errorf("got %d groups, %d seqs, error %v", len(s.Groups), len(s.Seqs), err)
	}
}
