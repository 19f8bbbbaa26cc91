package match

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// maxDescription is the number of bytes of a description that are read.
const maxDescription = 300

// idNouns matches the words for an identifier in a description.
const idNouns = `(?:ids?|identifiers?|uuids?|guids?|arns?|resource names?)`

// idOfNoun matches "identifier of the class" in a description, and nounID matches "user identifiers" and "the user's id".
var (
	idOfNoun = regexp.MustCompile(`(?i)\b` + idNouns + `\s+(?:of|for)\s+(?:the\s+|an?\s+|this\s+|each\s+)?([a-z][a-z -]*)`)
	nounID   = regexp.MustCompile(`(?i)\b([a-z]+(?:[ -][a-z]+)?)(?:'s)?\s+(?:unique\s+)?` + idNouns + `\b`)
)

// abbreviated matches an abbreviation after what it means: "resource name (ARN)".
var abbreviated = regexp.MustCompile(` \([A-Za-z]+\)`)

// nounEnds are words after a noun in a description.
var nounEnds = []string{
	"that", "which", "who", "whose", "to", "in", "on", "for", "of", "from", "with", "where", "when", "if", "is", "are", "was", "being",
	"and", "or", "you", "as", "by", "at", "used", "associated", "belonging", "this", "the", "a", "an", "will", "must", "should", "can",
	"has", "have",
}

// describedNouns returns the nouns, of one or more words each, whose elements the description says that a value identifies.
// Only its first sentence counts, and no clause of it with alternatives or with a word for another id.
func describedNouns(description string) [][]string {
	sentence, _, _ := strings.Cut(description[:min(len(description), maxDescription)], ". ")
	sentence = abbreviated.ReplaceAllString(sentence, "")
	var nouns [][]string
	for _, clause := range strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(",;:()\n", r) }) {
		if slices.ContainsFunc(words(clause), func(w string) bool { return w == "or" || w != "unique" && slices.Contains(qualities, w) }) {
			continue
		}
		for _, m := range idOfNoun.FindAllStringSubmatch(clause, -1) {
			parts := words(m[1])
			if end := slices.IndexFunc(parts, func(w string) bool { return slices.Contains(nounEnds, w) }); end >= 0 {
				parts = parts[:end]
			}
			if len(parts) > 0 {
				nouns = append(nouns, singularLast(parts))
			}
		}
		for _, m := range nounID.FindAllStringSubmatch(clause, -1) {
			nouns = append(nouns, singularLast(words(m[1])))
		}
	}
	return nouns
}

// entityDescribed returns the entity whose elements a value identifies according to its description, and the entity's key.
// It returns nil if the description does not say it, or if the value is the key of the entity within, which has it.
func (q *qualifier) entityDescribed(op *model.Operation, u *ValueUse, within *entity) (*entity, string) {
	name := plainName(u.Name)
	isID := within != nil && slices.Contains(idWords, name)
	if t := basicTypeOf(*u); t != scalar && t != unknown || isID && u.Out || slices.Contains(boundWords, name) {
		return nil, ""
	}
	for _, noun := range q.nounsIn(descriptionOf(op, u)) {
		for from := range noun {
			e := q.find(strings.Join(noun[from:], ""), q.resources[op])
			if e == nil || !e.canBeMany() || !e.hasKey() || e == within && (isID || !slices.Contains(relations, name)) {
				continue
			}
			if a := e.attrs[name]; isID && a != nil {
				return e, a.name
			}
			if key := e.keyLike(*u); key != "" {
				return e, key
			}
		}
	}
	return nil, ""
}

// nounsIn returns the describedNouns of a description, and remembers them.
func (q *qualifier) nounsIn(description string) [][]string {
	if description == "" {
		return nil
	}
	nouns, known := q.nounCache[description]
	if !known {
		nouns = describedNouns(description)
		q.nounCache[description] = nouns
	}
	return nouns
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
