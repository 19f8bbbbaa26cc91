package refusal

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The forms in which messages say what is wrong. A number may have a sign and decimals.
var (
	unknownInput = pattern(
		`\b(unknown|unexpected|unrecogni[sz]ed|unsupported|additional|extra|extraneous)\b.*`+
			`\b(field|propert|key|param|attribute|argument|input)`,
		`\bextra_forbidden\b`,
		`\b(is|are) not (an )?(allowed|permitted|known|recogni[sz]ed)( (field|propert|key|param))?\b`,
	)
	requiredInput = pattern(
		`\b(is|are|field) required\b`, `\brequired (field|propert|param|attribute|value|key)`, `'required' tag`, `\bmissing\b`,
		`\b(must|should|has to|have to) be (set|provided|present|specified|given|supplied)\b`,
		`\b(must|may|can|should|do) ?not be (blank|empty|null|nil|none|undefined)\b`, `\bcan't be (blank|empty)\b`,
		`\b(is|was|were) (empty|blank|not (set|provided|specified|given|present))\b`, `\bno \S+ (was )?(given|provided|specified)\b`,
	)
	oneOf = pattern(
		`\b(one of|any of|either|choose from|(allowed|valid|possible|accepted|supported|expected) (values|options|choices)( are)?)\b` +
			`[:\s]*(the following)?[:\s]*`,
	)
	expected     = pattern(`\b(expected|should be|must be|can be)\b`)
	quotedText   = pattern("[\"'`“‘]([^\"'`”’]{1,100})[\"'`”’]")
	bracketList  = pattern(`[\[({]\s*([^\])}]{1,400})\s*[\])}]`)
	prefixText   = pattern("\\b(?:prefix(?:ed)?(?: of| with)?|(?:start|begin)(?:s|ning)? with)\\b:?\\s*[\"'`“]([^\"'`”]{1,60})[\"'`”]")
	patternText  = pattern("(\\^[^\\s\"'`]{1,200}\\$)")
	formatWord   = pattern(formatWords())
	formatRefuse = pattern(`\b(valid|invalid|must be|should be|not an?|malformed|parse|format|expected|failed)\b`)
	between      = pattern(`\bbetween (-?\d+(?:\.\d+)?) and (-?\d+(?:\.\d+)?)\s*(\w*)`)
	atLeast      = pattern(
		`\b(?:at least|minimum(?: (?:length|value|size))?(?: (?:of|is))?|(?:no|not) less than|greater than or equal to|longer than|` +
			`min(?:length)?)[:=\s]*(-?\d+(?:\.\d+)?)\s*(\w*)`,
	)
	atMost = pattern(
		`\b(?:at most|maximum(?: (?:length|value|size))?(?: (?:of|is))?|no more than|not (?:more|longer|greater) than|` +
			`less than or equal to|up to|max(?:length)?)[:=\s]*(-?\d+(?:\.\d+)?)\s*(\w*)`,
	)
	above       = pattern(`\b(?:greater|more|larger|bigger|higher) than (-?\d+(?:\.\d+)?)\b`)
	below       = pattern(`\b(?:less|smaller|lower|fewer) than (-?\d+(?:\.\d+)?)\b`)
	exactLength = pattern(
		`\b(?:length|characters?)\b.*\b(?:expected|exactly|must be|should be)\s*(?:exactly )?(\d+)\b`,
		`\b(?:exactly|expected) (\d+) (?:characters|chars|letters|digits)`,
	)
	ofLength = pattern(`\b(length|char|letter|symbol|byte|rune|digit|long|short)`)
)

// pattern returns a regular expression of alternatives that ignores case.
func pattern(alternatives ...string) *regexp.Regexp {
	return regexp.MustCompile("(?i)(?:" + strings.Join(alternatives, "|") + ")")
}

// formatWords returns a regular expression for the words in formats.
func formatWords() string {
	words := slices.Sorted(maps.Keys(formats))
	slices.Reverse(words) // so that "date-time" is tried before "date"
	return `\b(` + strings.Join(words, "|") + `)\b`
}

