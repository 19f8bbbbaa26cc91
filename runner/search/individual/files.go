package individual

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/gene"
	"sonde/runner/search/upload"
)

// fileChoice has the files that can be the value of an input. The gene of such an input is an enumeration of their
// names.
type fileChoice struct {
	files []upload.File // at least one, the most likely first
	best  int           // index of the first file that the operation accepted, 0 before it has accepted any
	// accepted reports whether the operation has accepted a file. The best file does not change after that, so
	// that its edge cases are played only once.
	accepted bool
}

// named returns the file with the given name, or the first file if there is none.
func (c *fileChoice) named(name string) upload.File {
	return c.files[max(0, slices.IndexFunc(c.files, func(f upload.File) bool { return f.Name == name }))]
}

func (c *fileChoice) bestFile() upload.File { return c.files[c.best] }

// schema returns a schema whose enumeration has the names of the files.
func (c *fileChoice) schema() *model.Schema {
	names := &model.Schema{Type: "string"}
	for _, f := range c.files {
		names.Enum = append(names.Enum, f.Name)
	}
	return names
}

// isFile reports whether a string is a file. declared has the media types that the spec declares for the string, ""
// for none.
func isFile(s *model.Schema, declared string) bool {
	if s.Format == "binary" {
		return true
	}
	media := cmp.Or(declared, s.ContentMedia)
	return s.Type == "string" && s.Format == "" && len(s.Enum) == 0 && media != "" &&
		!slices.ContainsFunc(strings.Split(media, ","), isPlainText)
}

// isPlainText reports whether content of a media type is a plain value, not a file.
func isPlainText(media string) bool { return baseMedia(media) == "text/plain" || isJSON(media) }

// newFileChoice returns the files for a schema. texts are names and descriptions, which may say what kind of file is
// expected. If the schema has an example that is a text, this text is the second file.
func newFileChoice(s *model.Schema, declared []string, texts ...string) *fileChoice {
	c := &fileChoice{files: upload.Use{Media: declared, Texts: texts}.Choose()}
	for _, example := range s.Examples {
		if data, isText := example.(string); isText && data != "" {
			f := upload.File{Name: "example", Media: c.files[0].Media, Data: data}
			c.files = slices.Insert(c.files, 1, f)
			break
		}
	}
	return c
}

// partFiles returns the files of a multipart body, by the names of the parts.
func partFiles(op *model.Operation, content model.Content) map[string]*fileChoice {
	files := map[string]*fileChoice{}
	if content.Schema == nil {
		return files
	}
	for _, p := range content.Schema.Properties {
		s, declared := cmp.Or(p.Schema.Items, p.Schema), ""
		if at := slices.IndexFunc(content.Parts, func(m model.PartMedia) bool { return m.Name == p.Name }); at >= 0 {
			declared = content.Parts[at].Media
		}
		if !isFile(s, declared) {
			continue
		}
		var medias []string
		if media := cmp.Or(declared, s.ContentMedia); media != "" {
			medias = strings.Split(media, ",")
		}
		texts := []string{p.Name, p.Schema.Title, p.Schema.Description, s.Description}
		files[p.Name] = newFileChoice(s, medias, append(texts, textsOf(op)...)...)
	}
	return files
}

// textsOf returns the texts of an operation that may say which kind of file it takes.
func textsOf(op *model.Operation) []string {
	return []string{op.Path, op.Name, op.Summary, op.Body.Description, op.Description}
}

// withFileNames returns a copy of the schema of a multipart body. In the copy, the schema of each file allows the names of the
// files in its choice.
func withFileNames(s *model.Schema, files map[string]*fileChoice) *model.Schema {
	if len(files) == 0 {
		return s
	}
	named := *s
	named.Properties = slices.Clone(s.Properties)
	for i, p := range named.Properties {
		c := files[p.Name]
		switch {
		case c == nil:
		case p.Schema.Items != nil:
			list := *p.Schema
			list.Items = c.schema()
			named.Properties[i].Schema = &list
		default:
			named.Properties[i].Schema = c.schema()
		}
	}
	return &named
}

// bodyFiles returns the files that a body can be as a whole, nil if the preferred content is no file.
func bodyFiles(op *model.Operation, preferred model.Content) *fileChoice {
	if !isFileBody(preferred) {
		return nil
	}
	var medias []string
	for _, c := range op.Body.Contents {
		if isFileBody(c) {
			medias = append(medias, c.Media)
		}
	}
	return newFileChoice(cmp.Or(preferred.Schema, &model.Schema{}), medias, textsOf(op)...)
}

// isFileBody reports whether a content is a file. The schema may say so. If the schema says nothing about the
// content, the media type must be one for files.
func isFileBody(c model.Content) bool {
	s := cmp.Or(c.Schema, &model.Schema{})
	switch {
	case isForm(c.Media):
		return false
	case s.Format == "binary":
		return !isJSON(c.Media) || strings.HasSuffix(baseMedia(c.Media), "*")
	case s.Type != "" && s.Type != "string", len(s.Properties)+len(s.AllOf)+len(s.OneOf)+len(s.AnyOf) > 0, s.Format != "", len(s.Enum) > 0:
		return false
	}
	return kindOf(c.Media) == asText && !strings.HasPrefix(concrete(c.Media), "text/plain") && upload.IsKnown(c.Media)
}

// file returns the file of the part with a name, with the defect that the call's violation gives it.
func (c call) file(name string, g gene.Gene) upload.File {
	f := c.files[name].named(gene.Text(g))
	if v := c.violation; v.file != "" && v.name == name {
		f = v.file.Apply(f, v.with)
	}
	return f
}

// eachFile calls visit with each file of a call and its gene.
func (c call) eachFile(visit func(choice *fileChoice, g gene.Gene)) {
	switch {
	case c.payload == nil || !gene.IsPresent(c.payload):
	case c.kind == asFile:
		visit(c.files[""], c.payload)
	case c.kind == asParts:
		for _, f := range gene.PresentFields(c.payload) {
			if choice := c.files[f.Name]; choice != nil {
				for _, item := range each(f.Gene) {
					visit(choice, item)
				}
			}
		}
	}
}

// bestFileChance is the probability that a new call sends the best file of a choice.
const bestFileChance = 0.5

// sampleFiles sets each file of a call to the best file, with probability bestFileChance.
func (c call) sampleFiles(r *rand.Rand) {
	c.eachFile(func(choice *fileChoice, g gene.Gene) {
		if r.Float64() < bestFileChance {
			gene.AssignText(g, choice.bestFile().Name)
		}
	})
}

// chooseFiles sets the files of a call for an attempt. turn is the number of the attempt, from 0. Attempt 0 and half of the
// later attempts use the best file of each choice. The remaining attempts take turns with the other files.
func (c call) chooseFiles(turn int) {
	isBest := (turn+turn/int(numArrangements))%2 == 0
	c.eachFile(func(choice *fileChoice, g gene.Gene) {
		at := choice.best
		if n := len(choice.files); !isBest && n > 1 {
			at = (choice.best + 1 + (turn/2)%(n-1)) % n
		}
		gene.AssignText(g, choice.files[at].Name)
	})
}

// acceptFiles records that the operation accepted the files of the call. It reports whether the best file of an input
// has changed.
func (c call) acceptFiles() (changed bool) {
	c.eachFile(func(choice *fileChoice, g gene.Gene) {
		at := slices.IndexFunc(choice.files, func(f upload.File) bool { return f.Name == gene.Text(g) })
		if at >= 0 && !choice.accepted {
			changed = changed || at != choice.best
			choice.best, choice.accepted = at, true
		}
	})
	return changed
}
