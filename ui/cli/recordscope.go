package cli

import (
	"fmt"
	"slices"
	"strings"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/record"

	"github.com/spf13/cobra"
)

// recordScope are the flags that say what is recorded.
type recordScope struct{ only, except []string }

// scopeRules is what a rule of them can be.
const scopeRules = `"GET /orders/{id}", a path such as /orders/** (* stands for anything in a segment), tag:NAME, method:GET, or host:NAME of outward calls`

func (f *recordScope) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.only, "only", nil, "record these alone: "+scopeRules+"; as often as needed")
	c.Flags().StringArrayVar(&f.except, "except", nil, "do not record these")
	completes(c, scopeTags, "only", "except")
}

// of returns the operations that are recorded, and the choice that says so.
func (f *recordScope) of(spec *model.Spec, configured config.Scope) ([]*model.Operation, record.Choice, error) {
	var scope config.Scope
	var choice record.Choice
	var err error
	scope.Include, choice.Hosts, err = scopeOf(spec, "--only", f.only)
	if err != nil {
		return nil, choice, err
	}
	scope.Exclude, choice.NotHosts, err = scopeOf(spec, "--except", f.except)
	if err != nil {
		return nil, choice, err
	}
	ops := scope.Apply(configured.Apply(spec)).Operations
	if len(ops) == 0 && len(spec.Operations) > 0 {
		return nil, choice, fmt.Errorf("--only and --except, with what the configuration says, leave no operation of %d", len(spec.Operations))
	}
	if len(ops) < len(spec.Operations) {
		choice.Ops = map[model.OpID]bool{}
		for _, op := range ops {
			choice.Ops[op.ID] = true
		}
		choice.Ops[""] = len(scope.Include)+len(configured.Include) == 0
	}
	return ops, choice, nil
}

// scopeOf reads rules. One that fits no operation is an error: it is not what was meant.
func scopeOf(spec *model.Spec, flag string, texts []string) (rules []config.Rule, hosts []string, err error) {
	for _, text := range texts {
		if host, ok := strings.CutPrefix(text, "host:"); ok && host != "" {
			hosts = append(hosts, host)
			continue
		}
		rule, ok := scopeRule(text)
		if !ok {
			return nil, nil, fmt.Errorf("%s: %q is none of %s", flag, text, scopeRules)
		}
		if one := (config.Scope{Include: []config.Rule{rule}}); len(one.Apply(spec).Operations) == 0 {
			return nil, nil, fmt.Errorf("%s: %q fits no operation of the spec: --plan lists them", flag, text)
		}
		rules = append(rules, rule)
	}
	return rules, hosts, nil
}

func scopeRule(text string) (config.Rule, bool) {
	kind, name, _ := strings.Cut(text, ":")
	method, path, both := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(text, "/"):
		return config.Rule{Paths: []string{text}}, true
	case kind == "tag":
		return config.Rule{Tags: []string{name}}, true
	case kind == "method" && name != "":
		return config.Rule{Methods: []string{strings.ToUpper(name)}}, true
	case both && slices.Contains([]string{"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"}, method):
		return config.Rule{Methods: []string{method}, Paths: []string{path}}, true
	}
	return config.Rule{}, false
}
