package probe

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"sonde/assets/probe/sondeprobe"
)

// parsers maps functions of the standard library that parse strings to examples that they accept. A
// service that calls such a function expects such strings.
var parsers = map[string][]string{
	"strconv.ParseFloat":        {"0.5"},
	"strconv.ParseBool":         {"true"},
	"strconv.Atoi":              {"7"},
	"strconv.ParseInt":          {"7"},
	"strconv.ParseUint":         {"7"},
	"time.Parse":                {"2006-01-02", "2030-01-02T15:04:05Z"},
	"time.ParseInLocation":      {"2006-01-02"},
	"time.ParseDuration":        {"1s"},
	"net.ParseIP":               {"192.0.2.1"},
	"net.ParseCIDR":             {"0.0.0.0/0"},
	"net.SplitHostPort":         {"other.example:80"},
	"net.ParseMAC":              {"00:00:5e:00:53:01"},
	"net/netip.ParseAddr":       {"192.0.2.1"},
	"net/netip.ParsePrefix":     {"0.0.0.0/0", "::/0"},
	"net/netip.ParseAddrPort":   {"192.0.2.1:80"},
	"net/url.Parse":             {"http://other.example/"},
	"net/url.ParseRequestURI":   {"http://other.example/"},
	"net/mail.ParseAddress":     {"ann@other.example"},
	"encoding/hex.DecodeString": {"30313233343536373839616263646566"}, // 16 bytes
	// 24 bytes, which no encoding pads
	"(*encoding/base64.Encoding).DecodeString": {"MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1u"},
}

// readableOf returns sorted examples of the strings that packages parse. The example for a call of
// time.Parse with a constant layout has that layout.
func readableOf(pkgs []*packages.Package) []string { return ofCalls(pkgs, parsed) }

// patternsOf returns the constant regular expressions in packages, sorted. It leaves out those that are longer
// than maxConstantSize.
func patternsOf(pkgs []*packages.Package) []string { return ofCalls(pkgs, expression) }

// ofCalls calls the function textsOf for each function call in packages. It returns the sorted results without
// duplicates.
func ofCalls(pkgs []*packages.Package, textsOf func(fn *types.Func, info *types.Info, args []ast.Expr) []string) []string {
	found := map[string]bool{}
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if fn, ok := p.TypesInfo.Uses[calleeName(c)].(*types.Func); ok {
					for _, text := range textsOf(fn, p.TypesInfo, c.Args) {
						found[text] = true
					}
				}
				return true
			})
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// parsed returns strings that the called function accepts, nil if none are known.
func parsed(fn *types.Func, info *types.Info, args []ast.Expr) []string {
	if fn.FullName() == "time.Parse" && len(args) > 0 {
		if layout := textOf(info, args[0]); layout != "" {
			return []string{sondeprobe.SampleTime(layout)}
		}
	}
	return parsers[fn.FullName()]
}

// expression returns the regular expression in a call of package regexp, if the expression is a
// constant of at most maxConstantSize bytes. Otherwise it returns nil.
func expression(fn *types.Func, info *types.Info, args []ast.Expr) []string {
	name := strings.TrimPrefix(fn.FullName(), "regexp.")
	if !strings.HasPrefix(name, "Compile") && !strings.HasPrefix(name, "MustCompile") && !strings.HasPrefix(name, "Match") ||
		len(args) == 0 {
		return nil
	}
	if text := textOf(info, args[0]); text != "" && len(text) <= maxConstantSize {
		return []string{text}
	}
	return nil
}
