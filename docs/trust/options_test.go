package main

import (
	"slices"
	"strings"
	"testing"
)

func TestParseDefaults(t *testing.T) {
	o, err := parse([]string{"list.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(o.modes, []string{withReset, withoutReset}) || !slices.Equal(o.files, []string{"list.yaml"}) {
		t.Errorf("ways %q, files %q", o.modes, o.files)
	}
	if !slices.Equal(slices.Sorted(slices.Values(o.formats)), formatNames()) {
		t.Errorf("formats %q, want all of %q", o.formats, formatNames())
	}
	if o.seeds != 1 || o.calls != 500 || o.plays != 3 || len(o.only) > 0 {
		t.Errorf("got %+v", o)
	}
}

func TestParseSelection(t *testing.T) {
	o, err := parse([]string{"-only", "a,b", "-reset", "with", "-formats", "hurl", "-seeds", "3", "-calls", "9", "x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(o.only, []string{"a", "b"}) || !slices.Equal(o.modes, []string{withReset}) ||
		!slices.Equal(o.formats, []string{"hurl"}) || o.seeds != 3 || o.calls != 9 || len(o.files) != 2 {
		t.Errorf("got %+v", o)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"no list":        {nil, "give a list of services"},
		"no seeds":       {[]string{"-seeds", "0", "x"}, "at least 1"},
		"no calls":       {[]string{"-calls", "0", "x"}, "at least 1"},
		"no plays":       {[]string{"-plays", "0", "x"}, "at least 1"},
		"unknown way":    {[]string{"-reset", "maybe", "x"}, `-reset "maybe"`},
		"unknown format": {[]string{"-formats", "k6", "x"}, `-formats "k6"`},
	} {
		if _, err := parse(tt.args); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", name, err, tt.want)
		}
	}
}
