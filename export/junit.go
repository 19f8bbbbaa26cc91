package export

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"sonde/model"
)

// The elements of JUnit XML. They are valid by both common schemas: JUnit.xsd of Ant and junit-10.xsd of
// Jenkins.
type (
	junitSuites struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		ID        int             `xml:"id,attr"`
		Package   string          `xml:"package,attr"`
		Name      string          `xml:"name,attr"`
		Timestamp string          `xml:"timestamp,attr,omitempty"`
		Hostname  string          `xml:"hostname,attr"`
		Tests     int             `xml:"tests,attr"`
		Failures  int             `xml:"failures,attr"`
		Errors    int             `xml:"errors,attr"`
		Skipped   int             `xml:"skipped,attr"`
		Time      string          `xml:"time,attr"`
		Props     []junitProperty `xml:"properties>property"`
		Cases     []junitCase     `xml:"testcase"`
		Out       junitText       `xml:"system-out"`
		Err       junitText       `xml:"system-err"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string    `xml:"classname,attr"`
		Name    string    `xml:"name,attr"`
		Time    string    `xml:"time,attr"`
		Skipped *junitWhy `xml:"skipped"`
		Error   *junitWhy `xml:"error"`
		Failure *junitWhy `xml:"failure"`
	}
	junitWhy struct {
		Type    string `xml:"type,attr,omitempty"` // must be empty in a skipped element
		Message string `xml:"message,attr"`
		junitText
	}
	// junitText is text that keeps its line ends. legalXML creates it.
	junitText struct {
		Text string `xml:",cdata"`
	}
)

// WriteJUnit writes a run as JUnit XML. Each fault that makes the run fail is a failure of its operation.
// Known faults, flaky faults and notes are skipped tests. An operation without a failure has a test that passes. A run
// that was not completed or that proves nothing has an error, so that it does not look successful.
//
// Characters that XML must not contain are replaced.
func WriteJUnit(w io.Writer, r Report) error {
	s := junitSuite{
		Package:  "sonde",
		Name:     cmp.Or(strings.TrimSpace(printableLine(r.Title)), "sonde"),
		Hostname: "localhost",
		Time:     fmt.Sprintf("%.3f", r.Summary.Elapsed.Seconds()),
		Props:    properties(r),
		Out:      legalXML(notes(r)),
		Err:      legalXML(strings.Join(r.Trouble, "\n")),
	}
	if !r.Started.IsZero() {
		s.Timestamp = r.Started.UTC().Format("2006-01-02T15:04:05") // both schemas forbid a time zone
	}
	s.add(runCase(r))
	faults := map[model.OpID][]model.Fault{}
	for _, f := range r.Faults {
		faults[f.Op] = append(faults[f.Op], f)
	}
	for _, op := range r.operations() {
		s.operation(op, faults[op], r)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(junitSuites{Suite: s}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Error != nil:
		s.Errors++
	case c.Failure != nil:
		s.Failures++
	case c.Skipped != nil:
		s.Skipped++
	}
	c.Time = "0"
	s.Cases = append(s.Cases, c)
}

// runCase returns the test case of the run as a whole.
func runCase(r Report) junitCase {
	c := junitCase{Class: "run", Name: "came to its end and got answers"}
	if len(r.Trouble) > 0 {
		c.Error = &junitWhy{Type: "run", Message: printableLine(r.Trouble[0]), junitText: legalXML(strings.Join(r.Trouble, "\n"))}
	}
	return c
}

// operation adds a case for each fault of an operation. If no fault makes the run fail, it adds a case that
// passes.
func (s *junitSuite) operation(op model.OpID, faults []model.Fault, r Report) {
	counts := false
	for _, f := range faults {
		why := &junitWhy{
			Type:      f.Oracle,
			Message:   headline(f),
			junitText: legalXML("\n" + FaultDescription(f, r) + "repeat:   " + printableLine(r.Command) + "\n"),
		}
		c := junitCase{Class: printableLine(string(op)), Name: printableLine(f.Oracle + ": " + f.Signature)}
		if remark, known := r.Known[f.ID]; known {
			why.Message = printableLine("known (" + remark + "): " + headline(f))
		}
		if r.fails(f) {
			c.Failure, counts = why, true
		} else {
			why.Type, c.Skipped = "", why
		}
		s.add(c)
	}
	if !counts {
		s.add(junitCase{Class: printableLine(string(op)), Name: "has no fault that counts"})
	}
}

// legalXML replaces carriage returns, and the characters that XML must not contain. encoding/xml
// does not replace them in CDATA.
func legalXML(text string) junitText {
	return junitText{strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r >= ' ' && r <= 0xd7ff, r >= 0xe000 && r <= 0xfffd, r >= 0x10000:
			return r
		}
		return unicode.ReplacementChar
	}, text)}
}

func properties(r Report) []junitProperty {
	return []junitProperty{
		{"sonde", cmp.Or(r.Release, "unknown")},
		{"service", r.BaseURL},
		{"seed", strconv.FormatUint(r.Seed, 10)},
		{"calls", strconv.Itoa(r.Summary.Calls)},
		{"tests", strconv.Itoa(len(r.Tests))},
		{"repeat", r.Command},
	}
}

// notes returns lines about the run: the numbers of covered targets and of operations that answered 2xx, and the
// warnings.
func notes(r Report) string {
	var b strings.Builder
	if s := r.Summary; s.Targets > 0 {
		fmt.Fprintf(&b, "%d of %d targets covered; of %d operations %d answered 2xx\n", s.Covered, s.Targets, s.Operations, s.With2xx)
	}
	for _, w := range r.Summary.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", printableLine(w.Text))
	}
	return b.String()
}
