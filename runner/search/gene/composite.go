package gene

import (
	"slices"

	"sonde/model"
)

const (
	manyItems = 20 // maximum number of items of an array whose schema allows more
	maxItems  = 64 // maximum number of items that a schema can require
)

// object returns the gene of an object: an Object, a Map if the schema names no property, or a CycleObject if
// there is no room.
func (b *builder) object(m *model.Schema, room int) (Gene, int) {
	if b.exhausted(room) {
		return &CycleObject{}, 1
	}
	low, high := b.bounded(m.MinProps, m.MaxProps, b.sizes.Items)
	if len(m.Properties) == 0 {
		return b.mapOf(m.Additional, nil, size{low, high}, room)
	}
	props := b.writable(m.Properties)
	genes, used := b.fields(props, room-1)
	g := &Object{}
	for i, p := range props {
		if genes[i] != nil {
			g.names = append(g.names, p.Name)
			g.genes = append(g.genes, genes[i])
		}
	}
	lacks := max(m.MinProps-len(g.names), 0)
	if (m.Additional != nil && !blank(m.Additional) || lacks > 0) && room-used > 2 {
		rest, n := b.mapOf(m.Additional, namesOf(m.Properties), size{0, max(lacks, b.sizes.Items)}, room-used-1)
		if rest, ok := rest.(*Map); ok {
			g.genes = append(g.genes, rest)
			used += n
		}
	}
	if m.MinProps > 0 || m.MaxProps != nil {
		g.size = g.reachable(low, high)
	}
	return g, used + 1
}

// reachable returns the bounds of the number of fields, changed so that the object can satisfy them. The lower bound
// is at most the number of all fields. The upper bound is at least the number of required fields.
func (g *Object) reachable(low, high int) *size {
	must, may := 0, len(g.names)
	for _, f := range g.genes[:len(g.names)] {
		if _, optional := f.(*Optional); !optional {
			must++
		}
	}
	if rest := g.rest(); rest != nil {
		may += rest.max
	}
	low = min(low, may)
	return &size{low, max(high, must, low)}
}

// writable returns the properties that a request may have.
func (b *builder) writable(props []model.Property) []model.Property {
	var kept []model.Property
	for _, p := range props {
		if p.Schema == nil || !b.merged(p.Schema).ReadOnly {
			kept = append(kept, p)
		}
	}
	return kept
}

// fields returns the genes of the properties, nil for a property that is left out. Each property gets a
// share of the remaining room, required properties first.
func (b *builder) fields(props []model.Property, room int) ([]Gene, int) {
	genes := make([]Gene, len(props))
	order := requiredFirst(props)
	left := room
	defer func(name string) { b.name = name }(b.name)
	for n, i := range order {
		share := max(left/(len(order)-n), 0)
		var used int
		if b.made > maxProtos {
			break
		}
		b.name = props[i].Name
		if props[i].Required {
			genes[i], used = b.gene(props[i].Schema, share)
		} else if left > 1 {
			genes[i], used = b.optional(props[i].Schema, share-1)
		}
		left -= used
	}
	return genes, room - left
}

// requiredFirst returns the indexes of the properties, required properties first.
func requiredFirst(props []model.Property) []int {
	var required, others []int
	for i, p := range props {
		if p.Required {
			required = append(required, i)
		} else {
			others = append(others, i)
		}
	}
	return append(required, others...)
}

// optional returns the gene of a property that may be absent. It returns nil if the schema already encloses the
// property, or if there is no room.
func (b *builder) optional(s *model.Schema, room int) (Gene, int) {
	inner, n := b.gene(s, room)
	if _, ends := inner.(*CycleObject); ends || slices.Contains(b.chain, s) {
		return nil, 0
	}
	return NewOptional(inner), n + 1
}

func namesOf(props []model.Property) []string {
	names := make([]string, len(props))
	for i, p := range props {
		names[i] = p.Name
	}
	return names
}

// mapOf returns a Map that does not use the reserved names, or an empty object if the map's values would contain the
// map itself.
func (b *builder) mapOf(values *model.Schema, reserved []string, count size, room int) (Gene, int) {
	proto, n := b.gene(values, (room-1)/max(count.min, b.sizes.Items))
	if _, ends := proto.(*CycleObject); ends {
		return &CycleObject{}, 1
	}
	most := max(min(count.max, (room-1)/n), 0)
	return &Map{
		proto: proto, min: min(count.min, most), max: most, usual: b.sizes.Items, free: blank(values), reserved: reserved,
	}, 1 + most*n
}

// array returns the gene of an array. An array whose elements would contain the array itself is as short as its
// schema allows. If there is no room, the array is empty.
func (b *builder) array(m *model.Schema, room int) (Gene, int) {
	if b.exhausted(room) {
		return &Array{list: &list{}}, 1
	}
	many := max(manyItems, b.sizes.Items)
	if b.uniform {
		many = b.sizes.Items
	}
	low, high := b.bounded(m.MinItems, m.MaxItems, many)
	proto, n := b.gene(m.Items, (room-1)/max(low, b.sizes.Items))
	low = min(low, max((room-1)/n, 1))
	if _, ends := proto.(*CycleObject); ends {
		high = low
	}
	high = max(low, min(high, (room-1)/n))
	return &Array{list: &list{proto: proto, min: low, max: high, usual: b.sizes.Items, unique: m.Unique}}, 1 + high*n
}

// bounded returns the least and the greatest number of items or fields that a gene may have. A schema has the bounds
// low and limit; without a limit, the greatest number is b.sizes.Items, or low if that is greater. bounded swaps
// bounds that are in the wrong order. The least number is at most maxItems. The greatest number is at most many,
// unless the least number is greater.
func (b *builder) bounded(low int, limit *int, many int) (int, int) {
	low = max(low, 0)
	high := max(low, b.sizes.Items)
	if limit != nil {
		high = max(*limit, 0)
	}
	if low > high {
		low, high = high, low
	}
	low = min(low, maxItems)
	return low, min(high, max(low, many))
}
