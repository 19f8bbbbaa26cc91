package main

import (
	"bytes"
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// bomSchema returns the JSON schema of CycloneDX, which its library has beside the code.
func bomSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	for _, name := range []string{"bom-1.6.schema.json", "spdx.schema.json", "jsf-0.82.schemax.json"} {
		f, err := os.Open(filepath.Join(strings.TrimSpace(string(out)), "schema", name))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		// The address by which the schemas refer to each other.
		if err := c.AddResource("http://cyclonedx.org/schema/"+strings.Replace(name, "schemax", "schema", 1), doc); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile("http://cyclonedx.org/schema/bom-1.6.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// checkBOM fails if data is not valid by the schema of CycloneDX.
func checkBOM(t *testing.T, data []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := bomSchema(t).Validate(doc); err != nil {
		t.Errorf("%v\n%s", err, data)
	}
}

func TestBOM(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.26.8",
		Main:      debug.Module{Path: "sonde"},
		Deps: []*debug.Module{
			{Path: "example.com/a/v2", Version: "v2.1.0", Sum: "h1:AAAA="},
			{Path: "example.com/old", Version: "v0.1.0", Replace: &debug.Module{Path: "example.com/fork", Version: "v0.2.0+incompatible"}},
		},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789"}},
	}
	when := time.Date(2026, 12, 1, 10, 0, 0, 0, time.FixedZone("", 3600))
	encoded := func() []byte {
		var out bytes.Buffer
		bom := newBOM(info, sha256.Sum256([]byte("program")), when, target{"linux", "arm64"}, "1.2.3")
		if err := cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	data := encoded()
	if !bytes.Equal(data, encoded()) {
		t.Error("the same program has two documents")
	}
	checkBOM(t, data)
	for _, want := range []string{
		`"timestamp": "2026-12-01T09:00:00Z"`,
		`"version": "1.2.3"`,
		`"value": "0123456789"`,
		`"value": "linux/arm64"`,
		`"purl": "pkg:golang/std@1.26.8"`,
		`"purl": "pkg:golang/example.com/a/v2@v2.1.0"`,
		`"value": "h1:AAAA="`,
		`"purl": "pkg:golang/example.com/fork@v0.2.0%2Bincompatible"`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in\n%s", want, data)
		}
	}
	if strings.Contains(string(data), "example.com/old") {
		t.Errorf("a module that was replaced is in\n%s", data)
	}
}

// The schema rejects a document that is none, so checkBOM can fail.
func TestSchemaRejects(t *testing.T) {
	for _, text := range []string{`{}`, `{"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": "x"}`} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if bomSchema(t).Validate(doc) == nil {
			t.Errorf("%s is valid", text)
		}
	}
}

func TestSerialNumber(t *testing.T) {
	var numbers []string
	for _, program := range []string{"a", "b", "a"} {
		numbers = append(numbers, serialNumber(sha256.Sum256([]byte(program))))
	}
	if numbers[0] != numbers[2] || numbers[0] == numbers[1] || len(slices.Compact(numbers)) != 3 {
		t.Errorf("got %v", numbers)
	}
}

// A program that was built outside of a git checkout has no time, and the error says what to do.
func TestNoCommit(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = billOfMaterials(program, host, "1.2.3")
	if err == nil || !strings.Contains(err.Error(), "git checkout") {
		t.Errorf("got %v", err)
	}
}
