package recording

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"sonde/runner/instrument/unitdata"
	"sonde/ui/app/usecase"
)

// Functions returns the functions under test of the recording in a folder, those with the most recorded invocations first.
func Functions(folder string) ([]usecase.RecordedFunction, error) {
	m, rec, err := unitdata.Open(folder)
	if err != nil {
		return nil, err
	}
	all := make([]usecase.RecordedFunction, len(m.Functions))
	sites := map[int]*usecase.RecordedSite{}
	for i, f := range m.Functions {
		all[i] = usecase.RecordedFunction{
			Package: f.Package, Name: f.Name, File: f.File, Line: f.Line, Obstacles: f.Obstacles,
			Sites: make([]usecase.RecordedSite, len(f.Sites)),
		}
		for j, s := range f.Sites {
			site := &all[i].Sites[j]
			site.Line, site.Target, site.Method = s.Line, s.Target, s.Method
			sites[s.ID] = site
		}
	}
	unusable := make([]map[string]int, len(all)) // key: reason
	for _, i := range rec.Invocations {
		all[i.Function].Invocations++
		if i.Why != "" {
			all[i.Function].Unusable++
			if unusable[i.Function] == nil {
				unusable[i.Function] = map[string]int{}
			}
			unusable[i.Function][i.Why]++
		}
		for _, c := range i.Calls {
			if c.Caller == i.Function {
				sites[c.Site].Calls++
			}
		}
	}
	for i := range all {
		all[i].Why = mostFrequent(unusable[i])
	}
	slices.SortStableFunc(all, func(a, b usecase.RecordedFunction) int { return cmp.Compare(b.Invocations, a.Invocations) })
	return all, nil
}

// mostFrequent returns the key with the largest number, the first in the alphabet of several, and "" if there is none.
func mostFrequent(counts map[string]int) (most string) {
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		if counts[key] > counts[most] {
			most = key
		}
	}
	return most
}

// removeUnits removes the invocations of an earlier recording from a folder.
func removeUnits(folder string) error {
	var all error
	for _, name := range []string{unitdata.InvocationsFile, unitdata.ManifestFile} {
		if err := os.Remove(filepath.Join(folder, name)); !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, err)
		}
	}
	return all
}
