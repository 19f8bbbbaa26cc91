package recording_test

import (
	"os"
	"path/filepath"
	"testing"

	"sonde/ui/app/recording"
	"sonde/ui/app/usecase"

	"github.com/google/go-cmp/cmp"
)

const unitsManifest = `{"build":"7","module":"shop","functions":[
{"id":0,"package":"shop/a","name":"Idle","file":"/src/a/idle.go","line":3,"sites":[],"obstacles":["c is a channel"]},
{"id":1,"package":"shop/a","name":"(*Till).Pay","file":"/src/a/till.go","line":9,"receiver":{"type":"*shop/a.Till"},"sites":[
 {"id":0,"line":10,"target":"t.bank","method":"Charge","type":"shop/a.Bank"},{"id":1,"line":12,"target":"t.now","type":"func()"}]},
{"id":2,"package":"shop/a","name":"Check","file":"/src/a/check.go","line":4,"sites":[
 {"id":2,"line":5,"target":"b","method":"Open","type":"shop/a.Bank"}]}]}`

// The last line is what a killed process leaves. The call at site 2 was made by Check, within an invocation of Pay.
const unitsLines = `
{"build":"7","process":4}
{"f":1,"n":1,"before":{"recv":{}},"after":{},"calls":[{"s":0,"i":1,"c":1},{"s":2,"i":1,"c":2},{"s":0,"i":1,"c":1}]}
{"f":1,"n":2,"before":{"recv":{}},"after":{},"why":"a mutex is locked"}
{"f":2,"n":3,"before":{},"after":{},"calls":[{"s":2,"i":1,"c":2}]}
{"f":1,"n":4,"bef`

func TestFunctions(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "units.json", unitsManifest)
	write(t, dir, "units.ndjson", unitsLines)
	got, err := recording.Functions(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []usecase.RecordedFunction{
		{
			Package: "shop/a", Name: "(*Till).Pay", File: "/src/a/till.go", Line: 9,
			Invocations: 2, Unusable: 1, Why: "a mutex is locked",
			Sites: []usecase.RecordedSite{{Line: 10, Target: "t.bank", Method: "Charge", Calls: 2}, {Line: 12, Target: "t.now"}},
		},
		{
			Package: "shop/a", Name: "Check", File: "/src/a/check.go", Line: 4, Invocations: 1,
			Sites: []usecase.RecordedSite{{Line: 5, Target: "b", Method: "Open", Calls: 1}},
		},
		{
			Package: "shop/a", Name: "Idle", File: "/src/a/idle.go", Line: 3,
			Obstacles: []string{"c is a channel"}, Sites: []usecase.RecordedSite{},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFunctionsAreNotRecorded(t *testing.T) {
	if _, err := recording.Functions(t.TempDir()); !contains(err, "record it with sonde record --units") {
		t.Errorf("no units: %v", err)
	}
	dir := t.TempDir()
	write(t, dir, "units.json", unitsManifest)
	write(t, dir, "units.ndjson", `{"build":"8","process":4}`)
	if _, err := recording.Functions(dir); !contains(err, "recorded with another build") {
		t.Errorf("another build: %v", err)
	}
}

// A recording without functions does not keep those of the recording that it replaces.
func TestUnitsOfAnEarlierRecordingAreRemoved(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "units.json", unitsManifest)
	write(t, dir, "units.ndjson", unitsLines)
	o := recording.Options{Folder: dir}
	if _, err := o.StartService(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "units.*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
