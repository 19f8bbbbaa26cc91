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
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
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

// WriteJUnit writes a run as JUnit XML. The first suite is the run itself, and each resource, which is the first segment
// of a path that not all paths share, is a suite. Each fault that makes the run fail is a failure of its operation.
// Known faults, flaky faults and notes are skipped tests. An operation without a failure has a test that passes. A run
// that was not completed or that proves nothing has an error, so that it does not look successful.
//
// Characters that XML must not contain are replaced.
func WriteJUnit(w io.Writer, r Report) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(junitSuites{Suites: suitesOf(r)}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// suitesOf returns the suites of a run.
func suitesOf(r Report) []junitSuite {
	title := cmp.Or(strings.TrimSpace(printableLine(r.Title)), "sonde")
	run := newJUnitSuite(r, title, "sonde")
	run.Time = fmt.Sprintf("%.3f", r.Summary.Elapsed.Seconds())
	run.Out, run.Err = legalXML(notes(r)), legalXML(strings.Join(r.Trouble, "\n"))
	run.add(runCase(r))
	all := []junitSuite{run}
	faults := map[model.OpID][]model.Fault{}
	for _, f := range r.Faults {
		faults[f.Op] = append(faults[f.Op], f)
	}
	at := map[string]int{} // resource → index of its suite
	shared := sharedSegments(r.operations())
	for _, op := range r.operations() {
		name := junitResource(op, shared)
		if at[name] == 0 {
			at[name] = len(all)
			s := newJUnitSuite(r, title+": "+name, "sonde."+name)
			s.ID = len(all)
			all = append(all, s)
		}
		all[at[name]].operation(op, faults[op], r)
	}
	return all
}

// newJUnitSuite returns a suite without tests.
func newJUnitSuite(r Report, name, pkg string) junitSuite {
	s := junitSuite{Package: pkg, Name: name, Hostname: "localhost", Time: "0.000", Props: properties(r)}
	if !r.Started.IsZero() {
		s.Timestamp = r.Started.UTC().Format("2006-01-02T15:04:05") // both schemas forbid a time zone
	}
	return s
}

// segmentsOf returns the segments of an operation's path.
func segmentsOf(op model.OpID) []string {
	_, path, _ := strings.Cut(string(op), " ")
	return strings.Split(strings.Trim(path, "/"), "/")
}

// sharedSegments returns the number of segments at the beginning of all paths that are the same, such as "api" and "v1".
// The last segment of a path does not count.
func sharedSegments(ops []model.OpID) (n int) {
	for len(ops) > 1 {
		first := segmentsOf(ops[0])
		for _, op := range ops {
			if path := segmentsOf(op); len(path) < n+2 || path[n] != first[n] {
				return n
			}
		}
		n++
	}
	return n
}

// junitResource returns the first segment of an operation's path that is no parameter, or "/" if there is none. It
// leaves out the segments that all operations share.
func junitResource(op model.OpID, shared int) string {
	for _, segment := range segmentsOf(op)[shared:] {
		if segment = strings.TrimSpace(printableLine(segment)); segment != "" && !strings.Contains(segment, "{") {
			return segment
		}
	}
	return "/"
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
		{"spec", r.Spec},
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
