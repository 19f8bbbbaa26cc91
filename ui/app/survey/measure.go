package survey

import (
	"context"
	"errors"

	"sonde/analysis/survey"
	"sonde/model/openapi"
	"sonde/ui/report"
)

// ErrInterrupted is the error for a survey whose context has ended.
var ErrInterrupted = errors.New("interrupted: nothing was written")

// finding is the result for one file. It does not keep the spec in memory.
type finding struct {
	file    int
	cases   []survey.Case
	passed  bool   // the file is not a spec
	problem string // why the spec cannot be read, "" if it can
}

// Measure surveys the specs in files, examining that many files (jobs) at a time. When ctx ends, Measure returns
// immediately, even while a file is being read.
func Measure(ctx context.Context, files []SpecFile, o survey.Options, jobs int, m *ProgressMeter) (report.Report, error) {
	done := start(ctx, files, o, jobs)
	defer m.clear()
	findings := make([]finding, len(files))
	for n := range files {
		m.show(n, len(files))
		select {
		case <-ctx.Done():
		case f := <-done:
			findings[f.file] = f
		}
		if ctx.Err() != nil { // if ctx has ended, this may be why a file failed
			return report.Report{}, ErrInterrupted
		}
	}
	return collect(files, findings, o), nil
}

// start examines the files in the background. The channel has a buffer for all results, so that the
// goroutines end even if the results are not read.
func start(ctx context.Context, files []SpecFile, o survey.Options, jobs int) <-chan finding {
	next, done := make(chan int, len(files)), make(chan finding, len(files))
	for i := range files {
		next <- i
	}
	close(next)
	for range min(jobs, len(files)) {
		go func() {
			for i := range next {
				if ctx.Err() != nil {
					return
				}
				f := examine(ctx, files[i], o)
				f.file = i
				done <- f
			}
		}()
	}
	return done
}

func examine(ctx context.Context, f SpecFile, o survey.Options) finding {
	if f.err != nil {
		return finding{problem: f.err.Error()}
	}
	spec, err := openapi.Load(ctx, f.path, openapi.Options{})
	if errors.Is(err, openapi.ErrNotSpec) && !f.named && !LooksLikeSpec(f.path) {
		return finding{passed: true}
	}
	var cases []survey.Case
	if err == nil {
		cases, err = survey.ExamineSpec(ctx, f.Name, spec, o)
	}
	if err != nil {
		return finding{problem: err.Error()}
	}
	return finding{cases: cases}
}

// collect makes a report from the findings.
func collect(files []SpecFile, findings []finding, o survey.Options) report.Report {
	r := report.Report{Options: o}
	var cases []survey.Case
	for i, f := range findings {
		switch {
		case f.passed:
			r.SkippedFiles++
		case f.problem != "":
			r.Problems = append(r.Problems, report.Problem{Service: files[i].Name, Text: f.problem})
		default:
			r.Specs++
			cases = append(cases, f.cases...)
		}
	}
	r.Survey = survey.Summarize(cases, o.Omission)
	return r
}
