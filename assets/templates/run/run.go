// Package run holds the helpers of exported tests in languages other than Go. It runs nothing
// itself.
package run

import _ "embed"

// JavaTLSImports are the imports that JavaTLS needs.
const JavaTLSImports = `import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
`

// PytestHostsImports are the imports of Pytest and PytestHosts.
const PytestHostsImports = `import atexit
import base64
import functools
import http.server
import json
import os
import random
import re
import shutil
import signal
import socket
import socketserver
import struct
import subprocess
import tempfile
import threading
import time
from datetime import datetime, timezone
from decimal import Decimal
from email.utils import parsedate_to_datetime
from itertools import zip_longest
from urllib.parse import parse_qs, quote, unquote, urlsplit
`

// The helpers of each format. In JavaScript, Values reads JSON and escapes values, Reply checks answers, Node and K6
// send requests, and K6Tests runs the tests. A word in a name says what the helpers are for:
//
//   - Sessions: tests whose users log in
//   - Expect: tests of faults
//   - TLS: configured files of certificates
//   - Hosts: tests that start the service and play the hosts around it
//   - Snapshots: tests that restore snapshots of the service's state
var (
	//go:embed curl.sh
	Curl string
	//go:embed pytest.py
	Pytest string
	//go:embed values.js
	Values string
	//go:embed reply.js
	Reply string
	//go:embed node.mjs
	Node string
	//go:embed k6.js
	K6 string
	//go:embed k6tests.js
	K6Tests string
	//go:embed sessions.py
	PytestSessions string
	//go:embed Hosts.java
	JavaHosts string
	//go:embed hostimports.java
	JavaHostsImports string
	//go:embed hosts.mjs
	NodeHosts string
	//go:embed hosts.py
	PytestHosts string
	//go:embed snapshots.py
	PytestSnapshots string
	//go:embed snapshots.mjs
	NodeSnapshots string
	//go:embed Snapshots.java
	JavaSnapshots string
	//go:embed tls.py
	PytestTLS string
	//go:embed tls.mjs
	NodeTLS string
	//go:embed Tls.java
	JavaTLS string
	//go:embed sessions.sh
	CurlSessions string
	//go:embed sessions.mjs
	NodeSessions string
	//go:embed sessions.k6.js
	K6Sessions string
	//go:embed Sessions.java
	JavaSessions string
	//go:embed imports.java
	JavaImports string
	//go:embed SondeTest.java
	Java string
	//go:embed expect.sh
	CurlExpect string
	//go:embed expect.py
	PytestExpect string
	//go:embed expect.js
	JavaScriptExpect string
	//go:embed Expectation.java
	JavaExpect string
)
