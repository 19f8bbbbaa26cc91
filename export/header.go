package export

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// constraint keeps files from systems that cannot run them.
func (s Suite) constraint() string {
	if s.virtual() {
		return "//go:build !windows\n\n"
	}
	return ""
}

// packageComment says what a file is that has all it needs, how to run it and what it left
// out.
func (s Suite) packageComment() string { return s.fileComment(FileName) }

// fileComment says what one of some files is, of which the first is named.
func (s Suite) fileComment(files ...string) string {
	var b strings.Builder
	for i, line := range s.opening() {
		if i == 0 && s.shows == nil {
			line = "Package apitest c" + strings.TrimPrefix(line, "C")
		}
		fmt.Fprintf(&b, "// %s\n", line)
	}
	b.WriteString("//\n")
	before, where := "Start the service, then run", "SONDE_BASE_URL says where the service is."
	if s.Service != nil {
		before, where = "Run", "It starts the service itself, unless SONDE_BASE_URL says where one is."
	}
	fmt.Fprintf(
		&b, "// Sonde wrote it; it is yours to change. %s\n//\n//\tgo test -count=1 %s\n//\n// %s\n", before,
		strings.Join(files, " "), where,
	)
	for _, line := range append(s.surroundings(), s.needs()...) {
		b.WriteString("// " + line + "\n")
	}
	if command := remark(loginInURL.ReplaceAllString(s.Command, "//"), 2000); command != "" {
		fmt.Fprintf(&b, "//\n// This makes it again:\n//\n//\t$ %s\n", command)
	}
	if out := s.leftOut(); len(out) > 0 {
		fmt.Fprintf(&b, "//\n// Left out, because they have not been run: %s.\n", strings.Join(out, ", "))
	}
	if line := s.Unsound(); line != "" {
		fmt.Fprintf(&b, "//\n// %s\n", line)
	}
	if out := several(s.virtually); len(out) > 0 {
		fmt.Fprintf(&b, "//\n// Left out, because they need a virtual network: %s.\n", strings.Join(out, ", "))
	}
	for _, line := range s.unshown {
		fmt.Fprintf(&b, "//\n// %s\n", line)
	}
	end := "package apitest\n\n"
	if s.shows != nil {
		end = "\n" + end // the comment is of the file, not of the package
	}
	return b.String() + end
}

// opening says what tests do, in one or two lines.
func (s Suite) opening() []string {
	title := cmp.Or(remark(s.Title, 60), "an API")
	if s.shows == nil {
		return []string{"Calls " + title + " and checks its answers."}
	}
	return []string{"Faults of " + title + ": each test shows one.", FaultsDo[s.FaultMode]}
}

// FaultsDo says what the tests of faults do.
var FaultsDo = map[FaultMode]string{
	"":         "It asserts what should hold, and fails until the fault is mended.",
	FailFaults: "It asserts what should hold, and fails until the fault is mended.",
	PinFaults:  "It asserts what the service does today, and passes until the fault is mended.",
	SkipFaults: "It asserts what should hold, and is skipped until somebody takes that out.",
}

// surroundings returns lines that say what is around the service, and what else tells
// the tests what to do.
func (s Suite) surroundings() []string {
	var all []string
	switch {
	case s.virtual():
		all = append(all,
			"The service has a virtual network, for which it is built by "+remark(strings.Join(s.Build, " "), 80)+", unless",
			"SONDE_BINARY names what that made. With -apart each test has a service of its own, and",
			"as many run at once as -parallel says.",
		)
	case s.local() && s.Service == nil:
		all = append(
			all, "What the service asks of other hosts is answered by servers of the tests' own, which are",
			"where the service turns to.",
		)
	case s.local():
		all = append(all,
			"What the service asks of other hosts is answered by servers of the tests' own. SONDE_BINARY",
			"names a binary that takes the place of the program that is started.",
		)
	}
	if s.mimics() {
		all = append(
			all, "Where SONDE_DIFFERENCES names a file, what comes differently than it was recorded is noted",
			"there, a line of JSON for each difference.",
		)
	}
	return all
}

// needs returns lines that say which variables must be set.
func (s Suite) needs() []string {
	var all []string
	if s.Service != nil {
		all = append(all, set(s.Service.Env, "for the service")...)
	}
	if s.Reset != nil {
		all = append(all, set(s.Reset.Header, "for the reset")...)
	}
	for _, u := range s.callers() {
		if u.Header != "" && u.Public == "" {
			all = append(
				all,
				fmt.Sprintf("Set %s to the header %s of the user %s.", remark(u.Env, 60), remark(u.Header, 60), remark(u.Name, 60)),
			)
		}
		if names := secretsIn(u.Texts()); len(names) > 0 {
			all = append(all, fmt.Sprintf("Set %s to what the user %s proves it with.", strings.Join(names, " and "), remark(u.Name, 60)))
		}
	}
	return all
}

// set says which variables are set for something.
func set(texts map[string]string, what string) []string {
	var all []string
	for _, name := range sorted(texts) {
		all = append(all, texts[name])
	}
	if names := secretsIn(all); len(names) > 0 {
		return []string{fmt.Sprintf("Set %s %s.", strings.Join(names, " and "), what)}
	}
	return nil
}

// secretsIn returns the variables that texts name, each once.
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

// loginInURL is the user and password of a URL, which are nobody else's business.
var loginInURL = regexp.MustCompile(`//[^/@\s]*@`)

// leftOut returns the first tests without a reached call.
func (s Suite) leftOut() []string {
	var all []string
	for _, t := range s.Tests {
		if last(t) < 0 {
			all = append(all, remark(t.ID, 40))
		}
	}
	return several(all)
}

// Unsound says which tests are left out because they may pass only once, "" for none.
func (s Suite) Unsound() string {
	all := make([]string, len(s.EarlierState))
	for i, id := range s.EarlierState {
		all[i] = remark(id, 40)
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("%d left out, because they depend on earlier state or were not played again (--all writes them): %s.",
		len(all), strings.Join(several(all), ", "))
}

// Written returns the tests that Go writes: those that have run, and whose hosts can be
// played.
func (s Suite) Written() []model.Test {
	if played, err := s.replaced(); err == nil {
		s = played
	}
	return slices.DeleteFunc(slices.Clone(s.Tests), func(t model.Test) bool { return last(t) < 0 })
}

// several returns the first of some texts.
func several(all []string) []string {
	if more := len(all) - 5; more > 0 {
		all = append(slices.Clip(all[:5]), fmt.Sprintf("and %d more", more))
	}
	return all
}
