package main

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// reading is what the source of a module says about its use of the network.
type reading struct {
	Module   module
	Failure  string // the reason why the module could not be read
	All      int    // number of packages of the module
	Packages int    // number of packages that were read
	Broken   int    // number of packages that were read with errors
	Imports  bool   // whether a package that was read imports net or a package below it
	Uses     []use
}

// note records the imports and errors of one of the module's packages.
func (r *reading) note(p *packages.Package) {
	if len(p.Errors) > 0 {
		r.Broken++
	}
	for name := range p.Imports {
		r.Imports = r.Imports || name == "net" || strings.HasPrefix(name, "net/") && name != "net/url" && name != "net/netip"
	}
}

// scope says which uses count.
type scope bool

const (
	itself       scope = true  // uses in the module itself
	withRequired scope = false // also uses in modules that it requires
)

// in returns the classes of the uses in a scope, in the order of the tables.
func (r *reading) in(s scope) (all []class) {
	for _, c := range classes {
		if slices.ContainsFunc(r.Uses, func(u use) bool { return u.Class == c && (u.Own || s == withRequired) }) {
			all = append(all, c)
		}
	}
	return all
}

// network reports whether a module uses the network in a scope.
func (r *reading) network(s scope) bool {
	return slices.ContainsFunc(r.in(s), func(c class) bool { return c.isNetwork() })
}

// missing returns the classes in a scope that the virtual network does not handle.
func (r *reading) missing(s scope) []class {
	return slices.DeleteFunc(r.in(s), func(c class) bool { return c.isHandled() })
}

// handled reports whether the module uses the network in a scope, and only in ways that the virtual network handles.
func (r *reading) handled(s scope) bool { return r.network(s) && len(r.missing(s)) == 0 }

// byPackage returns the classes of the module's own uses by the path of the package.
func (r *reading) byPackage() map[string][]class {
	all := map[string][]class{}
	for _, u := range r.Uses {
		if u.Own {
			p := path.Dir(u.Place)
			all[p] = append(all[p], u.Class)
		}
	}
	return all
}
