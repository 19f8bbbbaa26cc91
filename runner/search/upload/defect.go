package upload

import (
	"path"
	"strings"
)

// Defect is what is wrong with a file that a service should refuse, or at least survive.
type Defect string

// The defects of files. Missing means that there is no file: the caller leaves the file out.
const (
	Empty      Defect = "empty"       // no content
	Half       Defect = "half"        // the first half of the content
	TextBehind Defect = "text behind" // the head of the content, and then text
	OtherKind  Defect = "other kind"  // the content of a file of another kind
	NoName     Defect = "no name"     // an empty file name
	ParentName Defect = "parent name" // a file name that begins with "../"
	LongName   Defect = "long name"   // a file name of 300 characters
	OddName    Defect = "odd name"    // a file name that begins with a given text
	Missing    Defect = "missing"
)

const (
	headSize     = 33  // bytes of the head: the signature and the sizes of a PNG
	longNameSize = 300 // most file systems allow 255 bytes
)

// Apply returns the file with the defect. text is the beginning of the file name for OddName.
func (d Defect) Apply(f File, text string) File {
	end := path.Ext(f.Name)
	switch d {
	case Empty:
		f.Data = ""
	case Half:
		f.Data = f.Data[:len(f.Data)/2]
	case TextBehind:
		f.Data = f.Data[:min(headSize, len(f.Data)/2)] + strings.Repeat(notes, 10)
	case OtherKind:
		f.Data = otherContent(f)
	case NoName:
		f.Name = ""
	case ParentName:
		f.Name = "../" + f.Name
	case LongName:
		f.Name = strings.Repeat("x", longNameSize-len(end)) + end
	case OddName:
		f.Name = text + end
	case Missing:
	}
	return f
}

// otherContent returns a PDF, or a picture for a PDF.
func otherContent(f File) string {
	content := pdf()
	if f.Data == content {
		return pngPicture()
	}
	return content
}
