package widget

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sonde/ui/theme"
)

// language says which parts of its source have a style. Words are separated by spaces.
type language struct {
	comment   string // begins a comment that ends with its line
	block     bool   // comments are also between /* and */
	quotes    []quotation
	keywords  string
	builtins  string // they are no keywords if they are called
	functions functionRule
	numbers   bool
	keys      bool // a string before a colon has no style
}

// quotation is a kind of string literal. With lines it may have several lines, with escapes a backslash
// takes the next character in.
type quotation struct {
	mark           string
	lines, escapes bool
}

// functionRule says which names before a parenthesis are styled as functions.
type functionRule int

const (
	noFunction       functionRule = iota
	calledFunction                // all
	declaredFunction              // those after a word that is no statement
)

const goTypes = "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string " +
	"uint uint8 uint16 uint32 uint64 uintptr"

// statements are keywords that may precede a call.
const statements = "and assert await case elif else if in lambda new not or raise return throw typeof while with yield"

// languageOf returns the language of a file. A HAR file is JSON.
func languageOf(name string) (l language, ok bool) {
	double, single := quotation{mark: `"`, escapes: true}, quotation{mark: "'", escapes: true}
	switch filepath.Ext(name) {
	case ".go":
		return language{
			comment: "//", block: true, numbers: true, functions: calledFunction,
			quotes: []quotation{double, single, {mark: "`", lines: true}},
			keywords: "break case chan const continue default defer else fallthrough for func go goto if import interface map " +
				"package range return select struct switch type var true false iota nil " + goTypes,
			builtins: "append cap clear close complex copy delete imag len make max min new panic print println real recover " +
				goTypes,
		}, true
	case ".js", ".mjs":
		return language{
			comment: "//", block: true, numbers: true, functions: declaredFunction,
			quotes: []quotation{double, single, {mark: "`", lines: true, escapes: true}},
			keywords: "async await break case catch class const continue debugger default delete do else export extends false " +
				"finally for from function if import in instanceof let new null of return static super switch this throw true try " +
				"typeof undefined var void while with yield",
		}, true
	case ".java":
		return language{
			comment: "//", block: true, numbers: true, functions: declaredFunction,
			quotes: []quotation{{mark: `"""`, lines: true, escapes: true}, double, single},
			keywords: "abstract assert boolean break byte case catch char class continue default do double else enum extends false " +
				"final finally float for if implements import instanceof int interface long native new null package private " +
				"protected public record return short static super switch synchronized this throw throws transient true try var " +
				"void volatile while",
		}, true
	case ".py":
		return language{
			comment: "#", numbers: true, functions: declaredFunction,
			quotes: []quotation{
				{mark: `"""`, lines: true, escapes: true},
				{mark: "'''", lines: true, escapes: true},
				double,
				single,
			},
			keywords: "False None True and as assert async await break class continue def del elif else except finally for from " +
				"global if import in is lambda nonlocal not or pass raise return try while with yield",
		}, true
	case ".sh":
		return language{
			comment: "#", numbers: true,
			quotes: []quotation{{mark: `"`, lines: true, escapes: true}, {mark: "'", lines: true}},
			keywords: "break case continue do done elif else esac eval exit export fi for function if in local return set then " +
				"trap unset until while",
		}, true
	case ".json", ".har":
		return language{numbers: true, keys: true, quotes: []quotation{double}, keywords: "true false null"}, true
	}
	return language{}, false
}

// sourceReader cuts source into parts that have one style each.
type sourceReader struct {
	language
	keyword, builtin map[string]bool
	source           string
	at               int
	last             string          // the word before at, if only spaces are between them
	line             strings.Builder // the line at at, as far as it is written
	lines            []string        // before it
}

