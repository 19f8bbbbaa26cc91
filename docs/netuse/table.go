package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// summary says in a few words what a module does.
func (r *reading) summary() string {
	switch {
	case r.Failure != "":
		return "not read: " + r.Failure
	case !r.network(withRequired):
		return "no network"
	}
	return fmt.Sprintf("itself: %s; with what it requires: %s", describe(r, itself), describe(r, withRequired))
}

// describe names the classes in a scope, first those that the virtual network handles.
func describe(r *reading, s scope) string {
	if !r.network(s) {
		return "no network"
	}
	var parts []string
	if handled := slices.DeleteFunc(r.in(s), func(c class) bool { return !c.isHandled() }); len(handled) > 0 {
		parts = append(parts, classNames(handled))
	}
	if missing := r.missing(s); len(missing) > 0 {
		parts = append(parts, "not handled: "+classNames(missing))
	}
	return strings.Join(parts, "; ")
}

func classNames(all []class) string {
	var names []string
	for _, c := range all {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

// printPlaces prints a line for each use of the network: the module, "itself" or "required", the class, the name and
// the place, with tabs between them.
func printPlaces(out io.Writer, readings []*reading) {
	for _, r := range readings {
		for _, u := range r.Uses {
			where := "required"
			if u.Own {
				where = "itself"
			}
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", r.Module.Path, where, u.Class, u.Name, u.Place)
		}
	}
}

// printReadings prints the tables of what the modules' source says.
func printReadings(out io.Writer, readings []*reading) {
	fmt.Fprint(out, "\n| module | packages | itself | with the modules that it requires |\n|---|---|---|---|\n")
	for _, r := range readings {
		if r.Failure != "" {
			fmt.Fprintf(out, "| %s | | not read: %v | |\n", r.Module, r.Failure)
			continue
		}
		packages := fmt.Sprint(r.Packages)
		if r.All > r.Packages {
			packages += fmt.Sprintf(" of %d", r.All)
		}
		if r.Broken > 0 {
			packages += fmt.Sprintf(" (%d with errors)", r.Broken)
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s |\n", r.Module, packages, describe(r, itself), describe(r, withRequired))
	}
	read := slices.DeleteFunc(slices.Clone(readings), func(r *reading) bool { return r.Failure != "" })
	fmt.Fprintf(out, "\n| of %d modules | itself | with the modules that it requires |\n|---|---|---|\n", len(readings))
	row := func(name string, holds func(*reading, scope) bool) {
		fmt.Fprintf(out, "| %s | %d | %d |\n", name, count(read, itself, holds), count(read, withRequired, holds))
	}
	row("read", func(*reading, scope) bool { return true })
	row("import `net` or a package below it", func(r *reading, _ scope) bool { return r.Imports })
	row("use the network", (*reading).network)
	row("of these handled wholly", (*reading).handled)
	row("of these handled wholly but for Unix sockets", func(r *reading, s scope) bool {
		return !slices.ContainsFunc(r.missing(s), func(c class) bool { return c != unixSocket }) && r.network(s)
	})
	for _, c := range classes {
		name := string(c)
		if !c.isHandled() {
			name += " (not handled: " + notHandled[c] + ")"
		}
		row(name, func(r *reading, s scope) bool { return r.network(s) && slices.Contains(r.in(s), c) })
	}
	printPackages(out, read)
}

// printPackages prints how many packages of the modules use the network themselves, and how many of these are handled
// wholly.
func printPackages(out io.Writer, readings []*reading) {
	all, network, handled := 0, 0, 0
	for _, r := range readings {
		all += r.Packages
		for _, uses := range r.byPackage() {
			if !slices.ContainsFunc(uses, func(c class) bool { return c.isNetwork() }) {
				continue
			}
			network++
			if !slices.ContainsFunc(uses, func(c class) bool { return !c.isHandled() }) {
				handled++
			}
		}
	}
	fmt.Fprintf(out, "\n%d of %d packages use the network themselves (%s), of which %d (%s) are handled wholly\n", network, all,
		percent(network, all), handled, percent(handled, network))
}

func percent(n, of int) string { return fmt.Sprintf("%.0f%%", 100*float64(n)/float64(max(of, 1))) }

func count(all []*reading, s scope, holds func(*reading, scope) bool) (n int) {
	for _, r := range all {
		if holds(r, s) {
			n++
		}
	}
	return n
}

// printTrials prints the table of the modules whose tests ran.
func printTrials(out io.Writer, trials []*trial) {
	fmt.Fprint(out, "\n| module | packages that ran | tests | as without | packets to other machines: plain | with the network |\n"+
		"|---|---|---|---|---|---|\n")
	same, ran := 0, 0
	for _, t := range trials {
		if t.Packages == 0 {
			fmt.Fprintf(out, "| %s | 0: %s | | | | |\n", t.Module, strings.Join(t.Left, "; "))
			continue
		}
		ran++
		equal := "yes"
		if len(t.Differences) > 0 {
			equal = "no: " + strings.Join(t.Differences, "; ")
		} else {
			same++
		}
		packages := fmt.Sprint(t.Packages)
		if len(t.Left) > 0 {
			packages += "; left out: " + strings.Join(t.Left, "; ")
		}
		fmt.Fprintf(out, "| %s | %s | %d | %s | %d | %d |\n", t.Module, packages, t.Tests, equal, t.Plain, t.Virtual)
	}
	fmt.Fprintf(out, "\n%d of %d modules: the tests of all packages have the same results with the virtual network\n", same, ran)
}
