package doctor

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// tool is a program that runs exported tests. Its purpose is the command that writes such tests.
type tool struct {
	name    string
	program string
	args    []string // arguments that make the program print its version
	purpose string
	advice  string
}

// tools are the programs that run exported tests, in the order of the report.
var tools = []tool{
	{
		name: "python3", program: "python3", args: []string{"--version"},
		purpose: "export --format pytest",
		advice:  "install Python 3 from https://python.org",
	},
	{
		name: "pytest", program: "python3", args: []string{"-m", "pytest", "--version"},
		purpose: "export --format pytest",
		advice:  "python3 -m pip install pytest requests; exported tests need both",
	},
	{
		name: "node", program: "node", args: []string{"--version"},
		purpose: "export --format node",
		advice:  "install Node.js from https://nodejs.org",
	},
	{
		name: "k6", program: "k6", args: []string{"--version"},
		purpose: "export --format k6",
		advice:  "install k6 from https://k6.io",
	},
	{
		name: "java", program: "java", args: []string{"--version"},
		purpose: "export --format junit5",
		advice:  "install a JDK, such as from https://adoptium.net",
	},
	{
		name: "maven", program: "mvn", args: []string{"--version"},
		purpose: "export --format junit5",
		advice:  "install Maven from https://maven.apache.org",
	},
	{
		name: "curl", program: "curl", args: []string{"--version"},
		purpose: "export --format curl",
		advice:  "install curl from https://curl.se",
	},
}

// languageChecks returns the checks of the programs that run exported tests.
func (e Environment) languageChecks() (all []examination) {
	for _, t := range tools {
		all = append(all, examination{
			section: Languages, name: t.name, purpose: t.purpose, onError: t.advice,
			examine: func(ctx context.Context) finding { return e.tool(ctx, t) },
		})
	}
	return all
}

// tool asks a program for its version.
func (e Environment) tool(ctx context.Context, t tool) finding {
	path, err := e.Programs.Find(t.program)
	if err != nil {
		return limited("there is no "+t.program+" on the PATH", t.advice)
	}
	text, err := e.Programs.Output(ctx, path, t.args...)
	if err != nil {
		return limited(err.Error(), t.advice)
	}
	version := versionIn(text)
	if version == "" {
		command := strings.Join(append([]string{t.program}, t.args...), " ")
		return limited(fmt.Sprintf("%s prints %q", command, firstLine(text)), t.advice)
	}
	return works(version)
}

// The forms of a version: with dots, and a number alone, such as that of a new release of Java.
var (
	dottedVersion = regexp.MustCompile(`\d+(\.\d+)+[\w.+-]*`)
	plainVersion  = regexp.MustCompile(`\b\d+\b`)
)

// versionIn returns the version in the first line of a text that has one, "" if there is none.
func versionIn(text string) string {
	for line := range strings.Lines(text) {
		for _, form := range []*regexp.Regexp{dottedVersion, plainVersion} {
			if v := form.FindString(line); v != "" {
				return v
			}
		}
	}
	return ""
}

// firstLine returns the first line of a text that is not empty.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
