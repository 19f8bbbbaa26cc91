package searchrun

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sonde/analysis"
	"sonde/analysis/cluster"
	"sonde/model"
	"sonde/ui/app/adequacy"
	"sonde/ui/app/command"
)

// Directives are the initial priorities of operations, and the seqs that a search tries first.
type Directives struct {
	Only, Mute, Boost []string // scopes, see ScopeOperations
	Try               string   // the file with seqs, "" for none
	Recording         string   // the folder of a recording, "" for none
	Since             string   // an older version of the spec, "" for none: the search is for what changed since then
}

// Flags returns the directives as flags of sonde search.
func (w Directives) Flags() (line []string) {
	for _, k := range w.kinds() {
		for _, scope := range k.scopes {
			line = append(line, "--"+string(k.kind), scope)
		}
	}
	if w.Try != "" {
		line = append(line, "--try", w.Try)
	}
	if w.Recording != "" {
		line = append(line, "--seed-from", w.Recording)
	}
	if w.Since != "" {
		line = append(line, "--since", command.WithoutCredentials(w.Since))
	}
	return line
}

type scoped struct {
	kind   model.PriorityKind
	scopes []string
}

// kinds returns the priorities in the order in which they take effect.
func (w Directives) kinds() []scoped {
	return []scoped{{model.PriorityOnly, w.Only}, {model.PriorityMuted, w.Mute}, {model.PriorityBoosted, w.Boost}}
}

// InitialCommands returns the commands that a run begins with. The last argument is standard input, which is read for
// --try -.
func (w Directives) InitialCommands(spec *model.Spec, in io.Reader) ([]model.AppliedCommand, error) {
	var all []model.AppliedCommand
	a := analysis.Analyze(spec, analysis.Options{})
	for _, k := range w.kinds() {
		if len(k.scopes) == 0 {
			continue
		}
		s := model.Priority{Kind: k.kind, Label: strings.Join(k.scopes, ", ")}
		for _, scope := range k.scopes {
			ops, err := ScopeOperations(a, scope)
			if err != nil {
				return nil, fmt.Errorf("--%s %q: %w", k.kind, scope, err)
			}
			s.Ops = append(s.Ops, ops...)
		}
		all = append(all, model.AppliedCommand{Command: model.Command{Priority: &s}})
	}
	tries, err := w.TryCommands(spec, in)
	return append(all, tries...), err
}

// ScopeOperations returns the operations of a scope: an operation, tag:NAME, group:N or cluster:NAME.
// Groups and clusters are those of the analysis a.
func ScopeOperations(a *analysis.Analysis, scope string) ([]model.OpID, error) {
	if name, ok := strings.CutPrefix(scope, "tag:"); ok {
		return tagged(a.Spec, name)
	}
	if number, ok := strings.CutPrefix(scope, "group:"); ok {
		return grouped(a.ValueGroups(), number)
	}
	if name, ok := strings.CutPrefix(scope, "cluster:"); ok {
		return clustered(a.Clusters(), name)
	}
	if op := a.Spec.Operation(model.OpID(scope)); op != nil {
		return []model.OpID{op.ID}, nil
	}
	return nil, fmt.Errorf("there is no such operation: sonde groups SPEC lists them; tag:NAME, group:N and cluster:NAME are several")
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
		return nil, fmt.Errorf("no operation has this tag; the tags are %s", strings.Join(slices.Sorted(maps.Keys(tags)), ", "))
	}
	return ops, nil
}

func grouped(groups []model.ValueGroup, number string) ([]model.OpID, error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(groups) {
		return nil, fmt.Errorf("groups are numbered from 1 to %d: sonde groups SPEC lists them", len(groups))
	}
	return groups[n-1].Operations, nil
}

func clustered(all []*cluster.Cluster, name string) ([]model.OpID, error) {
	c := cluster.Find(all, name)
	if c == nil {
		return nil, errors.New("there is no such area: sonde clusters SPEC lists them")
	}
	return c.Operations, nil
}

// TryCommands returns the commands that try the seqs of the file. It leaves out operations that are not in
// the spec.
func (w Directives) TryCommands(spec *model.Spec, in io.Reader) ([]model.AppliedCommand, error) {
	if w.Try == "" {
		return nil, nil
	}
	a := analysis.Analyze(spec, analysis.Options{})
	e := adequacy.NewEvidence(spec, a.ValuesTable(), nil)
	if err := e.Read(w.Try, in); err != nil {
		return nil, fmt.Errorf("--try: %w", err)
	}
	connect := a.SeqConnector()
	var all []model.AppliedCommand
	for _, find := range e.Seqs {
		known := slices.DeleteFunc(find.Seq, func(op model.OpID) bool { return spec.Operation(op) == nil })
		if len(known) > 0 {
			t := connect(known)
			all = append(all, model.AppliedCommand{Command: model.Command{Try: &t}})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("--try %q has no seq of this spec's operations", w.Try)
	}
	return all, nil
}
