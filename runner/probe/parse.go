package probe

import (
	"go/ast"
	"strconv"
)

// parses are the calls that read a value from a text alone, and a text of which they
// read one. With numbers it is soon found.
var parses = map[string]string{
	"strconv.ParseBool": "true", "time.ParseDuration": "1s", "net.ParseMAC": "00:00:5e:00:53:01",
	"net/netip.ParseAddr": "192.0.2.1", "net/netip.ParsePrefix": "0.0.0.0/0", "net/netip.ParseAddrPort": "192.0.2.1:80",
}

// parsing probes one of these, or time.Parse: that it reads something is a target, and
// that it does not, and what it is given is compared with what it reads.
func (x *prober) parsing(c *ast.CallExpr) bool {
	f := x.callee(c)
	if f == nil || !x.generic || c.Ellipsis.IsValid() {
		return false
	}
	sample, is := parses[f.FullName()]
	fn, args := "Parse", ","+strconv.Quote(sample)
	if f.FullName() == "time.Parse" {
		fn, args, is = "ParseBy", "", len(c.Args) == 2
	}
	if !is || fn == "Parse" && len(c.Args) != 1 {
		return false
	}
	p := x.pred(2)
	x.learning(func() {
		x.before(c.Pos(), "%s.%s(%d%s,", name, fn, p, args)
		x.replace(c.Lparen, c.Lparen+1, ",")
		x.exprs(c.Args)
	})
	x.decided(c, c.Lparen, outcome(p, 0), outcome(p, 1))
	return true
}
