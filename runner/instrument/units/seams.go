package units

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// standardSeams are the interfaces of the standard library whose methods are mockable: by these, a service exchanges
// data with other services.
var standardSeams = []string{
	"io.Reader", "io.Writer", "io.Closer", "io.ReadCloser", "io.WriteCloser", "io.ReadWriter", "io.ReadWriteCloser",
	"io.ReaderAt", "io.Seeker", "io.ReadSeeker", "io.StringWriter",
	"net/http.RoundTripper", "net/http.ResponseWriter", "net/http.Handler", "net.Conn", "io/fs.FS",
	"database/sql/driver.Conn", "hash.Hash",
}

// seams decides which types a test can replace by mocks.
type seams struct {
	module string // the path of the module, "" if the package is in none
}

func newSeams(p *packages.Package) seams {
	if p.Module == nil {
		return seams{}
	}
	return seams{p.Module.Path}
}

// isMockable reports whether a type is an interface whose methods are mockable. Type parameters are not, because their
// type arguments may be any types.
func (s seams) isMockable(t types.Type) bool {
	if _, is := types.Unalias(t).(*types.TypeParam); is {
		return false
	}
	i, is := t.Underlying().(*types.Interface)
	if !is || i.NumMethods() == 0 {
		return false
	}
	named, is := types.Unalias(t).(*types.Named)
	switch {
	case !is:
		return true // an interface without a name, which the function itself declares
	case named.Obj().Pkg() == nil:
		return false // error
	case s.isStandard(named.Obj().Pkg().Path()):
		return slices.Contains(standardSeams, named.Obj().Pkg().Path()+"."+named.Obj().Name())
	}
	return true
}

// isStandard reports whether a package belongs to the standard library. The first element of the other paths is a domain,
// which has a dot, or the name of the module.
func (s seams) isStandard(path string) bool {
	if path == s.module || s.module != "" && strings.HasPrefix(path, s.module+"/") {
		return false
	}
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// typeName returns a type as a reader of the package names it, such as "shop.Store".
func typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}
