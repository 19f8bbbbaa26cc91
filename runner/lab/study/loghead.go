package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"sonde/model"
)

// logHead is the first line of a log. It identifies the study.
type logHead struct {
	Study    int                `json:"study"` // version of the file's format
	Sonde    string             `json:"sonde"`
	Smart    []float64          `json:"smart"`
	White    []bool             `json:"white,omitempty"`
	Ways     []Way              `json:"ways,omitempty"`
	Mutants  model.MutantSample `json:"mutants,omitzero"`
	Lists    []string           `json:"lists,omitempty"`
	Services []serviceHead      `json:"services"`
}

// serviceHead identifies a service and its runs.
type serviceHead struct {
	Name    string   `json:"name"`
	Digest  string   `json:"digest"`
	Budgets []Series `json:"budgets"`
}

// headVersion is the version of the log's format.
const headVersion = 3

// newHead returns the head of a study's log.
func newHead(s Study, version string) logHead {
	h := logHead{
		Study: headVersion, Sonde: version, Smart: s.Smart, White: s.White, Ways: s.Ways, Mutants: s.Mutants, Lists: s.Lists,
	}
	for _, service := range s.Services {
		h.Services = append(h.Services, serviceHead{Name: service.Name, Digest: service.Digest, Budgets: service.Budgets})
	}
	return h
}

// check returns an error if line, the first line of an existing log, is not h.
func (h logHead) check(line []byte) error {
	var was logHead
	if json.Unmarshal(line, &was) != nil || was.Study == 0 {
		return errors.New("this is not the log of a study: name another folder with -o")
	}
	if what := h.difference(was); what != "" {
		return fmt.Errorf("they belong to another study, %s: name another folder with -o, or delete this one", what)
	}
	return nil
}

// difference describes how was differs from h, "" if they are equal.
func (h logHead) difference(was logHead) string {
	switch {
	case was.Study != h.Study:
		return fmt.Sprintf("written in format %d, not %d", was.Study, h.Study)
	case was.Sonde != h.Sonde:
		return fmt.Sprintf("by %s, not %s", was.Sonde, h.Sonde)
	case !slices.Equal(was.Smart, h.Smart):
		return fmt.Sprintf("with smart %v, not %v", was.Smart, h.Smart)
	case !slices.Equal(was.White, h.White):
		return fmt.Sprintf("with white %v, not %v", was.White, h.White)
	case !slices.Equal(was.Ways, h.Ways):
		return "with other ways of sampling"
	case was.Mutants != h.Mutants:
		return "with other mutants"
	case !slices.Equal(was.Lists, h.Lists):
		return fmt.Sprintf("with the lists %q, not %q", was.Lists, h.Lists)
	case !slices.Equal(names(was.Services), names(h.Services)):
		return fmt.Sprintf("of the services %q, not %q", names(was.Services), names(h.Services))
	}
	for i, s := range h.Services {
		switch {
		case !reflect.DeepEqual(was.Services[i].Budgets, s.Budgets):
			return fmt.Sprintf("with other budgets or seeds for %q", s.Name)
		case was.Services[i].Digest != s.Digest:
			return fmt.Sprintf("with another spec or other settings for %q", s.Name)
		}
	}
	return ""
}

// names returns the names of the services.
func names(services []serviceHead) (all []string) {
	for _, s := range services {
		all = append(all, s.Name)
	}
	return all
}
