package match

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// maxDescription is the maximum number of bytes of a description that are read.
const maxDescription = 300

// idNouns matches the words for an identifier in a description.
const idNouns = `(?:ids?|identifiers?|uuids?|guids?|arns?|resource names?)`

// someNoun matches the text after "of" or "for" in a description. The group of the pattern begins with a noun:
// "class" in "the class", and "image" in "the container's image".
const someNoun = `(?:the\s+|an?\s+|this\s+|each\s+)?(?:[a-z][a-z -]*'s\s+)?([a-z][a-z -]*)`

// idOfNoun matches "identifier of the class" in a description, and nounID matches "user identifiers" and "the user's
// id".
var (
	idOfNoun = regexp.MustCompile(`(?i)\b` + idNouns + `\s+(?:of|for)\s+` + someNoun)
	nounID   = regexp.MustCompile(`(?i)\b([a-z]+(?:[ -][a-z]+)?)(?:'s)?\s+(?:unique\s+)?` + idNouns + `\b`)
)

// attrOfNoun matches "The name of the branch" and "Logins for users", and listOfAttrs "An array of user logins", at the
// beginning of a description.
var (
	attrOfNoun  = regexp.MustCompile(`(?i)^(?:the\s+|an?\s+)?(?:full\s+|unique\s+)?([a-z]+)\s+(?:of|for)\s+` + someNoun)
	listOfAttrs = regexp.MustCompile(`(?i)^(?:the\s+|an?\s+)?(?:array|list)\s+of\s+(?:the\s+|all\s+)?([a-z]+(?:[ -][a-z]+)?)\s+([a-z]+s)\b`)
)

// abbreviated matches an abbreviation in parentheses after the full term, such as "(ARN)" in "resource name (ARN)".
var abbreviated = regexp.MustCompile(` \([A-Za-z]+\)`)

// nounEnds are words that end a noun phrase in a description.
var nounEnds = []string{
	"that", "which", "who", "whose", "to", "in", "on", "for", "of", "from", "with", "where", "when", "if", "is", "are", "was", "being",
	"and", "or", "you", "as", "by", "at", "used", "associated", "belonging", "this", "the", "a", "an", "will", "must", "should", "can",
	"has", "have",
}

// describedNouns returns the words of each noun that a value identifies according to its description: "The ID of the
// user" gives "user". It reads only the first sentence. It skips clauses about other ids: a clause with an "or", and
// a clause with a word of idQualifiers, such as "external". The word "unique" is allowed.
func describedNouns(description string) [][]string {
	sentence, _, _ := strings.Cut(description[:min(len(description), maxDescription)], ". ")
	sentence = abbreviated.ReplaceAllString(sentence, "")
	var nouns [][]string
	for _, clause := range strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(",;:()\n", r) }) {
		isOther := func(w string) bool { return w == "or" || w != "unique" && slices.Contains(idQualifiers, w) }
		if !mayNameID(clause) || slices.ContainsFunc(words(clause), isOther) {
			continue
		}
		for _, m := range idOfNoun.FindAllStringSubmatch(clause, -1) {
			if noun := nounPhrase(m[1]); noun != nil {
				nouns = append(nouns, noun)
			}
		}
		for _, m := range nounID.FindAllStringSubmatch(clause, -1) {
			nouns = append(nouns, singularLast(words(m[1])))
		}
	}
	return nouns
}

// mayNameID reports whether a clause may contain one of idNouns. For most clauses it returns false, and saves the
// much slower search by a regular expression.
func mayNameID(clause string) bool {
	for i := range len(clause) - 1 {
		switch clause[i] | 0x20 { // in lower case
		case 'i':
			if clause[i+1]|0x20 == 'd' {
				return true
			}
		case 'a':
			if strings.EqualFold(clause[i:min(i+3, len(clause))], "arn") {
				return true
			}
		case 'r':
			if strings.EqualFold(clause[i:min(i+13, len(clause))], "resource name") {
				return true
			}
		}
	}
	return false
}

