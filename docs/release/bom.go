package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// billOfMaterials returns what a program was built from, as a CycloneDX document, and the time of its commit. It reads
// only the program, so it lists what was linked, not what go.mod names.
func billOfMaterials(program string, t target, version string) ([]byte, time.Time, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("cannot read the build information: %w", err)
	}
	when, err := time.Parse(time.RFC3339, setting(info, "vcs.time"))
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("the build for %s has no time of a commit: build it in a git checkout", t)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return nil, time.Time{}, err
	}
	var out bytes.Buffer
	encoder := cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true)
	if err := encoder.Encode(newBOM(info, sha256.Sum256(data), when, t, version)); err != nil {
		return nil, time.Time{}, err
	}
	return out.Bytes(), when, nil
}

// newBOM returns the bill of materials of a program with a build information and a checksum.
func newBOM(info *debug.BuildInfo, sum [sha256.Size]byte, when time.Time, t target, version string) *cyclonedx.BOM {
	subject := cyclonedx.Component{
		BOMRef:   purl(info.Main.Path, version),
		Type:     cyclonedx.ComponentTypeApplication,
		Name:     "sonde",
		Version:  version,
		Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "Apache-2.0"}}},
		Hashes:   &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: fmt.Sprintf("%x", sum)}},
		Properties: &[]cyclonedx.Property{
			{Name: "build:target", Value: t.String()},
			{Name: "build:go", Value: info.GoVersion},
			{Name: "build:revision", Value: setting(info, "vcs.revision")},
		},
	}
	components := []cyclonedx.Component{library("std", strings.TrimPrefix(info.GoVersion, "go"), "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		components = append(components, library(m.Path, m.Version, m.Sum))
	}
	refs := make([]string, len(components))
	for i, c := range components {
		refs[i] = c.BOMRef
	}

	bom := cyclonedx.NewBOM()
	bom.SerialNumber = serialNumber(sum)
	bom.Metadata = &cyclonedx.Metadata{Timestamp: when.UTC().Format(time.RFC3339), Component: &subject}
	bom.Components = &components
	// The program has no record of which module needs which.
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: subject.BOMRef, Dependencies: &refs}}
	return bom
}

// library returns the component of a module. sum is its line in go.sum, "" if it has none.
func library(path, version, sum string) cyclonedx.Component {
	c := cyclonedx.Component{
		BOMRef:     purl(path, version),
		Type:       cyclonedx.ComponentTypeLibrary,
		Name:       path,
		Version:    version,
		PackageURL: purl(path, version),
	}
	if sum != "" {
		c.Properties = &[]cyclonedx.Property{{Name: "go:sum", Value: sum}}
	}
	return c
}

// purl returns the package URL of a module.
func purl(path, version string) string {
	return "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
}

// serialNumber returns a UUID (version 8) of the program, so that the same program has the same one.
func serialNumber(sum [sha256.Size]byte) string {
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
