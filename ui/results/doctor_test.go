package results

import (
	"bytes"
	"testing"

	"sonde/ui/app/doctor"
	"sonde/ui/theme"

	"github.com/google/go-cmp/cmp"
)

func TestPrintDoctor(t *testing.T) {
	works := doctor.Check{Section: doctor.Machine, Name: "go", Status: doctor.OK, Found: "go1.26.0", Purpose: "builds"}
	missing := doctor.Check{
		Section: doctor.Languages, Name: "node", Status: doctor.Limited, Found: "there is no\x1b[31m node", Purpose: "tests",
		Advice: "install\nit",
	}
	broken := doctor.Check{
		Section: doctor.Project, Name: "spec", Status: doctor.Failed, Found: "no file", Purpose: "the operations",
		Advice: "name it", Needed: true,
	}
	unneeded := broken
	unneeded.Needed = false
	for name, c := range map[string]struct {
		report doctor.Report
		ascii  bool
		want   string
	}{
		"no configuration": {
			report: doctor.Report{Passed: true, Checks: []doctor.Check{works}},
			want:   "machine\n  ✓ go  builds  go1.26.0\n\nThere is no sonde.yaml in this folder: sonde init SPEC drafts one.\n",
		},
		"nothing needed fails": {
			report: doctor.Report{Passed: true, Config: "sonde.yaml", Checks: []doctor.Check{unneeded}},
			want: "sonde.yaml\n  ✗ spec  the operations  no file\n          → name it\n\n" +
				"✓ Nothing fails that sonde.yaml needs.\n",
		},
		"a failure, in ASCII": {
			report: doctor.Report{Config: "sonde.yaml", Checks: []doctor.Check{works, missing, broken}},
			ascii:  true,
			want: "machine\n  + go    builds          go1.26.0\n" +
				"languages\n  ! node  tests           there is no node\n          > install it\n" +
				"sonde.yaml\n  x spec  the operations  no file\n          > name it\n\n" +
				"x sonde.yaml needs what fails: spec (1 check).\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			theme.UseASCII(c.ascii)
			defer theme.UseASCII(false)
			var b bytes.Buffer
			if err := PrintDoctor(&b, c.report); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, b.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
