package gene

import (
	"math/rand/v2"
	"strings"
	"time"
	"unicode"

	"sonde/model"
)

// otherMeaning is the probability that a string is sampled without the format that its name indicates.
const otherMeaning = 0.25

// meanings has the generators of strings without a format, by the last words of the strings' names.
var meanings = map[string]func(r *rand.Rand) string{
	"email": email, "mail": email, "e mail": email, "email address": email, "mail address": email,
	"url": uri, "uri": uri, "href": uri, "website": uri, "homepage": uri, "webhook": uri, "callback url": uri,
	"uuid": uuid, "guid": uuid,
	"host": hostname, "hostname": hostname, "host name": hostname, "domain": hostname, "domain name": hostname,
	"ip": ipv4, "ip address": ipv4, "ipv4": ipv4, "ipv6": ipv6,
	"phone": phone, "phone number": phone, "telephone": phone, "mobile": phone, "tel": phone, "fax": phone,
	"date": day, "birthday": day, "birthdate": day, "dob": day, "date of birth": day,
	"datetime": instant, "date time": instant, "timestamp": instant, "created at": instant, "updated at": instant,
	"starts at": instant, "ends at": instant, "expires at": instant,
	"country code":  oneOf("DE", "FR", "US", "JP", "BR"),
	"currency":      oneOf("EUR", "USD", "JPY", "CHF"),
	"currency code": oneOf("EUR", "USD", "JPY", "CHF"),
	"language":      oneOf("en", "de", "fr", "ja"), "lang": oneOf("en", "de", "fr", "ja"),
	"locale":   oneOf("en-GB", "de-DE", "pt-BR"),
	"timezone": oneOf("UTC", "Europe/Berlin", "Asia/Tokyo"), "time zone": oneOf("UTC", "Europe/Berlin", "Asia/Tokyo"),
	"zip": postcode, "zip code": postcode, "zipcode": postcode, "postcode": postcode, "postal code": postcode,
	"color": color, "colour": color,
}

// longestMeaning is the number of words in the longest key of meanings.
const longestMeaning = 3

// meant returns the shape of a string whose name indicates a format. It returns nil if the schema has a format of its
// own, if the name indicates no format, or if the schema's lengths do not allow the format. usual is the value of the
// shape's field usual.
func meant(m *model.Schema, name string, usual int) *shape {
	generate := meaningOf(name)
	if generate == nil || m.Format != "" {
		return nil
	}
	s := newShape(m, usual, usual)
	if m.MaxLength == nil {
		s.max = longestString
	}
	s = s.generated(generate)
	if s != nil {
		s.loose = true
	}
	return s
}

// meaningOf returns the generator for a name, nil if there is none. It looks for the last words of the name in
// meanings, and prefers the longest match. A plural, such as the name of a list, is treated like its singular.
func meaningOf(name string) func(r *rand.Rand) string {
	words := wordsOf(name)
	for n := min(longestMeaning, len(words)); n > 0; n-- {
		end := strings.Join(words[len(words)-n:], " ")
		for _, key := range []string{end, strings.TrimSuffix(end, "s"), strings.TrimSuffix(end, "es")} {
			if generate := meanings[key]; generate != nil {
				return generate
			}
		}
	}
	return nil
}

// wordsOf splits a name such as contactEmail, contact_email or CONTACT-EMAIL into lower-case words.
func wordsOf(name string) []string {
	var spaced []rune
	lower := false
	for _, c := range name {
		if unicode.IsUpper(c) && lower {
			spaced = append(spaced, ' ')
		}
		lower = unicode.IsLower(c) || unicode.IsDigit(c)
		spaced = append(spaced, unicode.ToLower(c))
	}
	return strings.FieldsFunc(string(spaced), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// oneOf returns a generator that draws one of the texts.
func oneOf(texts ...string) func(r *rand.Rand) string {
	return func(r *rand.Rand) string { return texts[r.IntN(len(texts))] }
}

// phone returns a phone number of the range that is reserved for fiction.
func phone(r *rand.Rand) string {
	return "+1202555" + numerals(r, "01", 2) + numerals(r, "0123456789", 2)
}

func postcode(r *rand.Rand) string { return numerals(r, "0123456789", 5) }

func color(r *rand.Rand) string { return "#" + numerals(r, "0123456789abcdef", 6) }

func numerals(r *rand.Rand, of string, n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = of[r.IntN(len(of))]
	}
	return string(text)
}

func day(r *rand.Rand) string { return moment(r).Format(time.DateOnly) }

func instant(r *rand.Rand) string { return moment(r).Format(time.RFC3339) }

// moment returns a random time in about sixty years from 1980 on.
func moment(r *rand.Rand) time.Time {
	const decades = 60 * 365 * 24 * 60 * 60
	return time.Unix(10*365*24*60*60+r.Int64N(decades), 0).UTC()
}
