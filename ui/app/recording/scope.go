package recording

import (
	"fmt"
	"strings"

	"sonde/model"
	"sonde/model/config"
	"sonde/runner/replay/record"
)

// Scope has the flags --only and --except.
type Scope struct{ Only, Except []string }

// ScopeRules lists the forms of a rule of --only or --except, for messages.
const ScopeRules = `"GET /orders/{id}", a path such as /orders/** (* matches within a segment), tag:NAME, ` +
	`method:GET, or host:NAME of outward calls`

// Operations returns the operations to record, and the selection for the recorder.
func (f *Scope) Operations(spec *model.Spec, configured config.OperationScope) ([]*model.Operation, record.Selection, error) {
	var scope config.OperationScope
	var choice record.Selection
	var err error
	scope.Include, choice.Hosts, err = scopeOf(spec, "--only", f.Only)
	if err != nil {
		return nil, choice, err
	}
	scope.Exclude, choice.NotHosts, err = scopeOf(spec, "--except", f.Except)
	if err != nil {
		return nil, choice, err
	}
	ops := scope.Apply(configured.Apply(spec)).Operations
	if len(ops) == 0 && len(spec.Operations) > 0 {
		return nil, choice, fmt.Errorf(
			"--only and --except, with the configuration, leave no operation of %d",
			len(spec.Operations),
		)
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

// scopeOf parses the rules of a flag. It returns the rules for operations and those for hosts. A rule that
// matches no operation is an error, because it is probably misspelt.
func scopeOf(spec *model.Spec, flag string, texts []string) (rules []config.ScopeRule, hosts []string, err error) {
	for _, text := range texts {
		if host, ok := strings.CutPrefix(text, "host:"); ok && host != "" {
			hosts = append(hosts, host)
			continue
		}
		rule, ok := scopeRule(text)
		if !ok {
			return nil, nil, fmt.Errorf("%s: %q is none of %s", flag, text, ScopeRules)
		}
		if one := (config.OperationScope{Include: []config.ScopeRule{rule}}); len(one.Apply(spec).Operations) == 0 {
			return nil, nil, fmt.Errorf("%s: %q matches no operation of the spec: --plan lists them", flag, text)
		}
		rules = append(rules, rule)
	}
	return rules, hosts, nil
}

func scopeRule(text string) (config.ScopeRule, bool) {
	kind, name, _ := strings.Cut(text, ":")
	method, path, both := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(text, "/"):
		return config.ScopeRule{Paths: []string{text}}, true
	case kind == "tag":
		return config.ScopeRule{Tags: []string{name}}, true
	case kind == "method" && name != "":
		return config.ScopeRule{Methods: []string{strings.ToUpper(name)}}, true
	case both && model.IsMethod(method):
		return config.ScopeRule{Methods: []string{method}, Paths: []string{path}}, true
	}
	return config.ScopeRule{}, false
}
