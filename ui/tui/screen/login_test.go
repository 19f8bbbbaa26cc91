package screen_test

import (
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

func TestCallersAreThoseThereAreNow(t *testing.T) {
	two, none := screen.LoginsChanged{Names: []string{"ann", "bob"}}, screen.LoginsChanged{}
	for _, tt := range []struct {
		of         screen.LoginsChanged
		user, want string
	}{{two, "", "ann"}, {two, "bob", "bob"}, {two, "joe", "ann"}, {none, "joe", ""}, {none, "", ""}} {
		if got := tt.of.Caller(tt.user); got != tt.want {
			t.Errorf("with %q: %q becomes %q, want %q", tt.of.Names, tt.user, got, tt.want)
		}
	}
	before := []model.Call{{User: "joe"}}
	if after := two.Callers(before); before[0].User != "joe" || after[0].User != "ann" {
		t.Errorf("calls of %q, and before of %q", after[0].User, before[0].User)
	}
}
