package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/analysis/depend"
	"sonde/analysis/share"
	"sonde/model"
	"sonde/model/match"

	"github.com/spf13/cobra"
)

// wishes are what is done to a search before it begins: what matters in it, and
// which seqs come first.
type wishes struct {
	only, mute, boost []string // scopes
	try               string   // the file with the seqs; "" for none
	record            string   // the folder of a recording; "" for none
}

// addWishes adds the flags for what a person may also do while a search runs.
func (f *searchFlags) addWishes(c *cobra.Command) {
	fl := c.Flags()
	fl.StringArrayVar(&f.wishes.only, "only", nil, `seek what these operations answer, and nothing else: "GET /orders", tag:NAME or group:N, as often as needed`)
	fl.StringArrayVar(&f.wishes.mute, "mute", nil, "do not seek what these operations answer; others may still need what they create")
	fl.StringArrayVar(&f.wishes.boost, "boost", nil, fmt.Sprintf("call and seek these operations %d times as often as others", model.Boosted))
	completes(c, scopeNames, "only", "mute", "boost")
	fl.StringVar(&f.wishes.try, "try", "", "file of seqs to try first: what sonde seqs prints, or other tests; - is standard input")
	fl.StringVar(&f.wishes.record, "seed-from", "", "begin with the tests that sonde generate would make of the recording in this folder")
}

func (w wishes) args() (line []string) {
	for _, k := range w.kinds() {
		for _, scope := range k.scopes {
			line = append(line, "--"+string(k.kind), scope)
		}
	}
	if w.try != "" {
		line = append(line, "--try", w.try)
	}
	if w.record != "" {
		line = append(line, "--seed-from", w.record)
	}
	return line
}

type scoped struct {
	kind   model.StressKind
	scopes []string
}

// kinds are the ways to stress, in the order in which they take effect.
func (w wishes) kinds() []scoped {
	return []scoped{{model.Only, w.only}, {model.Mute, w.mute}, {model.Boost, w.boost}}
}

// steers makes the wishes what a run is given at its start.
func (w wishes) steers(spec *model.Spec, in io.Reader) ([]model.Steered, error) {
	var all []model.Steered
	for _, k := range w.kinds() {
		if len(k.scopes) == 0 {
			continue
		}
		s := model.Stress{Kind: k.kind, Label: strings.Join(k.scopes, ", ")}
		for _, scope := range k.scopes {
			ops, err := operations(spec, scope)
			if err != nil {
				return nil, fmt.Errorf("--%s %q: %w", k.kind, scope, err)
			}
			s.Ops = append(s.Ops, ops...)
		}
		all = append(all, model.Steered{Steer: model.Steer{Stress: &s}})
	}
	tries, err := w.tries(spec, in)
	return append(all, tries...), err
}

// operations are those that a scope names.
func operations(spec *model.Spec, scope string) ([]model.OpID, error) {
	if name, ok := strings.CutPrefix(scope, "tag:"); ok {
		return tagged(spec, name)
	}
	if number, ok := strings.CutPrefix(scope, "group:"); ok {
		return grouped(spec, number)
	}
	if op := spec.Operation(model.OpID(scope)); op != nil {
		return []model.OpID{op.ID}, nil
	}
	return nil, fmt.Errorf("there is no such operation: sonde groups SPEC lists them; tag:NAME and group:N name several")
}

func tagged(spec *model.Spec, name string) (ops []model.OpID, err error) {
	tags := map[string]bool{}
	for _, op := range spec.Operations {
		for _, tag := range op.Tags {
			tags[tag] = true
			if tag == name {
				ops = append(ops, op.ID)
			}
		}
	}
	if len(ops) == 0 {
		return nil, fmt.Errorf("no operation has this tag; there are %s", strings.Join(slices.Sorted(maps.Keys(tags)), ", "))
	}
	return ops, nil
}

func grouped(spec *model.Spec, number string) ([]model.OpID, error) {
	groups := share.Groups(match.New(spec.Operations, match.Usual).Table(spec.Operations))
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(groups) {
		return nil, fmt.Errorf("groups have the numbers 1 to %d: sonde groups SPEC lists them", len(groups))
	}
	return groups[n-1].Operations, nil
}

// tries are the seqs of a file, as templates.
func (w wishes) tries(spec *model.Spec, in io.Reader) ([]model.Steered, error) {
	if w.try == "" {
		return nil, nil
	}
	table := match.New(spec.Operations, match.Usual).Table(spec.Operations)
	e := newEvidence(spec, table, nil)
	if err := e.read(w.try, in); err != nil {
		return nil, fmt.Errorf("--try: %w", err)
	}
	connect := depend.Connector(spec)
	var all []model.Steered
	for _, find := range e.finds {
		known := slices.DeleteFunc(find.seq, func(op model.OpID) bool { return spec.Operation(op) == nil })
		if len(known) > 0 {
			t := connect(known)
			all = append(all, model.Steered{Steer: model.Steer{Try: &t}})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("--try %q has no seq of this spec's operations", w.try)
	}
	return all, nil
}
