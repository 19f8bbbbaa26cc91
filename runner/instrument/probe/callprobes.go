package probe

import (
	"fmt"
	"go/ast"
	"strconv"
)

// call adds a probe to a call in boolCalls or addressKinds. It returns false if there is no such probe for the call.
// The probe gets the operands of the call. A called function also becomes an argument of the probe, so that the import
// of its package remains used.
func (x *exprProber) call(c *ast.CallExpr, p int) bool {
	if x.addressKind(c, p) {
		return true
	}
	known := boolCalls[x.types.knownCall(c)]
	if known.name == "" || known.name == outcomeProbe || known.name == patternProbe && !x.types.isPatternCall(c) {
		return false
	}
	name, relation := known.name, fmt.Sprintf("%d,", known.relation)
	switch name {
	case errorProbe, patternProbe:
		relation = ""
	case memberProbe:
		name, relation = name+x.types.elementLetter(c), ""
	}
	x.edit.before(c.Pos(), "%s.%s(%d,%s", runtimeName, name, p, relation)
	if known.name == timeProbe || known.name == patternProbe {
		on := receiver(c)
		x.probe(on)
		x.edit.replace(on.End(), c.Lparen+1, ",")
	} else {
		x.edit.replace(c.Lparen, c.Lparen+1, ",")
	}
	x.probeAll(c.Args)
	return true
}

// addressKind probes a call of a method in addressKinds. It returns false for other calls. If the method
// returns false, the probe compares the address with the example in addressKinds.
func (x *exprProber) addressKind(c *ast.CallExpr, p int) bool {
	sample, is := x.types.addressKind(c)
	if !is {
		return false
	}
	x.edit.before(c.Pos(), "%s.Of(%d,%s,%s,", runtimeName, p, strconv.Quote(sample), x.file.sourceOf(receiver(c)))
	x.edit.replace(c.Lparen, c.Lparen+1, "")
	return true
}

// cut probes a call of a function in cutCalls. It returns false for other calls. Both outcomes are
// targets, even if the service does not use the Boolean result.
func (x *exprProber) cut(c *ast.CallExpr) bool {
	f := x.types.callee(c)
	if f == nil || !x.types.generic || len(c.Args) != 2 {
		return false
	}
	known, is := cutCalls[f.FullName()]
	if !is {
		return false
	}
	x.outcomeOfCall(c, func(p int) string { return fmt.Sprintf("%s(%d,%d,", known.name, p, known.relation) })
	return true
}

// parseCall describes a function that parses a string.
type parseCall struct {
	probe  string // a function of sondeprobe
	args   int    // number of arguments
	sample string // a string that the function accepts
}

var parseCalls = map[string]parseCall{
	"strconv.Atoi":            {probe: "ParseNumber", args: 1, sample: "7"},
	"strconv.ParseInt":        {probe: "ParseInt", args: 3, sample: "7"},
	"strconv.ParseUint":       {probe: "ParseInt", args: 3, sample: "7"},
	"strconv.ParseFloat":      {probe: "ParseFloat", args: 2, sample: "0.5"},
	"strconv.ParseBool":       {probe: "Parse", args: 1, sample: "true"},
	"time.ParseDuration":      {probe: "Parse", args: 1, sample: "1s"},
	"net.ParseMAC":            {probe: "Parse", args: 1, sample: "00:00:5e:00:53:01"},
	"net/netip.ParseAddr":     {probe: "Parse", args: 1, sample: "192.0.2.1"},
	"net/netip.ParsePrefix":   {probe: "Parse", args: 1, sample: "0.0.0.0/0"},
	"net/netip.ParseAddrPort": {probe: "Parse", args: 1, sample: "192.0.2.1:80"},
}

// parse probes a call of time.Parse or a function in parseCalls. It returns false for other calls.
// The targets are that the call succeeds, and that it fails. The probe compares the argument with a
// string that the function accepts.
func (x *exprProber) parse(c *ast.CallExpr) bool {
	f := x.types.callee(c)
	if f == nil || !x.types.generic || c.Ellipsis.IsValid() {
		return false
	}
	if f.FullName() == "time.Parse" && len(c.Args) == 2 {
		x.outcomeOfCall(c, func(p int) string { return fmt.Sprintf("ParseBy(%d,", p) })
		return true
	}
	known, is := parseCalls[f.FullName()]
	if !is || len(c.Args) != known.args {
		return false
	}
	x.outcomeOfCall(c, func(p int) string { return fmt.Sprintf("%s(%d,%s,", known.probe, p, strconv.Quote(known.sample)) })
	return true
}

// outcomeOfCall probes a call whose outcome is one of its results. The called function and its arguments become
// arguments of the probe.
func (x *exprProber) outcomeOfCall(c *ast.CallExpr, probe func(p int) string) {
	p := x.targets.newPred(2)
	x.edit.record(inFull, func() {
		x.edit.before(c.Pos(), "%s.%s", runtimeName, probe(p))
		x.edit.replace(c.Lparen, c.Lparen+1, ",")
		x.probeAll(c.Args)
	})
	x.addBranch(c, c.Lparen, outcome(p, 0), outcome(p, 1))
}
