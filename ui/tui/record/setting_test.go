package record

import (
	"testing"

	"sonde/ui/tui/screen"

	"github.com/google/go-cmp/cmp"
)

// Earlier picks and an earlier filter are restored. The picks of another recording are not.
func TestRestoreSettings(t *testing.T) {
	d := toPayment(t)
	none := d.screen.Kept().Settings()
	d.press("A")
	all := d.screen.Kept().Settings()
	restore := func(to screen.Setting, want []screen.Setting) {
		t.Helper()
		d.send(screen.RestoreSetting{Setting: to})
		if diff := cmp.Diff(want, d.screen.Kept().Settings()); diff != "" {
			t.Error(diff)
		}
	}
	restore(none[1], none)
	restore(all[1], all)
	filtered := screen.FilterSetting("status:404")
	restore(filtered, []screen.Setting{filtered, all[1]})
	restore(screen.FilterSetting(""), all)
	other := none[1]
	other.ID = "picks of another folder"
	restore(other, all)
}
