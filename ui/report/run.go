package report

import (
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"sonde/assets/templates"
	"sonde/export"
	"sonde/export/picture"
	"sonde/model"
	"sonde/ui/draw"
	"sonde/ui/theme"
	"sonde/ui/words"
)

// Run is a run, with all that its page shows.
type Run struct {
	export.Report
	Name     string // the folder of the run, as the user named it
	Spec     string // the path or URL of the spec, "" if unknown
	SpecHash string
	Mode     string // such as "white-box"
	// Tuning is the tuning at the start, and Commands are the commands that took effect.
	Tuning   model.Tuning
	Commands []model.AppliedCommand
	Curve    []model.CurvePoint
	// Answers has the number of answers by operation and status, nil if it is not known.
	Answers map[model.OpID]map[int]int
	// Declared has the statuses that the spec declares, nil if the spec could not be read.
	Declared map[model.OpID][]int
	// Files is the coverage of source files, nil if it is not known.
	Files []model.SourceFileCoverage
	// Rules says what each oracle reports, by its name.
	Rules map[string]string
	// Exchanges has the exchanges of a test's calls by the ID of the test.
	Exchanges map[string][]Exchange
	// Resources is the graph of resources, nil if the spec could not be read.
	Resources *picture.Graph
	// Gaps say what the page cannot show of this run, and why.
	Gaps []string
	// Live reports whether the page follows a running search. A server must send it; see ui/app/live.
	Live bool
}

// Exchange is the request and the answer of a test's call.
type Exchange struct {
	model.ExchangeExcerpt
	Sent string // the body of the request
	Took time.Duration
}

// runTemplates has the page of a run, and the parts that it shares with the page of a comparison.
var runTemplates = template.Must(newPage(templates.RunPage).New("run parts").Parse(templates.RunParts))

// WriteRunHTML writes a run as a self-contained page. Texts of the service and of the spec are shown as they are, and
// cannot contain markup. The page has a limited size: what is left out is said in it.
func WriteRunHTML(w io.Writer, r Run) error {
	p, err := newRunPage(r)
	if err != nil {
		return err
	}
	return runTemplates.ExecuteTemplate(w, "page", p)
}

// runPage is the data of the page of a run.
type runPage struct {
	shell
	Alerts, Warnings []string
	Good             bool // no fault counts, and the run proves something
	Verdict          string
	Cards            []card
	Facts            []fact
	Command          string
	Faults           section
	Grid             answerGrid
	Curve            *runCurve
	Code             *codeCoverage
	Resources        template.HTML
	ResourceNote     string
	Tests            section
	Filter           testFilter
	Gaps             []string
}

// liveStrip is the strip of a page that follows a search.
type liveStrip struct {
	Script     template.JS
	ScriptHash string
	Knobs      []knobInput
}

// knobInput is the input for a knob.
type knobInput struct {
	Name           model.Knob
	Label          string
	Min, Max, Step float64
}

func newLiveStrip() *liveStrip {
	s := &liveStrip{Script: template.JS(templates.LiveScript), ScriptHash: templates.ScriptHash(templates.LiveScript)}
	for _, k := range []struct {
		name  model.Knob
		label string
	}{{model.KnobSmart, "P"}, {model.KnobRandom, "P_r"}, {model.KnobFocus, "F"}} {
		s.Knobs = append(s.Knobs, knobInput{Name: k.name, Label: k.label, Max: 1, Step: 0.05})
	}
	for _, k := range []struct {
		name  model.Knob
		label string
	}{{model.KnobPopulation, "n"}, {model.KnobMutations, "m"}} {
		s.Knobs = append(s.Knobs, knobInput{Name: k.name, Label: k.label, Min: 1, Max: model.MaxCount, Step: 1})
	}
	return s
}

// shell has what the pages of runs have around their content.
type shell struct {
	Title, Lead string
	Colours     []colour
	Script      template.JS
	ScriptHash  string // by which the page permits its script, and no other
	// Live is the strip of a page that follows a search, nil for a page of a file.
	Live *liveStrip
}

// colour is a colour of the terminal app, for both backgrounds.
type colour struct{ Name, Light, Dark string }

// fact is a property of a run.
type fact struct{ Name, Value string }

func newShell(title, lead string) shell {
	return shell{
		Title: title, Lead: lead, Colours: colours(),
		Script: template.JS(templates.RunScript), ScriptHash: templates.ScriptHash(templates.RunScript),
	}
}

// colours returns the colours of methods and of classes of statuses in the terminal app.
func colours() (all []colour) {
	for _, c := range []struct {
		name string
		theme.Style
	}{
		{"get", theme.Method("GET")},
		{"post", theme.Method("POST")},
		{"put", theme.Method("PUT")},
		{"patch", theme.Method("PATCH")},
		{"delete", theme.Method("DELETE")},
		{"good", theme.Good},
		{"warn", theme.Warn},
		{"bad", theme.Bad},
		{"accent", theme.Accent},
	} {
		light, dark := c.Colours()
		all = append(all, colour{Name: c.name, Light: light, Dark: dark})
	}
	return all
}

