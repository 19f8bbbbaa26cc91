package gene

import (
	"reflect"
	"slices"

	"sonde/model"
)

const (
	maxChoices = 64 // alternatives of one schema that are used
	scarceRoom = 32 // minimum room (see builder) of an alternative if there are very many alternatives
)

// choice returns the gene of a schema with oneOf or anyOf. The schema's other keywords apply to every alternative.
func (b *builder) choice(m *model.Schema, room int) (Gene, int) {
	rest, alternatives := b.split(m)
	kinds := slices.DeleteFunc(slices.Clone(alternatives), isNull)
	if len(kinds) == 0 {
		return newEnum([]any{nil}), 1
	}
	most := maxChoices
	if b.exhausted(room) {
		most = 1
	}
	kinds = kinds[:min(len(kinds), most)]
	if !slices.ContainsFunc(kinds, func(alt *model.Schema) bool { return !blank(alt) }) {
		return b.gene(rest, room)
	}
	g, n := b.oneOf(rest, kinds, m.Discriminator, room)
	if c, ok := g.(*Choice); ok && len(m.OneOf) > 0 && m.Discriminator == nil {
		c.alone = newExclusive(c.protos, alternatives)
	}
	if slices.ContainsFunc(alternatives, isNull) && !m.Nullable && !b.uniform {
		return &Nullable{inner: [1]Gene{g}}, n + 1
	}
	return g, n
}

// oneOf returns the gene of a choice between the alternatives, without alternatives that would end in a cycle. If
// only one alternative is left, oneOf returns the gene of this alternative. If none is left, it returns a
// CycleObject.
func (b *builder) oneOf(rest *model.Schema, kinds []*model.Schema, by *model.Discriminator, room int) (Gene, int) {
	share := max(room/len(kinds), min(room, scarceRoom))
	var protos []Gene
	most := 0
	for _, alt := range kinds {
		g, n := b.alternative(rest, alt, b.pin(by, alt), share)
		if _, ends := g.(*CycleObject); !ends {
			protos = append(protos, g)
			most = max(most, n)
		}
	}
	switch len(protos) {
	case 0:
		return &CycleObject{}, 1
	case 1:
		return protos[0], most
	}
	return newChoice(protos), most + 1
}

// alternative returns the gene of one alternative of a oneOf or anyOf. It combines the alternative's schema alt with
// rest, the other keywords of the schema around it, and with pinned, the constraint of a discriminator, which may be
// nil. The combination is a new schema. To find cycles, alternative adds alt itself to the chain of enclosing
// schemas.
func (b *builder) alternative(rest, alt, pinned *model.Schema, room int) (Gene, int) {
	both := b.both(b.beside(rest, alt), pinned)
	if both == alt {
		return b.gene(alt, room)
	}
	if slices.Contains(b.chain, alt) {
		return &CycleObject{}, 1
	}
	b.chain = append(b.chain, alt)
	defer func() { b.chain = b.chain[:len(b.chain)-1] }()
	return b.gene(both, room)
}

// split divides a schema into its alternatives and the rest. The alternatives are its oneOf, or else its anyOf. The
// rest has neither these nor the keywords that were handled already, such as examples and "not".
func (b *builder) split(m *model.Schema) (rest *model.Schema, alternatives []*model.Schema) {
	rest = b.rests[m]
	if rest == nil {
		r := *m
		r.Name, r.Nullable, r.ReadOnly, r.Default, r.Examples = "", false, false, nil, nil
		r.Not, r.Discriminator = nil, nil
		rest = &r
		b.rests[m] = rest
	}
	if len(m.OneOf) > 0 {
		rest.OneOf = nil
		return rest, m.OneOf
	}
	rest.AnyOf = nil
	return rest, m.AnyOf
}

// beside returns the combination of an alternative and the rest of its schema. It returns the alternative
// itself if the rest has no constraint.
func (b *builder) beside(rest, alt *model.Schema) *model.Schema {
	r := *rest
	if alt != nil && r.Type == alt.Type {
		r.Type = ""
	}
	if blank(&r) {
		return alt
	}
	return b.both(rest, alt)
}

func isNull(s *model.Schema) bool { return s != nil && s.Type == "null" }

// blank reports whether a schema is nil or has no keyword about values. Such a schema allows every value.
func blank(s *model.Schema) bool {
	if s == nil {
		return true
	}
	bare := *s
	bare.Name, bare.Title, bare.Description, bare.WriteOnly = "", "", "", false
	bare.XML, bare.Discriminator = nil, nil
	return reflect.ValueOf(bare).IsZero()
}