// nounPhrase returns the words of the noun at the beginning of a text, with the last word in the singular. It returns
// nil if there is no noun. A verb in "ing" with an object ends the noun: "commit needing a comment" gives "commit".
func nounPhrase(text string) []string {
	parts := words(text)
	for i, w := range parts {
		isVerb := i > 0 && strings.HasSuffix(w, "ing") && i+1 < len(parts) && slices.Contains(determiners, parts[i+1])
		if isVerb || slices.Contains(nounEnds, w) {
			parts = parts[:i]
			break
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return singularLast(parts)
}

// determiners are words that may begin the object of a verb.
var determiners = []string{"a", "an", "the", "this", "that", "these", "your", "its"}

// descriptionReader finds the entities to which the descriptions of values refer.
type descriptionReader struct {
	*entities
	known map[string]*description // results of read, by text
}

// description is what the description of a value in the document says: that the value identifies an element of another
// entity, or that it is an attribute of another entity.
type description struct {
	nouns  [][]string // the words of each noun that the value may identify
	attr   string     // the plain name of the attribute, "" for none
	attrOf []string   // the words of the noun that has the attribute
}

// read parses a description. It caches the result, because many values have the same description.
func (d *descriptionReader) read(text string) *description {
	desc := d.known[text]
	if desc == nil {
		desc = &description{nouns: describedNouns(text)}
		desc.attr, desc.attrOf = describedAttr(text)
		d.known[text] = desc
	}
	return desc
}

// attrDescribed returns the attribute to which the description of a value refers: the entity of the attribute, and the
// attribute's name. For example, a "head" with the description "The name of the branch with the changes" refers to the
// name of a branch. within is the entity that has the value as an attribute.
//
// attrDescribed returns nil in these cases:
//   - The description refers to no attribute, or to an attribute that is not a path parameter.
//   - The description refers to an attribute of within, or of an entity with one element only.
//   - The value is not a number or a text, or the types do not agree.
//   - The value has the same name as the attribute. The description is then about the object that contains the
//     value.
func (d *descriptionReader) attrDescribed(op *model.Operation, u *ValueUse, within *entity) (*entity, string) {
	if basicTypeOf(u) != scalar {
		return nil, ""
	}
	desc := d.read(descriptionOf(op, u))
	if desc.attr == u.spelling.plain {
		return nil, ""
	}
	for from := range desc.attrOf {
		e := d.find(strings.Join(desc.attrOf[from:], ""), d.resources[op])
		if e == nil || e == within || !e.canBeMany() {
			continue
		}
		if a := e.attrs[desc.attr]; a != nil && a.inPath && a.agrees(u) {
			return e, a.name
		}
	}
	return nil, ""
}

// describedAttr returns the attribute and the noun in a description that begins like "The name of the branch": the
// attribute's plain name and the words of the noun. It returns "" and nil for these descriptions:
//   - a description of another form, or with an "or"
//   - a description of the attribute "number": the number of alerts is not an attribute of an alert
//   - the description of an id, which [describedNouns] reads
func describedAttr(description string) (attr string, noun []string) {
	clause := firstClause(description)
	if m := listOfAttrs.FindStringSubmatch(clause); m != nil {
		attr, noun = Singular(plainName(m[2])), nounPhrase(m[1])
	} else if m := attrOfNoun.FindStringSubmatch(clause); m != nil {
		attr, noun = Singular(plainName(m[1])), nounPhrase(m[2])
	}
	if attr == "number" || slices.Contains(strictIDWords, attr) || noun != nil && slices.Contains(words(clause), "or") {
		return "", nil
	}
	return attr, noun
}

// firstClause returns the first clause of a description, without backticks.
func firstClause(description string) string {
	clause := description[:min(len(description), maxDescription)]
	if end := strings.IndexAny(clause, ",;:(.\n"); end >= 0 {
		clause = clause[:end]
	}
	return strings.ReplaceAll(clause, "`", "")
}

// entityDescribed returns the entity whose elements a value identifies according to its description, and the name of
// the entity's key. within is the entity that has the value as an attribute. entityDescribed returns nil in these
// cases:
//   - The description names no such entity.
//   - The type or the name of the value is not that of an identifier.
//   - The value is an id in an answer. It is then the id of within.
//   - The entity is within, and the name of the value is not one of relations.
func (d *descriptionReader) entityDescribed(op *model.Operation, u *ValueUse, within *entity) (*entity, string) {
	name := u.spelling.plain
	isID := within != nil && slices.Contains(idWords, name)
	if t := basicTypeOf(u); t != scalar && t != unknown || isID && u.Out || slices.Contains(boundWords, name) || u.spelling.isURL() {
		return nil, ""
	}
	for _, noun := range d.read(descriptionOf(op, u)).nouns {
		for from := range noun {
			e := d.find(strings.Join(noun[from:], ""), d.resources[op])
			if e == nil || !e.canBeMany() || !e.hasKey() || e == within && (isID || !slices.Contains(relations, name)) {
				continue
			}
			if a := e.attrs[name]; isID && a != nil {
				return e, a.name
			}
			if key := e.keyLike(u); key != "" {
				return e, key
			}
		}
	}
	return nil, ""
}

// descriptionOf returns the description of a value, "" if the document has none.
func descriptionOf(op *model.Operation, u *ValueUse) string {
	if u.Pointer == "" && !u.Out {
		for _, p := range op.Params {
			if p.Name == u.Name && p.In == u.In && p.Description != "" {
				return p.Description
			}
		}
	}
	if u.schema == nil {
		return ""
	}
	return u.schema.Description
}
