package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/lab/study"
	"sonde/ui/app/distributed"
	"sonde/ui/app/experiment"
	"sonde/ui/app/paths"
	"sonde/ui/app/service"
	"sonde/ui/app/version"
	"sonde/ui/console"
	"sonde/ui/report"
	"sonde/ui/words"

	"github.com/spf13/cobra"
)

// studyHelp is the text of the command's help.
const studyHelp = `Make many searches and compare them: the tables of the EvoMaster paper.

Each service is searched with each probability P of smart sampling, each budget
and each seed, on a copy of its own. CONFIG says which:

  services:
    - {name: shop, config: shop/sonde.yaml}
    - {name: demo, demo: true}
  smart: [0, 0.2, 0.4, 0.6, 0.8, 1]
  budgets: [1000, 10000]
  seeds: 30

A config is a sonde.yaml that says how to start the service; its path is relative
to CONFIG. The first P is the base of the comparison. Seeds are a number or a list.
A service may have its own budgets and seeds, and a budget its own seeds:
budgets: [10000, {calls: 100000, seeds: 5}]. All runs sample as sonde search
does. With strategy: paper they sample, mutate and score tests as sections 4 and 5
of the paper say, and the tables have the paper's figures below those of the study.
sampling: {echo: 0.3} changes single settings of the strategy, and sizes:
{max-calls: 5} the sizes of tests and values. Both are named like the flags of
sonde search.

With ways, each search is made in several ways of sampling, which a table compares
with the first by covered targets:

  strategy: paper
  ways:
    - {name: paper}
    - {name: + echo, sampling: {echo: 0.3}}
    - {name: default, strategy: default}

A way without a strategy starts from the sampling of the file.

With white: [false, true] each search is made black-box and white-box, and tables
compare them. The services must be Go services whose sonde.yaml has sut: {build: ...}.
Covered targets (Tables 4 to 6, and curves) are the statuses of operations and, of
white-box runs, also the statements, calls, branches and conditions of the source
that the suite covers. So a black-box and a white-box run are compared by what both
have: statuses, faults, and statements as Go itself counts them. For these the suite
is replayed on the service as go build -cover builds it, which must therefore exit
by itself when it is stopped.

With mutants: 60 each suite is exported as Go tests and run on up to 60 small changes
of the service's source, chosen at random (mutants: {sample: 60, seed: 2} chooses
others), and tables compare how many it notices. Mutants in code that no call of the
suite reaches count as not noticed, and tests that fail on the unchanged service are
left out. It needs white, because Sonde builds the services (white: [false] is enough),
a command that begins with {binary}, and services that exit by themselves when they
are stopped. A service without a reset is restarted before each test, and runs without
a network if the kernel allows it. sonde mutate --help lists the changes.

With lists, no searches are made. Each run lists seqs as sonde seqs does, calls them
until the budget is used up, and then plays the practical ones on the service as go
build -cover builds it. Tables compare each list with the first: statements, blocks,
faults, seqs, calls and seconds:

  lists: [dc, sc, {rule: dc, links-only: true}, {rule: dc, min-evidence: place}]

min-share, links-only and min-evidence are the flags of sonde seqs. With again: true all
seqs of a list are called again with new values until the budget is used up, so that
lists of different lengths get as many calls. Such a study has services, budgets and
seeds, and no other keys.

A service may name its own tests, which Table 3 compares with the generated suites
by statements: manual: go test ./..., or for unit tests and tests of the API apart
manual: {unit: go test ./internal/..., http: go test ./e2e}. They run in the folder
of the service each time that the tables are made.

Each finished run is a line in ` + study.LogName + `. At the end the folder has
tables.txt, tables.csv and report.html, which has curves; if faults were found
faults.csv, which says how many runs found each; with both searches white.csv, with ways ways.csv,
and with lists lists.csv.
One table says how often forecasts of what the next 1,000 calls cover were right, if
budgets are long enough, and one how many faults were found by valid and by invalid
requests. The same command resumes a study that was interrupted or killed.

Exit code: 0 all runs are done, 2 usage, 3 a service cannot be reached or never
answered 2xx.`

func newStudy(s console.Streams) *cobra.Command {
	f := studyFlags{jobs: runtime.GOMAXPROCS(0)}
	c := &cobra.Command{
		Use:     "study CONFIG",
		Short:   "Make many searches and compare them: the tables of the EvoMaster paper",
		Long:    studyHelp,
		Example: "  sonde study study.yaml --jobs 4 -o results",
		Args:    exactly("CONFIG"),
		RunE: func(c *cobra.Command, args []string) error {
			if f.isOn() && !c.Flags().Changed("jobs") {
				f.jobs = 0 // this process only coordinates
			}
			return f.run(c.Context(), s, args[0])
		},
	}
	f.campaignFlags.add(c)
	c.Flags().StringVarP(&f.folder, "output", "o", "", "folder for the results (default: here, CONFIG's name with -results)")
	addCredentials(c, &f.Credentials)
	c.Flags().IntVar(&f.jobs, "jobs", f.jobs, "number of runs to make in parallel")
	return c
}

// studyFlags are the flags of sonde study.
type studyFlags struct {
	service.Credentials
	campaignFlags
	folder string
	jobs   int
}