func newRunPage(r Run) (runPage, error) {
	links := newRunLinks(r)
	p := runPage{
		shell: newShell(titleOf(r), runLead(r)), Alerts: cleanAll(r.Trouble), Command: draw.Clean(r.Command),
		Cards: runCards(r), Facts: runFacts(r), Curve: newRunCurve(r), Code: newCodeCoverage(r),
		Filter: links.filter(), Gaps: r.Gaps,
	}
	if r.Live {
		p.Live = newLiveStrip()
	}
	for _, warning := range r.Summary.Warnings {
		p.Warnings = append(p.Warnings, draw.Clean(warning.Text))
	}
	p.Good, p.Verdict = verdictOf(r)
	if r.Resources != nil {
		var b strings.Builder
		if err := picture.WriteInlineSVG(&b, *r.Resources, graphWidth); err != nil {
			return p, err
		}
		p.Resources, p.ResourceNote = template.HTML(b.String()), r.Resources.Note
	}
	var err error
	if p.Grid, err = newAnswerGrid(r); err != nil {
		return p, err
	}
	if p.Faults, err = faultSection(r, links); err != nil {
		return p, err
	}
	p.Tests, err = testSection(r, links)
	return p, err
}

// graphWidth is the width of the graph of resources in a wide window, in pixels.
const graphWidth = 1080

func titleOf(r Run) string {
	if title := draw.Clean(r.Title); title != "" {
		return title
	}
	return "a run"
}

func cleanAll(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, draw.Clean(text))
	}
	return all
}

// runLead describes a run in a line.
func runLead(r Run) string {
	parts := []string{words.Plural(r.Summary.Calls, "call")}
	if r.Summary.Elapsed > 0 {
		parts[0] += " in " + duration(r.Summary.Elapsed)
	}
	parts = append(parts, fmt.Sprintf("seed %d", r.Seed))
	if r.Mode != "" {
		parts = append(parts, r.Mode)
	}
	if !r.Started.IsZero() {
		parts = append(parts, stamp(r.Started))
	}
	return strings.Join(parts, " · ")
}

func stamp(at time.Time) string { return at.UTC().Format("2 January 2006, 15:04 UTC") }

// duration formats a duration with about three digits.
func duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// verdictOf says in a line how the run ended for its faults. good is true if the run found no fault that counts, and
// was not in trouble.
func verdictOf(r Run) (good bool, text string) {
	t := model.TallyFaults(r.Faults)
	if t.Counted() == 0 {
		text = "No fault counts"
	} else {
		text = fmt.Sprintf(
			"%s: %s, %s", words.Plural(t.Counted(), "fault"), words.Plural(t.Errors, "error"), words.Plural(t.Warnings, "warning"),
		)
	}
	if t.Uncounted() > 0 {
		text += fmt.Sprintf("; not counted: %s flaky, %s", words.Count(t.Flaky), words.Plural(t.Notes, "note"))
	}
	return t.Counted() == 0 && len(r.Trouble) == 0, text
}

// runCards returns the figures at the top of the page.
func runCards(r Run) []card {
	s := r.Summary
	all := []card{{"faults that count", words.Count(model.TallyFaults(r.Faults).Counted())}}
	if s.Targets > 0 {
		all = append(all, card{"targets covered, of " + words.Count(s.Targets), words.Count(s.Covered)})
	}
	if s.Operations > 0 {
		all = append(all, card{"operations with a 2xx, of " + words.Count(s.Operations), words.Count(s.With2xx)})
	}
	if s.Code != nil {
		statements, _ := s.Code.Totals()
		all = append(all, card{"of statements covered", share(statements)})
	}
	return append(all, card{"kept tests", words.Count(len(r.Tests))})
}

// share returns the covered share as a percentage, rounded down, so that 100% means all.
func share(c model.CoverageCount) string {
	if c.All == 0 {
		return "100%"
	}
	return percent(c.Covered, c.All)
}

// runFacts returns the properties of a run.
func runFacts(r Run) (facts []fact) {
	s := r.Summary
	service := draw.Clean(r.BaseURL)
	if strings.Contains(service, model.PortPlaceholder) {
		service = "started by Sonde, at a port of its own"
	}
	for _, f := range []fact{
		{"Service", service},
		{"Spec", draw.Clean(r.Spec)},
		{"Run", draw.Clean(r.Name)},
		{"Seed", fmt.Sprint(r.Seed)},
		{"Mode", r.Mode},
		{"Calls", callsText(s)},
		{"Pace", paceText(s)},
		{"Started", startText(r.Started)},
		{"Next calls", forecastText(s)},
		{"Sonde", draw.Clean(r.Release)},
	} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

func callsText(s model.Summary) string {
	text := words.Count(s.Calls)
	if s.Budget > 0 && s.Budget != s.Calls {
		text += " of " + words.Count(s.Budget)
	}
	var parts []string
	for _, part := range []struct {
		n    int
		text string
	}{{s.SetUp, "resets and checks of readiness"}, {s.Checking, "checks of faults"}, {s.Minimising, "shorter tests"}} {
		if part.n > 0 {
			parts = append(parts, words.Count(part.n)+" for "+part.text)
		}
	}
	if parts == nil {
		return text
	}
	return text + ", with " + strings.Join(parts, ", ")
}

func paceText(s model.Summary) string {
	if s.Rate <= 0 {
		return ""
	}
	return words.Plural(int(s.Rate), "call") + " a second"
}

func startText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return stamp(at)
}

// forecastText says what further calls would likely cover.
func forecastText(s model.Summary) string {
	if s.Forecast == nil {
		return ""
	}
	f := *s.Forecast
	return words.Plural(f.Calls, "more call") + " would likely cover " + words.More(f.Low, f.High, "target")
}
