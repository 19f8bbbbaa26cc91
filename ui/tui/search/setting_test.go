package search

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/tui/screen"
)

// setting returns the setting with a name of the run that the driver's screen shows.
func (d *driver) setting(name string) screen.Setting {
	d.t.Helper()
	m := d.model()
	all := m.Kept().Settings()
	i := slices.IndexFunc(all, func(s screen.Setting) bool { return s.ID == m.run.settingID(name) })
	if i < 0 {
		d.t.Fatalf("no setting %q in %v", name, all)
	}
	return all[i]
}

// An earlier value of a knob is restored by a command, even if the later value has not taken effect yet.
func TestRestoreKnob(t *testing.T) {
	d := drive(t, demo).press("enter").show(running())
	before := d.setting(string(model.KnobSmart))
	d.press("right").requested("smart 0.65")
	after := d.setting(string(model.KnobSmart))
	if before.Text != "tuning P .60" || after.Text != "tuning P .65" {
		t.Errorf("the settings are %q and %q", before.Text, after.Text)
	}
	d.send(screen.RestoreSetting{Setting: before}).requested("smart 0.65", "smart 0.60")
	d.send(screen.RestoreSetting{Setting: after}).requested("smart 0.65", "smart 0.60", "smart 0.65")
}

// Earlier weights are restored by commands: all operations get the default, and then the muted and boosted ones get
// theirs.
func TestRestoreWeights(t *testing.T) {
	d := drive(t, demo).press("enter").show(running()).press("v", "down")
	none := d.setting(weightsName)
	d.press("m")
	muted := d.setting(weightsName)
	if none.Text != "no muted or boosted operations" || muted.Text != "weights of 1 operation" {
		t.Errorf("the settings are %q and %q", none.Text, muted.Text)
	}
	d.run.requests = nil
	d.send(screen.RestoreSetting{Setting: none}).requested("plain all 0")
	if got := d.setting(weightsName); got.Value != none.Value {
		t.Errorf("the weights are %s", got.Value)
	}
	d.send(screen.RestoreSetting{Setting: muted}).requested("plain all 0", "plain all 0", "mute 1 operation 1")
	if got := d.setting(weightsName); got.Value != muted.Value {
		t.Errorf("the weights are %s, want %s", got.Value, muted.Value)
	}
}

// An earlier filter of the events is restored.
func TestRestoreEventFilter(t *testing.T) {
	d := drive(t, demo).press("enter").show(steered()).press("E", "/")
	before := d.screen.(screen.Keeper).Kept().Settings()[0]
	d.press("f", "a", "u", "l", "t", "enter").sees("/ fault")
	if got := d.screen.(screen.Keeper).Kept().Settings()[0]; got.Text != "filter fault" || before.Text != "no filter" {
		t.Errorf("the settings are %q and %q", before.Text, got.Text)
	}
	d.send(screen.RestoreSetting{Setting: before})
	if strings.Contains(d.screen.View(120, 33), "/ fault") {
		t.Error("the filter was not restored")
	}
}

// A setting of an ended run, or of another one, has no effect.
func TestRestoreInAnotherRun(t *testing.T) {
	d := drive(t, demo)
	if all := d.screen.(screen.Keeper).Kept().Settings(); len(all) != 1 || all[0].ID != screen.FilterID {
		t.Errorf("settings without a run: %v", all)
	}
	d.press("enter").show(running())
	old := d.setting(string(model.KnobSmart))
	d.show(done()).send(screen.RestoreSetting{Setting: old}).requested()
	d.run = &fakeRun{folder: "runs/shop-8", snap: running()}
	d.press("n", "enter").show(running()).send(screen.RestoreSetting{Setting: old}).requested()
}
