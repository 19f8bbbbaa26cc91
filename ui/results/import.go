package results

import (
	"fmt"
	"io"
	"slices"
	"strings"

	collections "sonde/model/collection"
	"sonde/ui/app/collection"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/words"
)

// ImportReport is the JSON of sonde import.
type ImportReport struct {
	File     string           `json:"file"`
	Requests []RequestReport  `json:"requests"`
	Secrets  []SecretReport   `json:"secrets"`
	LeftOut  []OmissionReport `json:"left_out"`
}

// RequestReport is an imported request. Operation and Why are "" if there is no spec.
type RequestReport struct {
	Name      string `json:"name"`
	Method    string `json:"method"`
	URL       string `json:"url"`
	Operation string `json:"operation,omitempty"`
	Why       string `json:"why,omitempty"` // why there is no operation
}

// SecretReport is a secret that a variable has replaced.
type SecretReport struct {
	Variable string `json:"variable"`
	Request  string `json:"request,omitempty"`
	Place    string `json:"place"`
}

// OmissionReport is a part of the source that the .http file does not have.
type OmissionReport struct {
	Kind    string `json:"kind"`
	Request string `json:"request,omitempty"`
	About   string `json:"about,omitempty"`
}

// NewImportReport returns the report of an import. routes is nil if there is no spec.
func NewImportReport(file string, made collection.Imported, routes []collection.Route) ImportReport {
	r := ImportReport{File: file, Requests: []RequestReport{}, Secrets: []SecretReport{}, LeftOut: []OmissionReport{}}
	for i, request := range made.Requests {
		one := RequestReport{Name: request.Label(), Method: request.Method, URL: request.URL}
		if routes != nil {
			one.Why = routes[i].Why
		}
		if routes != nil && routes[i].Op != nil {
			one.Operation = string(routes[i].Op.ID)
		}
		r.Requests = append(r.Requests, one)
	}
	for _, s := range made.Secrets {
		r.Secrets = append(r.Secrets, SecretReport{Variable: s.Variable, Request: s.Request, Place: s.Place})
	}
	for _, o := range made.Omissions {
		r.LeftOut = append(r.LeftOut, OmissionReport{Kind: string(o.Kind), Request: o.Request, About: o.About})
	}
	return r
}

// PrintImport writes the file and a line for each request with its operation.
func PrintImport(w io.Writer, file string, made collection.Imported, routes []collection.Route) error {
	if _, err := fmt.Fprintf(w, "%s in %s\n", words.Plural(len(made.Requests), "request"), file); err != nil {
		return err
	}
	t := console.NewTable(w)
	for i, request := range made.Requests {
		name := request.Label()
		switch {
		case routes == nil:
			t.Row(name, request.Method+" "+request.URL)
		case routes[i].Op != nil:
			t.Row(name, "→ "+string(routes[i].Op.ID))
		default:
			t.Row(name, "✗ "+routes[i].Why)
		}
	}
	return t.Flush()
}

// maxSecretLines is the number of secrets that PrintImportNotes lists.
const maxSecretLines = 50

// PrintImportNotes writes the variables that replace secrets, how many requests are sent as a user, and what is left out: a
// line for each kind.
func PrintImportNotes(w io.Writer, made collection.Imported, user string) {
	if made.AsUser > 0 {
		console.PrintNote(w, "the user %s of the configuration takes the place of the bearer token in %s",
			draw.Clean(user), words.Plural(made.AsUser, "request"))
	}
	for i, s := range made.Secrets {
		if i == maxSecretLines {
			console.PrintNote(w, "%d more secrets are replaced by variables", len(made.Secrets)-i)
			break
		}
		where := s.Place
		if s.Request != "" {
			where += " of " + s.Request
		}
		console.PrintNote(w, "{{%s}} replaces a secret: %s", s.Variable, where)
	}
	var kinds []collections.OmissionKind
	lines := map[collections.OmissionKind][]string{}
	for _, o := range made.Omissions {
		if lines[o.Kind] == nil {
			kinds = append(kinds, o.Kind)
		}
		lines[o.Kind] = append(lines[o.Kind], omissionText(o))
	}
	for _, kind := range kinds {
		console.PrintNote(w, "left out: %s: %s", words.Plural(len(lines[kind]), string(kind)), listed(lines[kind]))
	}
}

// omissionText describes an omission without its kind.
func omissionText(o collections.Omission) string {
	switch {
	case o.About == "":
		return o.Request
	case o.Request == "":
		return o.About
	}
	return o.Request + " (" + o.About + ")"
}

// listed lists texts, each with the number of times that it occurs.
func listed(texts []string) string {
	const most = 20
	var all []string
	counts := map[string]int{}
	for _, text := range texts {
		if counts[text]++; counts[text] == 1 {
			all = append(all, text)
		}
	}
	rest := len(all) - most
	all = slices.Clip(all[:min(len(all), most)])
	for i, text := range all {
		if counts[text] > 1 {
			all[i] = fmt.Sprintf("%s (%d times)", text, counts[text])
		}
	}
	if rest > 0 {
		all = append(all, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(all, ", ")
}
