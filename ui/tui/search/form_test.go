package search

import (
	"reflect"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
)

func TestSettings(t *testing.T) {
	d := drive(t, demo)
	d.press(
		"down", "right", "L", "down", "right", "right", "left", "down", "right", "H", "down", "left", "down",
		"shift+right", "down", "left", "down", "L",
	)
	d.press("down", "right", "right", "left", "down", "right", "down", "L", "down", "left", "right")
	d.press("s")
	want := usecase.SearchSettings{
		Limits: model.Limits{Calls: 50100}, Seed: 2,
		Tuning:  model.Tuning{Smart: 0.64, Random: 0.45, Focus: 0.51, Population: 5, Mutations: 2},
		Workers: 2, Minimise: 0.15, Sampling: model.DefaultSampling(),
	}
	want.Sampling.Invalid, want.Sampling.Distilled = 0.11, 0.05
	if len(d.settings) != 1 || !reflect.DeepEqual(d.settings[0], want) {
		t.Errorf("started with %+v, want %+v", d.settings, want)
	}
}

func TestTypedSettings(t *testing.T) {
	for _, c := range []struct {
		down  int
		typed string
		want  string // a part of the error, "" for no error
	}{
		{0, "12,500", ""},
		{0, "0", "number of calls"},
		{0, "many", "number of calls"},
		{1, "18446744073709551615", ""},
		{1, "-1", "seed"},
		{2, "0.75", ""},
		{3, "1.01", "share"},
		{4, "NaN", "share"},
		{5, "80", ""},
		{5, "0", "whole number from 1 to 1000"},
		{6, "1000", ""},
		{6, "1001", "whole number from 1 to 1000"},
		{6, "2.5", "count"},
		{7, "8", ""},
		{7, "0", "whole number from 1"},
		{8, "0.5", ""},
		{8, "0", ""},
		{8, "0.6", "from 0 to 0.5"},
		{9, "1", ""},
		{10, "2", "from 0 to 1"},
	} {
		d := drive(t, demo)
		for range startRows + c.down {
			d.press("down")
		}
		d.press("enter")
		if !d.screen.Typing() {
			t.Fatal("⏎ opens no text field")
		}
		for range 20 {
			d.press("backspace")
		}
		for _, r := range c.typed {
			d.press(string(r))
		}
		d.press("enter")
		if c.want == "" {
			if d.screen.Typing() {
				t.Errorf("%q is refused: %v", c.typed, d.model().form.err)
			}
			d.sees(d.model().form.fields[c.down].show(d.model().form.settings))
		} else {
			d.sees(c.want)
			d.press("esc")
		}
		if d.screen.Typing() || d.model().form.err != nil {
			t.Errorf("%q: the text field stays open", c.typed)
		}
	}
}

// Key e on the row that starts the run types the number of calls, and the cursor returns to that row.
func TestCallsAreTypedOnStart(t *testing.T) {
	d := drive(t, demo).sees("▸ Start         sends up to 20,000 calls").press("e", "9", "0", "enter")
	d.sees("▸ Start         sends up to 90 calls").press("e", "x", "enter").sees("is not a number of calls").press("esc").sees("▸ Start")
	d.press("e", "esc", "down", "e", "7", "enter").sees("▸ calls")
	if d.press("home", "enter"); len(d.settings) != 1 || d.settings[0].Limits.Calls != 7 {
		t.Errorf("settings %+v", d.settings)
	}
}

// The form warns if no reset is configured.
func TestSetupSaysThatThereIsNoReset(t *testing.T) {
	host := demo
	host.NoReset = true
	if view := drive(t, host).screen.View(120, 33); !strings.Contains(view, "no reset is configured") {
		t.Errorf("the set-up does not say that there is no reset:\n%s", view)
	}
	if view := drive(t, demo).screen.View(120, 33); strings.Contains(view, "no reset") {
		t.Errorf("the set-up says that there is no reset where there is one:\n%s", view)
	}
}
