package probe

import (
	"go/ast"
	"go/types"
	"strconv"
)

// kinds are the methods that tell of what kind a value is, and one, as text, that is of
// that kind.
var kinds = map[string]string{
	"(net/netip.Addr).Is4":                       "192.0.2.1",
	"(net/netip.Addr).Is6":                       "2001:db8::1",
	"(net/netip.Addr).Is4In6":                    "::ffff:192.0.2.1",
	"(net/netip.Addr).IsPrivate":                 "10.0.0.1",
	"(net/netip.Addr).IsLoopback":                "127.0.0.1",
	"(net/netip.Addr).IsUnspecified":             "0.0.0.0",
	"(net/netip.Addr).IsMulticast":               "224.0.0.1",
	"(net/netip.Addr).IsLinkLocalUnicast":        "169.254.0.1",
	"(net/netip.Addr).IsLinkLocalMulticast":      "224.0.0.1",
	"(net/netip.Addr).IsInterfaceLocalMulticast": "ff01::1",
	"(net.IP).IsPrivate":                         "10.0.0.1",
	"(net.IP).IsLoopback":                        "127.0.0.1",
	"(net.IP).IsUnspecified":                     "0.0.0.0",
	"(net.IP).IsMulticast":                       "224.0.0.1",
	"(net.IP).IsLinkLocalUnicast":                "169.254.0.1",
	"(net.IP).IsLinkLocalMulticast":              "224.0.0.1",
	"(net.IP).IsInterfaceLocalMulticast":         "ff01::1",
}

// kind probes one of these: a value of another kind is compared with that text.
func (x *prober) kind(c *ast.CallExpr, p int) bool {
	sample, is := x.kindOf(c)
	if !is {
		return false
	}
	x.before(c.Pos(), "%s.Of(%d,%s,%s,", name, p, strconv.Quote(sample), x.text(receiver(c)))
	x.replace(c.Lparen, c.Lparen+1, "")
	return true
}

// kindOf is what a value should be for a call to be true, and false where the call is
// none of these, or its value may not be looked at twice.
func (x *prober) kindOf(c *ast.CallExpr) (sample string, is bool) {
	f := x.callee(c)
	if f == nil || !x.generic || len(c.Args) != 0 {
		return "", false
	}
	sample, is = kinds[f.FullName()]
	if !is {
		return "", false
	}
	is = x.calledOn(c, func(t types.Type) bool { return types.Identical(t, f.Signature().Recv().Type()) })
	return sample, is && x.pure(receiver(c))
}
