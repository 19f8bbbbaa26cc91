package export

import (
	"fmt"
	"io"
	"strings"

	"sonde/model"
)

// AnnotationLevel is how serious an annotation is. The levels are those of GitHub Actions.
type AnnotationLevel string

// The levels of annotations.
const (
	AnnotateError   AnnotationLevel = "error"
	AnnotateWarning AnnotationLevel = "warning"
	AnnotateNotice  AnnotationLevel = "notice"
)

// Annotation is a text that a CI system shows at an operation in the spec.
type Annotation struct {
	Level AnnotationLevel
	Title string
	Text  string
	Op    model.OpID // "" for a text about the run as a whole
}

// maxAnnotations is the number of annotations of each level that GitHub shows for a step of a job.
const maxAnnotations = 10

// WriteAnnotations writes annotations as commands of GitHub Actions, one a line. Of more than maxAnnotations of a level
// it writes the first ones, the last of them with the number of the others.
func WriteAnnotations(w io.Writer, spec SpecFile, all []Annotation) error {
	total, written := map[AnnotationLevel]int{}, map[AnnotationLevel]int{}
	for _, a := range all {
		total[a.Level]++
	}
	for _, a := range all {
		written[a.Level]++
		if written[a.Level] > maxAnnotations {
			continue
		}
		if more := total[a.Level] - maxAnnotations; written[a.Level] == maxAnnotations && more > 0 {
			a.Text += fmt.Sprintf(" (%d more are in the summary of the job)", more)
		}
		if _, err := fmt.Fprintln(w, a.command(spec)); err != nil {
			return err
		}
	}
	return nil
}

// command returns an annotation as a command of GitHub Actions. Its texts cannot end the command or begin another one.
func (a Annotation) command(spec SpecFile) string {
	properties := ""
	if at, ok := spec.artifact(); ok && a.Op != "" && at.Base != "" {
		properties = "file=" + escapeProperty(pathOfURI(at.URI)) + ","
		if line := spec.Lines[a.Op]; line > 0 {
			properties += fmt.Sprintf("line=%d,", line)
		}
	}
	text := printableLine(strings.ToValidUTF8(a.Text, "\ufffd"))
	if runes := []rune(text); len(runes) > maxAnnotation {
		text = string(runes[:maxAnnotation-1]) + "…"
	}
	return fmt.Sprintf("::%s %stitle=%s::%s", a.Level, properties, escapeProperty(a.Title), commandData.Replace(text))
}

// maxAnnotation is the number of characters of the longest text of an annotation.
const maxAnnotation = 1000

// commandData and commandProperty escape the characters with a meaning in commands of GitHub Actions.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func escapeProperty(text string) string {
	return commandProperty.Replace(printableLine(strings.ToValidUTF8(text, "\ufffd")))
}

// AnnotationOf returns an annotation of a fault. remark is added to its text unless it is "".
func AnnotationOf(level AnnotationLevel, f model.Fault, remark string) Annotation {
	text := faultText(f)
	if remark != "" {
		text += " (" + remark + ")"
	}
	return Annotation{Level: level, Title: "Sonde: " + f.Oracle, Text: text, Op: f.Op}
}

// faultText returns a fault as a sentence: its operation, what was expected and got, and the request.
func faultText(f model.Fault) string {
	text := fmt.Sprintf("%s: expected %s, got %s.", f.Op, f.Expected, gotText(f))
	if request := requestLine(f); request != "" {
		text += " Request: " + request
	}
	return text
}