func (f *studyFlags) run(ctx context.Context, s console.Streams, path string) (err error) {
	if f.jobs < 1 && !f.isOn() {
		return fmt.Errorf("--jobs is %d: it is at least 1", f.jobs)
	}
	if err := f.check(); err != nil {
		return err
	}
	read, err := config.LoadStudy(path)
	if err != nil {
		return err
	}
	user, err := f.user(ctx, s)
	if err != nil {
		return err
	}
	var folder experiment.BuildFolder
	defer func() { err = errors.Join(err, folder.Close()) }()
	all, err := experiment.NewStudy(ctx, read, f.jobs, user, &folder)
	if err != nil {
		return err
	}
	if f.folder == "" {
		name := filepath.Base(path)
		f.folder = strings.TrimSuffix(name, filepath.Ext(name)) + "-results"
	}
	log, err := study.OpenLog(f.folder, all, version.Text())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if f.isOn() {
		return f.distribute(ctx, s, read, all, log)
	}
	if err := f.make(ctx, s, all, log); err != nil {
		return err
	}
	return f.report(ctx, s, all, log)
}

// distribute lets workers make the missing runs, and writes the tables.
func (f *studyFlags) distribute(ctx context.Context, s console.Streams, c config.StudyConfig, all study.Study, log *study.Log) error {
	if f.IsSet() {
		return errors.New("credentials of flags are not sent to workers: write them into the sonde.yaml of each service, as ${NAME}")
	}
	return f.coordinate(ctx, s, experiment.CampaignKind, func(session *distributed.Session) (campaignPlan, error) {
		d, err := experiment.Distribute(ctx, session.Store, c, all, log, f.folder)
		if err != nil {
			return campaignPlan{}, err
		}
		about, err := d.Describe()
		return campaignPlan{
			description: about, work: d.Work(), things: "run", of: all.RunCount(), perUnit: 1, jobs: f.jobs,
			failure: d.Err, write: func() error { return f.report(ctx, s, all, log) },
		}, err
	})
}

// user returns a list with the user that the flags define, or an empty list without these flags. The study adds this
// user to each service except the demo.
func (f *studyFlags) user(ctx context.Context, s console.Streams) ([]model.User, error) {
	var own config.Config
	err := joinCredentials(ctx, s, &f.Credentials, &own)
	return own.Users, err
}

// make performs the missing runs.
func (f *studyFlags) make(ctx context.Context, s console.Streams, all study.Study, log *study.Log) error {
	before, total := log.FinishedRuns(), all.RunCount()
	if before > 0 && before < total {
		console.PrintNote(s.Err, "resuming %s: %s of %s are done", f.folder, words.Count(before), words.Plural(total, "run"))
	}
	start := time.Now()
	err := console.ShowProgress(
		s, func() error { return all.RunAll(ctx, log, f.jobs) },
		func() string { return paceOf("run", before, log.FinishedRuns(), total, time.Since(start)) },
	)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf(
			"interrupted: %s of %s are in %s; the same command resumes", words.Count(log.FinishedRuns()),
			words.Plural(total, "run"), f.folder,
		)
	}
	return err
}

// paceOf describes how much of the work is done, and the remaining time at the current pace. The parameter before is
// the number of things that were done when the work began.
func paceOf(thing string, before, done, total int, took time.Duration) string {
	line := fmt.Sprintf("%3.0f%%  %s of %s", 100*float64(done)/float64(total), words.Count(done), words.Plural(total, thing))
	if done > before {
		left := time.Duration(float64(took) / float64(done-before) * float64(total-done))
		line += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	return line
}

// tableFile is a file of a study's tables.
type tableFile struct {
	name  string
	form  report.Format
	write func(io.Writer, study.Tables) error
}

// report writes the tables, and prints them.
func (f *studyFlags) report(ctx context.Context, s console.Streams, all study.Study, log *study.Log) error {
	t, err := all.Tables(ctx, log)
	if err != nil {
		return err
	}
	files := []tableFile{
		{
			name:  "tables.txt",
			form:  report.TextFormat,
			write: func(w io.Writer, t study.Tables) error { return report.WriteStudyText(w, t, paperWidth) },
		},
		{name: "tables.csv", form: report.CSVFormat, write: report.WriteStudyCSV},
		{name: "report.html", form: report.HTMLFormat, write: report.WriteStudyHTML},
	}
	if len(t.Comparisons) > 0 {
		files = append(files, tableFile{name: "white.csv", form: report.CSVFormat, write: report.WriteComparisonCSV})
	}
	if len(t.Ways) > 0 {
		files = append(files, tableFile{name: "ways.csv", form: report.CSVFormat, write: report.WriteWaysCSV})
	}
	if len(t.Lists) > 0 {
		files = append(files, tableFile{name: "lists.csv", form: report.CSVFormat, write: report.WriteListsCSV})
	}
	if len(t.Faults) > 0 {
		files = append(files, tableFile{name: "faults.csv", form: report.CSVFormat, write: report.WriteFaultsCSV})
	}
	for _, file := range files {
		var b bytes.Buffer
		if err := file.write(&b, t); err != nil {
			return err
		}
		if err := paths.WriteFile(filepath.Join(f.folder, file.name), plain(b.Bytes(), file.form)); err != nil {
			return err
		}
	}
	if err := report.WriteStudyText(s.Out, t, widthOf(s.Out, "")); err != nil {
		return err
	}
	return unanswered(s.Err, t)
}

// unanswered returns an error if a service never answered with 2xx. Most likely its log-in or its reset is wrong, so
// that the tables are useless.
func unanswered(errs io.Writer, t study.Tables) error {
	best := map[string]float64{}
	for _, r := range t.Rows {
		for _, set := range r.Settings {
			best[r.Service] += set.With2xx
		}
	}
	for _, r := range t.Rows {
		if best[r.Service] == 0 {
			console.PrintNote(errs, "no call to %q was answered 2xx: check its sonde.yaml", r.Service)
			return verdict(exitUnreachable)
		}
	}
	return nil
}
