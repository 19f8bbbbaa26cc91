package upload

import (
	"slices"
	"strings"
	"unicode"
)

// Use is what a spec says about a file that an operation takes.
type Use struct {
	// Media are the allowed media types: types, or ranges such as "image/*". It is empty if the spec allows any media
	// type.
	Media []string
	// Texts are names and descriptions. Texts that say more about the file come first.
	Texts []string
}

// Choose returns the files to try, at least one, the most likely first.
//
// If u.Media is not empty, the files have these media types. For a media type of no known kind, Choose takes the
// content of the file that u.Texts suggest most. If u.Media is empty, Choose returns a file of each kind: first the
// files that u.Texts suggest, and then the others.
func (u Use) Choose() []File {
	all := u.byTexts()
	if len(u.Media) == 0 {
		return all
	}
	var chosen []File
	for _, media := range u.Media {
		media = base(media)
		some := slices.DeleteFunc(slices.Clone(all), func(f File) bool { return !f.isOf(media) })
		if len(some) == 0 {
			some = all[:1]
		}
		for _, f := range some {
			if !contains(chosen, f.Name) {
				chosen = append(chosen, f.as(media))
			}
		}
	}
	return chosen
}

// contains reports whether one of the files has the given name.
func contains(files []File, name string) bool {
	return slices.ContainsFunc(files, func(f File) bool { return f.Name == name })
}

// IsKnown reports whether a media type or range allows files of a known kind.
func IsKnown(media string) bool {
	media = base(media)
	return slices.ContainsFunc(kinds(), func(k kind) bool { return k.isOf(media) })
}

// base returns a media type without its parameters.
func base(media string) string {
	media, _, _ = strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// isAny reports whether a media type says nothing about the content.
func isAny(media string) bool {
	return media == "*/*" || media == "application/*" || media == "application/octet-stream"
}

// isOf reports whether a file is of a media type or a range.
func (f File) isOf(media string) bool {
	if isAny(media) {
		return true
	}
	if start, isRange := strings.CutSuffix(media, "*"); isRange {
		return strings.HasPrefix(f.Media, start)
	}
	at := slices.IndexFunc(kinds(), func(k kind) bool { return k.Name == f.Name })
	return f.Media == media || slices.Contains(kinds()[at].also, media)
}

// as returns the file with another media type, unless that media type is a range.
func (f File) as(media string) File {
	if !strings.HasSuffix(media, "*") {
		f.Media = media
	}
	return f
}

// byTexts returns a file of each kind: first the files that the texts suggest, in the order of the texts, and then
// the others.
func (u Use) byTexts() []File {
	var all []File
	add := func(fits func(k kind) bool) {
		for _, k := range kinds() {
			if fits(k) && !contains(all, k.Name) {
				all = append(all, k.File)
			}
		}
	}
	for _, text := range u.Texts {
		words := wordsOf(text)
		known := func(w string) bool { return slices.Contains(words, w) }
		add(func(k kind) bool { return slices.ContainsFunc(k.formats, known) })
		add(func(k kind) bool { return slices.ContainsFunc(k.words, known) })
	}
	add(func(kind) bool { return true })
	return all
}

// wordsOf returns the words of a name or a text in lower case and in the singular.
func wordsOf(text string) []string {
	var spaced []rune
	lower := false
	for _, c := range text {
		if unicode.IsUpper(c) && lower {
			spaced = append(spaced, ' ')
		}
		lower = unicode.IsLower(c)
		spaced = append(spaced, unicode.ToLower(c))
	}
	words := strings.FieldsFunc(string(spaced), func(c rune) bool { return !unicode.IsLetter(c) })
	for i, w := range words {
		words[i] = strings.TrimSuffix(w, "s")
	}
	return words
}
