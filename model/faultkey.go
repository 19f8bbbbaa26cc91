package model

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
)

// FaultKey identifies a fault in all runs of a service. Two faults of different runs with the same key are the same
// fault. Faults of one run may have the same key, too: a run distinguishes messages by their first wordings, of which
// the key has only the words that do not depend on what the run sent.
type FaultKey struct {
	// Operation is the operation, with "{}" in place of each parameter, so that a new name of a parameter does not
	// change the key.
	Operation string
	Oracle    string
	// Message is what all wordings of the fault's signature have in common.
	Message string
}

// Key returns the key of the fault.
func (f Fault) Key() FaultKey {
	k := FaultKey{Operation: withoutNames(string(f.Op)), Oracle: f.Oracle, Message: withoutNames(f.Signature)}
	if f.Oracle == ServerErrorOracle || f.Oracle == DeclaredErrorOracle {
		k.Message = stableWords(f.Signature)
	}
	for _, text := range []*string{&k.Operation, &k.Oracle, &k.Message} {
		*text = Printable(*text, maxKeyText)
	}
	return k
}

// maxKeyText is the number of bytes that count of each text of a key.
const maxKeyText = 2000

// Hash returns the key as 64 hexadecimal digits.
func (k FaultKey) Hash() string {
	text, _ := json.Marshal([]string{k.Operation, k.Oracle, k.Message}) // texts always marshal
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// pathParameter matches a parameter of a path.
var pathParameter = regexp.MustCompile(`\{[^{}]*\}`)

func withoutNames(text string) string { return pathParameter.ReplaceAllString(text, "{}") }

// valueMark is what a signature has in place of values that the message repeats.
const valueMark = "<value>"

// stableWords returns the words of a message's signature that are the same in all wordings: without values, without
// what may be a value that the run did not recognize (a single character, or a very long word), without the rest of a
// value that was recognized only in part, and without function words, which are the words that a request's value most
// likely equals by chance.
func stableWords(signature string) string {
	var words []string
	for _, part := range strings.Fields(signature) {
		if head, _, ok := strings.Cut(part, valueMark); ok {
			part = nameBefore(head)
		}
		for _, word := range strings.FieldsFunc(part, isNoWordRune) {
			if n := len([]rune(word)); n > 1 && n <= maxStableWord && !functionWords[strings.ToLower(word)] {
				words = append(words, word)
			}
		}
	}
	return strings.Join(words, " ")
}

// maxStableWord is the number of characters of the longest word that is not taken for a value.
const maxStableWord = 40

// nameBefore returns the part of a text before a value that names the value, as in "(name)=(<value>)". Any other text
// that touches a value may be a part of the value; nameBefore returns "" for it.
func nameBefore(head string) string {
	return head[:strings.LastIndexAny(head, "=:(")+1]
}

func isNoWordRune(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

// functionWords are short words that say little of what went wrong.
var functionWords = map[string]bool{
	"an": true, "and": true, "are": true, "as": true, "at": true, "be": true, "by": true, "for": true, "from": true,
	"has": true, "in": true, "is": true, "it": true, "its": true, "of": true, "on": true, "or": true, "the": true,
	"to": true, "was": true, "with": true,
}
