package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"text/template"
)

// packages are the files for package managers, made of the checksums of a release.
type packages struct {
	repository, version string
	sums                checksumList
}

const description = "Terminal explorer for HTTP APIs"

func (p packages) home() string { return "https://github.com/" + p.repository }

// download returns the address of a file of the release.
func (p packages) download(name string) string {
	return p.home() + "/releases/download/v" + p.version + "/" + name
}

//go:embed sonde.rb.tmpl
var formulaText string

var formulaTemplate = template.Must(template.New("formula").Parse(formulaText))

// formulaSystem are the archives for a system in a formula.
type formulaSystem struct {
	Name     string // the name of the system in a formula
	Archives []formulaArchive
}

type formulaArchive struct {
	Processor string // its name in a formula
	URL, Sum  string
}

// formula returns the Homebrew formula, nil if there is no archive for its systems.
func (p packages) formula() ([]byte, error) {
	var systems []formulaSystem
	for _, system := range [][2]string{{"darwin", "macos"}, {"linux", "linux"}} {
		s := formulaSystem{Name: system[1]}
		for _, processor := range [][2]string{{"arm64", "arm"}, {"amd64", "intel"}} {
			name := target{system[0], processor[0]}.archive(p.version)
			if sum := p.sums.of(name); sum != "" {
				s.Archives = append(s.Archives, formulaArchive{Processor: processor[1], URL: p.download(name), Sum: sum})
			}
		}
		if s.Archives != nil {
			systems = append(systems, s)
		}
	}
	if systems == nil {
		return nil, nil
	}
	var out bytes.Buffer
	err := formulaTemplate.Execute(&out, map[string]any{
		"Description": description,
		"Home":        p.home(),
		"Version":     p.version,
		"Systems":     systems,
	})
	return out.Bytes(), err
}

// scoopManifest is a manifest of Scoop, with the names of its schema.
type scoopManifest struct {
	Schema       string                  `json:"$schema"`
	Version      string                  `json:"version"`
	Description  string                  `json:"description"`
	Homepage     string                  `json:"homepage"`
	License      string                  `json:"license"`
	Architecture map[string]scoopArchive `json:"architecture"`
	Bin          string                  `json:"bin"`
}

type scoopArchive struct {
	URL        string `json:"url"`
	Hash       string `json:"hash"`
	ExtractDir string `json:"extract_dir"`
}

// manifest returns the Scoop manifest, nil if there is no archive for Windows.
func (p packages) manifest() ([]byte, error) {
	m := scoopManifest{
		Schema:       "https://raw.githubusercontent.com/ScoopInstaller/Scoop/master/schema.json",
		Version:      p.version,
		Description:  description,
		Homepage:     p.home(),
		License:      "Apache-2.0",
		Architecture: map[string]scoopArchive{},
		Bin:          "sonde.exe",
	}
	for processor, name := range map[string]string{"amd64": "64bit", "arm64": "arm64"} {
		t := target{"windows", processor}
		archive := t.archive(p.version)
		if sum := p.sums.of(archive); sum != "" {
			m.Architecture[name] = scoopArchive{URL: p.download(archive), Hash: sum, ExtractDir: t.assetName(p.version)}
		}
	}
	if len(m.Architecture) == 0 {
		return nil, nil
	}
	out, err := json.MarshalIndent(m, "", "  ")
	return append(out, '\n'), err
}
