package gene

import (
	"math"
	"slices"

	"sonde/model"
)

const (
	maxGenes  = 500  // genes in a tree's largest phenotype, approximately
	maxProtos = 4000 // genes that a tree can ever contain
	deepest   = 24   // levels of nested schemas
)

// New returns the gene of a schema for a request, as an unsampled tree. It never fails:
//
//   - Read-only properties are left out.
//   - If constraints exclude each other, some are dropped.
//   - Where a schema contains itself, or schemas are nested very deeply, the tree ends in a CycleObject or null, or an
//     optional part is left out.
//   - A very large tree loses optional parts.
//   - A nil schema is any string.
//
// The tree is a prototype. Clone it before sampling it.
func New(s *model.Schema) Gene { return NewNamed("", s, model.Sizes{}) }

// NewNamed is like New for a value with a name, and with sizes for its strings and arrays. If a string has no format, its
// name may indicate a format: a string named "contactEmail" is mostly sampled as an e-mail address.
func NewNamed(name string, s *model.Schema, sizes model.Sizes) Gene {
	return build(name, s, false, sizes)
}

// NewUniform is like New, but the gene is sampled as in the EvoMaster paper (4.1, 4.2): the numbers, dates and
// lengths that the constraints of the schema allow are equally likely, and the only formats are those of the paper's
// genes. Examples, defaults and null are not drawn, and names do not indicate a format. Texts without a pattern
// consist of up to sizes.Text letters and digits, arrays have up to sizes.Items elements, and real numbers without
// bounds are within those of 32-bit integers.
func NewUniform(s *model.Schema, sizes model.Sizes) Gene { return build("", s, true, sizes) }

func build(name string, s *model.Schema, uniform bool, sizes model.Sizes) Gene {
	b := &builder{
		name:    name,
		uniform: uniform,
		sizes:   sizes.OrDefault(),

		pairs:  map[pair]*model.Schema{},
		merges: map[*model.Schema]*model.Schema{},
		rests:  map[*model.Schema]*model.Schema{},
		pins:   map[pin]*model.Schema{},
	}
	g, _ := b.gene(s, maxGenes)
	return g
}

// builder builds one tree. The parameter room of its methods is the number of genes that a sampled value may still
// have. The methods return the gene that they build, and the number of genes in its largest value. These limits bound
// the time to build a tree, and the size of a sample, for every schema.
type builder struct {
	chain []*model.Schema // the enclosing schemas
	name  string          // name of the property or parameter being built
	made  int             // genes built so far

	uniform bool // see NewUniform
	sizes   model.Sizes

	pairs  map[pair]*model.Schema          // see both
	merges map[*model.Schema]*model.Schema // see merged
	rests  map[*model.Schema]*model.Schema // see split
	pins   map[pin]*model.Schema           // see pin
}

// gene returns the tree of a schema. It handles the features that genes of all kinds can have: null,
// examples and "not".
func (b *builder) gene(s *model.Schema, room int) (Gene, int) {
	b.made++
	if s == nil {
		s = &model.Schema{Type: "string"}
	}
	if slices.Contains(b.chain, s) || len(b.chain) > deepest {
		return cycleEnd(s), 1
	}
	b.chain = append(b.chain, s)
	defer func() { b.chain = b.chain[:len(b.chain)-1] }()
	m := b.merged(s)
	g, n := b.kind(b.discriminated(s, m), room)
	if m.Not != nil {
		g = newExcept(g, m.Not)
	}
	if m.Nullable && !b.uniform {
		g, n = &Nullable{inner: [1]Gene{g}}, n+1
	}
	if values := seedsOf(m); len(values) > 0 && !b.uniform {
		g = &seeded{[1]Gene{g}, newSeeds(values)}
	}
	return g, n
}

// cycleEnd returns the gene that ends a cycle: null if the schema allows it, otherwise a CycleObject.
func cycleEnd(s *model.Schema) Gene {
	if s.Nullable {
		return newEnum([]any{nil})
	}
	return &CycleObject{}
}

// seedsOf returns the schema's examples, and after them its default, if it has one.
func seedsOf(m *model.Schema) []any {
	seeds := slices.Clone(m.Examples)
	if m.Default != nil {
		seeds = append(seeds, m.Default)
	}
	return seeds
}

