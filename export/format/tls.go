package format

import (
	"cmp"

	"sonde/assets/templates/run"
	"sonde/export"
	"sonde/model"
)

// noTLSFiles returns a line that says that a format does not use the TLS files, "" if there are none.
func noTLSFiles(t model.TLSFiles) string {
	if t == (model.TLSFiles{}) {
		return ""
	}
	return "The files of --cacert, --cert and --key are not used, as --format go does."
}

// noClientCert returns a line that says that a format does not use the client certificate, "" if there is
// none.
func noClientCert(t model.TLSFiles) string {
	if t.Cert == "" {
		return ""
	}
	return "The files of --cert and --key are not used, as --format go does."
}

// noCACert returns a line that says that a format does not use the certificate authorities, "" if there are
// none.
func noCACert(t model.TLSFiles) string {
	if t.CACert == "" {
		return ""
	}
	return "No script can name authorities for certificates: set SSL_CERT_FILE to the file of --cacert, " + t.CACert + "."
}

// keyOf returns the file with the certificate's key, which may be the file of the certificate.
func keyOf(t model.TLSFiles) string { return cmp.Or(t.Key, t.Cert) }

// options returns the command line options for TLS files. Environment variables override the names of the
// files.
func options(t model.TLSFiles, cacert, cert, key string) string {
	all := ""
	for _, o := range [][3]string{{cacert, "SONDE_CACERT", t.CACert}, {cert, "SONDE_CERT", t.Cert}, {key, "SONDE_KEY", t.Key}} {
		if o[2] != "" {
			all += " " + o[0] + ` "${` + o[1] + ":-" + inDoubleQuotes(o[2]) + `}"`
		}
	}
	return all
}

// pythonTLS writes the TLS settings of Python's library requests.
func (w *program) pythonTLS(s export.Script) {
	if s.TLS != (model.TLSFiles{}) {
		w.line("%s\n\n# The files for TLS with the service, unless SONDE_CACERT, SONDE_CERT and SONDE_KEY name others.", run.PytestTLS)
	}
	if s.TLS.CACert != "" {
		w.line("CLIENT.verify = file(\"SONDE_CACERT\", %s)", w.quote(s.TLS.CACert))
	}
	if s.TLS.Cert != "" {
		w.line(
			"CLIENT.cert = (file(\"SONDE_CERT\", %s), file(\"SONDE_KEY\", %s) or file(\"SONDE_CERT\", %s))",
			w.quote(s.TLS.Cert), w.quote(s.TLS.Key), w.quote(s.TLS.Cert),
		)
	}
	if s.Insecure {
		w.line("# The run trusted any certificate.\nCLIENT.verify = False\n")
	}
}

// nodeTLS writes the settings for TLS with the service, in files for Node.js.
func (w *program) nodeTLS(s export.Script) {
	if s.Insecure {
		w.line("// The run trusted any certificate.\nprocess.env.NODE_TLS_REJECT_UNAUTHORIZED = \"0\";\n")
	}
	if s.TLS == (model.TLSFiles{}) {
		return
	}
	w.line("%s", run.NodeTLS)
	w.line("// files are the files for TLS with the service, unless SONDE_CACERT, SONDE_CERT and SONDE_KEY name others.\nconst files = {")
	if s.TLS.CACert != "" {
		w.line("  ca: [...rootCertificates, file(\"SONDE_CACERT\", %s)],", w.quote(s.TLS.CACert))
	}
	if s.TLS.Cert != "" {
		w.line(
			"  cert: file(\"SONDE_CERT\", %s),\n  key: file(\"SONDE_KEY\", %s) || file(\"SONDE_CERT\", %s),",
			w.quote(s.TLS.Cert), w.quote(s.TLS.Key), w.quote(s.TLS.Cert),
		)
	}
	w.line("};\n")
}

// nodeImports writes the imports that nodeTLS and nodeHosts need.
func (w *program) nodeImports(s export.Script) {
	usesTLS, plays := s.TLS != (model.TLSFiles{}), s.Play != nil
	text := ""
	for _, i := range []struct {
		line string
		on   bool
	}{
		{`import { spawn } from "node:child_process";`, plays},
		{`import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";`, plays},
		{`import { readFileSync } from "node:fs";`, usesTLS && !plays},
		{`import http from "node:http";`, usesTLS || plays},
		{`import https from "node:https";`, usesTLS},
		{`import { connect, createServer } from "node:net";`, plays},
		{`import { tmpdir } from "node:os";`, plays},
		{`import { after } from "node:test";`, plays},
		{`import { rootCertificates } from "node:tls";`, usesTLS},
		{`import { fileURLToPath } from "node:url";`, usesTLS},
	} {
		if i.on {
			text += "\n" + i.line
		}
	}
	if text != "" {
		w.line("%s", text)
	}
}

// k6TLS returns the entry for the client certificate in the options of a k6 script, "" if there is none.
func (w *program) k6TLS(t model.TLSFiles) string {
	if t.Cert == "" {
		return ""
	}
	return ", tlsAuth: [{ cert: open(__ENV.SONDE_CERT || " + w.quote(t.Cert) +
		"), key: open(__ENV.SONDE_KEY || __ENV.SONDE_CERT || " + w.quote(keyOf(t)) + ") }]"
}

// javaTLS writes the settings for TLS with the service, in files for REST Assured.
func (w *program) javaTLS(s export.Script) {
	how := ""
	switch {
	case s.Insecure:
		w.line("    // The run trusted any certificate.")
		how = "        r.relaxedHTTPSValidation();\n"
	case s.TLS.CACert != "":
		w.line(
			"    // CA_CERT is a file of certificate authorities to trust in addition to the system's, unless SONDE_CACERT\n"+
				"    // names another file.\n    static final String CA_CERT = %s;\n\n%s",
			w.quote(s.TLS.CACert), run.JavaTLS,
		)
		how = "        r.trustStore(AUTHORITIES);\n"
	}
	w.line("    // trust sets which certificates a request trusts.")
	w.line("    static void trust(RequestSpecification r) {\n%s    }\n", how)
}

// javaTLSImports returns the imports that javaTLS needs, "" for none.
func (w *program) javaTLSImports(s export.Script) string {
	if s.TLS.CACert == "" || s.Insecure {
		return ""
	}
	return run.JavaTLSImports
}

// tlsOptions writes the settings for TLS with the service, in files for curl.
func (w *shell) tlsOptions(s export.Script) {
	w.line("trust=%s", map[bool]string{true: "-k # the run trusted any certificate"}[s.Insecure])
	w.line("cacert= cert= key=")
	if s.TLS == (model.TLSFiles{}) {
		return
	}
	w.line("# The files for TLS with the service, unless SONDE_CACERT, SONDE_CERT and SONDE_KEY name others.")
	for _, f := range [][3]string{
		{"cacert", "SONDE_CACERT", s.TLS.CACert},
		{"cert", "SONDE_CERT", s.TLS.Cert},
		{"key", "SONDE_KEY", s.TLS.Key},
	} {
		if f[2] != "" {
			w.line("%s=${%s:-%s}", f[0], f[1], besideScript(f[2]))
		}
	}
}

// besideScript returns the path of a file as a shell word. A relative path starts from the script's folder.
func besideScript(path string) string {
	if path[0] == '/' {
		return `"` + inDoubleQuotes(path) + `"`
	}
	return `"$(dirname "$0")/` + inDoubleQuotes(path) + `"`
}
