// Package upload has small valid files of common kinds, and chooses those that an operation probably takes. It does
// not depend on genes or bodies; package individual puts files into them.
package upload

import "sync"

// File is a file to upload.
type File struct {
	Name  string // unique among all files
	Media string // media type
	Data  string
}

// kind is a kind of files.
type kind struct {
	File
	also    []string // other media types of the kind
	formats []string // names of the format
	words   []string // other words in names and descriptions that suggest the kind
}

// pictures and archives are words that suggest any format of pictures and of archives.
var (
	pictures = []string{
		"image", "img", "picture", "photo", "avatar", "logo", "icon", "cover", "thumbnail", "banner", "screenshot", "portrait", "poster",
	}
	archives = []string{"archive", "backup", "bundle", "restore", "package", "plugin", "theme"}
)

// kinds returns all kinds of files, in the order in which they are tried if nothing suggests a kind. The words that
// suggest a kind are in the singular.
var kinds = sync.OnceValue(func() []kind {
	return []kind{
		{File{"notes.txt", "text/plain", notes}, nil, []string{"txt"}, []string{"text", "note", "log", "transcript"}},
		{File{"photo.png", "image/png", pngPicture()}, nil, []string{"png"}, pictures},
		{
			File{"table.csv", "text/csv", table()},
			[]string{"application/csv"},
			[]string{"csv"},
			[]string{"import", "spreadsheet", "table", "dataset", "bulk"},
		},
		{
			File{"document.pdf", "application/pdf", pdf()},
			nil,
			[]string{"pdf"},
			[]string{"document", "report", "invoice", "contract", "resume"},
		},
		{File{"data.json", "application/json", jsonText}, nil, []string{"json"}, nil},
		{
			File{"archive.zip", "application/zip", zipArchive()},
			[]string{"application/x-zip-compressed", "application/x-zip"},
			[]string{"zip"},
			archives,
		},
		{
			File{"config.yaml", "application/yaml", yamlText},
			[]string{"application/x-yaml", "text/yaml", "text/x-yaml"},
			[]string{"yaml", "yml"},
			[]string{"config", "configuration", "manifest", "setting"},
		},
		{File{"photo.jpg", "image/jpeg", jpegPicture()}, []string{"image/jpg"}, []string{"jpeg", "jpg"}, pictures},
		{File{"picture.gif", "image/gif", gifPicture()}, nil, []string{"gif"}, append([]string{"animation"}, pictures...)},
		{File{"drawing.svg", "image/svg+xml", svgText}, nil, []string{"svg"}, append([]string{"drawing", "diagram"}, pictures...)},
		{File{"data.xml", "application/xml", xmlText}, []string{"text/xml"}, []string{"xml"}, []string{"feed", "opml"}},
		{
			File{"sound.wav", "audio/wav", wav()},
			[]string{"audio/x-wav", "audio/wave"},
			[]string{"wav"},
			[]string{"audio", "sound", "voice", "music"},
		},
		{File{"archive.tar", "application/x-tar", tarArchive()}, []string{"application/tar"}, []string{"tar"}, archives},
		{File{"notes.txt.gz", "application/gzip", gzipText()}, []string{"application/x-gzip"}, []string{"gzip", "gz"}, nil},
	}
})
