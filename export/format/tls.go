package format

import (
	"cmp"

	"sonde/assets/templates/run"
	"sonde/export"
	"sonde/model"
)

// noFiles says that a format has no use for files of TLS.
func noFiles(t model.TLSFiles) string {
	if t == (model.TLSFiles{}) {
		return ""
	}
	return "The files of --cacert, --cert and --key are not used, as --format go does."
}

// onlyAuthorities says that of a format that takes authorities alone.
func onlyAuthorities(t model.TLSFiles) string {
	if t.Cert == "" {
		return ""
	}
	return "The files of --cert and --key are not used, as --format go does."
}

// noAuthorities says how a program is told of authorities whose scripts cannot name any.
func noAuthorities(t model.TLSFiles) string {
	if t.CACert == "" {
		return ""
	}
	return "No script can name authorities for certificates: set SSL_CERT_FILE to the file of --cacert, " + t.CACert + "."
}

// keyOf returns the file with the key of a certificate, which may be the same.
func keyOf(t model.TLSFiles) string { return cmp.Or(t.Key, t.Cert) }

// options returns those of a program on the command line for files, each with the variable that may
// name another.
func options(t model.TLSFiles, cacert, cert, key string) string {
	all := ""
	for _, o := range [][3]string{{cacert, "SONDE_CACERT", t.CACert}, {cert, "SONDE_CERT", t.Cert}, {key, "SONDE_KEY", t.Key}} {
		if o[2] != "" {
			all += " " + o[0] + ` "${` + o[1] + ":-" + inDoubleQuotes(o[2]) + `}"`
		}
	}
	return all
}

// pythonTLS writes how the client speaks TLS.
func (w *program) pythonTLS(s export.Script) {
	if s.TLS != (model.TLSFiles{}) {
		w.line("%s\n\n# SONDE_CACERT, SONDE_CERT and SONDE_KEY may name other files.", run.PytestTLS)
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

// nodeTLS writes how Node.js speaks TLS, and nodeImports what that takes.
func (w *program) nodeTLS(s export.Script) {
	if s.Insecure {
		w.line("// The run trusted any certificate.\nprocess.env.NODE_TLS_REJECT_UNAUTHORIZED = \"0\";\n")
	}
	if s.TLS == (model.TLSFiles{}) {
		return
	}
	w.line("%s", run.NodeTLS)
	w.line("// files are those that TLS needs; SONDE_CACERT, SONDE_CERT and SONDE_KEY may name others.\nconst files = {")
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

func (w *program) nodeImports(s export.Script) {
	if s.TLS != (model.TLSFiles{}) {
		w.line("\nimport { readFileSync } from \"node:fs\";\nimport http from \"node:http\";\nimport https from \"node:https\";\n" +
			"import { rootCertificates } from \"node:tls\";\nimport { fileURLToPath } from \"node:url\";")
	}
}

// k6TLS returns the member of the options of a k6 script for a certificate of the client.
func (w *program) k6TLS(t model.TLSFiles) string {
	if t.Cert == "" {
		return ""
	}
	return ", tlsAuth: [{ cert: open(__ENV.SONDE_CERT || " + w.quote(t.Cert) +
		"), key: open(__ENV.SONDE_KEY || __ENV.SONDE_CERT || " + w.quote(keyOf(t)) + ") }]"
}

// javaTLS writes how REST Assured speaks TLS.
func (w *program) javaTLS(s export.Script) {
	how := ""
	switch {
	case s.Insecure:
		w.line("    // The run trusted any certificate.")
		how = "        r.relaxedHTTPSValidation();\n"
	case s.TLS.CACert != "":
		w.line(
			"    // CA_CERT has the authorities besides the system's, unless SONDE_CACERT names another file.\n    static final String CA_CERT = %s;\n\n%s",
			w.quote(s.TLS.CACert), run.JavaTLS,
		)
		how = "        r.trustStore(AUTHORITIES);\n"
	}
	w.line("    // trust says whose certificate a request trusts.")
	w.line("    static void trust(RequestSpecification r) {\n%s    }\n", how)
}

func (w *program) javaTLSImports(s export.Script) string {
	if s.TLS.CACert == "" || s.Insecure {
		return ""
	}
	return run.JavaTLSImports
}

// tls writes how curl speaks TLS.
func (w *shell) tls(s export.Script) {
	w.line("trust=%s", map[bool]string{true: "-k # the run trusted any certificate"}[s.Insecure])
	w.line("cacert= cert= key=")
	if s.TLS == (model.TLSFiles{}) {
		return
	}
	w.line("# SONDE_CACERT, SONDE_CERT and SONDE_KEY may name other files.")
	for _, f := range [][3]string{
		{"cacert", "SONDE_CACERT", s.TLS.CACert},
		{"cert", "SONDE_CERT", s.TLS.Cert},
		{"key", "SONDE_KEY", s.TLS.Key},
	} {
		if f[2] != "" {
			w.line("%s=${%s:-%s}", f[0], f[1], beside(f[2]))
		}
	}
}

// beside returns the path of a file as a shell finds it, seen from the script.
func beside(path string) string {
	if path[0] == '/' {
		return `"` + inDoubleQuotes(path) + `"`
	}
	return `"$(dirname "$0")/` + inDoubleQuotes(path) + `"`
}
