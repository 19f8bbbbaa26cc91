package config

import (
	"slices"
	"strings"

	"sonde/model"
)

// choice selects security schemes for a user. Each operation accepts one of several alternatives. An alternative is a
// set of schemes that are used together. The selected schemes cover as many operations as possible.
type choice struct {
	spec    *model.Spec
	chosen  []chosen
	same    []string               // schemes whose credential is equal to that of a chosen scheme
	left    []model.SecurityScheme // further schemes of operations that the chosen schemes do not cover
	instead []model.SecurityScheme // supported schemes that operations accept in place of chosen schemes
}

// chosen is a selected scheme and its credential.
type chosen struct {
	scheme model.SecurityScheme
	sends  model.Credential
}

// alternative is a set of schemes that some operations require together.
type alternative struct {
	names []string
	ops   int // number of operations that accept the alternative
	cost  int // lower is better
}

// choose selects the schemes and sets all fields of the choice.
func (c *choice) choose() {
	asked := c.asked()
	for _, a := range c.alternatives(asked) {
		if c.needed(a, asked) {
			c.take(a)
		}
	}
	for _, s := range c.spec.SecuritySchemes {
		mentioned := slices.ContainsFunc(asked, func(of [][]string) bool {
			return slices.ContainsFunc(of, func(names []string) bool { return slices.Contains(names, s.Name) })
		})
		_, known := credential(s)
		switch {
		case !mentioned || c.has(s.Name):
		case !slices.ContainsFunc(asked, func(of [][]string) bool {
			return !c.covers(of) && slices.ContainsFunc(of, func(names []string) bool { return slices.Contains(names, s.Name) })
		}):
			if known {
				c.instead = append(c.instead, s)
			}
		default:
			c.left = append(c.left, s)
		}
	}
}

// asked returns the alternatives of each operation that requires credentials. If the spec has other kinds of schemes
// than basic authentication, asked leaves out log-ins that accept only basic authentication. It assumes that their
// credentials serve only to log in.
func (c *choice) asked() [][][]string {
	var all [][][]string
	for _, op := range c.spec.Operations {
		of := op.Alternatives
		if len(of) == 0 && len(op.Schemes) > 0 {
			of = [][]string{op.Schemes}
		}
		if len(of) > 0 && !(loginWord.MatchString(op.Path) && c.onlyBasic(of)) {
			all = append(all, of)
		}
	}
	return all
}

// onlyBasic reports whether an operation accepts nothing but basic authentication although the spec has other kinds of
// schemes. of are the alternatives of the operation.
func (c *choice) onlyBasic(of [][]string) bool {
	others := slices.ContainsFunc(c.spec.SecuritySchemes, func(s model.SecurityScheme) bool { return s.Kind != "basic" })
	return others && !slices.ContainsFunc(of, func(names []string) bool {
		return len(names) != 1 || c.scheme(names[0]).Kind != "basic"
	})
}

// alternatives returns all alternatives. It sorts them by the number of operations that accept them, the largest
// first, and then by cost, the lowest first.
func (c *choice) alternatives(asked [][][]string) []alternative {
	var all []alternative
	for _, of := range asked {
		for _, names := range of {
			names = slices.Sorted(slices.Values(names))
			at := slices.IndexFunc(all, func(a alternative) bool { return slices.Equal(a.names, names) })
			if at < 0 {
				at = len(all)
				all = append(all, alternative{names: names, cost: c.cost(names)})
			}
			all[at].ops++
		}
	}
	slices.SortStableFunc(all, func(a, b alternative) int {
		if a.ops != b.ops {
			return b.ops - a.ops
		}
		return a.cost - b.cost
	})
	return all
}

// cost measures how hard it is for a user to get credentials for the named schemes. It is lowest for bearer tokens.
func (c *choice) cost(names []string) int {
	sum := 0
	for _, name := range names {
		switch c.scheme(name).Kind {
		case "bearer":
			sum++
		case "oauth2", "openIdConnect":
			sum += 2
		case "apiKey":
			sum += 3
		case "basic":
			sum += 4
		default:
			sum += 100
		}
	}
	return sum
}

func (c *choice) scheme(name string) model.SecurityScheme {
	for _, s := range c.spec.SecuritySchemes {
		if s.Name == name {
			return s
		}
	}
	return model.SecurityScheme{}
}

func (c *choice) has(name string) bool {
	return slices.Contains(c.same, name) || slices.ContainsFunc(c.chosen, func(k chosen) bool { return k.scheme.Name == name })
}

// covers reports whether the chosen schemes suffice for an operation: all schemes of one of its alternatives are
// chosen. of are the alternatives of the operation.
func (c *choice) covers(of [][]string) bool {
	return slices.ContainsFunc(of, func(names []string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !c.has(name) })
	})
}

// needed reports whether the alternative a would help: some operation accepts it, and no alternative of this
// operation is chosen yet.
func (c *choice) needed(a alternative, asked [][][]string) bool {
	return slices.ContainsFunc(asked, func(of [][]string) bool {
		return !c.covers(of) && slices.ContainsFunc(of, func(names []string) bool {
			return slices.Equal(slices.Sorted(slices.Values(names)), a.names)
		})
	})
}

// take chooses the schemes of an alternative. It skips a scheme in these cases:
//   - Sonde does not support the scheme.
//   - The credential of the scheme is equal to that of a chosen scheme. take adds the scheme to same.
//   - One user cannot have both this scheme and a chosen one.
func (c *choice) take(a alternative) {
	for _, s := range c.spec.SecuritySchemes {
		if !slices.Contains(a.names, s.Name) || c.has(s.Name) {
			continue
		}
		sends, ok := credential(s)
		switch {
		case !ok:
		case slices.ContainsFunc(c.chosen, func(k chosen) bool { return k.sends == sends }):
			c.same = append(c.same, s.Name)
		case !slices.ContainsFunc(c.chosen, func(k chosen) bool { return barred(k.sends, sends) }):
			c.chosen = append(c.chosen, chosen{s, sends})
		}
	}
}

// obtainable returns a chosen scheme whose credential may come from a log-in, and the index of the scheme in chosen.
// It prefers bearer tokens to API keys. The index is -1 if there is no such scheme.
func (c *choice) obtainable() (at int, s model.SecurityScheme) {
	for _, kinds := range []string{"bearer oauth2 openIdConnect", "apiKey"} {
		for i, k := range c.chosen {
			if strings.Contains(kinds, k.scheme.Kind) || bearerKey(k.scheme) {
				return i, k.scheme
			}
		}
	}
	return -1, model.SecurityScheme{}
}