// highlighted returns the lines of source with styles.
func (l language) highlighted(source string) []string {
	r := sourceReader{language: l, keyword: wordSet(l.keywords), builtin: wordSet(l.builtins), source: source}
	for r.at < len(source) {
		r.next()
	}
	return append(r.lines, r.line.String())
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// next reads one part.
func (r *sourceReader) next() {
	rest := r.source[r.at:]
	if n := r.commentLength(rest); n > 0 {
		r.write(n, theme.Dim, true)
		return
	}
	for _, q := range r.quotes {
		if strings.HasPrefix(rest, q.mark) {
			n := q.length(rest)
			r.write(n, theme.Good, !r.keys || !strings.HasPrefix(strings.TrimLeft(rest[n:], " "), ":"))
			return
		}
	}
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case first >= '0' && first <= '9':
		r.write(numberLength(rest), theme.Value, r.numbers)
	case isWordRune(first):
		r.word(rest)
	default:
		last := r.last
		r.write(size, theme.Plain, false)
		if first == ' ' {
			r.last = last
		}
	}
}

// commentLength returns the length of the comment at the beginning of rest, 0 if there is none. A # within
// a word of the shell begins no comment.
func (r *sourceReader) commentLength(rest string) int {
	if r.block && strings.HasPrefix(rest, "/*") {
		if end := strings.Index(rest[2:], "*/"); end >= 0 {
			return end + 4
		}
		return len(rest)
	}
	if r.comment == "" || !strings.HasPrefix(rest, r.comment) ||
		r.comment == "#" && r.at > 0 && !strings.ContainsRune(" \n;(", rune(r.source[r.at-1])) {
		return 0
	}
	return lineLength(rest)
}

func lineLength(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

// length returns the length of the literal at the beginning of rest. One without an end has the rest of
// its line, or of the source.
func (q quotation) length(rest string) int {
	for i := len(q.mark); i < len(rest); i++ {
		switch {
		case strings.HasPrefix(rest[i:], q.mark):
			return i + len(q.mark)
		case rest[i] == '\n' && !q.lines:
			return i
		case rest[i] == '\\' && q.escapes && i+1 < len(rest) && rest[i+1] != '\n':
			i++
		}
	}
	return len(rest)
}

// numberLength returns the length of the number at the beginning of rest, with its exponent.
func numberLength(rest string) int {
	hex := strings.HasPrefix(rest, "0x") || strings.HasPrefix(rest, "0X")
	for i, c := range rest {
		inExponent := i > 0 && !hex && (c == '+' || c == '-') && (rest[i-1] == 'e' || rest[i-1] == 'E')
		if !isWordRune(c) && c != '.' && !inExponent {
			return i
		}
	}
	return len(rest)
}

// word reads the name or keyword at the beginning of rest.
func (r *sourceReader) word(rest string) {
	n := strings.IndexFunc(rest, func(c rune) bool { return !isWordRune(c) })
	if n < 0 {
		n = len(rest)
	}
	word, before, called := rest[:n], r.last, strings.HasPrefix(rest[n:], "(")
	switch {
	case called && r.builtin[word]:
		r.write(n, theme.Plain, false)
	case r.keyword[word]:
		r.write(n, theme.Accent, true)
	default:
		r.write(n, theme.Strong, called && r.isFunction(before))
	}
	r.last = word
}

// isFunction reports whether a name before a parenthesis, and after a word, is styled as a function.
func (r *sourceReader) isFunction(before string) bool {
	return r.functions == calledFunction ||
		r.functions == declaredFunction && before != "" && !slices.Contains(strings.Fields(statements), before)
}

func isWordRune(c rune) bool {
	return c == '_' || c == '$' || unicode.IsLetter(c) || unicode.IsDigit(c)
}

// write writes the next n bytes, with a style if styled is set.
func (r *sourceReader) write(n int, style theme.Style, styled bool) {
	text := r.source[r.at : r.at+n]
	r.at += n
	r.last = ""
	for line := range strings.Lines(text) {
		line, more := strings.CutSuffix(line, "\n")
		if styled && strings.TrimSpace(line) != "" {
			line = style.Render(line)
		}
		r.line.WriteString(line)
		if more {
			r.lines = append(r.lines, r.line.String())
			r.line.Reset()
		}
	}
}
