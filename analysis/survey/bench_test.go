package survey_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"testing"

	"sonde/analysis/survey"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"
)

const specs = "../../../shared/specs/oas2"

// BenchmarkFolder surveys the 251 real specs. It measures the time for values, groups, three listings for each case,
// and tables. The time for loading the specs is not measured.
func BenchmarkFolder(b *testing.B) {
	var all []*model.Spec
	err := filepath.WalkDir(specs, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		spec, err := openapi.Load(context.Background(), path, openapi.Options{})
		all = append(all, spec)
		return err
	})
	if err != nil {
		b.Skip("the folder with real specs is not beside the repository")
	}
	for _, values := range []match.Reading{match.PaperReading, match.ShallowReading, match.DeepReading} {
		b.Run(string(values), func(b *testing.B) {
			for b.Loop() {
				var cases []survey.Case
				for _, spec := range all {
					o := survey.Options{Mode: match.Mode{Values: values, Match: match.MatchByName}}
					more, err := survey.ExamineSpec(context.Background(), spec.Source, spec, o)
					if err != nil {
						b.Fatal(err)
					}
					cases = append(cases, more...)
				}
				survey.Summarize(cases, survey.OmitCase)
			}
		})
	}
}
