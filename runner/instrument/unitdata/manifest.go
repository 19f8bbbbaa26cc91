package unitdata

import (
	"encoding/json"
	"fmt"
	"os"

	"sonde/assets/probe/sondevalue"
)

// Manifest describes a build that records units.
type Manifest struct {
	// Build is a digest of the edited source. A recording has the same number.
	Build     uint64     `json:"build,string"`
	Module    string     `json:"module"` // path of the main module
	Tags      string     `json:"tags,omitempty"`
	Vendor    bool       `json:"vendor,omitempty"`
	Functions []Function `json:"functions"`
	Skipped   []Skipped  `json:"skipped,omitempty"`
}

// Skipped is a file, or a function in it, that the build leaves unchanged.
type Skipped struct {
	Path     string `json:"path"`
	Function string `json:"function,omitempty"`
	Why      string `json:"why"`
}

// Function is a function under test.
type Function struct {
	ID      int    `json:"id"`      // from 0
	Package string `json:"package"` // import path
	// Name is the name with its receiver, such as "Pay" or "(*Service).Pay".
	Name string `json:"name"`
	File string `json:"file"` // path on disk
	Line int    `json:"line"`
	// Receiver is the receiver of a method, nil for a function.
	Receiver *Var  `json:"receiver,omitempty"`
	Params   []Var `json:"params,omitempty"`
	Results  []Var `json:"results,omitempty"`
	Variadic bool  `json:"variadic,omitempty"`
	// Reads are the names of the receiver's fields that the function uses, in itself or in methods that it calls. AllFields
	// reports whether it may use all.
	Reads     []string `json:"reads,omitempty"`
	AllFields bool     `json:"all_fields,omitempty"`
	Sites     []Site   `json:"sites"`
	// Obstacles are the reasons why a test cannot be written; see units.Function.
	Obstacles []string `json:"obstacles,omitempty"`
}

// Var is the receiver, a parameter or a result. Its name is "" if it has none. Its type has full import paths.
type Var struct {
	Name string `json:"name,omitempty"`
	Type string `json:"type"`
}

// Site is a mockable call in the source.
type Site struct {
	ID     int    `json:"id"` // from 0, over all functions
	Line   int    `json:"line"`
	Target string `json:"target"` // such as "s.bank"
	// Method is the called method, "" if the target is a function value.
	Method string `json:"method,omitempty"`
	// Type is the type of the target, with full import paths.
	Type     string `json:"type"`
	Params   []Var  `json:"params,omitempty"`
	Results  []Var  `json:"results,omitempty"`
	Variadic bool   `json:"variadic,omitempty"`
	// Constants are the arguments that are constants or nil, by their index. They are not recorded again for each call.
	Constants map[int]sondevalue.Value `json:"constants,omitempty"`
	// Spread reports whether the last argument is a slice that becomes the variadic parameter, as in f(all...).
	Spread bool `json:"spread,omitempty"`
	// Later reports whether the call is the statement's of go or defer: its results are not known.
	Later bool `json:"later,omitempty"`
}

// The files of a recording's folder.
const (
	ManifestFile    = "units.json"
	InvocationsFile = "units.ndjson"
)

// Path returns the path of the manifest of a binary.
func Path(binary string) string { return binary + ".units.json" }

// Write writes the manifest next to a binary.
func (m *Manifest) Write(binary string) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(Path(binary), data, 0o644)
}

// ReadManifest reads the manifest in a file.
func ReadManifest(path string) (*Manifest, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w: build the service again", path, err)
	}
	for i, f := range m.Functions {
		if f.ID != i {
			return nil, fmt.Errorf("%q cannot be read: its functions are not in order: build the service again", path)
		}
	}
	return &m, nil
}
