package model_test

import (
	"reflect"
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

// Each field of Sizes is in SizeFields, and its default is allowed.
func TestSizeFields(t *testing.T) {
	var s model.Sizes
	for i, f := range model.SizeFields {
		*f.Value(&s) = i + 1
	}
	fields := reflect.ValueOf(s)
	if fields.NumField() != len(model.SizeFields) {
		t.Errorf("%d fields are listed of %d", len(model.SizeFields), fields.NumField())
	}
	for i := range fields.NumField() {
		if fields.Field(i).Int() == 0 {
			t.Errorf("%s is not listed", fields.Type().Field(i).Name)
		}
	}
	for _, sizes := range []model.Sizes{{}, model.DefaultSizes()} {
		if err := sizes.Check(); err != nil {
			t.Errorf("%+v: %v", sizes, err)
		}
	}
	if err := (model.Sizes{Calls: 10}).Check(); err == nil {
		t.Error("sizes of 0 are allowed")
	}
}

// The number of creations changes the steps before a target, and not how often the target is called.
func TestSizesOfTemplates(t *testing.T) {
	template := func(creations int) []model.Template {
		return []model.Template{{Steps: []model.TemplateStep{
			{Op: "POST /a", Min: 1, Max: 1}, {Op: "POST /a/b", Min: 1, Max: creations}, {Op: "PATCH /a/b", Min: 1, Max: 2},
		}}}
	}
	for _, creations := range []int{1, 3, 7} {
		all, sizes := template(model.DefaultCreations), model.DefaultSizes()
		sizes.Creations = creations
		if d := cmp.Diff(template(creations), sizes.Templates(all)); d != "" {
			t.Errorf("%d creations:\n%s", creations, d)
		}
		if d := cmp.Diff(template(model.DefaultCreations), all); d != "" {
			t.Errorf("%d creations changed the given templates:\n%s", creations, d)
		}
	}
}
