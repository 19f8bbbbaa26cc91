package record

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"regexp"
	"strings"
)

// pseudonyms replaces values by other values of the same form. With the same key, equal values get equal pseudonyms.
// The key is never written to disk.
type pseudonyms struct{ key []byte }

// Forms of values whose structure is kept.
var (
	uuidForm  = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	hexForm   = regexp.MustCompile(`^(?:[0-9a-f]{16,}|[0-9A-F]{16,})$`)
	emailForm = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)
	jwtForm   = regexp.MustCompile(`^eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*$`)
)

// of returns the pseudonym of a value.
func (p pseudonyms) of(v string) string {
	switch {
	case jwtForm.MatchString(v):
		return p.jwt(v)
	case emailForm.FindString(v) == v && v != "":
		return p.email(v)
	case uuidForm.MatchString(v):
		return p.uuid(v)
	case isCard(v):
		return p.card(v)
	case hexForm.MatchString(v) && strings.ContainsAny(v, "abcdefABCDEF"):
		return p.fromAlphabet("hex", v, "0123456789abcdef", "0123456789ABCDEF", hexDigit)
	}
	return p.sameKind("text", v)
}

// stream returns a source of pseudo-random numbers. It is the same for equal kinds and values.
func (p pseudonyms) stream(kind, v string) func() uint32 {
	const long = 256
	if len(v) > long { // otherwise v would be hashed for each block
		sum := sha256.Sum256([]byte(v))
		v = string(sum[:])
	}
	var block []byte
	n := uint32(0)
	return func() uint32 {
		if len(block) < 4 {
			h := hmac.New(sha256.New, p.key)
			h.Write(binary.BigEndian.AppendUint32([]byte(kind+"\x00"+v+"\x00"), n))
			block = h.Sum(nil)
			n++
		}
		x := binary.BigEndian.Uint32(block)
		block = block[4:]
		return x
	}
}

const digits = "0123456789"

// sameKind replaces each digit except 0 by another such digit and each letter by another letter, so that even short
// values change. 0 stays, so that a number does not begin with 0 afterwards. A character beyond ASCII becomes a small
// letter.
func (p pseudonyms) sameKind(kind, v string) string {
	next := p.stream(kind, v)
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '1' && r <= '9':
			return otherRune('1', 9, r, next())
		case r == '0':
			return '0'
		case r >= 'A' && r <= 'Z':
			return otherRune('A', 26, r, next())
		case r >= 'a' && r <= 'z':
			return otherRune('a', 26, r, next())
		case r >= 0x80:
			return 'a' + rune(next()%26)
		}
		return r
	}, v)
}

// otherRune returns a rune from first to first+n-1, but not r.
func otherRune(first, n, r rune, chance uint32) rune {
	return first + (r-first+1+rune(chance%uint32(n-1)))%n
}

func hexDigit(r rune) bool { return strings.ContainsRune("0123456789abcdefABCDEF", r) }

// fromAlphabet replaces each rune for which replaced returns true by a random rune of an alphabet: of large if v has no
// small letters, otherwise of small.
func (p pseudonyms) fromAlphabet(kind, v, small, large string, replaced func(rune) bool) string {
	alphabet := small
	if strings.ToUpper(v) == v {
		alphabet = large
	}
	next := p.stream(kind, strings.ToLower(v))
	return strings.Map(func(r rune) rune {
		if !replaced(r) {
			return r
		}
		return rune(alphabet[int(next())%len(alphabet)])
	}, v)
}

// uuid returns the pseudonym of a UUID. It keeps the version and the variant.
func (p pseudonyms) uuid(v string) string {
	out := []byte(p.fromAlphabet("uuid", v, "0123456789abcdef", "0123456789ABCDEF", hexDigit))
	out[14], out[19] = v[14], v[19]
	return string(out)
}

// email returns the pseudonym of an e-mail address. It keeps the last label of the domain, and which letters are
// capital. Addresses that differ only in case get pseudonyms that differ only in case.
func (p pseudonyms) email(v string) string {
	small := strings.ToLower(v)
	name, domain, _ := strings.Cut(small, "@")
	first, last := domain[:strings.LastIndex(domain, ".")], domain[strings.LastIndex(domain, "."):]
	out := []byte(p.sameKind("email", name) + "@" + p.sameKind("domain", first) + last)
	for i := range out {
		if v[i] >= 'A' && v[i] <= 'Z' {
			out[i] = strings.ToUpper(string(out[i]))[0]
		}
	}
	return string(out)
}

// jwt returns the pseudonym of a JWT. It keeps the header, which names the algorithm, and, if the
// claims are JSON, their structure.
func (p pseudonyms) jwt(v string) string {
	parts := strings.Split(v, ".")
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	masked, ok := rewriteJSON(
		claims,
		func(_, v string) string { return p.of(v) },
		func(_, v string) string { return v },
	)
	if err != nil || !ok {
		return parts[0] + "." + p.sameKind("jwt", parts[1]) + "." + p.sameKind("jwt", parts[2])
	}
	return parts[0] + "." + base64.RawURLEncoding.EncodeToString(
		masked,
	) + "." + p.sameKind("jwt", v)[len(v)-len(parts[2]):]
}

// card returns the pseudonym of a card number. It keeps the issuer and the separators, and sets a valid check
// digit.
func (p pseudonyms) card(v string) string {
	number := onlyDigits(v)
	next := p.stream("card", number)
	out := []byte(number)
	for i := 6; i < len(out)-1; i++ {
		out[i] = digits[next()%10]
	}
	out[len(out)-1] = '0'
	out[len(out)-1] = digits[(10-luhn(out)%10)%10]
	i := -1
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return r
		}
		i++
		return rune(out[i])
	}, v)
}

func onlyDigits(v string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, v)
}

// luhn returns the Luhn checksum of a number. It is a multiple of 10 if the check digit is valid.
func luhn(number []byte) int {
	sum := 0
	for i := range number {
		d := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
			if d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum
}

// cardNumbers matches the prefixes and lengths of card numbers in use. The check digit alone is not
// enough: it is valid for every tenth number.
var cardNumbers = regexp.MustCompile(`^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|` +
	`3[47]\d{13}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35\d{14}|3(?:0[0-5]|[68]\d)\d{11}|62\d{14,17})$`)

// cardForm matches what may be a card number with separators.
var cardForm = regexp.MustCompile(`\d(?:[ -]?\d){12,18}`)

func isCard(v string) bool {
	if len(v) < 13 || len(v) > 40 || cardForm.FindString(v) != v {
		return false
	}
	number := onlyDigits(v)
	return cardNumbers.MatchString(number) && luhn([]byte(number))%10 == 0
}
