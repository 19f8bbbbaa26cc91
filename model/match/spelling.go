package match

import (
	"slices"
	"strings"

	"sonde/model"
)

// spelling is the name of a value, split into the parts that the steps of qualify read. The values with the same name
// share it.
type spelling struct {
	words []string // as the function words returns them
	plain string   // as plainName returns it
	kind  Kind     // as kindOfName returns it
	// parts are the words with the last one in the singular. An "id" at the start is moved to the end.
	parts []string
	// joined are the parts without separators. ends has the offset of the end of each part in joined.
	joined string
	ends   []int
}

func newSpelling(name string) *spelling {
	s := &spelling{words: words(name), plain: plainName(name), kind: kindOfName(name)}
	if len(s.words) == 0 {
		return s
	}
	s.parts = singularLast(s.words)
	if len(s.parts) > 1 && s.parts[0] == "id" {
		s.parts = append(s.parts[1:], "id")
	}
	s.joined = strings.Join(s.parts, "")
	s.ends = make([]int, len(s.parts))
	end := 0
	for i, part := range s.parts {
		end += len(part)
		s.ends[i] = end
	}
	return s
}

// phrase returns parts[from:to] without separators.
func (s *spelling) phrase(from, to int) string {
	begin := 0
	if from > 0 {
		begin = s.ends[from-1]
	}
	if from >= to {
		return ""
	}
	return s.joined[begin:s.ends[to-1]]
}

// isURL reports whether the name ends with a word for a URL. Such a value is not an id, even if its description
// mentions the ids in the URL.
func (s *spelling) isURL() bool {
	if len(s.words) == 0 {
		return false
	}
	switch Singular(s.words[len(s.words)-1]) {
	case "url", "uri", "link", "href":
		return true
	}
	return false
}

// lexicon has the spellings of names.
type lexicon map[string]*spelling

// of returns the spelling of a name.
func (l lexicon) of(name string) *spelling {
	s := l[name]
	if s == nil {
		s = newSpelling(name)
		l[name] = s
	}
	return s
}

// newLexicon returns the spellings of the names of all uses, and sets the spelling of each use.
func newLexicon(ops []*model.Operation, uses map[*model.Operation][]ValueUse) lexicon {
	l := lexicon{}
	for _, op := range ops {
		list := uses[op]
		for i := range list {
			list[i].spelling = l.of(list[i].Name)
		}
	}
	return l
}

// plainAs returns plainName(name). The name must be the name of the use or a part of it. For the whole name of a use,
// the result may be cached.
func (u *ValueUse) plainAs(name string) string {
	if u.spelling != nil && name == u.Name {
		return u.spelling.plain
	}
	return plainName(name)
}

// wordsAs returns words(name). The name must be the name of the use or a part of it. For the whole name of a use, the
// result may be cached.
func (u *ValueUse) wordsAs(name string) []string {
	if u.spelling != nil && name == u.Name {
		return u.spelling.words
	}
	return words(name)
}

// mayRefer reports whether the name has the form of a name that refers to an entity, such as customerId or
// customerName.
func (s *spelling) mayRefer() bool {
	n := len(s.words) - 1
	return n > 0 && (s.words[n] == "name" || slices.Contains(strictIDWords, s.words[n])) &&
		(n > 1 || !slices.Contains(idQualifiers, s.words[0]))
}
