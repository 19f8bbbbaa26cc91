package collection

import (
	"errors"
	"slices"
	"strings"
)

// HTTPFile is a .http file with its requests, which can be changed without a change of the text around them.
type HTTPFile struct {
	Collection
	// Problems are the requests that cannot be read. They stay in the text.
	Problems []LineError

	text  string
	parts []httpPart // those of Requests
}

// httpPart is the part of a .http file that has a request: the indexes of the first line, which has the method, and of
// the line after the last one.
type httpPart struct {
	request, end int
	named        bool // it has a comment with its ID
	// users are the indexes of the comments that name the user.
	users []int
	// comments are the comments between its lines, and scripts the scripts and tests after them.
	comments, scripts []string
}

// keepScript keeps a script for a request that replaces this one, unless all that it does is to set Captures.
func (p *httpPart) keepScript(lines []string) {
	script := strings.Join(lines, "\n")
	rest := headerCapture.ReplaceAllString(script, "")
	if rest != script && strings.TrimSpace(scriptFrame.ReplaceAllString(rest, "")) == "" {
		return
	}
	p.scripts = append(p.scripts, lines...)
}

// ReadHTTP reads a .http file as ParseHTTP does. If a request cannot be read, the others are read nevertheless.
func ReadHTTP(text string) (HTTPFile, error) {
	p := httpParser{lines: splitLines(text), answers: map[string]string{}}
	f := HTTPFile{text: text}
	for p.at < len(p.lines) {
		if err := p.block(); err != nil {
			var at *LineError
			if !errors.As(err, &at) {
				return HTTPFile{}, err
			}
			f.Problems = append(f.Problems, *at)
			for p.more() {
				p.at++
			}
		}
		if len(p.out.Requests)+len(f.Problems) > maxRequests {
			return HTTPFile{}, errTooMany
		}
	}
	p.out.keepLastValues()
	f.Collection, f.parts = p.out, p.parts
	return f, nil
}

// Line returns the number of the line with the method of a request, from 1.
func (f *HTTPFile) Line(request int) int { return f.parts[request].request + 1 }

// Put returns the text of the file with other requests. The first ones replace those with the given indexes, which
// ascend; the others come after the last of these or, if there are none, at the end of the file. Of a request that is
// replaced, the label, comments, scripts and tests stay. variables are added before the first request at the end.
func (f *HTTPFile) Put(at []int, requests []Request, variables []Variable) string {
	bom := ""
	if strings.HasPrefix(f.text, "\ufeff") {
		bom = "\ufeff"
	}
	lines := splitLines(f.text)
	after := len(lines)
	if len(at) > 0 {
		after = f.parts[at[len(at)-1]].end
	}
	if added := requests[len(at):]; len(added) > 0 {
		head, tail := trimmedEnd(lines[:after]), lines[after:]
		block := addedLines(added, variables)
		if len(head) > 0 {
			block = slices.Concat([]string{""}, block)
		}
		if len(trimmedEnd(tail)) > 0 {
			block = append(block, "")
		} else {
			tail = []string{""} // the last line ends
		}
		lines = slices.Concat(head, block, tail)
	}
	for i, request := range slices.Backward(at) {
		part := f.parts[request]
		end := part.request + len(trimmedEnd(lines[part.request:part.end]))
		lines = slices.Concat(lines[:part.request], replacedLines(f.Requests[request], requests[i], part), lines[end:])
		for _, user := range slices.Backward(part.users) {
			if user < part.request && requests[i].User != f.Requests[request].User {
				lines = slices.Delete(lines, user, user+1)
			}
		}
	}
	newline := "\n"
	if strings.Contains(f.text, "\r\n") {
		newline = "\r\n"
	}
	return bom + strings.Join(lines, newline)
}

// trimmedEnd returns lines without the empty ones at the end.
func trimmedEnd(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// addedLines returns the lines of new requests. The variables are in the first one.
func addedLines(requests []Request, variables []Variable) []string {
	var b strings.Builder
	for i, r := range requests {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeRequest(&b, r)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for _, v := range slices.Backward(variables) {
		lines = slices.Insert(lines, 1, "@"+v.Name+" = "+oneLine(v.Value)) // after the label
	}
	return lines
}

// replacedLines returns the lines of a request that replaces another one, from the method on. The directives that the
// old request does not have come first.
func replacedLines(old, r Request, part httpPart) []string {
	var b strings.Builder
	missing := Request{}
	if r.ID != old.ID || !part.named {
		missing.ID = r.ID
	}
	if r.User != old.User {
		missing.User = r.User
	}
	writeDirectives(&b, missing)
	for _, c := range part.comments {
		if !userComment.MatchString(c) || r.User == old.User {
			b.WriteString(c + "\n")
		}
	}
	writeMessage(&b, r)
	if len(part.scripts) > 0 {
		b.WriteString("\n" + strings.Join(part.scripts, "\n") + "\n")
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}