// kind returns the gene of a schema by its type and its other keywords. The schema's allOf must have been merged.
func (b *builder) kind(m *model.Schema, room int) (Gene, int) {
	if e := fixed(m); e != nil {
		return e, 1
	}
	if len(m.OneOf)+len(m.AnyOf) > 0 {
		return b.choice(m, room)
	}
	switch typeOf(m) {
	case "object":
		return b.object(m, room)
	case "array":
		return b.array(m, room)
	case "boolean":
		return &Boolean{}, 1
	case "integer":
		return b.integerKind(m), 1
	case "number":
		if _, isWhole := wholeFormats[m.Format]; isWhole {
			return b.integerKind(m), 1
		}
		return b.realKind(m), 1
	case "null":
		return newEnum([]any{nil}), 1
	}
	return b.stringKind(m)
}

// fixed returns the gene of a schema with a const or an enum, nil for other schemas.
func fixed(m *model.Schema) *Enum {
	if m.Const != nil {
		if e := newEnum([]any{m.Const}); e != nil {
			return e
		}
	}
	return newEnum(m.Enum)
}

// exhausted reports whether there is no room for genes inside a composite.
func (b *builder) exhausted(room int) bool {
	return room < 1 || b.made > maxProtos
}

// wholeFormats has the range of each format of whole numbers, without numbers beyond 64 bits with a sign.
var wholeFormats = map[string][2]int64{
	"int8":   {math.MinInt8, math.MaxInt8},
	"int16":  {math.MinInt16, math.MaxInt16},
	"int32":  {math.MinInt32, math.MaxInt32},
	"int64":  {math.MinInt64, math.MaxInt64},
	"long":   {math.MinInt64, math.MaxInt64},
	"uint8":  {0, math.MaxUint8},
	"uint16": {0, math.MaxUint16},
	"uint32": {0, math.MaxUint32},
	"uint64": {0, math.MaxInt64},
}

// integerKind returns an Integer, or a Long if the format or the bounds need more than 32 bits.
func (b *builder) integerKind(m *model.Schema) Gene {
	limits, known := wholeFormats[m.Format]
	if !known {
		limits = wholeFormats["int32"]
		if beyond32(m.Min) || beyond32(m.Max) {
			limits = wholeFormats["int64"]
		}
	}
	g := newInteger(newSpan(limits[0], limits[1], m))
	g.uniform = b.uniform
	if limits[0] < math.MinInt32 || limits[1] > math.MaxInt32 {
		return &Long{*g}
	}
	return g
}

func beyond32(bound *float64) bool {
	return bound != nil && math.Abs(*bound) > math.MaxInt32
}

// realKind returns a Float if the format is "float", otherwise a Double.
func (b *builder) realKind(m *model.Schema) Gene {
	limit, single := math.MaxFloat64, m.Format == "float"
	switch {
	case b.uniform:
		limit = math.MaxInt32
	case single:
		limit = math.MaxFloat32
	}
	in := newInterval(limit, single, m)
	in.uniform = b.uniform
	if single {
		return &Float{*newDouble(in)}
	}
	return newDouble(in)
}

// stringKind returns the gene of a string. A pattern takes precedence over a format. There is one exception: the
// format of a date or a time takes precedence if its values match the pattern.
func (b *builder) stringKind(m *model.Schema) (Gene, int) {
	if b.uniform {
		return b.uniformString(m)
	}
	s := patterned(m, b.sizes.Text)
	if g, n := dateKind(m.Format); g != nil && (s == nil || s.match.MatchString(Text(g))) {
		return g, n
	}
	if s == nil && (m.Format == "byte" || m.Format == "base64") {
		return newBase64(m, b.sizes.Text), 2
	}
	if s == nil {
		s = formatted(m, b.sizes.Text)
	}
	if s == nil {
		s = meant(m, b.name, b.sizes.Text)
	}
	if s == nil {
		s = newShape(m, b.sizes.Text, b.sizes.Text)
	}
	return &String{shape: s}, 1
}

// uniformString returns the gene of a string for NewUniform. Here, a format takes precedence over a pattern.
func (b *builder) uniformString(m *model.Schema) (Gene, int) {
	if g, n := dateKind(m.Format); g != nil {
		makeUniform(g)
		return g, n
	}
	if m.Format == "byte" || m.Format == "base64" {
		return newBase64(m, b.sizes.Text), 2
	}
	s := patterned(m, b.sizes.Text)
	if s == nil {
		s = newShape(m, b.sizes.Text, b.sizes.Text)
		s.plain, s.max = true, max(s.min, min(s.max, b.sizes.Text))
	}
	return &String{shape: s}, 1
}

func dateKind(format string) (Gene, int) {
	switch format {
	case "date":
		return newDate(), 4
	case "time":
		return newTime(), 4
	case "date-time", "datetime", "dateTime":
		return newDateTime(), 9
	}
	return nil, 0
}