// formats maps lower-case words of messages to formats of OpenAPI.
var formats = map[string]string{
	"email": "email", "e-mail": "email", "uuid": "uuid", "guid": "uuid", "uri": "uri", "url": "uri", "datetime": "date-time",
	"date-time": "date-time", "rfc3339": "date-time", "rfc 3339": "date-time", "iso8601": "date-time", "iso-8601": "date-time",
	"timestamp": "date-time", "date": "date", "ipv4": "ipv4", "ip address": "ipv4", "ipv6": "ipv6", "hostname": "hostname",
	"base64": "byte",
}

// ruleOf returns the rule that a sentence states about its input, nil if it states none.
func ruleOf(text string) *Rule {
	var r Rule
	r.Unknown = unknownInput.MatchString(text)
	r.Required = !r.Unknown && requiredInput.MatchString(text)
	if m := prefixText.FindStringSubmatch(text); m != nil {
		r.Prefix = m[1]
	} else if m := patternText.FindStringSubmatch(text); m != nil {
		r.Pattern = m[1]
	} else {
		r.Values = valuesIn(text)
	}
	if m := formatWord.FindString(text); m != "" && r.Values == nil && !r.Unknown && formatRefuse.MatchString(text) {
		r.Format = formats[strings.ToLower(m)]
	}
	r.readBounds(text)
	if r.isEmpty() {
		return nil
	}
	return &r
}

func (r *Rule) isEmpty() bool {
	return !r.Required && !r.Unknown && r.Values == nil && r.Prefix == "" && r.Pattern == "" && r.Format == "" &&
		r.MinLength == nil && r.MaxLength == nil && r.Min == nil && r.Max == nil
}

// valuesIn returns the values that a sentence lists, in one of these forms:
//   - quoted texts after words such as "one of"
//   - words in brackets or in a list, after words such as "one of"
//   - at least two quoted texts after words such as "expected"
func valuesIn(text string) (values []string) {
	at := oneOf.FindStringIndex(text)
	if at == nil {
		if at = expected.FindStringIndex(text); at == nil {
			return nil
		}
		if values = quotedIn(text[at[1]:]); len(values) < 2 {
			return nil // a single quoted text may be the value that was sent
		}
		return values
	}
	list := text[at[1]:]
	if values = quotedIn(list); values != nil {
		return values
	}
	if m := bracketList.FindStringSubmatch(list); m != nil {
		list = m[1]
	} else if !strings.Contains(list, ",") && !strings.Contains(list, " or ") {
		return nil
	}
	split := func(c rune) bool { return c == ',' || c == ' ' || c == '|' }
	for _, word := range strings.FieldsFunc(list, split) {
		word = strings.Trim(word, ".:'\"")
		if word != "" && word != "or" && word != "and" {
			values = append(values, word)
		}
	}
	return values
}

func quotedIn(text string) (all []string) {
	for _, m := range quotedText.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// readBounds reads the bounds of a number or of a length.
func (r *Rule) readBounds(text string) {
	set := func(number, unit string, most bool, step float64) {
		n, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return
		}
		n += step
		if ofLength.MatchString(unit) || ofLength.MatchString(text) {
			r.boundLength(int(n), most)
			return
		}
		if most {
			r.Max = &n
		} else {
			r.Min = &n
		}
	}
	if m := exactLength.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1] + m[2])
		r.boundLength(n, false)
		r.boundLength(n, true)
		return
	}
	if m := between.FindStringSubmatch(text); m != nil {
		set(m[1], m[3], false, 0)
		set(m[2], m[3], true, 0)
		return
	}
	if m := atLeast.FindStringSubmatch(text); m != nil {
		set(m[1], m[2], false, 0)
	} else if m := above.FindStringSubmatch(text); m != nil {
		set(m[1], "", false, 1)
	}
	if m := atMost.FindStringSubmatch(text); m != nil {
		set(m[1], m[2], true, 0)
	} else if m := below.FindStringSubmatch(text); m != nil {
		set(m[1], "", true, -1)
	}
}

// boundLength sets a bound of the length, unless the bound is negative or exceeds longest.
func (r *Rule) boundLength(n int, most bool) {
	const longest = 8192
	switch {
	case n < 0 || n > longest:
	case most:
		r.MaxLength = &n
	default:
		r.MinLength = &n
	}
}
