package config_test

import (
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/config"
)

const corrected = `# mine
spec: api.yaml
values:   # what the document says wrongly
    # hooks
    - {value: hook.id, in: "/orgs/{org}/hooks", is: organization-hook.id}  # not those of repositories

    # roles
    - value: role.name   # a label
      field: "/a # b"
      kind: attribute
    - {value: x.id, kind: reference}
# the end
seed: 7 # lucky
`

func TestPutCorrection(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		put        model.ValueCorrection
		want       string
	}{
		{
			"in an empty file", "",
			model.ValueCorrection{Value: "a.b", Kind: model.KindCursor},
			"values:\n  - {value: a.b, kind: cursor}\n",
		},
		{
			"in a file without values", "seed: 7 # lucky",
			model.ValueCorrection{Value: "a.b", In: "/x/{y}", Field: "/b", Kind: model.KindReference, Is: "c.d"},
			"seed: 7 # lucky\nvalues:\n  - {value: a.b, in: \"/x/{y}\", field: /b, kind: reference, is: c.d}\n",
		},
		{
			"below an empty key", "values:\nseed: 7\n",
			model.ValueCorrection{Value: "a.b", Is: "true"},
			"values:\n  - {value: a.b, is: \"true\"}\nseed: 7\n",
		},
		{
			"at the end of the list", corrected,
			model.ValueCorrection{Value: "hook.id", Kind: model.KindAttribute},
			strings.Replace(corrected, "reference}\n", "reference}\n    - {value: hook.id, kind: attribute}\n", 1),
		},
		{
			"instead of one in a line", corrected,
			model.ValueCorrection{Value: "hook.id", In: "/orgs/{org}/hooks/", Kind: model.KindAttribute},
			strings.Replace(
				corrected, `{value: hook.id, in: "/orgs/{org}/hooks", is: organization-hook.id}`,
				`{value: hook.id, in: "/orgs/{org}/hooks/", kind: attribute}`, 1,
			),
		},
		{
			"instead of one in several lines", corrected,
			model.ValueCorrection{Value: "role.name", Field: "/a # b", Is: "role.id"},
			strings.Replace(
				corrected, "- value: role.name   # a label\n      field: \"/a # b\"\n      kind: attribute\n",
				"- {value: role.name, field: \"/a # b\", is: role.id}  # a label\n", 1,
			),
		},
		{
			"instead of one with two comments", "values:\n- value: a.b # one\n  kind: cursor # 'two\n",
			model.ValueCorrection{Value: "a.b", Kind: model.KindAttribute},
			"values:\n# one\n# 'two\n- {value: a.b, kind: attribute}\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := config.PutCorrection([]byte(tt.file), tt.put)
			if err != nil || string(got) != tt.want {
				t.Errorf("error %v, got\n%s\nwant\n%s", err, got, tt.want)
			}
		})
	}
}

func TestRemoveCorrection(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		remove     model.ValueCorrection
		want       string
	}{
		{
			"in a line", corrected,
			model.ValueCorrection{Value: "hook.id", In: "/orgs/{org}/hooks"},
			strings.Replace(
				corrected,
				"    - {value: hook.id, in: \"/orgs/{org}/hooks\", is: organization-hook.id}  # not those of repositories\n", "", 1,
			),
		},
		{
			"in several lines", corrected,
			model.ValueCorrection{Value: "role.name", Field: "/a # b"},
			strings.Replace(corrected, "    - value: role.name   # a label\n      field: \"/a # b\"\n      kind: attribute\n", "", 1),
		},
		{
			"the only one", "seed: 7\nvalues:\n  - {value: a.b, kind: cursor}\n# end\n",
			model.ValueCorrection{Value: "a.b"},
			"seed: 7\n# end\n",
		},
		{
			"the only one, below a comment", "values:\n  # mine\n  - {value: a.b, kind: cursor}\n",
			model.ValueCorrection{Value: "a.b"},
			"values:\n  # mine\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := config.RemoveCorrection([]byte(tt.file), tt.remove)
			if err != nil || string(got) != tt.want {
				t.Errorf("error %v, got\n%s\nwant\n%s", err, got, tt.want)
			}
		})
	}
}

// If the layout of a list does not allow a change of single lines, the text is not changed, and the error has one
// line.
func TestCorrectionsThatAreNotChanged(t *testing.T) {
	c := model.ValueCorrection{Value: "a.b", Kind: model.KindAttribute}
	for file, want := range map[string]string{
		"values: [{value: a.b, kind: cursor}]\n":                              "written in one line",
		"values:\n  value: a.b\n  kind: cursor\n":                             "by hand",
		"values:\n  - {value: c.d, kind: cursor}\n  - \n    value: a.b\n":     "line 4",
		"values:\n  -\n    value: a.b\n    kind: cursor\n":                    "by hand",
		"values:\n  [{value: a.b, kind: cursor},\n  {value: c.d, is: e.f}]\n": "by hand",
		"values: {value: a.b}\n":                                              "say what",
		"nothing: 1\n":                                                        "unknown key",
	} {
		_, put := config.PutCorrection([]byte(file), c)
		_, removed := config.RemoveCorrection([]byte(file), c)
		for _, err := range []error{put, removed} {
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: error %v, want %q", file, err, want)
			}
		}
	}
	if _, err := config.RemoveCorrection([]byte(corrected), c); err == nil || !strings.Contains(err.Error(), `no correction of "a.b"`) {
		t.Errorf("a correction that is not there: %v", err)
	}
}
