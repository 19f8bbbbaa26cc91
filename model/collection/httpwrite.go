package collection

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// WriteHTTP returns a collection as a .http file. The omissions are the requests that such a file cannot have; they are
// left out. ParseHTTP returns the same collection for the result, except for its Name and its Omissions.
func WriteHTTP(c Collection) ([]byte, []Omission) {
	var b strings.Builder
	var left []Omission
	for _, v := range c.Variables {
		switch {
		case !variableName.MatchString(v.Name):
			about := fmt.Sprintf("the variable %q, whose name has other characters than a name may have", v.Name)
			left = append(left, Omission{Kind: OmittedOption, About: about})
		case strings.ContainsAny(v.Value, "\r\n"):
			left = append(left, Omission{Kind: OmittedOption, About: fmt.Sprintf("the variable %q, which is not one line", v.Name)})
		default:
			fmt.Fprintf(&b, "@%s = %s\n", v.Name, strings.TrimSpace(v.Value))
		}
	}
	for _, r := range c.Requests {
		if why := Unwritable(r); why != "" {
			left = append(left, Omission{Kind: OmittedRequest, Request: r.Label(), About: why})
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		writeRequest(&b, r)
	}
	return []byte(b.String()), left
}

// variableName matches the name of a variable that a .http file can have.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// writeRequest writes the lines of a request.
func writeRequest(b *strings.Builder, r Request) {
	b.WriteString(strings.TrimRight(separator+" "+writtenLabel(r), " ") + "\n")
	writeDirectives(b, r)
	writeMessage(b, r)
}

// writeDirectives writes the comments that say more about a request.
func writeDirectives(b *strings.Builder, r Request) {
	if r.ID != "" {
		b.WriteString("# @name " + r.ID + "\n")
	}
	if r.User != "" {
		b.WriteString("# @user " + oneLine(r.User) + "\n")
	}
}

// writeMessage writes the lines of a request from its method on.
func writeMessage(b *strings.Builder, r Request) {
	b.WriteString(r.Method + " " + r.URL + "\n")
	for _, h := range r.Headers {
		b.WriteString(strings.TrimRight(h.Name+": "+oneLine(h.Value), " ") + "\n")
	}
	if r.Body != nil {
		if media := writtenMedia(r.Body); media != "" {
			b.WriteString("Content-Type: " + oneLine(media) + "\n")
		}
		if text := bodyText(r.Body); text != "" {
			b.WriteString("\n" + text + "\n")
		}
	}
	if len(r.Captures) == 0 {
		return
	}
	b.WriteString("\n> {%\n")
	for _, c := range r.Captures {
		fmt.Fprintf(b, "  client.global.set(%q, response.headers.valueOf(%q).split(\"/\").pop());\n", c.Variable, c.Header)
	}
	b.WriteString("%}\n")
}

// writtenLabel returns the label of a request. A name that looks like a folder is changed.
func writtenLabel(r Request) string {
	var parts []string
	for _, name := range append(append([]string{}, r.Folder...), r.Name) {
		parts = append(parts, oneLine(strings.ReplaceAll(name, folderMark, "/")))
	}
	return strings.TrimLeft(strings.Join(parts, folderMark), "#")
}

// oneLine returns a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// boundary separates the parts of a form.
const boundary = "sonde-boundary"

func writtenMedia(b *Body) string {
	if b.Fields != nil && isMedia(b.Media, MultipartMedia) {
		return MultipartMedia + "; boundary=" + boundary
	}
	return b.Media
}

// bodyText returns the lines of a body.
func bodyText(b *Body) string {
	switch {
	case b.File != "":
		return "< " + b.File
	case b.Fields != nil && isMedia(b.Media, MultipartMedia):
		return multipartText(b.Fields)
	case b.Fields != nil:
		return formText(b.Fields)
	}
	return b.Text
}

// multipartText returns the lines of a form with several parts.
func multipartText(fields []Field) string {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "--%s\nContent-Disposition: form-data; name=\"%s\"", boundary, quotedName(f.Name))
		if f.File != "" {
			fmt.Fprintf(&b, "; filename=\"%s\"", quotedName(baseName(f.File)))
		}
		b.WriteByte('\n')
		if f.Media != "" {
			b.WriteString("Content-Type: " + oneLine(f.Media) + "\n")
		}
		b.WriteByte('\n')
		if f.File != "" {
			b.WriteString("< " + f.File + "\n")
		} else {
			b.WriteString(f.Value + "\n")
		}
	}
	return b.String() + "--" + boundary + "--"
}

// quotedName returns a text for double quotes in a header.
func quotedName(text string) string { return oneLine(strings.ReplaceAll(text, `"`, "%22")) }

// baseName returns the last part of a path with slashes or backslashes.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// handlerLine matches a line that is not read as a part of a body.
var handlerLine = regexp.MustCompile(`(?m)^\s*(###|> |>>|< \{%|<> |\?\? |\{\{\s*$|\{\{@)`)

// Unwritable returns the reason why a .http file cannot have a request, "" if it can.
func Unwritable(r Request) string {
	switch {
	case strings.ContainsFunc(r.URL, unicode.IsControl) || strings.TrimSpace(r.URL) != r.URL,
		!requestLine.MatchString(r.Method + " " + r.URL):
		return "its method and URL are not one line"
	case r.Method == "" || !looksLikeURL(r.URL):
		return "its URL has no host and no path"
	}
	for _, h := range r.Headers {
		if !headerLine.MatchString(h.Name + ":") {
			return fmt.Sprintf("the name of its header %q has other characters than a name may have", h.Name)
		}
	}
	if r.Body == nil {
		return ""
	}
	return unwritableBody(r.Body)
}

// firstLine returns the first line of a text that is not empty.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func unwritableBody(b *Body) string {
	if b.Fields != nil && !isMedia(b.Media, MultipartMedia) {
		return ""
	}
	texts := []string{b.Text}
	for _, f := range b.Fields {
		if strings.Contains(f.Value, "--"+boundary) {
			return "a part of its body has the line between parts"
		}
		texts = append(texts, f.Value)
	}
	for _, text := range texts {
		switch {
		case handlerLine.MatchString(text):
			return "its body has a line that begins as a separator or a script does"
		case bodyFile.MatchString(firstLine(text)):
			return "its body begins as a line that names a file does"
		}
	}
	return ""
}
