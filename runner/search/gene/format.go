package gene

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"strings"

	"sonde/model"
)

// formats are the generators of string formats. They use hosts and addresses that are reserved for
// documentation, so that a service which calls them does no harm.
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
	"iri-reference": uri,
	"phone":         phone,
	"decimal":       decimal,
	"base64url":     base64url,
	"mac":           mac,
	"cidr":          func(r *rand.Rand) string { return ipv4(r) + "/32" },
	"json-pointer":  func(r *rand.Rand) string { return "/" + label(r) + "/" + strconv.Itoa(r.IntN(10)) },
	"uri-template":  func(r *rand.Rand) string { return uri(r) + "/{" + label(r) + "}" },
	"regex":         func(r *rand.Rand) string { return "^" + label(r) + "[0-9]*$" },

	"relative-json-pointer": func(r *rand.Rand) string { return strconv.Itoa(r.IntN(3)) + "/" + label(r) },

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

// digits returns a whole number as text. Some APIs send 64-bit numbers as strings.
func digits(r *rand.Rand) string {
	return strconv.FormatInt(r.Int64()>>r.IntN(63), 10)
}

// duration returns an ISO 8601 duration.
func duration(r *rand.Rand) string {
	return fmt.Sprintf("P%dDT%dH%dM", r.IntN(40), r.IntN(24), r.IntN(60))
}

func rfc1123(r *rand.Rand) string { return moment(r).Format("Mon, 02 Jan 2006 15:04:05 GMT") }

// decimal returns a number with two decimals as text. Some APIs send amounts of money as strings.
func decimal(r *rand.Rand) string {
	return fmt.Sprintf("%d.%02d", r.IntN(1000), r.IntN(100))
}

func base64url(r *rand.Rand) string { return base64.RawURLEncoding.EncodeToString([]byte(label(r))) }

// mac returns a MAC address of the range that is reserved for documentation (RFC 7042).
func mac(r *rand.Rand) string { return fmt.Sprintf("00:00:5e:00:53:%02x", r.IntN(256)) }

// label returns one to ten lower-case letters.
func label(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(10) {
		b.WriteByte(byte('a' + r.IntN(26)))
	}
	return b.String()
}

// formatted returns the shape of strings with the schema's format and lengths, nil if the format is not known or no
// such string is found. usual is the value of the shape's field usual.
func formatted(m *model.Schema, usual int) *shape {
	generate := formats[m.Format]
	if generate == nil {
		return nil
	}
	return newShape(m, longestString, usual).generated(generate)
}

// generated returns the shape with a generator, nil if the generator finds no string of an allowed length.
func (s *shape) generated(generate func(r *rand.Rand) string) *shape {
	find := func(r *rand.Rand) string {
		v := generate(r)
		for n := 0; n < tries && !s.fits(v); n++ {
			v = generate(r)
		}
		return v
	}
	sure := find(rand.New(rand.NewPCG(1, 2)))
	if !s.fits(sure) {
		return nil
	}
	s.make = func(r *rand.Rand) string {
		if v := find(r); s.fits(v) {
			return v
		}
		return sure
	}
	return s
}
