package gene

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"sonde/model"
)

// formats are the string formats that are written by a generator. Names and
// addresses are those reserved for documentation, so that a service that
// follows them harms nobody.
var formats = map[string]func(r *rand.Rand) string{
	"uuid":          uuid,
	"guid":          uuid,
	"uri":           uri,
	"url":           uri,
	"iri":           uri,
	"uri-reference": uri,
	"email":         email,
	"idn-email":     email,
	"hostname":      hostname,
	"idn-hostname":  hostname,
	"ipv4":          ipv4,
	"ip":            ipv4,
	"ipv6":          ipv6,
	"int64":         digits,
	"uint64":        digits,
	"duration":      duration,

	"date-time-rfc1123": rfc1123,
}

// uuid returns a random UUID, version 4.
func uuid(r *rand.Rand) string {
	a, b := r.Uint64(), r.Uint64()
	a = a&^0xf000 | 0x4000
	b = b&^(3<<62) | 1<<63
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", a>>32, a>>16&0xffff, a&0xffff, b>>48, b&(1<<48-1))
}

func uri(r *rand.Rand) string {
	return "http://" + hostname(r) + "/" + label(r)
}

func email(r *rand.Rand) string {
	return label(r) + "@" + hostname(r)
}

func hostname(r *rand.Rand) string {
	return label(r) + ".example"
}

func ipv4(r *rand.Rand) string {
	nets := [...][3]byte{{192, 0, 2}, {198, 51, 100}, {203, 0, 113}}
	net := nets[r.IntN(len(nets))]
	return netip.AddrFrom4([4]byte{net[0], net[1], net[2], byte(r.IntN(256))}).String()
}

func ipv6(r *rand.Rand) string {
	addr := [16]byte{0x20, 0x01, 0x0d, 0xb8}
	addr[14], addr[15] = byte(r.IntN(256)), byte(r.IntN(256))
	return netip.AddrFrom16(addr).String()
}

// digits returns a whole number, which some APIs write as a string for fear of
// readers that count with doubles.
func digits(r *rand.Rand) string {
	return strconv.FormatInt(r.Int64()>>r.IntN(63), 10)
}

// duration returns an ISO 8601 duration.
func duration(r *rand.Rand) string {
	return fmt.Sprintf("P%dDT%dH%dM", r.IntN(40), r.IntN(24), r.IntN(60))
}

func rfc1123(r *rand.Rand) string {
	const decades = 60 * 365 * 24 * 60 * 60 // seconds from 1980
	return time.Unix(10*365*24*60*60+r.Int64N(decades), 0).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
}

// label returns one to ten lower-case letters.
func label(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(10) {
		b.WriteByte(byte('a' + r.IntN(26)))
	}
	return b.String()
}

// formatted returns the shape of strings of the schema's format and lengths,
// nil where there are none.
func formatted(m *model.Schema) *shape {
	generate := formats[m.Format]
	if generate == nil {
		return nil
	}
	s := newShape(m, longestString)
	s.make = func(r *rand.Rand) string {
		v := generate(r)
		for n := 0; n < tries && !s.fits(v); n++ {
			v = generate(r)
		}
		return v
	}
	if !s.fits(s.make(rand.New(rand.NewPCG(1, 2)))) {
		return nil
	}
	return s
}
