// file returns the content of the file that an environment variable names, or else of the file at path, which is
// relative to this file. It returns undefined if neither is given.
function file(variable, path) {
  const named = process.env[variable] || (path && fileURLToPath(new URL(path, import.meta.url)));
  return named ? readFileSync(named) : undefined;
}

// fetch sends a request on a new connection, with these files for TLS. The fetch of Node.js cannot use
// files.
function fetch(url, { method, headers, body, signal }) {
  return new Promise((resolve, reject) => {
    const sent = (url.startsWith("https:") ? https : http).request(url, { method, headers, signal, agent: false, ...files }, (answer) => {
      const parts = [];
      answer.on("error", reject);
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => resolve({
        status: answer.statusCode,
        arrayBuffer: async () => Buffer.concat(parts),
        headers: {
          get: (name) => [answer.headers[name.toLowerCase()] ?? null].flat().join(", ") || null,
          getSetCookie: () => answer.headers["set-cookie"] || [],
        },
      }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
