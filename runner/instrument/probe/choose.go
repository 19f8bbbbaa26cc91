package probe

import (
	"fmt"
	"path"
	"strings"

	"golang.org/x/tools/go/packages"
)

// chooser selects the packages to probe.
type chooser struct {
	main     *packages.Package
	patterns []string
	used     []bool
}

// newChooser returns a chooser with patterns. A pattern is an import path, such as
// example.com/shop/api, or a path in the main module, such as ./api. The ending /... includes all
// packages below.
func newChooser(main *packages.Package, patterns []string) (*chooser, error) {
	c := &chooser{main: main, used: make([]bool, len(patterns))}
	for _, p := range patterns {
		full, err := c.full(p)
		if err != nil {
			return nil, err
		}
		c.patterns = append(c.patterns, full)
	}
	return c, nil
}

// full returns a pattern as an import path.
func (c *chooser) full(pattern string) (string, error) {
	if pattern == "." || strings.HasPrefix(pattern, "./") {
		if c.main.Module == nil {
			return "", fmt.Errorf("%q needs a module: %q is in none", pattern, c.main.PkgPath)
		}
		return path.Join(c.main.Module.Path, pattern), nil
	}
	if pattern == "" || strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "..") {
		return "", fmt.Errorf("%q is not a pattern of packages: give one such as ./internal/... or example.com/shop/api", pattern)
	}
	return pattern, nil
}

// covers reports whether a package is to be probed. Without patterns it is true for all packages of
// the main module.
func (c *chooser) covers(p *packages.Package) bool {
	if len(c.patterns) == 0 {
		return p == c.main || p.Module != nil && c.main.Module != nil && p.Module.Path == c.main.Module.Path
	}
	found := false
	for i, pattern := range c.patterns {
		if matches(pattern, p.PkgPath) {
			c.used[i], found = true, true
		}
	}
	return found
}

func matches(pattern, pkg string) bool {
	below, all := strings.CutSuffix(pattern, "/...")
	return pkg == below || all && strings.HasPrefix(pkg, below+"/")
}

// unused returns an error if a pattern has matched no package.
func (c *chooser) unused(given []string) error {
	for i, ok := range c.used {
		if !ok {
			return fmt.Errorf("%q matches no package of %q", given[i], c.main.PkgPath)
		}
	}
	return nil
}
