package cli

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"sonde/export/picture"
	"sonde/ui/app/paths"
	"sonde/ui/console"
	"sonde/ui/draw"
	"sonde/ui/results"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pictureFormats are the formats of commands that print text, JSON or a picture.
var pictureFormats = []string{"text", "json", "svg", "dot", "mermaid"}

// pictureFlags are the flags for the format and the output file of a command that can draw pictures.
type pictureFlags struct{ format, output string }

func (f *pictureFlags) add(fl *pflag.FlagSet) {
	fl.StringVar(
		&f.format, "format", pictureFormats[0],
		"text, json, svg (a picture), dot (for graphviz) or mermaid (for Markdown); default: by the extension of -o",
	)
	fl.StringVarP(&f.output, "output", "o", "", "file to write; an existing file is replaced")
}

// check sets the format. The parameter json is the value of the flag --json. check returns an error if the format is
// unknown or contradicts this flag, or if the file cannot be written.
func (f *pictureFlags) check(c *cobra.Command, json bool) (err error) {
	chosen := c.Flags().Changed("format")
	if !chosen {
		f.format, err = console.FormatOfFile(f.output, results.PictureEndings)
		if err != nil {
			return err
		}
	}
	switch {
	case !slices.Contains(pictureFormats, f.format):
		return fmt.Errorf("--format %q is not known: use %s", f.format, console.JoinWithOr(pictureFormats))
	case json && chosen && f.format != "json":
		return fmt.Errorf("--json and --format %s: leave one of them out", f.format)
	case json && filepath.Ext(f.output) != "" && f.format != "json":
		return fmt.Errorf("--json and -o %q: let it end in .json, or leave out --json", f.output)
	case json:
		f.format = "json"
	}
	return checkOutput(f.output)
}

// isPicture reports whether the format is that of a picture.
func (f *pictureFlags) isPicture() bool { return f.format != "text" && f.format != "json" }

// limits returns the limits of a picture in the chosen format.
func (f *pictureFlags) limits() results.PictureLimits {
	switch f.format {
	case "svg":
		return results.PictureLimits{Nodes: picture.MaxSVGNodes, Edges: picture.MaxSVGEdges}
	case "mermaid":
		return results.PictureLimits{Nodes: picture.MaxMermaidNodes, Edges: picture.MaxMermaidEdges}
	}
	return results.PictureLimits{Nodes: results.DotNodes, Edges: results.DotEdges}
}

// draw writes a picture in the chosen format. It prints a note to errs if the picture is incomplete.
func (f *pictureFlags) draw(w, errs io.Writer, g picture.Graph) error {
	if g.Note != "" {
		console.PrintNote(errs, "%s", g.Note)
	}
	switch f.format {
	case "svg":
		return picture.WriteSVG(w, g)
	case "mermaid":
		return picture.WriteMermaid(w, g)
	}
	return picture.WriteDOT(w, g)
}

// write writes the result, which is in b. If there is an output file, it writes the result to this file, and the text
// about, followed by the path of the file, to standard output. Otherwise it writes the result to standard output.
func (f *pictureFlags) write(s console.Streams, b *bytes.Buffer, about string) error {
	if f.output != "" {
		if err := paths.WriteFile(f.output, b.Bytes()); err != nil {
			return err
		}
		_, err := fmt.Fprintf(s.Out, "%s in %s\n", about, draw.Clean(f.output))
		return err
	}
	out := b.Bytes()
	if console.IsTerminal(s.Out) { // JSON keeps names unchanged
		out = []byte(draw.CleanLines(b.String()))
	}
	_, err := s.Out.Write(out)
	return err
}
