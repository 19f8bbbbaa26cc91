package export

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// notOnWindows is the build constraint of files with a virtual network.
const notOnWindows = "//go:build !windows\n\n"

// fileHead is the head of Go files: a build constraint, and a comment that says what the tests do, how to
// run them and what they need.
type fileHead struct {
	opening   []string // what the tests do
	faults    bool     // the tests show faults
	mocks     bool     // there are tests of recorded exchanges
	command   string   // the command that writes the files
	settings  settings
	omissions omissions
}

// head returns the head of the suite's Go files.
func (s Suite) head() fileHead {
	return fileHead{
		opening:   s.opening(),
		faults:    s.ShowsFaults(),
		mocks:     s.hasMocks(),
		command:   s.commandLine(),
		settings:  s.settings(),
		omissions: s.omissions(),
	}
}

// opening returns one or two lines about what the tests do.
func (s Suite) opening() []string {
	title := cmp.Or(remark(s.Title, 60), "an API")
	if !s.ShowsFaults() {
		return []string{"Calls " + title + " and checks its answers."}
	}
	return []string{"Faults of " + title + ": each test shows one.", FaultModeText[s.FaultMode]}
}

// FaultModeText describes what tests that show faults do in each mode. The mode "" is FailFaults.
var FaultModeText = map[FaultMode]string{
	"":         "It asserts what should hold, and fails until the fault is fixed.",
	FailFaults: "It asserts what should hold, and fails until the fault is fixed.",
	PinFaults:  "It asserts what the service does today, and passes until the fault is fixed.",
	SkipFaults: "It asserts what should hold, and is skipped until its call of t.Skip is removed.",
}

// commandLine returns the command that writes the files, without credentials in URLs.
func (s Suite) commandLine() string { return remark(urlUser.ReplaceAllString(s.Command, "//"), 2000) }

// text returns the build constraint, the comment and the package clause of a file. files are the names of the
// file itself and of the other files that the test command needs.
func (h fileHead) text(files ...string) string {
	var b strings.Builder
	if h.settings.hosts.virtual() {
		b.WriteString(notOnWindows)
	}
	for i, line := range h.opening {
		if i == 0 && !h.faults {
			line = "Package apitest c" + strings.TrimPrefix(line, "C")
		}
		fmt.Fprintf(&b, "// %s\n", line)
	}
	before, location := "Start the service, then run", "SONDE_BASE_URL is the service's URL."
	switch {
	case h.settings.driver != nil:
		before, location = "Run", strings.Join(driverLines(h.settings.driver), "\n// ")
	case h.settings.service != nil:
		before, location = "Run", "The tests start the service, unless SONDE_BASE_URL is the URL of a running one."
	}
	fmt.Fprintf(
		&b, "//\n// Sonde wrote this file; it is yours to change. %s\n//\n//\tgo test -count=1 %s\n//\n// %s\n", before,
		strings.Join(files, " "), location,
	)
	for _, line := range append(h.hosts(), h.environment()...) {
		b.WriteString("// " + line + "\n")
	}
	if h.command != "" {
		fmt.Fprintf(&b, "//\n// This command writes it again:\n//\n//\t$ %s\n", h.command)
	}
	for _, line := range h.omissions.lines() {
		fmt.Fprintf(&b, "//\n// %s\n", line)
	}
	end := "package apitest\n\n"
	if h.faults {
		end = "\n" + end // a blank line, because the comment is not about the package
	}
	return b.String() + end
}

// driverLines returns lines about the driver that starts the service.
func driverLines(d *model.Driver) []string {
	all := []string{"The driver starts the service, unless SONDE_BASE_URL is the URL of a running one."}
	if d.Run == nil {
		return append(all, "SONDE_DRIVER_URL is the URL of the driver, which must be running.")
	}
	all = append(all, "The tests start the driver, unless SONDE_DRIVER_URL is the URL of a running one.")
	return append(all, setLines(d.Run.Env, "for the driver")...)
}

// hosts returns lines about the hosts around the service and about the variables that control them.
func (h fileHead) hosts() []string {
	var all []string
	switch hosts := h.settings.hosts; {
	case hosts.virtual():
		all = append(all,
			"The service runs in a virtual network, for which it is built by "+remark(strings.Join(hosts.build, " "), 80)+", unless",
			"SONDE_BINARY names the built binary. With -apart each test has a service of its own, and",
			"-parallel is the number of tests that run at once.",
		)
	case hosts.onLoopback() && h.settings.service == nil:
		all = append(all,
			"Servers of the tests play the hosts that the service calls, at the addresses that the",
			"service knows.",
		)
	case hosts.onLoopback():
		all = append(all,
			"Servers of the tests play the hosts that the service calls. SONDE_BINARY names a binary to",
			"start in place of the configured program.",
		)
	}
	if h.settings.rowsBuild != nil && !h.settings.hosts.virtual() {
		all = append(all,
			"Tests insert rows into the database of the service or clean it. They build the service by",
			remark(strings.Join(h.settings.rowsBuild, " "), 80)+", unless SONDE_BINARY names the built binary.",
		)
	}
	if h.mocks {
		all = append(all,
			"Where SONDE_DIFFERENCES names a file, each difference from the recording is appended to it as",
			"a line of JSON.",
		)
	}
	return all
}

// environment returns lines about the variables that must be set.
func (h fileHead) environment() []string {
	var all []string
	if s := h.settings.service; s != nil {
		all = append(all, setLines(s.Env, "for the service")...)
	}
	if r := h.settings.reset; r != nil {
		all = append(all, setLines(r.Header, "for the reset")...)
	}
	for _, c := range h.settings.headers {
		all = append(all, setLines(map[string]string{c.Name: c.Value}, "to the header "+remark(c.Name, 60)+" of all requests")...)
	}
	for _, u := range h.settings.users {
		if u.Header != "" && u.Public == "" {
			line := fmt.Sprintf("Set %s to the header %s of the user %s.", remark(u.Env, 60), remark(u.Header, 60), quotedRemark(u.Name))
			all = append(all, line)
		}
		if names := secretsIn(u.SecretTexts()); len(names) > 0 {
			line := fmt.Sprintf("Set %s to the credentials of the user %s.", strings.Join(names, " and "), quotedRemark(u.Name))
			all = append(all, line)
		}
	}
	return all
}

// setLines returns a line that asks to set the environment variables in texts. The text what is the end of the
// line. setLines returns nil if the texts have no variables.
func setLines(texts map[string]string, what string) []string {
	var all []string
	for _, name := range sorted(texts) {
		all = append(all, texts[name])
	}
	if names := secretsIn(all); len(names) > 0 {
		return []string{fmt.Sprintf("Set %s %s.", strings.Join(names, " and "), what)}
	}
	return nil
}

// secretsIn returns the environment variables in texts, without duplicates.
func secretsIn(texts []string) []string {
	var all []string
	for _, text := range texts {
		for _, name := range model.SecretNames(text) {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// urlUser matches the user and password of a URL.
var urlUser = regexp.MustCompile(`//[^/@\s]*@`)
