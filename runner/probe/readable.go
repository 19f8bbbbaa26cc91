package probe

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"
)

// parsers are functions of the standard library that read a text, and what they can
// read: who hands a text to one of these looks for such.
var parsers = map[string][]string{
	"strconv.ParseFloat": {"0.5"}, "strconv.ParseBool": {"true"}, "strconv.Atoi": {"7"}, "strconv.ParseInt": {"7"}, "strconv.ParseUint": {"7"},
	"time.Parse": {"2006-01-02", "2030-01-02T15:04:05Z"}, "time.ParseInLocation": {"2006-01-02"}, "time.ParseDuration": {"1s"},
	"net.ParseIP": {"192.0.2.1"}, "net.ParseCIDR": {"0.0.0.0/0"}, "net.SplitHostPort": {"other.example:80"}, "net.ParseMAC": {"00:00:5e:00:53:01"},
	"net/netip.ParseAddr": {"192.0.2.1"}, "net/netip.ParsePrefix": {"0.0.0.0/0", "::/0"}, "net/netip.ParseAddrPort": {"192.0.2.1:80"},
	"net/url.Parse": {"http://other.example/"}, "net/url.ParseRequestURI": {"http://other.example/"},
}

// readableOf are texts that packages can read, sorted. A constant layout of times is
// such a time.
func readableOf(pkgs []*packages.Package) []string {
	found := map[string]bool{}
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				for _, text := range parsed(p.TypesInfo, c) {
					found[text] = true
				}
				return true
			})
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// parsed are texts that a call can read.
func parsed(info *types.Info, c *ast.CallExpr) []string {
	fn, ok := info.Uses[calleeName(c)].(*types.Func)
	if !ok {
		return nil
	}
	if fn.FullName() == "time.Parse" && len(c.Args) > 0 {
		if layout := textOf(info, c.Args[0]); layout != "" {
			return []string{layout}
		}
	}
	return parsers[fn.FullName()]
}
