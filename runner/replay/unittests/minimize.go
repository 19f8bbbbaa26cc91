package unittests

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sonde/assets/probe/sondevalue"
	"sonde/assets/templates"
)

// maxInputs is the number of inputs of a test that are tried.
const maxInputs = 40

// guardsFile is the file with the helpers of guards. It is there only while tests are minimized.
const guardsFile = "units_sonde_guards_test.go"

// optionalInputs are the inputs of a test that it may not need: fields of the receiver, and what is set in a request.
type optionalInputs struct {
	needless map[string]bool // those that are left out
	guarded  bool            // the others are written with guards
	names    []string        // those with guards
}

// guard reports whether an input is written with a guard.
func (o *optionalInputs) guard(name string) bool {
	if o.guarded {
		o.names = append(o.names, name)
	}
	return o.guarded
}

// setOptional adds a statement to the setup of a test, unless the test does not need it.
func (b *testBuilder) setOptional(name, line string) {
	if b.optional.needless[name] {
		return
	}
	if b.optional.guard(name) {
		line = fmt.Sprintf("if unitUse(t, %q) {\n%s\n}", name, line)
	}
	b.setup = append(b.setup, line)
}

// minimize leaves out inputs that make no difference: a test without them passes all the same. The tests are compiled once
// with guards around their inputs. Each run leaves out one more input of each test.
func (g *packageGenerator) minimize(ctx context.Context, all []*sondevalue.Invocation) error {
	dir, err := os.MkdirTemp("", "sonde-units-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := g.findNeedless(ctx, all, dir); err != nil {
		return err
	}
	if err := g.build(all); err != nil {
		return err
	}
	if err := g.keepFailing(ctx, filepath.Join(dir, "units.test")); err != nil {
		return err
	}
	return g.build(all)
}

// findNeedless finds the inputs that make no difference.
func (g *packageGenerator) findNeedless(ctx context.Context, all []*sondevalue.Invocation, dir string) error {
	file := filepath.Join(dir, "needless.json")
	g.guarded, g.env = true, []string{"SONDE_NEEDLESS=" + file}
	defer func() { g.guarded, g.env = false, nil }()
	if err := g.build(all); err != nil {
		return err
	}
	guards, err := g.file.inPackage(templates.UnitGuards)
	if err != nil {
		return err
	}
	path := filepath.Join(g.file.dir, guardsFile)
	if err := checkOwn(path); err != nil {
		return err
	}
	if err := replaceFile(path, guards); err != nil {
		return err
	}
	defer os.Remove(path)
	binary := filepath.Join(dir, "guarded.test")
	broken, err := g.compile(ctx, binary)
	if err != nil || len(broken) > 0 {
		return ctx.Err() // such as an input whose type cannot be named; all inputs stay
	}
	s := needlessSearch{found: map[string][]string{}, next: map[string]int{}}
	for range maxInputs {
		if !s.propose(g.tests) {
			break
		}
		if err := s.save(file); err != nil {
			return err
		}
		r, err := g.run(ctx, binary)
		if err != nil {
			return err
		}
		s.judge(r)
	}
	for _, t := range g.tests {
		needless := map[string]bool{}
		for _, input := range s.found[t.Name] {
			needless[input] = true
		}
		g.needless[t.invocation] = needless
	}
	return nil
}

// needlessSearch finds needless inputs, one after the other for each test.
type needlessSearch struct {
	found     map[string][]string // by test
	candidate map[string]string   // by test
	next      map[string]int      // the index of the next input, by test
}

// propose sets the next candidate of each test. It reports whether there is one. What is within a needless input is no
// candidate.
func (s *needlessSearch) propose(tests []*unitTest) bool {
	s.candidate = map[string]string{}
	for _, t := range tests {
		for s.next[t.Name] < len(t.inputs) && s.candidate[t.Name] == "" {
			input := t.inputs[s.next[t.Name]]
			s.next[t.Name]++
			if !s.isWithin(t.Name, input) {
				s.candidate[t.Name] = input
			}
		}
	}
	return len(s.candidate) > 0
}

func (s *needlessSearch) isWithin(test, input string) bool {
	for _, outer := range s.found[test] {
		if strings.HasPrefix(input, outer+".") {
			return true
		}
	}
	return false
}

// save writes what each test leaves out in the next run.
func (s *needlessSearch) save(file string) error {
	all := map[string][]string{}
	for test, found := range s.found {
		all[test] = append(all[test], found...)
	}
	for test, input := range s.candidate {
		all[test] = append(all[test], input)
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}

// judge notes the candidates of the tests that passed.
func (s *needlessSearch) judge(r runResult) {
	for test, input := range s.candidate {
		if _, failed := r.failed[test]; !failed && r.broken[test] == "" {
			s.found[test] = append(s.found[test], input)
		}
	}
}

// keepFailing gives the tests that fail without their needless inputs all inputs again.
func (g *packageGenerator) keepFailing(ctx context.Context, binary string) error {
	broken, err := g.compile(ctx, binary)
	if err != nil {
		return err
	}
	for run := 0; run < g.options.Runs && len(broken) == 0; run++ {
		r, err := g.run(ctx, binary)
		if err != nil {
			return err
		}
		broken = r.broken
		for test := range r.failed {
			broken[test] = "it fails"
		}
	}
	for test := range broken {
		delete(g.needless, g.invocation(test))
	}
	return nil
}
