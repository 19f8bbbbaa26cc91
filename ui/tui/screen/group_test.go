package screen_test

import (
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

func TestGroupName(t *testing.T) {
	g := model.ValueGroup{Operations: []model.OpID{
		"POST /carts", "GET /carts/{id}", "POST /carts/{id}/items", "GET /a", "GET /b", "GET /c",
	}}
	if got, want := screen.GroupName(g), "carts · items · a · b · …"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
