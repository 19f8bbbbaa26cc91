package codec_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/model/codec"

	"pgregory.net/rapid"
)

// targetSet returns the set of some targets.
func targetSet(targets ...int) model.TargetSet {
	set := model.TargetSet{}
	for _, t := range targets {
		set.Add(t)
	}
	return set
}

// ran returns a request during which the service covered the given targets.
func ran(id string, covered model.TargetSet) model.ServedRequest {
	return model.ServedRequest{
		ID: id, Covered: covered,
		Exchange: model.Exchange{At: startTime, Request: model.Request{Method: "GET", URL: "/"}, Reply: model.Reply{Status: 200}},
	}
}

// The code that each request ran is read back as it was written. Equal sets are written once.
func TestRecordedCode(t *testing.T) {
	targets := rapid.SliceOfN(rapid.IntRange(0, 199), 0, 60)
	dir := t.TempDir()
	r := record(t, dir)
	statements := make([]int, 200)
	for i := range statements {
		statements[i] = i * i % 300
	}
	if err := r.WriteCode(statements); err != nil {
		t.Fatal(err)
	}
	var want []model.TargetSet
	rapid.Check(t, func(t *rapid.T) {
		set := targetSet(targets.Draw(t, "targets")...)
		want = append(want, set)
		if err := r.WriteServed(ran(fmt.Sprint(len(want)), set)); err != nil {
			t.Fatal(err)
		}
	})
	for _, s := range []model.ServedRequest{ran("again", want[0]), ran("unknown", nil)} {
		s.CoveredByOthers = s.ID == "again"
		if err := r.WriteServed(s); err != nil {
			t.Fatal(err)
		}
	}
	want = append(want, want[0], nil)
	got, err := codec.OpenRecording(dir) // the writer is not closed, as in a process that was killed
	if err != nil || len(got.Warnings) > 0 || !slices.Equal(got.CodeStatements, statements) {
		t.Fatalf("warnings %q, error %v, statements %v", got.Warnings, err, got.CodeStatements)
	}
	for i, s := range got.Served {
		if !slices.Equal(s.Covered, want[i]) || (s.Covered == nil) != (want[i] == nil) || s.CoveredByOthers != (s.ID == "again") {
			t.Errorf("request %s: got %v, want %v; by others: %t", s.ID, s.Covered, want[i], s.CoveredByOthers)
		}
	}
	different := map[string]bool{}
	for _, set := range want[:len(want)-1] {
		different[fmt.Sprint(set)] = true
	}
	data, err := os.ReadFile(filepath.Join(dir, codec.ExchangesFile))
	if n := bytes.Count(data, []byte(`{"covered":{`)); err != nil || n != len(different) {
		t.Errorf("%d sets are written, want %d; %v", n, len(different), err)
	}
}

// A line about code that Sonde could not have written is left out with a warning. The requests are still read.
func TestRecordedCodeSpoilt(t *testing.T) {
	const code, request = `{"code":{"statements":"AQIA"}}`, `{"served":{"id":"a","covered":1,"request":{"method":"GET","url":"/"}}}`
	for _, c := range []struct {
		name, lines string
		warnings    int
		want        model.TargetSet
	}{
		{"good", code + "\n" + `{"covered":{"set":1,"targets":"AAEBAQ=="}}`, 0, targetSet(0, 2)},
		{"set of no target", code + "\n" + `{"covered":{"set":1,"targets":""}}`, 0, model.TargetSet{}},
		{"old recording", `{"ready":"2026-11-30T11:00:00Z"}`, 0, nil},
		{"no code", `{"covered":{"set":1,"targets":"AAE="}}`, 1, nil},
		{"set that is gone", code, 0, nil},
		{"code twice", code + "\n" + code, 1, nil},
		{"number cut off", `{"code":{"statements":"gA=="}}`, 1, nil},
		{"target too high", code + "\n" + `{"covered":{"set":1,"targets":"AwE="}}`, 1, nil},
		{"run too long", code + "\n" + `{"covered":{"set":1,"targets":"AAQ="}}`, 1, nil},
		{"run of none", code + "\n" + `{"covered":{"set":1,"targets":"AAA="}}`, 1, nil},
		{"huge gap", code + "\n" + `{"covered":{"set":1,"targets":"////////////AQE="}}`, 1, nil},
		{"run cut off", code + "\n" + `{"covered":{"set":1,"targets":"AA=="}}`, 1, nil},
		{"no base64", code + "\n" + `{"covered":{"set":1,"targets":"!"}}`, 1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			record(t, dir).Close()
			if err := os.WriteFile(filepath.Join(dir, codec.ExchangesFile), []byte(c.lines+"\n"+request+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := codec.OpenRecording(dir)
			if err != nil || len(got.Served) != 1 || len(got.Warnings) != c.warnings {
				t.Fatalf("%d served, warnings %q, %v", len(got.Served), got.Warnings, err)
			}
			if set := got.Served[0].Covered; !slices.Equal(set, c.want) || (set == nil) != (c.want == nil) {
				t.Errorf("got %v, want %v", set, c.want)
			}
		})
	}
}

// The service covers a new set of targets in each request. When the sets reach their maximum total length, further
// requests are written without a set, and the recording gets a single warning.
func TestRecordedCodeIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 40 MB")
	}
	dir := t.TempDir()
	r := record(t, dir)
	const targets = 1 << 20
	if err := r.WriteCode(make([]int, targets)); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteCode(make([]int, targets+1)); err == nil || !strings.Contains(err.Error(), "1048577 statements and branches") {
		t.Errorf("error %v", err)
	}
	known := 0
	for i := range 45 {
		var set model.TargetSet
		for n := 0; n < targets; n += 2 {
			set.Add(n)
		}
		set.Add(2*i + 1)
		if err := r.WriteServed(ran(fmt.Sprint(i), set)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := codec.OpenRecording(dir)
	if err != nil || len(got.Served) != 45 || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "chosen by shape and trait") {
		t.Fatalf("%d served, warnings %q, %v", len(got.Served), got.Warnings, err)
	}
	for _, s := range got.Served {
		if s.Covered != nil {
			known++
		}
	}
	if info, err := os.Stat(filepath.Join(dir, codec.ExchangesFile)); err != nil || info.Size() > 60<<20 || known < 20 || known == 45 {
		t.Errorf("%d bytes, %d sets are known; %v", info.Size(), known, err)
	}
}
