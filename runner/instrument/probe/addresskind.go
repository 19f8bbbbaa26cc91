package probe

import (
	"go/ast"
	"go/types"
)

// addressKinds maps methods that report the kind of an IP address, such as IsPrivate, to an address for which
// the method returns true.
var addressKinds = map[string]string{
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

// addressKind returns an address for which a call returns true, such as "127.0.0.1" for a.IsLoopback(). It returns
// false in these cases:
//
//   - The call is not in addressKinds.
//   - The receiver of the call must not be evaluated twice.
//   - The language version of the file has no type parameters.
func (x *typeInfo) addressKind(c *ast.CallExpr) (sample string, is bool) {
	f := x.callee(c)
	if f == nil || !x.generic || len(c.Args) != 0 {
		return "", false
	}
	sample, is = addressKinds[f.FullName()]
	if !is {
		return "", false
	}
	is = x.isCalledOn(c, func(t types.Type) bool { return types.Identical(t, f.Signature().Recv().Type()) })
	return sample, is && x.isPure(receiver(c))
}
