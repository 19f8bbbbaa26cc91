package picture

// head defines the arrow head that edges refer to.
const head = `<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" ` +
	`markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="arrow" d="M0 .5 8 4 0 7.5z"/></marker></defs>
`

// style has the colours for light and dark backgrounds. Classes set the colours without CSS variables,
// because some programs that show SVG do not support variables.
const style = `
text{font:13px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328;white-space:pre;direction:ltr;unicode-bidi:isolate}
.name{font-weight:bold}
.label{font-size:12px;fill:#57606a}
.ground{fill:#fff}
.box rect{fill:#f6f8fa;stroke:#6e7781;stroke-width:1.5}
.method{font-weight:bold;fill:#57606a}
.line{fill:none;stroke:#8c959f;stroke-width:1.2;marker-end:url(#arrow)}
.arrow{fill:#57606a}
.frame{fill:none;stroke:#57606a;stroke-width:1.5}
.box.value rect,.dashed{stroke-dasharray:5 4}
.box.get rect,.line.get{stroke:#0969da}.method.get{fill:#0969da}
.box.post rect,.line.post{stroke:#1a7f37}.method.post{fill:#1a7f37}
.box.put rect,.line.put{stroke:#9a6700}.method.put{fill:#9a6700}
.box.patch rect,.line.patch{stroke:#8250df}.method.patch{fill:#8250df}
.box.delete rect,.line.delete{stroke:#cf222e}.method.delete{fill:#cf222e}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.label{fill:#9198a1}
.ground{fill:#0d1117}
.box rect{fill:#161b22;stroke:#8b949e}
.method{fill:#9198a1}
.line{stroke:#6e7681}
.arrow{fill:#9198a1}
.frame{stroke:#9198a1}
.box.get rect,.line.get{stroke:#58a6ff}.method.get{fill:#58a6ff}
.box.post rect,.line.post{stroke:#3fb950}.method.post{fill:#3fb950}
.box.put rect,.line.put{stroke:#d29922}.method.put{fill:#d29922}
.box.patch rect,.line.patch{stroke:#bc8cff}.method.patch{fill:#bc8cff}
.box.delete rect,.line.delete{stroke:#ff7b72}.method.delete{fill:#ff7b72}
}
`
