package results

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/ci"
	"sonde/ui/app/command"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// CIReport is the JSON of sonde ci.
type CIReport struct {
	// Passed is true if the exit code is 0.
	Passed bool `json:"passed"`
	// Trouble has the reasons why the run proves nothing.
	Trouble []string            `json:"trouble"`
	New     []JudgedFault       `json:"new"`
	Known   []JudgedFault       `json:"known"`
	Flaky   []JudgedFault       `json:"flaky"`
	Gone    []config.KnownFault `json:"gone"`
	Calls   int                 `json:"calls"`
	Run     string              `json:"run"`
	Files   []string            `json:"files"`
	// Baseline is the file of known faults, absent without --baseline.
	Baseline string `json:"baseline,omitempty"`

	title   string
	summary model.Summary
}

// JudgedFault is a fault in the JSON of sonde ci.
type JudgedFault struct {
	ID string `json:"id"`
	// Others are the IDs of other wordings of the fault.
	Others    []string       `json:"others,omitempty"`
	Operation model.OpID     `json:"operation"`
	Oracle    string         `json:"oracle"`
	Severity  model.Severity `json:"severity"`
	Status    int            `json:"status,omitempty"`
	Expected  string         `json:"expected"`
	Came      string         `json:"came"`
	Key       string         `json:"key"`
	Remark    string         `json:"remark,omitempty"`
}

// NewCIReport returns the report of a run. The fields about files and the result are still to be set.
func NewCIReport(title string, s model.Summary, j ci.Judgement) CIReport {
	return CIReport{
		New: ciFaults(j.New), Known: ciFaults(j.Known), Flaky: ciFaults(j.Flaky),
		Gone: console.NonNilSlice(j.Gone), Trouble: []string{}, Files: []string{}, Calls: s.Calls, title: title, summary: s,
	}
}

func ciFaults(all []ci.Finding) []JudgedFault {
	faults := []JudgedFault{}
	for _, f := range all {
		faults = append(faults, JudgedFault{
			ID: f.ID, Others: f.Others, Operation: f.Op, Oracle: f.Oracle, Severity: f.Severity, Status: f.Status,
			Expected: f.Expected, Came: f.Text, Key: f.Key().Hash(), Remark: f.Remark,
		})
	}
	return faults
}

// maxCILines is the number of faults of a kind that the text of sonde ci lists.
const maxCILines = 20

// PrintCI writes the report as text, without colours.
func PrintCI(w io.Writer, r CIReport) error {
	t := ciTable{console.NewTable(w)}
	t.Row("api", r.title)
	t.Row("calls", fmt.Sprintf("%s; %d of %d targets covered", words.Count(r.Calls), r.summary.Covered, r.summary.Targets))
	t.Row("operations", AnsweredOperationsText(r.summary))
	t.faults("new", r.New)
	t.faults("flaky", r.Flaky)
	t.Row("known", words.Plural(len(r.Known), "fault"))
	t.gone(r.Gone)
	for _, text := range r.Trouble {
		t.Row("trouble", text)
	}
	t.Row("run", r.Run)
	t.Row("files", strings.Join(r.Files, ", "))
	if len(r.New) > 0 {
		t.Row("show", "sonde faults "+command.Quote(r.Run))
	}
	switch update := "sonde baseline --update " + command.Quote(cmp.Or(r.Baseline, "known.yaml")) + " "; {
	case len(r.New) > 0 && r.Baseline == "":
		t.Row("accept", update+command.Quote(r.Run)+", and sonde ci --baseline known.yaml from then on")
	case len(r.New) > 0:
		t.Row("accept", update+command.Quote(r.Run))
	case len(r.Gone) > 0:
		t.Row("mended", "faults that several runs do not find: "+update+"--prune RUN...")
	}
	t.Row("result", r.result())
	return t.Flush()
}

func (r CIReport) result() string {
	switch {
	case r.Passed:
		return "passed"
	case len(r.Trouble) > 0 && len(r.New) == 0:
		return "failed: the run proves nothing"
	}
	return "failed: " + words.Plural(len(r.New), "new fault")
}

// ciTable is the table of PrintCI.
type ciTable struct{ console.Table }

// faults adds the number of faults, and a row for each of the first ones.
func (t ciTable) faults(name string, all []JudgedFault) {
	t.Row(name, words.Plural(len(all), "fault"))
	for _, f := range all[:min(len(all), maxCILines)] {
		ids := strings.Join(append([]string{f.ID}, f.Others...), ",")
		text := fmt.Sprintf("%s %s %s %s: expected %s, got %s", ids, f.Severity, f.Operation, f.Oracle, f.Expected, gotOf(f))
		if f.Remark != "" {
			text += " (" + f.Remark + ")"
		}
		t.Row("", text)
	}
	if more := len(all) - maxCILines; more > 0 {
		t.Row("", fmt.Sprintf("%d more", more))
	}
}

func gotOf(f JudgedFault) string {
	if f.Status == 0 {
		return f.Came
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", f.Status, f.Came))
}

// gone adds the known faults that the run did not find.
func (t ciTable) gone(all []config.KnownFault) {
	if len(all) == 0 {
		return
	}
	t.Row("gone", words.Plural(len(all), "known fault")+" not found this time")
	for _, k := range all[:min(len(all), maxCILines)] {
		t.Row("", ci.KnownText(k))
	}
	if more := len(all) - maxCILines; more > 0 {
		t.Row("", fmt.Sprintf("%d more", more))
	}
}

// JobLog returns a writer to the log of a CI job. In the log of GitHub Actions, ##[ begins a command, which a text of the
// service must not contain.
func JobLog(w io.Writer) io.Writer { return jobLog{w} }

type jobLog struct{ io.Writer }

func (w jobLog) Write(p []byte) (int, error) {
	_, err := io.WriteString(w.Writer, strings.ReplaceAll(string(p), "##[", "## ["))
	return len(p), err
}

// PrintBaselineChange writes what an update changed in a baseline.
func PrintBaselineChange(w io.Writer, file string, c config.BaselineChange) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d added, %d removed\n", file, len(c.Added), len(c.Removed))
	for _, k := range c.Added {
		fmt.Fprintf(&b, "+ %s\n", ci.KnownText(k))
	}
	for _, k := range c.Removed {
		fmt.Fprintf(&b, "- %s\n", ci.KnownText(k))
	}
	_, err := io.WriteString(w, draw.CleanLines(b.String()))
	return err
}
