package model_test

import (
	"testing"

	"sonde/model"
)

func TestValueCorrectionIsAbout(t *testing.T) {
	for _, tt := range []struct {
		in, path string
		want     bool
	}{
		{"", "/orgs", true},
		{"/", "/orgs", true},
		{"/orgs", "/orgs", true},
		{"/orgs/", "/orgs/{org}", true},
		{"/orgs/{org}", "/orgs/{org}:rename", true},
		{"/org", "/orgs", false},
		{"/orgs/{org}", "/orgs", false},
	} {
		c := model.ValueCorrection{Value: "org.id", In: tt.in}
		if got := c.IsAbout(&model.Operation{Path: tt.path}); got != tt.want {
			t.Errorf("in %q, operation at %q: got %v", tt.in, tt.path, got)
		}
	}
}

func TestValueCorrectionHasScopeOf(t *testing.T) {
	c := model.ValueCorrection{Value: "org.id", In: "/orgs", Field: "id", Kind: model.KindAttribute}
	for _, tt := range []struct {
		other model.ValueCorrection
		want  bool
	}{
		{model.ValueCorrection{Value: "org.id", In: "/orgs/", Field: "id", Is: "org.name"}, true},
		{model.ValueCorrection{Value: "org.id", In: "/orgs/{org}", Field: "id"}, false},
		{model.ValueCorrection{Value: "org.id", In: "/orgs"}, false},
		{model.ValueCorrection{Value: "org.name", In: "/orgs", Field: "id"}, false},
	} {
		if got := c.HasScopeOf(tt.other); got != tt.want {
			t.Errorf("%+v: got %v", tt.other, got)
		}
	}
}
