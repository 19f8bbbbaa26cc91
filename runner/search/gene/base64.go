package gene

import (
	"encoding/base64"
	"math/rand/v2"

	"sonde/model"
)

// Base64String is a string that is sent in Base64 encoding.
type Base64String struct{ inner [1]Gene }

// newBase64 returns a gene whose encoded length is within the schema's bounds, as far as possible: the length is always
// a multiple of four. The data has at most usual characters, unless the schema requires more.
func newBase64(s *model.Schema, usual int) *Base64String {
	data := &shape{max: usual, usual: usual, plain: true}
	if s.MaxLength != nil {
		data.max = min(data.max, max(*s.MaxLength, 0)/4*3)
	}
	if groups := (s.MinLength + 3) / 4; groups > 0 {
		data.min = min(groups*3-2, longestString)
	}
	data.max = max(data.min, data.max)
	return &Base64String{[1]Gene{&String{shape: data}}}
}

// Sample draws the data.
func (g *Base64String) Sample(r *rand.Rand) { g.inner[0].Sample(r) }

// MutateValue changes nothing; the gene inside mutates itself.
func (g *Base64String) MutateValue(*rand.Rand, Pace) bool { return false }

// Clone returns a deep copy.
func (g *Base64String) Clone() Gene { return &Base64String{[1]Gene{g.inner[0].Clone()}} }

// SetValue accepts a string in the Base64 encoding.
func (g *Base64String) SetValue(v any) bool {
	s, ok := v.(string)
	data, err := base64.StdEncoding.DecodeString(s)
	return ok && err == nil && g.inner[0].SetValue(string(data))
}

// AppendJSON appends the encoded string in quotes.
func (g *Base64String) AppendJSON(dst []byte) []byte {
	return append(g.appendText(append(dst, '"')), '"')
}

func (g *Base64String) appendText(dst []byte) []byte {
	return base64.StdEncoding.AppendEncode(dst, []byte(g.inner[0].(*String).v))
}

func (g *Base64String) inside() []Gene         { return g.inner[:] }
func (g *Base64String) pick(_ *rand.Rand) Gene { return g.inner[0] }
