package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// head is the first line of a log. It identifies the study.
type head struct {
	Study    int         `json:"study"` // version of the file's format
	Sonde    string      `json:"sonde"`
	Smart    []float64   `json:"smart"`
	White    []bool      `json:"white,omitempty"`
	Services []inspected `json:"services"`
}

type inspected struct {
	Name    string   `json:"name"`
	Digest  string   `json:"digest"`
	Budgets []Series `json:"budgets"`
}

const headVersion = 1

func newHead(s Study, version string) head {
	h := head{Study: headVersion, Sonde: version, Smart: s.Smart, White: s.White}
	for _, service := range s.Services {
		h.Services = append(h.Services, inspected{Name: service.Name, Digest: service.Digest, Budgets: service.Budgets})
	}
	return h
}

// check compares the head with the first line of an existing log.
func (h head) check(line []byte) error {
	var was head
	if json.Unmarshal(line, &was) != nil || was.Study == 0 {
		return errors.New("this is not the log of a study: name another folder with -o")
	}
	if what := h.differs(was); what != "" {
		return fmt.Errorf("they belong to another study, %s: name another folder with -o, or delete this one", what)
	}
	return nil
}

// differs describes the difference from another head, "" if there is none.
func (h head) differs(was head) string {
	switch {
	case was.Study != h.Study:
		return fmt.Sprintf("written in format %d, not %d", was.Study, h.Study)
	case was.Sonde != h.Sonde:
		return fmt.Sprintf("by %s, not %s", was.Sonde, h.Sonde)
	case !slices.Equal(was.Smart, h.Smart):
		return fmt.Sprintf("with smart %v, not %v", was.Smart, h.Smart)
	case !slices.Equal(was.White, h.White):
		return fmt.Sprintf("with white %v, not %v", was.White, h.White)
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

func names(services []inspected) (all []string) {
	for _, s := range services {
		all = append(all, s.Name)
	}
	return all
}
