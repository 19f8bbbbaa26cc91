package specdiff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sonde/model"

	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

// Part is the part of an operation that changed.
type Part string

// The parts of an operation, each with the changes that belong to it.
const (
	PartPath      Part = "path"
	PartParameter Part = "parameter"
	PartBody      Part = "body"
	PartStatus    Part = "status" // declared statuses
	PartAnswer    Part = "answer" // bodies and headers of responses
	PartSecurity  Part = "security"
	PartOperation Part = "operation" // deprecation
)

// Change is one change of an operation's contract.
type Change struct {
	// Rule is the name of the rule that found the change: a rule of oasdiff, such as
	// "request-parameter-became-required", or RuleMoved, RuleRenamed or RuleSerialized.
	Rule string
	Part Part
	// Breaking reports whether the change may make a client of the old version fail.
	Breaking bool
	// Text describes the change in a sentence, without naming the operation. Names and values are in
	// backquotes.
	Text string
}

// The rules of this package. All others are rules of oasdiff.
const (
	RuleMoved      = "operation-moved"
	RuleRenamed    = "path-parameter-renamed"
	RuleSerialized = "request-parameter-serialization-changed"
)

// compareContracts returns the changes of each pair of operations, by the operation's ID in the new version, breaking
// changes first. If oasdiff fails, it returns the error and only the changes of paths and of serialization.
func compareContracts(pairs []pair) (map[model.OpID][]Change, error) {
	found, err := runChecks(pairs)
	all := map[model.OpID][]Change{}
	for _, p := range pairs {
		all[p.newer.ID] = slices.Concat(p.pathChanges(), p.serializationChanges())
	}
	text := checker.NewDefaultLocalizer()
	for _, c := range found {
		i, notNumber := strconv.Atoi(strings.TrimPrefix(c.GetPath(), "/"))
		if notNumber != nil || i < 0 || i >= len(pairs) {
			continue // the change is not about an operation
		}
		op := pairs[i].newer.ID
		all[op] = append(all[op], Change{
			Rule: c.GetId(), Part: partOf(c.GetId()), Breaking: c.IsBreaking(), Text: c.GetUncolorizedText(text),
		})
	}
	for op, list := range all {
		slices.SortStableFunc(list, func(a, b Change) int {
			return cmp.Or(breakingFirst(a, b), cmp.Compare(partOrder(a.Part), partOrder(b.Part)))
		})
		all[op] = slices.Compact(list)
	}
	return all, err
}

// runChecks compares pairs by the rules of oasdiff. A panic of oasdiff, which unusual documents may cause, is
// returned as an error.
func runChecks(pairs []pair) (found checker.Changes, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			found, err = nil, fmt.Errorf("the contracts of the operations cannot be compared: %.200v", cause)
		}
	}()
	older := writeDocument(pairs, func(p pair) *model.Operation { return p.older }, pair.newName)
	newer := writeDocument(
		pairs, func(p pair) *model.Operation { return p.newer },
		func(_ pair, _ model.Location, name string) string { return name },
	)
	config := diff.NewConfig(diff.WithExcludeElements(diff.GetExcludeDiffOptions()))
	d, sources, err := diff.GetWithOperationsSourcesMap(config, &load.SpecInfo{Spec: older}, &load.SpecInfo{Spec: newer})
	if err != nil {
		return nil, fmt.Errorf("the contracts of the operations cannot be compared: %w", err)
	}
	return checker.CheckBackwardCompatibilityUntilLevel(checker.NewConfig(checker.GetAllChecks()), d, sources, checker.INFO), nil
}

// pathChanges returns the change of an operation's path: that it moved, or that parameters in it have other names. It
// returns nil if neither holds.
func (p pair) pathChanges() []Change {
	switch p.status {
	case StatusMoved:
		text := fmt.Sprintf("the operation moved from `%s` to `%s`", p.older.Path, p.newer.Path)
		return []Change{{Rule: RuleMoved, Part: PartPath, Breaking: true, Text: text}}
	case StatusRenamed:
		text := fmt.Sprintf("parameters in the path have other names: it was `%s`", p.older.Path)
		return []Change{{Rule: RuleRenamed, Part: PartPath, Text: text}}
	}
	return nil
}

// serializationChanges returns the changes of the serialization of parameters.
func (p pair) serializationChanges() []Change {
	before := map[input]model.Parameter{}
	for _, param := range p.older.Params {
		before[input{param.In, p.newName(param.In, param.Name)}] = param
	}
	var all []Change
	for _, now := range p.newer.Params {
		old, ok := before[input{now.In, now.Name}]
		if !ok || old.Style == now.Style && (old.Explode == now.Explode || isSimple(now.Schema.Type)) {
			continue
		}
		all = append(all, Change{
			Rule: RuleSerialized, Part: PartParameter, Breaking: true,
			Text: fmt.Sprintf(
				"the `%s` request parameter `%s` is written as `%s`, it was `%s`", now.In, now.Name, styleName(now), styleName(old),
			),
		})
	}
	return all
}

// isSimple reports whether values of a type are neither lists nor objects. explode has no effect on such values.
func isSimple(kind string) bool {
	return kind == "string" || kind == "integer" || kind == "number" || kind == "boolean"
}

func styleName(p model.Parameter) string {
	if p.Explode {
		return p.Style + ", exploded"
	}
	return p.Style
}

// partOf returns the part of an operation to which a rule of oasdiff applies.
func partOf(rule string) Part {
	for _, known := range []struct {
		in   string
		part Part
	}{
		{"request-parameter", PartParameter},
		{"request-path-parameter", PartParameter},
		{"request-default-parameter", PartParameter},
		{"request-header", PartParameter},
		{"request-", PartBody},
		{"response-success-status", PartStatus},
		{"response-non-success-status", PartStatus},
		{"response-", PartAnswer},
		{"security", PartSecurity},
	} {
		if strings.Contains(rule, known.in) {
			return known.part
		}
	}
	return PartOperation
}

func partOrder(p Part) int {
	return slices.Index([]Part{PartPath, PartOperation, PartSecurity, PartParameter, PartBody, PartStatus, PartAnswer}, p)
}

func breakingFirst(a, b Change) int {
	switch {
	case a.Breaking == b.Breaking:
		return 0
	case a.Breaking:
		return -1
	}
	return 1
}
