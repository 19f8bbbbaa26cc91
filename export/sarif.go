package export

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"sonde/model"
)

// The members of SARIF 2.1.0 that Sonde writes. Members that the specification requires are written even if they are
// empty.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool            `json:"tool"`
		Invocations []sarifInvocation    `json:"invocations"`
		Bases       map[string]sarifBase `json:"originalUriBaseIds,omitempty"`
		Artifacts   []sarifArtifact      `json:"artifacts,omitempty"`
		Results     []sarifResult        `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifInvocation struct {
		Command       string              `json:"commandLine,omitempty"`
		Start         *time.Time          `json:"startTimeUtc,omitempty"`
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	// sarifText is the text of a message. sarifMessage creates it from any text.
	sarifText struct {
		Text string `json:"text"`
	}
	sarifBase struct {
		Description sarifText `json:"description"`
	}
	sarifArtifact struct {
		Location sarifArtifactLocation `json:"location"`
		Roles    []string              `json:"roles"`
	}
	sarifArtifactLocation struct {
		URI   string `json:"uri"`
		Base  string `json:"uriBaseId,omitempty"`
		Index int    `json:"index"`
	}
	sarifResult struct {
		Rule         string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Occurrences  int               `json:"occurrenceCount,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   sarifFound        `json:"properties"`
	}
	sarifLocation struct {
		Physical *sarifPhysicalLocation `json:"physicalLocation,omitempty"`
		Logical  []sarifLogicalLocation `json:"logicalLocations"`
	}
	sarifPhysicalLocation struct {
		Artifact sarifArtifactLocation `json:"artifactLocation"`
		Region   *sarifRegion          `json:"region,omitempty"`
	}
	sarifRegion struct {
		Line int `json:"startLine"`
	}
	sarifLogicalLocation struct {
		Name string `json:"fullyQualifiedName"`
	}
	// sarifFound are the properties of a fault. SARIF leaves their names to the tool.
	sarifFound struct {
		Verdict string `json:"verdict"`
		Seen    int    `json:"seen"`
		Status  int    `json:"status,omitempty"`
		Input   string `json:"input,omitempty"`
		Curl    string `json:"curl,omitempty"`
	}
)

// sourceRoot is the base of the paths of a SARIF file. GitHub and other readers take it for the root of the
// repository.
const sourceRoot = "%SRCROOT%"

// SpecFile is the specification as a file of a repository, for SARIF.
type SpecFile struct {
	// URI is a path relative to the root of the repository, or an absolute URL. It is "" if there is no file.
	URI string
	// Lines are the lines of operations, from 1. Operations without a known line are missing.
	Lines map[model.OpID]int
}

// SARIFSource has what SARIF needs besides the results of a run.
type SARIFSource struct {
	Rules []Rule
	Spec  SpecFile
}

// Limits of a file. Code scanning of GitHub shows at most 5,000 results, and accepts at most 10 MB, compressed.
const (
	maxSARIFResults = 5000
	maxSARIFCurl    = 8 << 10 // bytes of the curl commands of a result; longer ones are left out
)

