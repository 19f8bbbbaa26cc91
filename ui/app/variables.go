package app

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"sonde/model"
	"sonde/runner/target/client"
)

// variableSet finds the values of ${NAME} in requests by hand: first among the variables of the configuration, then in
// the process environment. It looks up a name in the process environment only if the user typed it, because an example
// of a spec or an answer of a service could name a secret.
type variableSet struct {
	session *session

	mu          sync.Mutex
	environment string   // the environment of the configuration in which the names were typed
	typed       []string // names that the user typed
}

// allow lets later requests take variables from the process environment.
func (v *variableSet) allow(names []string) {
	now := v.session.environment()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.environment != now {
		v.environment, v.typed = now, nil
	}
	v.typed = append(v.typed, names...)
}

func (v *variableSet) isTyped(name string) bool {
	now := v.session.environment()
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.environment == now && slices.Contains(v.typed, name)
}

// valuesFor returns the variables of a test that the user wrote, none for other tests. It is an error if a variable is
// not set.
func (v *variableSet) valuesFor(t model.Test) (client.Variables, error) {
	out := client.Variables{Values: map[string]string{}}
	if t.Origin != model.OriginManual {
		return out, nil
	}
	configured := v.session.state().config.Variables
	for _, name := range t.Variables() {
		text, ok := configured[name]
		switch {
		case ok:
		case v.isTyped(name):
			text = "${" + name + "}"
		default:
			continue
		}
		value, secrets, missing := fromProcess(text)
		if missing != "" {
			return out, fmt.Errorf(
				"${%s} has no value: set %s in the environment, or add the variable under variables in sonde.yaml", name, missing,
			)
		}
		out.Values[name] = value
		out.Secrets = append(out.Secrets, secrets...)
	}
	return out, nil
}

// fromProcess replaces the variables in a text by their values in the process environment. It returns the values, and
// the first name that is not set.
func fromProcess(text string) (value string, secrets []string, missing string) {
	value = model.FillSecrets(text, func(name string) string {
		set := strings.TrimSpace(os.Getenv(name))
		if set == "" && missing == "" {
			missing = name
		}
		secrets = append(secrets, set)
		return set
	})
	return value, secrets, missing
}

// exported returns tests for a file, with the variables of the configuration replaced by their values. It is an error if
// a value comes from the process environment, because the file would not know it.
func (v *variableSet) exported(tests []model.Test) ([]model.Test, error) {
	configured := v.session.state().config.Variables
	tests = slices.Clone(tests)
	for i, t := range tests {
		if t.Origin != model.OriginManual {
			continue
		}
		for _, name := range t.Variables() {
			text, ok := configured[name]
			if v.isTyped(name) && !ok || len(model.SecretNames(text)) > 0 {
				return nil, fmt.Errorf(
					"test %s has ${%s}, which comes from the environment: give it to a user (U) or under headers in sonde.yaml, "+
						"so that the file can read it, too", t.ID, name,
				)
			}
		}
		tests[i].Calls = slices.Clone(t.Calls)
		for j, call := range t.Calls {
			tests[i].Calls[j] = client.FillVariables(call, configured)
		}
	}
	return tests, nil
}
