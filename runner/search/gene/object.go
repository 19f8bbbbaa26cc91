package gene

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// Object is a JSON object: genes of different kinds with fixed names, in the order of the schema.
// Fields that may be absent are Optionals.
type Object struct {
	names []string // shared by all clones
	genes []Gene   // one for each name, and a Map as the last one if other fields are allowed
	// size is the allowed number of fields, nil if any number is allowed. The fields cannot check their number,
	// so an object with a size mutates the fields itself.
	size *size
}

// size is the allowed number of fields of an object.
type size struct{ min, max int }

func (s *size) holds(n int) bool { return s == nil || n >= s.min && n <= s.max }

// Sample samples the fields.
func (g *Object) Sample(r *rand.Rand) {
	for _, f := range g.genes {
		f.Sample(r)
	}
	if g.size != nil {
		g.resize(r)
	}
}

// resize adds and removes fields until their number is allowed, at most tries times.
func (g *Object) resize(r *rand.Rand) {
	for range tries {
		n := len(g.fields())
		if g.size.holds(n) {
			return
		}
		g.turn(r, n < g.size.min)
	}
}

// turn adds one field if add is true, and otherwise removes one. To add a field, it makes an optional
// field present, or adds an entry to the map of other fields; to remove a field, it does the opposite.
func (g *Object) turn(r *rand.Rand, add bool) {
	from := r.IntN(len(g.genes))
	for i := range g.genes {
		switch f := g.genes[(from+i)%len(g.genes)].(type) {
		case *Optional:
			if f.present != add {
				f.turn(r)
				return
			}
		case *Map:
			if add && f.grow(r) || !add && f.shrink(r) {
				return
			}
		}
	}
}

// MutateValue mutates the fields if the number of fields is bounded. Otherwise it changes nothing, because the fields
// mutate themselves.
func (g *Object) MutateValue(r *rand.Rand, p Pace) bool {
	if g.size == nil {
		return false
	}
	for range 8 {
		next := cloneAll(g.genes)
		if Mutate(r, next, p) && g.size.holds(len((&Object{names: g.names, genes: next, size: nil}).fields())) {
			g.genes = next
			return true
		}
	}
	return false
}

// Clone returns a deep copy.
func (g *Object) Clone() Gene {
	return &Object{names: g.names, genes: cloneAll(g.genes), size: g.size}
}

// rest returns the gene of the fields that the schema does not name, nil if there is none.
func (g *Object) rest() *Map {
	if len(g.genes) == len(g.names) {
		return nil
	}
	return g.genes[len(g.names)].(*Map)
}

// SetValue accepts an object. An optional field that v does not have becomes absent. A required field that v does not
// have keeps its value, and so does a field whose value in v does not fit. Nothing changes if the number of fields
// would not be allowed.
func (g *Object) SetValue(v any) bool {
	values, ok := v.(map[string]any)
	if !ok {
		return false
	}
	if g.size == nil {
		return g.set(values)
	}
	next := &Object{names: g.names, genes: cloneAll(g.genes), size: nil}
	ok = next.set(values)
	if !g.size.holds(len(next.fields())) {
		return false
	}
	g.genes = next.genes
	return ok
}

func (g *Object) set(values map[string]any) bool {
	ok := true
	others := maps.Clone(values)
	for i, name := range g.names {
		value, given := values[name]
		delete(others, name)
		if given {
			ok = g.genes[i].SetValue(value) && ok
		} else if o, optional := g.genes[i].(*Optional); optional {
			o.present = false
		}
	}
	if rest := g.rest(); rest != nil {
		return rest.SetValue(others) && ok
	}
	return ok && len(others) == 0
}

// AppendJSON appends the fields that are present.
func (g *Object) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for f := range g.present {
		dst = appendField(dst, f)
	}
	return append(dst, '}')
}

func (g *Object) fields() []Field {
	return slices.AppendSeq(make([]Field, 0, len(g.genes)), g.present)
}

func (g *Object) present(yield func(Field) bool) {
	for i, name := range g.names {
		if IsPresent(g.genes[i]) && !yield(Field{name, g.genes[i]}) {
			return
		}
	}
	if rest := g.rest(); rest != nil {
		rest.present(yield)
	}
}

func (g *Object) inside() []Gene {
	if g.size != nil {
		return nil
	}
	return g.genes
}

func (g *Object) pick(r *rand.Rand) Gene {
	if g.size != nil {
		return g
	}
	return pickOne(r, g.genes)
}

func sortedNames(values map[string]any) []string {
	return slices.Sorted(maps.Keys(values))
}

// CycleObject is an empty object. It ends the tree where a schema would contain itself, where schemas are nested too
// deeply, or where there is no room for the fields of an object.
type CycleObject struct{}

// Sample does nothing.
func (*CycleObject) Sample(*rand.Rand) {}

// MutateValue does nothing.
func (*CycleObject) MutateValue(*rand.Rand, Pace) bool { return false }

// Clone returns the gene itself, which has no state.
func (g *CycleObject) Clone() Gene { return g }

// SetValue accepts an empty object.
func (*CycleObject) SetValue(v any) bool {
	m, ok := v.(map[string]any)
	return ok && len(m) == 0
}

// AppendJSON appends an empty object.
func (*CycleObject) AppendJSON(dst []byte) []byte { return append(dst, "{}"...) }