// WriteSARIF writes a run as SARIF 2.1.0, for code scanning. Each oracle is a rule, and each fault that makes the run
// fail is a result, at the line of its operation. All other faults are left out, and so are the least severe ones of more
// than maxSARIFResults.
func WriteSARIF(w io.Writer, r Report, source SARIFSource) error {
	rules := newRuleSet(source.Rules)
	faults, prints := r.sarifFaults(), fingerprinter{map[model.FaultKey]int{}}
	results := []sarifResult{}
	for _, f := range faults[:min(len(faults), maxSARIFResults)] {
		result := sarifResultOf(f, source.Spec, r.Reproduce)
		result.RuleIndex, result.Fingerprints = rules.index(f), prints.of(f)
		results = append(results, result)
	}
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "Sonde", Version: printableLine(r.Release), Rules: rules.all}},
		Invocations: []sarifInvocation{sarifInvocationOf(r, len(faults)-len(results))},
		Results:     results,
	}
	if at, ok := source.Spec.artifact(); ok {
		run.Artifacts = []sarifArtifact{{Location: at, Roles: []string{"analysisTarget"}}}
		if at.Base != "" {
			run.Bases = map[string]sarifBase{at.Base: {sarifMessage("The root of the repository.")}}
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifFaults returns the faults of a file, the worst first: those that make the run fail, and known ones, because code
// scanning closes the alert of a fault that is missing.
func (r Report) sarifFaults() (all []model.Fault) {
	for _, i := range faultOrder(r.Faults) {
		f := r.Faults[i]
		if _, known := r.Known[f.ID]; known && f.CountsAsFailure() || r.fails(f) {
			all = append(all, f)
		}
	}
	return all
}

// sarifInvocationOf describes the run itself. A run that was not completed, or that proves nothing, was not successful.
// omitted is the number of faults for which the file has no room.
func sarifInvocationOf(r Report, omitted int) sarifInvocation {
	s := sarifInvocation{Command: printableLine(r.Command), Successful: len(r.Trouble) == 0}
	if !r.Started.IsZero() {
		start := r.Started.UTC()
		s.Start = &start
	}
	for _, text := range r.Trouble {
		s.Notifications = append(s.Notifications, sarifNotification{Level: "error", Message: sarifMessage(text)})
	}
	for _, warning := range r.Summary.Warnings {
		s.Notifications = append(s.Notifications, sarifNotification{Level: "warning", Message: sarifMessage(warning.Text)})
	}
	if omitted > 0 {
		text := fmt.Sprintf("%d faults are left out: a file has at most %d results. sonde faults RUN prints all.", omitted, maxSARIFResults)
		s.Notifications = append(s.Notifications, sarifNotification{Level: "warning", Message: sarifMessage(text)})
	}
	return s
}

// sarifResultOf returns the result of a fault, without the index of its rule and without fingerprints.
func sarifResultOf(f model.Fault, spec SpecFile, reproduce func(model.Fault) string) sarifResult {
	s := sarifResult{
		Rule:        ruleID(f.Oracle),
		Level:       sarifLevel(f.Severity),
		Message:     sarifMessage(faultText(f)),
		Locations:   []sarifLocation{spec.location(f.Op)},
		Occurrences: f.Count,
		Properties: sarifFound{
			Verdict: printableLine(f.Repeated()), Seen: f.Count, Status: f.Status, Input: printableLine(f.Input.String()),
		},
	}
	if reproduce != nil {
		if curl := reproduce(f); len(curl) <= maxSARIFCurl {
			s.Properties.Curl = printableLines(curl)
		}
	}
	return s
}

// requestLine returns the request of a fault's last call on one line, "" if it is not known.
func requestLine(f model.Fault) string {
	c, seen, ok := faultyCall(f)
	if !ok {
		return ""
	}
	line := requestTarget(c, seen)
	if c.Body != nil {
		line += fmt.Sprintf(" with %s %s", c.Body.Media, shownValue(c.Body.Describe()))
	}
	return line
}

// requestTarget returns the method of a call and the path and query that were sent, or the operation if these are not
// known.
func requestTarget(c model.Call, seen model.ExchangeExcerpt) string {
	if seen.URL == "" {
		return string(c.Op)
	}
	method, _, _ := strings.Cut(string(c.Op), " ")
	return method + " " + seen.URL
}

// faultyCall returns the last call of a fault's test, which is the faulty one, with its request and answer as far as
// they are known.
func faultyCall(f model.Fault) (c model.Call, seen model.ExchangeExcerpt, ok bool) {
	if f.Test == nil || len(f.Test.Calls) == 0 {
		return c, seen, false
	}
	at := len(f.Test.Calls) - 1
	if at < len(f.Exchanges) {
		seen = f.Exchanges[at]
	}
	return f.Test.Calls[at], seen, true
}

// fingerprinter returns the fingerprints of the faults of a file. keys counts the faults with the same key.
type fingerprinter struct{ keys map[model.FaultKey]int }

// of returns the same values for a fault in all runs. Code scanning of GitHub uses only primaryLocationLineHash, by
// which it recognizes an alert when lines move. Its number after the colon separates faults with the same key.
func (p fingerprinter) of(f model.Fault) map[string]string {
	key := f.Key()
	p.keys[key]++
	hash := key.Hash()
	return map[string]string{"sondeFault/v1": hash, "primaryLocationLineHash": fmt.Sprintf("%s:%d", hash[:16], p.keys[key])}
}

// artifact returns the location of the file. ok is false if there is no file.
func (s SpecFile) artifact() (at sarifArtifactLocation, ok bool) {
	at.URI = s.URI
	if !strings.Contains(s.URI, "://") {
		at.Base = sourceRoot
	}
	return at, s.URI != ""
}

func (s SpecFile) location(op model.OpID) sarifLocation {
	l := sarifLocation{Logical: []sarifLogicalLocation{{printableLine(string(op))}}}
	if at, ok := s.artifact(); ok {
		l.Physical = &sarifPhysicalLocation{Artifact: at}
		if line := s.Lines[op]; line > 0 {
			l.Physical.Region = &sarifRegion{Line: line}
		}
	}
	return l
}

func sarifLevel(s model.Severity) string {
	switch s {
	case model.SeverityError, model.SeverityWarning:
		return string(s)
	}
	return "note"
}

// sarifEscapes are the characters with a meaning in messages: braces mark arguments, and brackets mark links.
var sarifEscapes = strings.NewReplacer("{", "{{", "}", "}}", `\`, `\\`, "[", `\[`, "]", `\]`)

// sarifMessage returns a message with a text. The text can contain neither links nor placeholders.
func sarifMessage(text string) sarifText { return sarifText{sarifEscapes.Replace(printableLine(text))} }
