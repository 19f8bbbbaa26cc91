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

// exporter writes tests to files. The provenance of tests says which service they call.
type exporter struct {
	session   *session
	search    *searcher
	manual    *manualCaller
	generator *testGenerator
	variables *variableSet
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
			Needs:   f.Needs,
		})
	}
	return all
}

// preview returns the text of the file of tests that write would write.
func (e *exporter) preview(name, faultMode string, tests []model.Test) (string, error) {
	f, err := format.Named(name)
	if err == nil {
		tests, err = e.variables.exported(tests)
	}
	if err != nil {
		return "", err
	}
	made, err := f.Generate(suite.RelocatePaths(suite.ForFormat(e.suite(name, faultMode, tests), f), suite.DefaultFolder))
	return string(made.Text), err
}

// compare returns what each format leaves out of a file of tests.
func (e *exporter) compare(faultMode string, tests []model.Test) []usecase.FormatFit {
	var all []usecase.FormatFit
	whole := e.suite(suite.DefaultFormat, faultMode, tests) // only its command depends on the format
	for _, f := range format.Formats {
		made, err := f.Generate(suite.ForFormat(whole, f))
		all = append(all, fitOf(f, made, err, len(tests)))
	}
	return all
}

// fitOf returns what a file leaves out of a number of tests. If there is no file, err is the reason.
func fitOf(f format.Format, made format.Output, err error, tests int) usecase.FormatFit {
	if err != nil {
		return usecase.FormatFit{Format: f.Name, LeftOut: tests, Omissions: []string{err.Error()}}
	}
	omitted := map[string]bool{} // the IDs, because a recorded test can have several entries
	for _, t := range made.Omitted {
		omitted[t.ID] = true
	}
	return usecase.FormatFit{Format: f.Name, LeftOut: len(omitted), Omissions: made.Omissions}
}

// write writes the test file into a folder and returns its path.
func (e *exporter) write(name, faultMode, dir string, tests []model.Test, force bool) (string, error) {
	f, err := format.Named(name)
	if err == nil {
		tests, err = e.variables.exported(tests)
	}
	if err != nil {
		return "", err
	}
	path, _, err := f.Write(dir, suite.RelocatePaths(suite.ForFormat(e.suite(name, faultMode, tests), f), dir), force)
	return path, err
}

// fault returns the description of a fault, with the curl script that repeats it if possible.
func (e *exporter) fault(f model.Fault) usecase.FaultReport {
	from, ok := e.run(f.Run)
	if !ok {
		from.suite = e.session.suite(e.serviceFor(nil))
	}
	curl, err := format.CurlScript(from.suite, f)
	if err != nil {
		curl = "" // the description lists the calls
	}
	r := export.Report{BaseURL: from.suite.BaseURL, Reproduce: func(model.Fault) string { return curl }}
	return usecase.FaultReport{Text: export.FaultDescription(f, r), Curl: curl}
}

// suite returns the suite for tests. It has the service of their run, otherwise of their recording,
// otherwise the current service.
func (e *exporter) suite(name, faultMode string, tests []model.Test) export.Suite {
	if from, ok := e.run(runOf(tests)); ok {
		from.suite.Tests = tests
		if from.keeps(tests) {
			from.suite.Command = exportCommand(runOf(tests), name, faultMode, "", tests)
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

// run returns the run in a folder as the source of an export. It returns false if folder is "" or cannot be
// read.
func (e *exporter) run(folder string) (source, bool) {
	if folder == "" {
		return source{}, false
	}
	from, err := e.search.source(folder)
	return from, err == nil
}

// recordingOf returns the folder of the recording from which the first generated test was made, "" if none
// was made from a recording.
func recordingOf(tests []model.Test) string {
	for _, t := range tests {
		if t.Provenance.Recording != "" {
			return t.Provenance.Recording
		}
	}
	return ""
}

// runOf returns the folder of the run that has all the tests, "" if there is none.
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

// exportCommand returns the command that exports tests of a run to a folder.
func exportCommand(folder, name, faultMode, dir string, tests []model.Test) string {
	flags := suite.FormatFlags(name)
	if faultMode != "" && faultMode != string(export.FailFaults) {
		flags = append(flags, "--faults", faultMode)
	}
	return suite.ExportCommand(folder, suite.TestIDs(tests), dir, flags...)
}

// serviceFor returns the service for tests without a common source, and the network of this service. If one of the
// tests was played in a virtual network, both come from the latest search or, if it had no virtual network, from the
// manual calls. Otherwise the service is the current one, and the network is nil.
func (e *exporter) serviceFor(tests []model.Test) (service.Service, *model.VirtualNetwork) {
	if slices.ContainsFunc(tests, func(t model.Test) bool { return t.Provenance.Virtual }) {
		if run := e.search.latest(); run != nil && run.VirtualNetwork() != nil {
			return run.Service, run.VirtualNetwork()
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
		Title:     now.title(),
		BaseURL:   base,
		Insecure:  now.sending.Insecure,
		TLS:       suite.AbsoluteTLS(now.sending.TLS, ""),
		Service:   start,
		Driver:    svc.Driver,
		Dir:       svc.StartDir(start),
		RowsBuild: suite.RowsBuild(svc.Build()),
		Reset:     svc.Reset,
		Users:     now.service.Users,
	}, n, false).WithHeaders(now.config.Headers)
	if now.spec != nil {
		made.Spec = now.spec.Source
	}
	return made
}
