package service

import (
	"fmt"
	"net/url"
	"slices"

	"sonde/model"
	"sonde/model/config"
)

// Writes returns the operations that may change something, in their order.
func Writes(ops []model.OpID) (all []model.OpID) {
	for _, op := range ops {
		if !op.Reads() {
			all = append(all, op)
		}
	}
	return all
}

// OperationIDs returns the identities of the operations of a spec.
func OperationIDs(spec *model.Spec) (all []model.OpID) {
	for _, op := range spec.Operations {
		all = append(all, op.ID)
	}
	return all
}

// ProductionError is the error of calls that write to a service in production without consent.
type ProductionError struct {
	Environment, Host string
	Writes            []model.OpID // the operations that write; none if only users would be created
}

func (e *ProductionError) Error() string {
	what := "users would be created (createUsers)"
	switch n := len(e.Writes); {
	case n == 1:
		what = fmt.Sprintf("%s would be called, which writes", e.Writes[0])
	case n > 1:
		what = fmt.Sprintf("%d operations that write would be called, such as %s", n, e.Writes[0])
	}
	return fmt.Sprintf(
		"environment %s is production (%s), and %s: add --allow-production if that is right, "+
			"or leave them out with exclude in sonde.yaml", e.Environment, e.Host, what,
	)
}

// CheckProduction returns a *ProductionError if the environment is production and calls of operations would write, or
// create users first.
func (c Configuration) CheckProduction(at Service, ops []model.OpID) error {
	if !c.Production {
		return nil
	}
	writes := Writes(ops)
	if len(writes) == 0 && !at.CreatesUsers() {
		return nil
	}
	return &ProductionError{Environment: c.Environment, Host: at.Host(), Writes: writes}
}

// CreatesUsers reports whether users are created before their first call (createUsers).
func (s Service) CreatesUsers() bool {
	return slices.ContainsFunc(s.Users, func(u model.User) bool { return len(u.Creates) > 0 })
}

// Host returns the host and the port in the URL of the service.
func (s Service) Host() string {
	u, err := url.Parse(portless(s.URL))
	if err != nil || u.Host == "" {
		return s.URL
	}
	return u.Host
}

// EnvironmentAddress describes where the service of an environment is.
func EnvironmentAddress(e config.Environment) string {
	switch {
	case e.Starts:
		return startedText
	case e.URL == "":
		return "no service"
	}
	return e.URL
}

// EnvironmentNames returns the names of environments.
func EnvironmentNames(all []config.Environment) (names []string) {
	for _, e := range all {
		names = append(names, e.Name)
	}
	return names
}
