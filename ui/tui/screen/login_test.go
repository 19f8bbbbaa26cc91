package screen_test

import (
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

func TestCallersAreThoseThereAreNow(t *testing.T) {
	two, none := screen.UsersChanged{Names: []string{"ann", "bob"}}, screen.UsersChanged{}
	for _, tt := range []struct {
		of         screen.UsersChanged
		user, want string
	}{{two, "", "ann"}, {two, "bob", "bob"}, {two, "joe", "ann"}, {none, "joe", ""}, {none, "", ""}} {
		if got := tt.of.CallerFor(tt.user); got != tt.want {
			t.Errorf("with %q: %q becomes %q, want %q", tt.of.Names, tt.user, got, tt.want)
		}
	}
	before := []model.Call{{User: "joe"}}
	if after := two.ReplaceCallers(before); before[0].User != "joe" || after[0].User != "ann" {
		t.Errorf("calls of %q, and before of %q", after[0].User, before[0].User)
	}
}
