package unittests

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"sonde/assets/probe/sondevalue"
	"sonde/runner/instrument/unitdata"
)

// expectedCalls writes the calls that mocks receive. Calls of objects that the function gets in another way than by its
// inputs are left out: in the test it gets the real objects, too.
func (b *testBuilder) expectedCalls() (lines []string, err error) {
	inMock := make([]bool, len(b.inv.Calls)) // the calls that do not reach the real object in the test
	for i := range b.inv.Calls {
		c := &b.inv.Calls[i]
		if c.Within > i {
			return nil, errors.New("its calls are not in order")
		}
		name, slot := b.lits.mocks[c.Instance], b.lits.slots[c.Instance]
		if name == "" || c.Within > 0 && inMock[c.Within-1] {
			inMock[i] = c.Within > 0 && inMock[c.Within-1]
			continue
		}
		inMock[i] = true
		site := b.manifest.Site(c.Site)
		line, err := b.expectation(c, site, name, slot)
		if err != nil {
			return nil, fmt.Errorf("the call of %s: %w", strings.TrimSuffix(site.Target+"."+site.Method, "."), err)
		}
		b.test.Calls++
		b.test.Stubs++
		lines = append(lines, line)
	}
	b.test.Mocks = len(b.lits.mocks)
	return lines, nil
}

// expectation writes one call.
func (b *testBuilder) expectation(c *sondevalue.Call, site *unitdata.Site, name string, slot types.Type) (string, error) {
	sig, is := slot.Underlying().(*types.Signature)
	if !is {
		obj, _, _ := types.LookupFieldOrMethod(slot, false, b.file.pkg, site.Method)
		f, isFunc := obj.(*types.Func)
		if !isFunc {
			return "", fmt.Errorf("%s has no such method", slot)
		}
		if err := b.file.mocks.expect(slot, site.Method); err != nil {
			return "", err
		}
		sig, name = f.Signature(), name+"."+site.Method
	} else {
		b.test.mocksFunction = true
	}
	position := b.test.Calls + 1
	args := b.expectedArgs(c, site, sig, position, name)
	results, err := b.stubbedResults(c, sig)
	if err != nil {
		return "", err
	}
	effect, err := b.effect(c, site, sig)
	if err != nil {
		return "", err
	}
	line := b.lits.calls + ".expect(" + joined(slices.Concat([]string{strconv.Quote(name)}, args)) + ")"
	if effect != "" {
		line += ".writes(" + effect + ")"
	}
	if len(results) > 0 {
		line += ".returns(" + joined(results) + ")"
	}
	if c.Panicked {
		line += ".panics()"
	}
	if c.Concurrent || site.Later {
		line += ".inAnyOrder()"
	}
	return line, nil
}

// expectedArgs writes the arguments of a call. An argument that cannot be written is not checked.
func (b *testBuilder) expectedArgs(c *sondevalue.Call, site *unitdata.Site, sig *types.Signature, position int, name string) []string {
	m := memory{c.Objects, b.inv.Before.Objects}
	values := make([]sondevalue.Value, 0, len(c.Args))
	for i, v := range c.Args {
		if v.Kind == sondevalue.Constant {
			v = site.Constants[i]
		}
		values = append(values, v)
	}
	var all []string
	fixed := sig.Params().Len()
	if sig.Variadic() && !site.Spread {
		fixed--
	}
	write := func(i int, v sondevalue.Value, t types.Type) string {
		label := fmt.Sprintf("call %d, argument %d of %s", position, i+1, name)
		if b.loosened[label] {
			b.test.Loosened = append(b.test.Loosened, label)
			return "unitAny{}"
		}
		switch v.Kind {
		case sondevalue.Context, sondevalue.Func, sondevalue.Request, sondevalue.Response:
			return "unitAny{}"
		}
		b.lits.contents = true
		text, ok := b.lits.whole(v, t, m)
		b.lits.contents = false
		if !ok {
			return "unitAny{}"
		}
		b.test.Parameters++
		return text
	}
	for i := range min(fixed, len(values)) {
		all = append(all, write(i, values[i], sig.Params().At(i).Type()))
	}
	if sig.Variadic() && !site.Spread {
		last := sig.Params().At(sig.Params().Len() - 1).Type()
		rest := sondevalue.Value{}
		if len(values) > fixed {
			rest = sondevalue.Value{Kind: sondevalue.List, Elems: values[fixed:]}
		}
		all = append(all, write(fixed, rest, last))
	}
	return all
}

// stubbedResults writes the results of a call.
func (b *testBuilder) stubbedResults(c *sondevalue.Call, sig *types.Signature) (all []string, err error) {
	if len(c.Results) == 0 {
		return nil, nil
	}
	if len(c.Results) != sig.Results().Len() {
		return nil, errors.New("its results were not recorded")
	}
	m := memory{c.Written, c.Objects, b.inv.Before.Objects}
	for i, v := range c.Results {
		text, err := b.lits.as("result", func() (string, error) { return b.lits.typed(v, sig.Results().At(i).Type(), m) })
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}

// effect writes what a call changes in its arguments, "" if it changes nothing.
func (b *testBuilder) effect(c *sondevalue.Call, site *unitdata.Site, sig *types.Signature) (string, error) {
	m := memory{c.Written, c.Objects, b.inv.Before.Objects}
	var lines []string
	for i, v := range c.Args {
		_, existed := c.Objects[v.Ref]
		content, written := c.Written[v.Ref]
		if v.Ref == 0 || !existed || !written || i >= sig.Params().Len() {
			continue
		}
		t := sig.Params().At(i).Type()
		if sig.Variadic() && !site.Spread && i >= sig.Params().Len()-1 {
			return "", errors.New("it writes into a variadic argument")
		}
		access := fmt.Sprintf("args[%d]", i)
		if types.IsInterface(t) {
			dynamic, err := b.file.types.find(v.Type)
			if err != nil {
				return "", err
			}
			t = dynamic
		}
		elem := t
		if p, is := t.Underlying().(*types.Pointer); is {
			elem = p.Elem()
		}
		text, err := b.lits.typed(content, elem, m)
		if err != nil {
			return "", err
		}
		typeName := b.file.imports.typeName(t)
		switch v.Kind {
		case sondevalue.Slice:
			lines = append(lines, fmt.Sprintf("copy(%s.(%s), %s)", access, typeName, text))
		case sondevalue.Pointer:
			lines = append(lines, fmt.Sprintf("*%s.(%s) = %s", access, typeName, text))
		default:
			return "", errors.New("it writes into a map")
		}
	}
	if len(lines) == 0 {
		return "", nil
	}
	return "func(args []any) {\n" + strings.Join(lines, "\n") + "\n}", nil
}
