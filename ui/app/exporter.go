package app

import (
	"slices"

	"sonde/export"
	"sonde/export/format"
	"sonde/model"
	"sonde/ui/app/service"
	"sonde/ui/app/suite"
	"sonde/ui/app/usecase"
)

// exporter writes tests into files. The provenance of the tests determines how they find their
// service.
type exporter struct {
	session   *session
	search    *searcher
	manual    *manualCaller
	generator *testGenerator
}

// formats returns the formats of test files, for a screen.
func formats() []usecase.TestFormat {
	var all []usecase.TestFormat
	for _, f := range format.Formats {
		all = append(all, usecase.TestFormat{
			Name:    f.Name,
			File:    f.TestsFile,
			Text:    f.Description,
			Run:     f.RunCommand,
			Helpers: f.HelpersFile,
		})
	}
	return all
}

// preview returns the text of the test file.
func (e *exporter) preview(name, faultMode string, tests []model.Test) (string, error) {
	f, err := format.Named(name)
	if err != nil {
		return "", err
	}
	made, err := f.Generate(suite.RelocatePaths(e.suite(name, faultMode, tests), suite.DefaultFolder))
	return string(made.Text), err
}

// write writes the test file into a folder and returns its path.
func (e *exporter) write(name, faultMode, dir string, tests []model.Test, force bool) (string, error) {
	f, err := format.Named(name)
	if err != nil {
		return "", err
	}
	path, _, err := f.Write(dir, suite.RelocatePaths(e.suite(name, faultMode, tests), dir), force)
	return path, err
}

// fault returns the description of a fault, and the curl script that repeats it, if there is one.
func (e *exporter) fault(f model.Fault) usecase.FaultReport {
	from, ok := e.run(f.Run)
	if !ok {
		from.suite = e.session.suite(e.serviceFor(nil))
	}
	curl, err := format.CurlScript(from.suite, f)
	if err != nil {
		curl = "" // the text lists the calls
	}
	r := export.Report{BaseURL: from.suite.BaseURL, Reproduce: func(model.Fault) string { return curl }}
	return usecase.FaultReport{Text: export.FaultDescription(f, r), Curl: curl}
}

// suite returns the suite to write for tests: of their run, else of their recording, else of the
// current service.
func (e *exporter) suite(name, faultMode string, tests []model.Test) export.Suite {
	if from, ok := e.run(runOf(tests)); ok {
		from.suite.Tests = tests
		if from.keeps(tests) {
			from.suite.Command = exportCommand(runOf(tests), name, faultMode, tests)
		}
		return suite.WithFaults(from.suite, from.faults, faultMode, true)
	}
	made, ok := e.generator.suiteOf(recordingOf(tests), tests)
	if !ok {
		made = e.session.suite(e.serviceFor(tests))
		made.Tests = tests
	}
	shown, _ := e.run(e.search.shownFolder())
	return suite.WithFaults(made, shown.faults, faultMode, true)
}

// run returns the run in a folder as the source of an export. The bool is false for "", and for a
// folder that cannot be read.
func (e *exporter) run(folder string) (source, bool) {
	if folder == "" {
		return source{}, false
	}
	from, err := e.search.source(folder)
	return from, err == nil
}

// recordingOf returns the folder of the recording of which the first generated test was made, "" if
// none of the tests was made of a recording.
func recordingOf(tests []model.Test) string {
	for _, t := range tests {
		if t.Provenance.Recording != "" {
			return t.Provenance.Recording
		}
	}
	return ""
}

// runOf returns the folder of the run that all of the tests come from, "" if there is none.
func runOf(tests []model.Test) string {
	if len(tests) == 0 {
		return ""
	}
	folder := tests[0].Provenance.Run
	if slices.ContainsFunc(tests, func(t model.Test) bool { return t.Provenance.Run != folder }) {
		return ""
	}
	return folder
}

// exportCommand returns the command that writes tests of a run.
func exportCommand(folder, name, faultMode string, tests []model.Test) string {
	flags := suite.FormatFlags(name)
	if faultMode != "" && faultMode != string(export.FailFaults) {
		flags = append(flags, "--faults", faultMode)
	}
	return suite.ExportCommand(folder, suite.TestIDs(tests), "", flags...)
}

// serviceFor returns the service and its network for tests without a common source. If a test was
// played on a virtual network, the network is that of the latest search, or else of the calls by
// hand. Otherwise, and if neither has one, the network is nil.
func (e *exporter) serviceFor(tests []model.Test) (service.Service, *model.VirtualNetwork) {
	if slices.ContainsFunc(tests, func(t model.Test) bool { return t.Provenance.Virtual }) {
		if run := e.search.latest(); run != nil && run.VirtualNetwork != nil {
			return run.Service, run.VirtualNetwork
		}
		if up := e.manual.virtual.Load(); up != nil {
			return up.service, up.net
		}
	}
	return e.session.state().service, nil
}

// suite returns a suite without tests for a service and the network around it.
func (s *session) suite(svc service.Service, n *model.VirtualNetwork) export.Suite {
	now := s.state()
	base, start := svc.StartFor(n)
	made := suite.WithHosts(export.Suite{
		Title:    now.title(),
		BaseURL:  base,
		Insecure: s.options.Sending.Insecure,
		TLS:      suite.AbsoluteTLS(s.options.Sending.TLS, ""),
		Service:  start,
		Dir:      service.StartDir(start, svc.Reset),
		Reset:    svc.Reset,
		Users:    now.service.Users,
	}, n, false)
	if now.spec != nil {
		made.Spec = now.spec.Source
	}
	return made
}
