package report

import (
	"html/template"
	"strings"

	"sonde/ui/words"
)

// Maximum sizes of the parts of a page in bytes, so that a page has less than 5 MB. The other parts are limited by
// numbers of elements.
const (
	maxFaults = 1_200_000
	maxTests  = 1_600_000
	maxGrid   = 700_000
)

// section is a list of elements that were written already, to limit their size. LeftOut says what the list does not
// show, "" for nothing.
type section struct {
	Elements []template.HTML
	All      int
	LeftOut  string
}

// newSection writes n elements with a template up to a size. Elements that do not fit are written without their
// details, or are left out. data returns the data of an element, folded that without details.
func newSection(name string, room, n int, data func(i int, folded bool) any) (section, error) {
	s := section{All: n}
	folded := 0
	for i := range n {
		html, err := element(name, data(i, folded > 0))
		if err == nil && len(html) > room && folded == 0 {
			folded = n - i
			html, err = element(name, data(i, true))
		}
		if err != nil {
			return s, err
		}
		if len(html) > room {
			break
		}
		room -= len(html)
		s.Elements = append(s.Elements, html)
	}
	s.LeftOut = leftOutText(name, n-len(s.Elements), folded)
	return s, nil
}

// element executes the template of an element.
func element(name string, data any) (template.HTML, error) {
	var b strings.Builder
	err := runTemplates.ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}

// leftOutText says how many elements are missing on a page, and how many have no details, those included. "" means
// none.
func leftOutText(thing string, missing, folded int) string {
	if folded == 0 {
		return ""
	}
	var parts []string
	if missing > 0 {
		parts = append(parts, words.Plural(missing, thing))
	}
	if folded -= missing; folded > 0 && thing != rowElement {
		parts = append(parts, "the calls of "+words.Plural(folded, thing))
	}
	if parts == nil {
		return ""
	}
	return "Left out, so that the page stays small: " + strings.Join(parts, ", and ") + ". The folder of the run has all."
}

// rowElement is the template of a row of the table of operations, which has no details.
const rowElement = "operation"
